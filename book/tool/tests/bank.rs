//! The keys of the question bank are right: what proves them is looked at, or run.

use book::bank::{Bank, Check, Question, Source, proof};
use book::book::Book;
use book::place::Place;

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
