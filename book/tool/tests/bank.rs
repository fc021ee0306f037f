//! The keys of the question bank are right: what proves them is looked at, or run.

use book::bank::quiz::{self, Format, Wanted};
use book::bank::{Bank, Check, Question, Source, proof};
use book::book::Book;
use book::place::{Place, stem};
use std::collections::BTreeMap;
use std::fs;

fn book() -> Book {
    Book::read(&Place::new(None, None)).expect("the book is here")
}

fn bank(book: &Book) -> Bank {
    Bank::read(&book.place).expect("the bank can be read")
}

#[test]
fn every_key_is_proved() {
    let book = book();
    let mut wrong = Vec::new();
    for question in &bank(&book).questions {
        for check in &question.checks {
            if let Err(why) = proof::prove(&book, question, check) {
                wrong.push(format!("{}: {why}", question.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Each kind of check notices that something else is there.
#[test]
fn no_kind_of_check_holds_whatever_it_finds() {
    let book = book();
    let bank = bank(&book);
    let question = |id| bank.question(id).expect("it is in the bank");
    let fails = |id, source: Source, has: &str, why: &str| {
        let check = Check { source, has: vec![has.to_string()], lacks: Vec::new() };
        let error = proof::prove(&book, question(id), &check).unwrap_err();
        assert!(error.contains(why), "{check:?}: {error}");
    };
    let (text, not) = ("there is no such text", "is missing in:");
    let named = String::from;
    let stored = [
        Source::Step(named("ch19_executor")),
        Source::Run(named("introduction-five-at-once")),
        Source::Trace(named("executor-end")),
        Source::Probe(named("value_later")),
        Source::Mistakes(named("leaf")),
    ];
    for source in stored {
        fails("two-awaits", source, text, not);
    }
    fails("two-awaits", Source::Step(named("ch99_none")), text, "no step ch99_none");
    fails("two-awaits", Source::Program, text, not);
    fails("not-unpin", Source::Program, text, "does not compile");
    fails("two-awaits", Source::Refused(named("E0277")), text, "compiles, and should");
    fails("not-unpin", Source::Refused(named("E0382")), text, "not refused with E0382");
    fails("not-unpin", Source::Refused(named("E0277")), text, not);
}

#[test]
fn the_test_before_and_after_has_twenty_questions_in_their_order() {
    let bank = bank(&book());
    let numbers: Vec<usize> = bank.questions.iter().filter_map(|it| it.test).collect();
    assert_eq!(numbers, (1..=20).collect::<Vec<_>>());
    let is_first = |it: &Question| it.test == Some(1);
    assert!(bank.questions.first().is_some_and(is_first));
}

/// What `cargo book quiz` writes, by the names of the files.
fn written(wanted: &Wanted) -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().expect("a folder for this test");
    let target = folder.path().to_path_buf();
    let place = Place { target, ..Place::new(None, None) };
    let book = Book::read(&place).expect("the book is here");
    let files = quiz::write(&book, wanted).expect("it can be written");
    let read = |file: &std::path::PathBuf| {
        let text = fs::read_to_string(file).expect("it was just written");
        (stem(file).to_string(), text)
    };
    files.iter().map(read).collect()
}

#[test]
fn sheets_for_students_have_no_keys() {
    let bank = bank(&book());
    for format in [Format::Html] {
        let files = written(&Wanted { format, ..Wanted::default() });
        let (sheet, keys) = (&files["questions"], &files["questions-keys"]);
        for question in &bank.questions {
            let parts = question.explain.split(['`', '"', '&']);
            let why = parts.max_by_key(|part| part.len()).unwrap_or_default();
            let id = &question.id;
            assert!(keys.contains(why) && keys.contains(id), "{id}: {why}");
            assert!(!sheet.contains(why), "{id}: {why}");
        }
        for (tag, sentence) in &bank.concepts.misconceptions {
            let is_there =
                sheet.contains(&format!("{tag}:")) || sheet.contains(sentence);
            assert!(!is_there, "{tag}");
        }
        assert!(!sheet.contains("class=\"key\""));
    }
}

#[test]
fn tasks_and_mistakes_have_their_keys_in_pages_of_their_own() {
    let files = written(&Wanted::default());
    assert!(!files["tasks"].contains("<h3>") && files["tasks-keys"].contains("<h3>"));
    let count = |name: &str| files[name].matches("<section>").count();
    assert!(count("mistakes") > 20, "{}", count("mistakes"));
    assert_eq!(count("mistakes"), count("mistakes-keys"));
    assert!(!files["mistakes"].contains("The case that rejects it"));
    let text = &files["mistakes"];
    assert!(!text.contains("ANCHOR"), "{text}");
}

/// As Moodle reads GIFT: a question ends with a blank line, and has one right answer.
#[test]
fn gift_has_one_right_answer_and_three_wrong_ones_for_each_question() {
    let format = Format::Gift;
    let files = written(&Wanted { test: true, format, ..Wanted::default() });
    let questions: Vec<&str> = files["test-keys"].split("\n\n").collect();
    assert_eq!(questions.len(), 20);
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
    let chapter = Some("executor".to_string());
    let files = written(&Wanted { chapter, format: Format::Csv, ..Wanted::default() });
    let keys = &files["executor-keys"];
    assert!(keys.contains("inside-wake") && !keys.contains("who-polls"), "{keys}");
    let none = Wanted { concept: Some("K99".to_string()), ..Wanted::default() };
    assert!(quiz::write(&book(), &none).is_err());
}
