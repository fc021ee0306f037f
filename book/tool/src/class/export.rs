//! `cargo class export`: the tree for a class, without solutions, mistakes, the bank of
//! questions, and what is for teachers.

use crate::read::edition::{Edition, FOR_TEACHERS};
use crate::read::place::Place;
use runner::holes;
use runner::material::{self, Exercise};
use std::fs;
use std::path::Path;
use std::process::Command;

/// What students do not get, as the beginnings of paths.
const LEFT_OUT: &[&str] = &[
    ".github/",
    "book/bank/",
    "book/plans/",
    "book/slides/",
    "book/teaching/",
    "tests/exercises/README.md",
    "tests/exercises/runner/tests/",
    README,
];

/// What students read first, instead of the project's own.
const README: &str = "tests/exercises/STUDENTS.md";

// Of exercises and of capstones.
pattern!(ANSWER, r"/exercises/.+/(solution\.rs|(solution|wrong|mistakes)[^/]*\.txt)$");

/// Writes the tree into a folder that is new or empty. It has what git knows, as it is now,
/// and for each exercise the starts, which are cut out of the solution here.
///
/// # Errors
/// The folder has files, git does not run, or a file cannot be read or written.
pub fn export(place: &Place, to: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", to.display());
    fs::create_dir_all(to).map_err(failed)?;
    if fs::read_dir(to).map_err(failed)?.next().is_some() {
        return Err(format!("{}: name a new folder, this one has files", to.display()));
    }
    for path in known(&place.root)?.iter().filter(|path| is_for_students(path)) {
        put(&place.root, path, to).map_err(|error| format!("{path}: {error}"))?;
    }
    for exercise in material::exercises(&place.root)? {
        let folder = exercise.folder.strip_prefix(&place.root);
        let folder = to.join(folder.map_err(|error| error.to_string())?);
        // Most of a start of level 1 is the solution.
        for level in holes::USUAL..=*holes::LEVELS.end() {
            let text = exercise.start(&place.root, level)?;
            let file = folder.join(Exercise::kept_start(level));
            fs::write(file, text).map_err(failed)?;
        }
    }
    fs::write(to.join("README.md"), material::read(&place.root.join(README))?)
        .map_err(failed)
}

/// Returns the files that git knows, with `/` in their paths.
fn known(root: &Path) -> Result<Vec<String>, String> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["ls-files", "-z"]);
    let output = git.output().map_err(|error| format!("git: {error}"))?;
    if !output.status.success() {
        return Err(format!("git: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    let paths = String::from_utf8_lossy(&output.stdout);
    Ok(paths.split_terminator('\0').map(String::from).collect())
}

fn is_for_students(path: &str) -> bool {
    let page = path.strip_prefix("book/src/").and_then(|it| it.strip_suffix(".md"));
    !LEFT_OUT.iter().any(|it| path.starts_with(it))
        && !page.is_some_and(|page| FOR_TEACHERS.contains(&page))
        && !ANSWER.is_match(path)
}

/// Copies a file, and of a page what students get of it.
fn put(root: &Path, path: &str, to: &Path) -> std::io::Result<()> {
    let (from, to) = (root.join(path), to.join(path));
    fs::create_dir_all(to.parent().expect("it is below a folder"))?;
    if path.starts_with("book/src/") && path.ends_with(".md") {
        return fs::write(to, Edition::Students.of_page(&fs::read_to_string(from)?));
    }
    fs::copy(from, to).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_get_starts_and_no_solutions() {
        let place = Place::new(None, None);
        let folder = tempfile::tempdir().expect("a folder for this test");
        let to = folder.path();
        export(&place, to).expect("this is a clone");
        let exercises = |root| material::exercises(root).expect("they are there");
        let (ours, theirs) = (exercises(&place.root), exercises(to));
        assert!(ours.len() == theirs.len() && ours.len() > 40);
        for (our, their) in ours.iter().zip(&theirs) {
            let name = &our.name;
            let starts = [2, 3].map(|it| our.start(&place.root, it).expect(name));
            assert_eq!(starts, [2, 3].map(|it| their.start(to, it).expect(name)));
            assert!(their.start(to, 1).is_err() && !their.has_solution(), "{name}");
            // Nothing beside hints.md and these two.
            let count = fs::read_dir(&their.folder).expect(name).count();
            assert!(count == 3 && their.read("hints.md").is_ok(), "{name}");
        }
        let summary = material::read(&to.join("book/src/SUMMARY.md")).expect("a page");
        assert!(summary.contains("(pin.md)") && !summary.contains("(teaching"));
        for gone in [
            "book/bank",
            "book/src/teaching.md",
            "tests/exercises/capstones/hosts/wrong.txt",
        ] {
            assert!(
                place.root.join(gone).exists() && !to.join(gone).exists(),
                "{gone}"
            );
        }
        assert!(export(&place, to).is_err(), "nothing is overwritten");
    }
}
