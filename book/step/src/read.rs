//! Reads the steps of a project, in the order of the book.

use crate::header::{self, Header};
use crate::{Kind, Step};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folders with packages that have steps, from the project's. A step for which no
/// crawler's build should grow is in a package below `shared`.
const PACKAGES: [&str; 2] = ["", "shared"];

/// Returns all steps of the project in `root`, in the order of the book.
///
/// # Errors
/// A folder or a file cannot be read.
pub fn all(root: &Path) -> io::Result<Vec<Step>> {
    let mut steps = Vec::new();
    for package in packages(root)? {
        let examples = package.join("examples");
        for folder in
            [examples.clone(), examples.join("refused"), examples.join("nightly")]
        {
            if folder.is_dir() {
                for file in sorted(&folder)? {
                    steps.extend(read(root, &package, &file)?);
                }
            }
        }
    }
    let order = order_of_the_book(root)?;
    // A step that no page includes comes first in its chapter.
    let place = |step: &Step| order.iter().position(|name| *name == step.name);
    steps.sort_by_key(|step| (step.chapter, place(step)));
    Ok(steps)
}

/// Returns the folders in which a package with steps may be.
///
/// # Errors
/// A folder cannot be read.
pub fn packages(root: &Path) -> io::Result<Vec<PathBuf>> {
    let folders = PACKAGES.map(|folder| root.join(folder)).into_iter();
    let folders = folders.filter(|folder| folder.is_dir()).map(|it| sorted(&it));
    Ok(folders.collect::<io::Result<Vec<_>>>()?.concat())
}

/// Returns the step in this file; `None` if it is none.
fn read(root: &Path, package: &Path, file: &Path) -> io::Result<Option<Step>> {
    let is_source = file.extension().is_some_and(|extension| extension == "rs");
    let name = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let Some(chapter) = chapter_of(name).filter(|_| is_source) else { return Ok(None) };
    let text = fs::read_to_string(file)?;
    let folder = file.parent().and_then(|folder| folder.file_name()?.to_str());
    let Header { idea, is_only_linux, is_run_alone, in_a_page } = Header::read(&text);
    Ok(Some(Step {
        name: name.to_string(),
        chapter,
        idea,
        is_only_linux,
        is_run_alone,
        in_a_page,
        needs_crawlers: header::needs_crawlers(&text),
        file: file.strip_prefix(root).unwrap_or(file).to_path_buf(),
        kind: match folder {
            Some("refused") => Kind::Refused,
            Some("nightly") => Kind::Nightly,
            _ => Kind::Example(package_name(package)?),
        },
    }))
}

/// Returns the name that the manifest in this folder gives to its package.
fn package_name(folder: &Path) -> io::Result<String> {
    let file = folder.join("Cargo.toml");
    let text = fs::read_to_string(&file)?;
    let name = text.lines().find_map(|line| line.strip_prefix("name = "));
    let missing =
        || io::Error::other(format!("{}: it names no package", file.display()));
    Ok(name.ok_or_else(missing)?.trim().trim_matches('"').to_string())
}

/// Returns 2 for `ch02_blocking`.
pub(crate) fn chapter_of(name: &str) -> Option<u32> {
    let (chapter, _) = name.strip_prefix("ch")?.split_once('_')?;
    chapter.parse().ok()
}

/// Returns the names of the files that the pages include, in their order: those of the
/// steps among them. A page includes the source or the output of each of its steps.
fn order_of_the_book(root: &Path) -> io::Result<Vec<String>> {
    let pages = root.join("book/src");
    let summary = fs::read_to_string(pages.join("SUMMARY.md"))?;
    let mut names = Vec::new();
    for link in summary.split("](").skip(1) {
        let Some((page, _)) = link.split_once(')') else { continue };
        let text = fs::read_to_string(pages.join(page)).unwrap_or_default();
        for include in text.split("{{#include ").skip(1) {
            let path = include.split(['}', ':']).next().unwrap_or_default();
            let stem = Path::new(path).file_stem().and_then(|stem| stem.to_str());
            names.extend(stem.map(str::to_string));
        }
    }
    Ok(names)
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root;

    #[test]
    fn the_steps_come_in_the_order_of_the_book() {
        let steps = all(root()).expect("the steps can be read");
        let names: Vec<&str> = steps.iter().map(|step| &*step.name).collect();
        let place = |name| names.iter().position(|it| *it == name).expect(name);
        let in_order = [
            "ch01_without_sockets",
            "ch02_blocking",
            "ch02_threads",
            "ch05_captured_todo",
            "ch05_rc_refcell",
            "ch09_generator",
            "ch09_nightly",
            "ch16_three_go",
            "ch16_poll_by_hand",
            "ch28_tokio",
        ];
        assert!(in_order.map(place).is_sorted(), "{names:#?}");
        let is_whole = |step: &Step| step.idea.ends_with(['.', ':', '?', '"']);
        assert_eq!(steps.iter().find(|step| !is_whole(step)), None);
    }
}
