//! `cargo class students`: what each laptop needs the day before, and a folder for a USB stick
//! with all of it but Rust itself.

use super::export::export;
use crate::html;
use crate::read::book::Book;
use crate::read::edition::Edition;
use crate::read::plan::{Plan, Row, read};
use crate::read::problem::Problem;
use crate::slides::{self, Form};
use anstream::println;
use runner::capstone::make::copy;
use runner::material::{self, Exercise};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The workspace of the exercises, whose libraries are others than those of the project's.
const EXERCISES: &str = "tests/exercises/Cargo.toml";

/// What the copy's `.cargo/config.toml` says besides: libraries come from the folder alone.
const VENDORED: &str = "\n[source.crates-io]\nreplace-with = \"vendored\"\n\n\
    [source.vendored]\ndirectory = \"vendor\"\n\n[net]\noffline = true\n";

/// What the first check needs, measured on Linux with Rust 1.95, in a copy of the folder: 41
/// seconds of processor time, on two cores, and 244 MB, 89 of them for incremental builds.
const FIRST_CHECK: &str = "It takes about half a minute, and writes 250 MB to `target`";

/// Makes the folder, prints the letter to the students that is in it, and returns it.
///
/// # Errors
/// There is no such plan, this is no clone, a library cannot be copied, or the book cannot be
/// built.
pub fn stick(book: &Book, name: &str) -> Result<PathBuf, String> {
    let place = &book.place;
    let plan = read(place, name)?;
    let stick = place.target.join(format!("stick-{name}"));
    let project = stick.join("project");
    let failed = |error: io::Error| format!("{}: {error}", stick.display());
    if stick.exists() {
        fs::remove_dir_all(&stick).map_err(failed)?;
    }
    println!("writing the tree for students");
    export(place, &project)?;
    // Most of a start of level 1 is the solution, so the tree has none but those of the plan.
    let all = material::exercises(&place.root)?;
    for row in plan.rows().filter(|row| row.level == Some(1)) {
        for exercise in all.iter().filter(|it| row.write.contains(&it.name)) {
            let folder = exercise.folder.strip_prefix(&place.root);
            let folder = project.join(folder.map_err(|error| error.to_string())?);
            let start = exercise.start(&place.root, 1)?;
            fs::write(folder.join(Exercise::kept_start(1)), start).map_err(failed)?;
        }
    }
    println!("copying its libraries");
    vendor(&place.root, &project)?;
    let config = project.join(".cargo/config.toml");
    let aliases = fs::read_to_string(&config).map_err(failed)?;
    fs::write(&config, aliases + VENDORED).map_err(failed)?;
    println!("building the book, without its answers");
    html::build(book, Edition::Students)?;
    copy(&Edition::Students.built(place), &stick.join("book")).map_err(failed)?;
    let has_handout = slides::has_handout(place, name);
    if has_handout {
        let said = |all: Vec<Problem>| -> String {
            all.iter().map(|it| format!("{it}\n")).collect()
        };
        let handout = slides::write_handout(book, name, Form::Page).map_err(said)?;
        fs::copy(&handout, stick.join("handout.html")).map_err(failed)?;
    }
    let sizes =
        [size(&project).map_err(failed)?, size(&stick.join("book")).map_err(failed)?];
    let letter = letter(&plan, sizes, has_handout);
    fs::write(stick.join("README.txt"), &letter).map_err(failed)?;
    println!("\n{letter}");
    Ok(stick)
}

/// What the students have to do, in plain text. `sizes` are those of the project and of the
/// book: bytes and files.
fn letter(plan: &Plan, sizes: [(u64, usize); 2], has_handout: bool) -> String {
    let on_paper = match has_handout {
        true => ", and the handout has all that is done on paper",
        false => "",
    };
    let [project, book] = sizes.map(|(bytes, files)| {
        format!("{} MB in {files} files", bytes.div_ceil(1_000_000))
    });
    let rust = env!("CARGO_PKG_RUST_VERSION");
    let checks: Vec<String> =
        plan.rows().flat_map(|row: &Row| row.exercises("check")).collect();
    let check = match checks.first() {
        None => "cargo exercise check seen",
        Some(first) => first,
    };
    format!(
        "{}\n\n\
         On each laptop, the day before:\n\n\
         1. Install Rust {rust} or later: https://rustup.rs. You also need a linker: on\n   \
            Debian, Ubuntu and WSL, `sudo apt install build-essential`. Only this step needs a\n   \
            network.\n   \
            Windows: do all of this in WSL 2 (`wsl --install`). Windows itself was not\n   \
            tried yet.\n\
         2. Copy the folder `project` to the laptop: {project}.\n   \
            In WSL, copy it to your Linux home folder, and not below /mnt.\n\
         3. In that folder, type\n\n       {check}\n\n   \
            It needs no network. {FIRST_CHECK}.\n   \
            Then it names a case that fails. That is right: you have not written\n   \
            anything yet. From then on a check takes about a second.\n\
         4. Open book/index.html in a browser: {book}.\n\n\
         A laptop that cannot compile is no problem: the players and boards in the book run in\n\
         the browser{on_paper}.\n",
        plan.title
    )
}

/// Copies all libraries of both lock files; it needs a network for those that are missing.
fn vendor(root: &Path, project: &Path) -> Result<(), String> {
    let mut cargo = step::cargo();
    cargo
        .current_dir(root)
        .args(["vendor", "--locked", "--quiet", "--sync", EXERCISES]);
    let output = cargo.arg(project.join("vendor")).output();
    let output = output.map_err(|error| format!("cargo: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("the libraries are not copied; connect to a network once:\n{said}"))
}

/// How many bytes the files below a folder have, and how many files there are.
fn size(folder: &Path) -> io::Result<(u64, usize)> {
    let mut sum = (0, 0);
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (bytes, files) = match entry.file_type()?.is_dir() {
            true => size(&entry.path())?,
            false => (entry.metadata()?.len(), 1),
        };
        sum = (sum.0 + bytes, sum.1 + files);
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::place::Place;

    #[test]
    fn a_letter_has_the_command_the_sizes_and_what_to_do_on_windows() {
        let plan = read(&Place::new(None, None), "90").expect("it is there");
        let letter = letter(&plan, [(1_000_001, 2), (3, 4)], true);
        for part in [
            "\n       cargo exercise check executor --level 1\n",
            "`project` to the laptop: 2 MB in 2 files",
            "book/index.html in a browser: 1 MB in 4 files",
            "Windows: do all of this in WSL 2",
        ] {
            assert!(letter.contains(part), "no {part:?} in {letter}");
        }
        assert!(letter.lines().all(|line| line.chars().count() <= 92), "{letter}");
    }

    #[test]
    fn a_folder_is_copied_with_all_that_is_in_it() {
        let folder = tempfile::tempdir().expect("a folder for this test");
        let [from, to] = ["from", "to"].map(|name| folder.path().join(name));
        fs::create_dir_all(from.join("a/b")).expect("it is ours");
        fs::write(from.join("a/b/c"), "12345").expect("it is ours");
        fs::write(from.join("d"), "6").expect("it is ours");
        copy(&from, &to).expect("it is ours");
        assert_eq!(fs::read_to_string(to.join("a/b/c")).expect("it is there"), "12345");
        assert_eq!(size(&to).expect("it is ours"), (6, 2));
    }
}
