//! The rules of the project's English.

use crate::sample::Sample;
use crate::{PIN, STEP, assert_says};
use book::check;

/// What the rule says, without the linter.
fn english(sample: &Sample) -> Vec<String> {
    let problems = check::english::check(&sample.book(), false);
    problems.iter().map(|problem| problem.to_string()).collect()
}

#[test]
fn old_words_are_problems_where_there_are_more_than_allowed() {
    let sample = Sample::new();
    assert_eq!(english(&sample), [""; 0]);
    sample.edit(PIN, "It moves.", "It waits in\n  vain. A word stands for a thing.");
    let [second, first] = &english(&sample)[..] else {
        panic!("{:?}", english(&sample))
    };
    assert!(first.starts_with("book/src/pin.md:"), "{first}");
    assert!(first.ends_with("`in vain`: write without success"), "{first}");
    assert!(second.starts_with("book/src/last.md:6: `in vain`"), "{second}");
}

#[test]
fn pronouns_are_counted_and_may_not_become_more() {
    let sample = Sample::new();
    sample.edit(PIN, "It moves.", "Nobody moves.");
    let says = "pages has 2 of these pronouns, and 1 are allowed";
    assert!(english(&sample)[0].contains(says), "{:?}", english(&sample));
}

#[test]
fn english_is_read_in_comments_texts_figures_and_documents() {
    let files = [
        (STEP, "//! Why a frame must not move, who knows."),
        (STEP, "fn why() { println!(\"{} in vain\"); }"),
        ("stage3-async/src/lib.rs", "/// Stands here.\nfn here() {}"),
        ("book/figures/pin-moved.fig", "note 1 2 \"it stands\""),
        ("book/teaching/pin.md", "**Minutes.** In vain."),
        ("README.md", "Whose is it?"),
    ];
    for (file, text) in files {
        let sample = Sample::new();
        sample.write(file, text);
        assert_eq!(english(&sample).len(), 1, "{file}: {:?}", english(&sample));
    }
    for text in ["fn whose() {} // `who`", "/// ```\n/// who();\n/// ```\nfn a() {}"] {
        let sample = Sample::new();
        sample.write(STEP, text);
        assert_eq!(english(&sample), [""; 0], "{text}");
    }
}

#[test]
fn a_page_shows_its_old_words_and_pronouns_as_warnings() {
    let sample = Sample::new();
    let problems = check::pages(&sample.book(), &["last".to_string()]);
    assert_says(&problems, "book/src/last.md:5: warning: `who`: right for people");
    assert_says(&problems, "book/src/last.md:6: warning: `in vain`: write");
}

#[test]
fn the_allowance_falls_with_what_is_there() {
    let sample = Sample::new();
    sample.edit("book/src/last.md", "in vain", "long");
    let warning = "warning: pages has fewer";
    assert!(english(&sample)[0].contains(warning), "{:?}", english(&sample));
}

#[test]
fn a_line_of_the_old_words_that_cannot_be_read_is_a_problem() {
    let sample = Sample::new();
    sample.edit("book/english/words.txt", "stands?  is", "stands?( is");
    assert!(english(&sample)[0].contains("words.txt:3: write a pattern"));
}
