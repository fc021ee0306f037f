//! No text from a server reaches a terminal unescaped.

use proptest::prelude::*;
use shared::report::terminal::escape_for_terminal;
use shared::report::{Report, Row};
use shared::{CrawlEnd, FetchError, Ledger, Options, Program};
use std::borrow::Cow;

/// A report of one row, which a test fills with text.
fn report() -> Report {
    let program = Program { name: "stage", version: "0.0.0", speaks_https: false };
    let root = url::Url::parse("http://site.test/").unwrap();
    let options = Options { max_tries: 1, ..Options::with_roots([root]) };
    let (mut ledger, mut jobs) = Ledger::open(&options, &program);
    let mut job = jobs.pop().unwrap();
    ledger.begin(&mut job);
    ledger.settle(job, Err(FetchError::OutOfSockets));
    ledger.close(CrawlEnd::Done)
}

/// A report that has this text wherever a server can put text.
fn report_of(text: &str) -> Report {
    let mut report = report();
    let text = || text.to_string();
    let row = Row {
        url: text().into(),
        status: Some(404),
        next_url: None,
        error: Some(text()),
        content_type: Some(text()),
        encoding: Some(text()),
        links: Some(vec![text().into()]),
        found_on: vec![text().into()],
        via: vec![vec![text().into(), text().into()]],
        ..report.rows[0].clone()
    };
    let redirect = Row { next_url: Some(text()), ..row.clone() };
    report.rows = vec![row, redirect];
    report
}

fn written(report: &Report) -> (String, String) {
    let (mut text, mut json) = (Vec::new(), Vec::new());
    report.write_text(&mut text).unwrap();
    report.write_json_lines(&mut json).unwrap();
    (String::from_utf8(text).unwrap(), String::from_utf8(json).unwrap())
}

/// Returns whether a terminal must not get this character: control characters, and
/// marks that are invisible or change the direction of writing.
fn is_raw(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(character, '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{e0001}')
}

#[test]
fn what_is_harmless_stays_and_is_not_copied() {
    for text in ["", "plain", "Straße 北京 אב 😀", "\\u{1b}", "\"quoted\""] {
        assert!(
            matches!(escape_for_terminal(text), Cow::Borrowed(same) if same == text)
        );
    }
}

#[test]
fn what_is_dangerous_is_shown() {
    for (text, shown) in [
        ("\x1b[31mred", "\\u{1b}[31mred"),
        ("bell\x07", "bell\\u{7}"),
        ("one\r\ntwo\t", "one\\u{d}\\u{a}two\\u{9}"),
        ("\u{9b}31m", "\\u{9b}31m"),
        ("\x7f\0", "\\u{7f}\\u{0}"),
        ("exe.\u{202e}fdp", "exe.\\u{202e}fdp"),
        ("\u{e0041}", "\\u{e0041}"),
    ] {
        assert_eq!(escape_for_terminal(text), shown, "{text:?}");
    }
}

#[test]
fn json_is_escaped_as_json_escapes() {
    let (_, json) = written(&report_of("\x1b\u{7f}\u{9b}\u{202e}\u{e0041}"));
    assert!(json.contains(r#""url":"\u001b\u007f\u009b\u202e\udb40\udc41""#), "{json}");
}

fn nasty() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        any::<char>(),
        proptest::char::range('\0', '\u{9f}'),
        proptest::char::range('\u{2000}', '\u{206f}'),
        proptest::char::range('\u{e0000}', '\u{e007f}'),
        Just('\\'),
        Just('"'),
    ];
    proptest::collection::vec(character, 0..24).prop_map(String::from_iter)
}

proptest! {
    #[test]
    fn no_control_character_survives_in_any_form(text in nasty()) {
        prop_assert!(!escape_for_terminal(&text).contains(is_raw));
        let (table, json) = written(&report_of(&text));
        for form in [table, json] {
            prop_assert!(!form.contains(|it| is_raw(it) && it != '\n'), "{form:?}");
        }
    }

    #[test]
    fn no_text_adds_a_line(text in nasty()) {
        let (table, json) = written(&report_of(&text));
        let (plain_table, plain_json) = written(&report_of("plain"));
        prop_assert_eq!(table.lines().count(), plain_table.lines().count());
        prop_assert_eq!(json.lines().count(), plain_json.lines().count());
    }

    #[test]
    fn json_is_read_as_what_it_was(text in nasty()) {
        let (_, json) = written(&report_of(&text));
        let row = json.lines().nth(1).unwrap();
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        for field in ["url", "next_url", "error", "content_type", "encoding"] {
            prop_assert_eq!(row[field].as_str(), Some(text.as_str()));
        }
        prop_assert_eq!(row["links"][0].as_str(), Some(text.as_str()));
        prop_assert_eq!(row["found_on"][0].as_str(), Some(text.as_str()));
    }
}
