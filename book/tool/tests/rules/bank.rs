//! The question bank: what proves a key, and the sheets that are written of questions.

use crate::assert_says;
use crate::sample::Sample;
use book::check;
use book::check::proof;
use book::quiz::{self, Format, Wanted};
use book::read::bank::{self, Check, Source};
use book::read::place::stem;
use std::collections::BTreeMap;
use std::fs;

const CONCEPTS: &str = "[concept]\nK1 = \"A frame has an address.\"\nK2 = \"A type fits.\"\n\
    [misconception]\nM1 = \"A frame may move at any time.\"\nM2 = \"Two is one.\"\n\
    M3 = \"Nothing is printed.\"\n";

/// A question with the key `1`. `CHECK` is what proves it.
const QUESTION: &str = r#"
concept = "K1"
chapter = "pin"
level = "apply"
seen = true
test = 1
stem = "What does the **program** print?"
explain = "It prints one, because the counter counts from zero."
settled_by = "cargo run --example ch18_pin"
option = [
    { text = "2", tag = "M2" },
    { text = "nothing", tag = "M3" },
    { text = "1" },
    { text = "another number", tag = "M1" },
]
[[check]]
CHECK
"#;

/// A book with two questions.
fn with_bank() -> Sample {
    let sample = Sample::with_exercise();
    sample.write("book/bank/concepts.toml", CONCEPTS);
    let question = QUESTION.replace("CHECK", "program = true\nhas = ['one 1']");
    sample.write("book/bank/counts.toml", &question);
    sample
        .write("book/bank/programs/counts.rs", "fn main() { println!(\"one 1\"); }\n");
    let other = QUESTION.replace("CHECK", "refused = 'E0308'\nhas = ['expected `u8`']");
    let other =
        other.replace("test = 1", "").replace("K1", "K2").replace("\"pin", "\"last");
    let other = other.replace("from zero", "from one");
    sample.write("book/bank/fits.toml", &other);
    let refused = "fn main() { let one: u8 = \"1\"; }\n";
    sample.write("book/bank/programs/fits.rs", refused);
    sample.write("book/bank/tasks.md", "# Tasks\n\n## One\n\nWhy?\n\n### Key\n\nSo.\n");
    sample
}

#[test]
fn a_key_that_is_not_proved_is_a_problem() {
    let sample = with_bank();
    let unproved = |sample: &Sample| {
        let mut problems = check::bank::check(&sample.book());
        problems.retain(|it| {
            it.file.ends_with("counts.toml") || it.file.ends_with("fits.toml")
        });
        problems
    };
    assert_eq!(unproved(&sample), []);
    sample.edit("book/bank/programs/counts.rs", "one 1", "one 2");
    assert_says(&unproved(&sample), "counts.toml: \"one 1\" is missing in:");
    sample.edit("book/bank/programs/fits.rs", "\"1\"", "1");
    assert_says(&unproved(&sample), "fits.toml: compiles, and should be refused");
    assert_says(&check::bank::check(&sample.book()), "the test has 1 questions");
}

#[test]
fn wrong_options_of_one_tag_are_a_problem() {
    let sample = with_bank();
    let says = "counts.toml: all wrong options have the same tag";
    for tag in ["M1", "M3"] {
        let found = format!("{:?}", check::bank::check(&sample.book()));
        assert!(!found.contains("the same tag"), "{tag}");
        sample.edit("book/bank/counts.toml", tag, "M2");
    }
    assert_says(&check::bank::check(&sample.book()), says);
}

/// The only question about K1 is in the test.
#[test]
fn each_concept_comes_back_in_the_semester_after_it_was_taught() {
    let sample = with_bank();
    let rows =
        "| 1 | [pin](pin.md), [last](last.md) | K2 |\n| 2 | | K1, K2 |\n| 3 | | K2 |\n";
    let head = "# Teach\n\n## A semester\n\n| week | chapters | again |\n|--|--|--|\n";
    sample.write("book/src/teaching.md", &format!("{head}{rows}"));
    sample.edit("book/src/SUMMARY.md", "---\n", "---\n\n[Teach](teaching.md)\n");
    let problems = check::bank::check(&sample.book()).into_iter().map(|it| it.text);
    let found: Vec<String> = problems
        .filter_map(|it| Some(it.split_once("teaching.md: ")?.1.into()))
        .collect();
    let wanted = [
        "week 1: no question about K2 comes before",
        "week 2: no question about K1 comes before",
        "K1 is asked again 1 times: 3 at least",
    ];
    assert_eq!(found, wanted);
}

/// Each kind of check notices that something else is there.
#[test]
fn no_kind_of_check_holds_whatever_it_finds() {
    let sample = with_bank();
    sample.write("book/traces/pin-one.md", "| a |\n");
    sample.write("book/probes/later.out", "later\n");
    let book = sample.book();
    let bank = bank::read(&book.place).expect("it can be read");
    let fails = |id, source: Source, has: &str, why: &str| {
        let question = bank.question(id).expect("it is in the bank");
        let check = Check { source, has: vec![has.to_string()], lacks: Vec::new() };
        let error =
            proof::prove(&book, question, &check).expect_err("it is not proved");
        assert!(error.contains(why), "{check:?}: {error}");
    };
    let (text, not) = ("there is no such text", "is missing in:");
    let named = String::from;
    let stored = [
        Source::Step(named("ch18_pin")),
        Source::Run(named("pin-help")),
        Source::Trace(named("pin-one")),
        Source::Probe(named("later")),
        Source::Mistakes(named("leaf")),
    ];
    for source in stored {
        fails("counts", source, text, not);
    }
    fails("counts", Source::Step(named("ch99_none")), text, "no step ch99_none");
    fails("counts", Source::Program, text, not);
    fails("fits", Source::Program, text, "does not compile");
    fails("counts", Source::Refused(named("E0308")), text, "compiles, and should");
    fails("fits", Source::Refused(named("E0382")), text, "not refused with E0382");
    fails("fits", Source::Refused(named("E0308")), text, not);
}

/// What `cargo book quiz` writes, by the names of the files.
fn written(sample: &Sample, wanted: &Wanted) -> BTreeMap<String, String> {
    let files = quiz::write(&sample.book(), wanted).expect("it can be written");
    let read = |file: &std::path::PathBuf| {
        let text = fs::read_to_string(file).expect("it was just written");
        (stem(file).to_string(), text)
    };
    files.iter().map(read).collect()
}

#[test]
fn sheets_for_students_have_no_keys() {
    let sample = with_bank();
    let files = written(&sample, &Wanted::default());
    let (sheet, keys) = (&files["questions"], &files["questions-keys"]);
    for key in [
        "from zero",
        "from one",
        "counts",
        "fits",
        "M1: A frame may move",
        "Two is one",
    ] {
        assert!(keys.contains(key), "{key}: {keys}");
        assert!(!sheet.contains(key), "{key}: {sheet}");
    }
    assert!(keys.contains("class=\"key\"") && !sheet.contains("class=\"key\""));
    assert_eq!(
        sheet.matches("What does the <strong>program</strong> print?").count(),
        2
    );
}

#[test]
fn tasks_and_mistakes_have_their_keys_in_pages_of_their_own() {
    let files = written(&with_bank(), &Wanted::default());
    assert!(!files["tasks"].contains("<h3>") && files["tasks-keys"].contains("<h3>"));
    let count = |name: &str| files[name].matches("<section>").count();
    assert_eq!((count("mistakes"), count("mistakes-keys")), (1, 1));
    assert_eq!((count("blocks"), count("blocks-keys")), (1, 1));
    let says = "The check says";
    assert!(files["mistakes-keys"].contains(says) && !files["mistakes"].contains(says));
    assert!(files["mistakes"].contains("-     1\n+     2"), "{}", files["mistakes"]);
    assert!(!files["blocks"].contains("it is 2"), "{}", files["blocks"]);
    assert!(files["blocks-keys"].contains("it is 2"), "{}", files["blocks-keys"]);
}

/// As Moodle reads GIFT: a question ends with a blank line, and has one right answer.
#[test]
fn gift_has_one_right_answer_and_three_wrong_ones_for_each_question() {
    let files =
        written(&with_bank(), &Wanted { format: Format::Gift, ..Wanted::default() });
    let parts: Vec<&str> = files["questions-keys"].trim_end().split("\n\n").collect();
    let [first, counts, second, fits] = parts[..] else { panic!("{parts:?}") };
    assert_eq!(first, "// A frame has an address.\n$CATEGORY: $course$/top/K1");
    assert_eq!(second, "// A type fits.\n$CATEGORY: $course$/top/K2");
    let questions = [counts, fits];
    for question in questions {
        let begins = |mark| question.lines().filter(|it| it.starts_with(mark)).count();
        assert_eq!((begins("=[html]"), begins("~[html]")), (1, 3), "{question}");
        assert_eq!(
            (begins("::"), begins("####"), begins("}")),
            (1, 1, 1),
            "{question}"
        );
    }
}

#[test]
fn a_part_of_the_bank_has_only_its_questions() {
    let sample = with_bank();
    let chapter = Some("last".to_string());
    let keys = &written(&sample, &Wanted { chapter, ..Wanted::default() })["last-keys"];
    assert!(keys.contains("from one") && !keys.contains("from zero"), "{keys}");
    let test = written(&sample, &Wanted { test: true, ..Wanted::default() });
    assert!(test["test-keys"].contains("from zero"));
    assert!(!test["test-keys"].contains("from one"));
    let none = Wanted { concept: Some("K99".to_string()), ..Wanted::default() };
    assert!(quiz::write(&sample.book(), &none).is_err());
}
