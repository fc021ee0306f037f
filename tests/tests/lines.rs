//! Five hundred lines or less: the rule of the book's chapter, for each stage.

use std::fs;
use std::path::{Path, PathBuf};

/// The most source lines of a stage, as the original chapter's rule has it.
const MOST: usize = 500;

/// Of stage 3, whose machine does what asyncio did for the original.
const MACHINE: [&str; 8] = [
    "executor.rs",
    "lib.rs",
    "net.rs",
    "queue.rs",
    "race.rs",
    "reactor.rs",
    "ready.rs",
    "task.rs",
];
const CRAWLER: [&str; 3] = ["crawler.rs", "main.rs", "pool.rs"];
const ASIDE: [&str; 3] = ["elsewhere.rs", "plain.rs", "tls.rs"];

#[test]
fn stage1_has_at_most_five_hundred_lines() {
    assert_lines("stage1-callbacks", MOST, |_| true);
}

#[test]
fn stage2_has_at_most_five_hundred_lines() {
    assert_lines("stage2-generators", MOST, |_| true);
}

/// Twice as many as we aimed at, for the machine: it is listed here so that it does not
/// grow unseen.
#[test]
fn stage3_has_a_machine_and_a_crawler_that_can_be_read() {
    assert_lines("stage3-async", 890, |file| MACHINE.contains(&file));
    assert_lines("stage3-async", 310, |file| CRAWLER.contains(&file));
    println!("aside: helper threads, look-ups, https");
    assert_lines("stage3-async", 360, |file| ASIDE.contains(&file));
    let known = [&MACHINE[..], &CRAWLER, &ASIDE].concat();
    assert_lines("stage3-async", usize::MAX, |file| {
        assert!(known.contains(&file), "{file} counts to none of these");
        true
    });
}

/// Prints the lines of each file that counts, and asserts that they are few enough
/// together.
fn assert_lines(stage: &str, most: usize, counts: impl Fn(&str) -> bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder up");
    let folder = folder.join(stage).join("src");
    let mut sum = 0;
    for path in sources(&folder) {
        let file =
            path.strip_prefix(&folder).expect("it is below").display().to_string();
        if !counts(&file) {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a source is text");
        let lines = program(&text).lines().filter(|line| is_source(line)).count();
        println!("{lines:5}  {stage}/src/{file}");
        sum += lines;
    }
    println!("{sum:5}  together");
    assert!((1..=most).contains(&sum), "{sum} source lines in {stage}");
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

/// A file without its tests, which stand at its end.
fn program(text: &str) -> &str {
    text.split_once("\n#[cfg(test)]\nmod tests {").map_or(text, |(program, _)| program)
}

/// Neither blank nor a comment. (There are no block comments in this workspace.)
fn is_source(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with("//")
}

#[test]
fn tests_do_not_count() {
    let text = "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n";
    assert_eq!(program(text).lines().filter(|line| is_source(line)).count(), 1);
}

#[test]
fn blanks_and_comments_do_not_count() {
    let lines =
        ["", "  ", "// why", "    /// What.", "//! Idea.", "let x = 1; // why", "}"];
    assert_eq!(lines.map(is_source), [false, false, false, false, false, true, true]);
}
