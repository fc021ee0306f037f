//! The rules of the project's English.

use crate::sample::Sample;
use crate::{PIN, STEP, assert_says};
use book::check;

/// What the rule says, without the linter.
fn english(sample: &Sample) -> Vec<String> {
    let problems = check::english::words(&sample.book());
    problems.iter().map(|problem| problem.to_string()).collect()
}

#[test]
fn old_words_and_pronouns_for_people_are_problems() {
    let sample = Sample::new();
    assert_eq!(english(&sample), [""; 0]);
    sample.edit(PIN, "It moves.", "It waits in\n  vain. A word stands for a thing.");
    sample.edit(
        "book/src/last.md",
        "The end.",
        "Nobody moves, a reader who moves does.",
    );
    let [pronoun, old] = &english(&sample)[..] else {
        panic!("{:?}", english(&sample))
    };
    assert!(
        pronoun.starts_with("book/src/last.md:5: `Nobody`: right for"),
        "{pronoun}"
    );
    assert!(old.starts_with("book/src/pin.md:"), "{old}");
    assert!(old.ends_with("`in vain`: write without success"), "{old}");
}

#[test]
fn an_exception_is_beside_its_sentence() {
    for (file, text) in [
        ("book/src/last.md", "<!-- english: nobody -->\nNobody moves."),
        (STEP, "// english: nobody\nconst WHO: &str = \"nobody\";"),
        (STEP, "// english: nobody\nconst WHO: &str = \"\n    nobody\";"),
        ("README.md", "Nobody moves. <!-- english: nobody -->"),
    ] {
        let sample = Sample::new();
        sample.write(file, text);
        assert_eq!(english(&sample), [""; 0], "{text}");
        sample.write(file, &text.replace("english: nobody", "english: somebody"));
        assert_eq!(english(&sample).len(), 1, "{text}: {:?}", english(&sample));
    }
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
    for text in [
        "fn whose() {} // `who`",
        "/// ```\n/// who();\n/// ```\nfn a() {}",
        "fn a() { println!(\"{who}\"); }",
    ] {
        let sample = Sample::new();
        sample.write(STEP, text);
        assert_eq!(english(&sample), [""; 0], "{text}");
    }
}

#[test]
fn a_page_shows_its_old_words_and_pronouns() {
    let sample = Sample::new();
    sample.edit("book/src/last.md", "The end.", "It who\nwaits in vain.");
    let problems = check::english::words(&sample.book());
    assert_says(&problems, "book/src/last.md:5: `who`: right for people");
    assert_says(&problems, "book/src/last.md:6: `in vain`: write");
}

#[test]
fn a_line_of_the_old_words_that_cannot_be_read_is_a_problem() {
    let sample = Sample::new();
    sample.edit("book/english/words.txt", "stands?  is", "stands?( is");
    assert!(english(&sample)[0].contains("words.txt:3: write a pattern"));
}
