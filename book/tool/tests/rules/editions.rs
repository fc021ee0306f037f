//! What the students' edition and the EPUB have, and do not have.

use crate::sample::Sample;
use crate::{PIN, assert_says, whole};
use book::html::site::Site;
use book::paper;
use std::fs::File;
use std::io::Read;

const ANSWER: &str = "Yes, because other frames keep the address of this one.";

/// The answer of a checkpoint in its page.
fn fold(answer: &str) -> String {
    format!("<details id=\"pin-check-why\">\n<summary>Answer</summary>\n\n{answer}")
}

/// A book whose answers are long enough to be found.
fn with_answers() -> Sample {
    let sample = Sample::with_exercise();
    sample.edit(PIN, &fold("Yes."), &fold(ANSWER));
    sample.edit(
        "stage3-async/exercises/leaf/mistakes.txt",
        "  found: 2\n",
        "  found: 2, which is more than the promise of this function allows\n",
    );
    sample.edit(
        "stage3-async/exercises/leaf/solution.rs",
        "    1\n",
        "    // One is the smallest of all the numbers that count.\n    1\n",
    );
    sample.edit(
        "book/teaching/pin.md",
        "**Draw.** It.",
        "**Draw.** Two frames, and an arrow from one to the other.",
    );
    sample
}

#[test]
fn no_answer_is_in_the_students_edition() {
    let sample = with_answers();
    assert_eq!(whole(&sample), []);
    let page = |edition: &str| {
        let file = sample.place().target.join(edition).join("pin.html");
        std::fs::read_to_string(file).expect("it was built")
    };
    assert!(page("book").contains(ANSWER));
    let students = page("book-students");
    assert!(!students.contains(ANSWER) && students.contains("pin-check-why"));
}

#[test]
fn an_answer_that_is_left_for_students_is_found() {
    let cases = [
        // The edition does not know this fold.
        (PIN, "<details id=\"pin-check-why\"", "<details open id=\"pin-check-why\""),
        // An answer of a checkpoint in the text of a picture.
        (
            PIN,
            "See [notes]",
            "<img alt=\"Yes, because other frames keep the address of this one.\" src=\"theme/a.svg\">\n\nSee [notes]",
        ),
    ];
    for (file, from, to) in cases {
        let sample = with_answers();
        sample.edit(file, from, to);
        let says = format!("pin.html: has an answer (check): {ANSWER}");
        assert_says(&whole(&sample), &says);
    }
    // What the book says elsewhere is no secret.
    let sample = with_answers();
    sample.edit("book/src/last.md", "The end.", ANSWER);
    assert_eq!(whole(&sample), []);
}

#[test]
fn answers_that_are_not_found_in_the_whole_book_are_missed() {
    let sample = with_answers();
    let nothing = Site::read(&sample.place().target);
    let problems = book::whole::students::check(&sample.book(), &nothing, &nothing);
    for kind in ["check", "solution", "mistakes", "teachers"] {
        assert_says(
            &problems,
            &format!("no answer ({kind}) is found in the built book"),
        );
    }
}

#[test]
fn an_epub_is_an_archive_of_all_pages() {
    let sample = Sample::new();
    let file = paper::epub(&sample.book()).expect("it can be made");
    let mut archive = zip::ZipArchive::new(File::open(file).expect("it is there"))
        .expect("it is an archive");
    let first = archive.by_index(0).expect("it has files");
    assert_eq!(first.name(), "mimetype");
    assert_eq!(first.compression(), zip::CompressionMethod::Stored);
    drop(first);
    let names: Vec<&str> = archive.file_names().collect();
    for page in ["index", "introduction", "pin", "last", "teaching-notes"] {
        let name = format!("book/{page}.xhtml");
        assert!(names.contains(&&*name), "{name}: {names:?}");
    }
}

#[test]
fn an_epub_has_no_dead_board_and_names_its_hints() {
    let sample = Sample::new();
    let board = "<div class=\"system-board\"><p class=\"instead\">It needs JavaScript.</p></div>";
    let hint =
        "<details id=\"last-hint\">\n<summary>A hint</summary>\n\nLook.\n\n</details>";
    let page = format!("The end.\n\n{board}\n\n{hint}\n\n{board}");
    sample.edit("book/src/last.md", "The end.", &page);
    let file = paper::epub(&sample.book()).expect("it can be made");
    let file = File::open(file).expect("it is there");
    let mut archive = zip::ZipArchive::new(file).expect("it is an archive");
    let mut text = String::new();
    let mut page = archive.by_name("book/last.xhtml").expect("it has the page");
    page.read_to_string(&mut text).expect("it is text");
    assert!(!text.contains("JavaScript"), "{text}");
    assert_eq!(text.matches("played in a browser").count(), 1, "{text}");
    let (before, answers) =
        text.split_once("class=\"answers\"").expect("it has answers");
    assert!(before.contains(">A hint (") && !before.contains("Look."), "{before}");
    assert!(answers.contains("Look."), "{answers}");
}

#[test]
fn what_is_wrong_in_an_epub_is_found() {
    let cases = [
        ("The end.", "<div a\"b=\"c\">The end.</div>", "last.xhtml: is no XML"),
        (
            "The end.",
            "[The end](introduction.md#not)",
            "`introduction.xhtml#not` leads nowhere",
        ),
    ];
    for (from, to, says) in cases {
        let sample = Sample::new();
        sample.edit("book/src/last.md", from, to);
        assert_says(&whole(&sample), says);
    }
    let sample = Sample::new();
    sample.edit("book/src/index.md", "> Why?\n", "");
    assert_says(&whole(&sample), "epub: not made: index.html has no main > blockquote");
}
