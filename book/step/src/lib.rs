//! The steps of the book: each is one program, and is run by its name.
//!
//! Most are examples of a stage. What the compiler has to refuse, and what needs nightly
//! Rust, is compiled by `rustc` itself: both use std alone.
#![forbid(unsafe_code)]

mod find;
mod header;
mod process;

pub use find::{find, of_chapter, unknown};
pub use header::InPage;
pub use process::{
    become_command, cargo, cargo_build, cargo_run, exit_code, from_a_shell, print, run,
    run_as_this_process, target, typed,
};

use header::Header;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its name, as in `ch02_blocking`.
    pub name: String,
    /// The chapter that its name begins with.
    pub chapter: u32,
    /// Its first line: the idea in one sentence.
    pub idea: String,
    /// Its source, from the project's folder.
    pub file: PathBuf,
    /// How it is compiled.
    pub kind: Kind,
    /// Whether other systems than Linux print something else: there it is only run.
    pub is_only_linux: bool,
    /// Whether the tests run no other step beside it, because its output depends on how fast
    /// the machine is, or because it takes much of the machine.
    pub is_run_alone: bool,
    /// How it runs in a page. Only an example does.
    pub in_a_page: InPage,
    /// Whether it uses what only the program with the crawlers has in a page: the demo
    /// site, or the parser of pages.
    pub needs_crawlers: bool,
}

/// How a step is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// As an example of this package.
    Example(String),
    /// By `rustc`, which refuses it.
    Refused,
    /// By `rustc` of the nightly toolchain.
    Nightly,
}

/// The folder of this project.
///
/// # Panics
/// Never: this package lies in it.
pub fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("the workspace holds book/step")
}

/// Returns all steps of the project in `root`, in the order of the book.
///
/// # Errors
/// A folder or a file cannot be read.
pub fn all(root: &Path) -> io::Result<Vec<Step>> {
    let mut steps = Vec::new();
    for package in sorted(root)? {
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

/// Returns the step in this file; `None` if it is none.
fn read(root: &Path, package: &Path, file: &Path) -> io::Result<Option<Step>> {
    let is_source = file.extension().is_some_and(|extension| extension == "rs");
    let name = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let Some(chapter) = chapter_of(name).filter(|_| is_source) else { return Ok(None) };
    let text = fs::read_to_string(file)?;
    let folder = file.parent().and_then(|folder| folder.file_name()?.to_str());
    let package = package.file_name().unwrap_or_default().to_string_lossy();
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
            _ => Kind::Example(package.into_owned()),
        },
    }))
}

/// Returns 2 for `ch02_blocking`.
fn chapter_of(name: &str) -> Option<u32> {
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

impl Step {
    /// Returns the package that it is an example of; `None` if `rustc` compiles it alone.
    pub fn package(&self) -> Option<&str> {
        match &self.kind {
            Kind::Example(package) => Some(package),
            Kind::Refused | Kind::Nightly => None,
        }
    }

    /// Returns the program that runs it in a page: `page`, which has the crawlers, too, or
    /// `steps`, which is a fifth as big.
    pub fn program_in_a_page(&self) -> &'static str {
        if self.needs_crawlers { "page" } else { "steps" }
    }

    /// Returns the file with what it has printed in a real run, or, of a program that the
    /// compiler refuses, what the compiler has printed.
    pub fn output(&self) -> PathBuf {
        let is_refused = self.kind == Kind::Refused;
        let extension = if is_refused { "stderr" } else { "out" };
        root().join(&self.file).with_extension(extension)
    }

    /// Returns the commands that run it in the project's folder, one after the other:
    /// the last one is the step, and the one before compiles it.
    pub fn commands(&self, arguments: &[OsString]) -> Vec<Command> {
        let mut rustc = Command::new("rustc");
        match &self.kind {
            Kind::Example(package) => {
                let mut cargo = cargo_run(package);
                cargo.args(["--example", &self.name]);
                if !arguments.is_empty() {
                    cargo.arg("--").args(arguments);
                }
                vec![cargo]
            }
            Kind::Refused => {
                rustc.args(["--edition", "2024"]).arg(&self.file);
                vec![rustc]
            }
            Kind::Nightly => {
                let program = target().join(&self.name);
                let program = program.with_extension(std::env::consts::EXE_EXTENSION);
                rustc.args(["+nightly", "--edition", "2024", "-o"]).arg(&program);
                rustc.arg(&self.file);
                let mut step = Command::new(program);
                step.args(arguments);
                vec![rustc, step]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps() -> Vec<Step> {
        all(root()).expect("the steps can be read")
    }

    #[test]
    fn the_steps_come_in_the_order_of_the_book() {
        let steps = steps();
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

    #[test]
    fn an_example_is_run_by_cargo_and_a_refused_program_compiled_by_rustc() {
        let steps = steps();
        let typed_of = |name: &str, arguments: &[&str]| {
            let arguments: Vec<OsString> =
                arguments.iter().map(OsString::from).collect();
            let step = find(&steps, name).expect("it is there");
            step.commands(&arguments).iter().map(typed).collect::<Vec<_>>()
        };
        assert_eq!(
            typed_of("ch02_blocking", &["http://h/?a=1&b"]),
            ["cargo run --package stage1-callbacks --example ch02_blocking -- \
              'http://h/?a=1&b'"]
        );
        let refused = typed_of("ch05_captured_todo", &[]);
        let file = Path::new("stage1-callbacks/examples/refused/ch05_captured_todo.rs");
        assert_eq!(refused, [format!("rustc --edition 2024 {}", file.display())]);
        let nightly = typed_of("ch09_nightly", &[]);
        assert!(nightly[0].starts_with("rustc +nightly --edition 2024 -o "));
        assert_eq!(nightly.len(), 2);
    }
}
