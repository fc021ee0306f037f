//! Five hundred lines or less: the rule of the book's chapter, for each stage.

use std::fs;
use std::path::{Path, PathBuf};

/// The most source lines of a stage, as the original chapter's rule has it.
const MOST: usize = 500;

#[test]
fn stage1_has_at_most_five_hundred_lines() {
    assert_short(&["stage1-callbacks"]);
}

#[test]
fn stage2_has_at_most_five_hundred_lines() {
    assert_short(&["stage2-generators"]);
}

/// Prints the lines of each file, and asserts that they are few enough together.
fn assert_short(folders: &[&str]) {
    let workspace =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder up");
    let mut sum = 0;
    for folder in folders {
        for file in sources(&workspace.join(folder).join("src")) {
            let text = fs::read_to_string(&file).expect("a source is text");
            let lines = text.lines().filter(|line| is_source(line)).count();
            let name = file.strip_prefix(workspace).expect("it is below").display();
            println!("{lines:5}  {name}");
            sum += lines;
        }
    }
    println!("{sum:5}  together");
    assert!((1..=MOST).contains(&sum), "{sum} source lines in {folders:?}");
}

/// All Rust files in a folder and below, sorted.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.expect("a folder of ours can be read").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Neither blank nor a comment. (There are no block comments in this workspace.)
fn is_source(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with("//")
}

#[test]
fn blanks_and_comments_do_not_count() {
    let lines =
        ["", "  ", "// why", "    /// What.", "//! Idea.", "let x = 1; // why", "}"];
    assert_eq!(lines.map(is_source), [false, false, false, false, false, true, true]);
}
