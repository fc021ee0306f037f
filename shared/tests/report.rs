//! The report: its rows, its totals, and their JSON.

use serde_json::Value;
use shared::report::{Outcome, Report, Row, Summary, Unsearched};
use std::io::{self, ErrorKind, Write};
use std::time::Duration;

fn row(url: &str, outcome: Outcome) -> Row {
    Row {
        url: url.into(),
        outcome,
        status: Some(200),
        next_url: None,
        error: None,
        content_type: Some("text/html".into()),
        encoding: Some("utf-8".into()),
        size: Some(8123),
        num_links: 12,
        num_new_links: 3,
        links: Some(vec!["http://site.test/b".into()]),
        attempts: 1,
        elapsed: Duration::from_micros(3100),
        depth: 1,
        found_on: vec!["http://site.test/".into()],
        via: Vec::new(),
    }
}

fn report(rows: Vec<Row>) -> Report {
    let summary = Summary {
        stage: "stage3-async",
        urls: 42,
        ok: 38,
        redirect: 2,
        http_error: 1,
        failed: 1,
        bytes: 331_221,
        elapsed: Duration::from_millis(182),
        max_tasks: 10,
        peak_tasks: 10,
        complete: true,
        left: 0,
        excluded: 3,
        unsearched: Unsearched { compressed: 1, untyped: 2, feeds: 4 },
    };
    let warnings = Vec::new();
    let (interrupted, stuck, answered) = (false, None, true);
    let out_of_time = false;
    Report {
        rows,
        summary,
        interrupted,
        out_of_time,
        stuck,
        warnings,
        answered,
        is_unchecked: false,
        origin: None,
    }
}

fn json(report: &Report) -> String {
    let mut out = Vec::new();
    report.write_json_lines(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_row_and_the_totals_look_as_in_the_contract() {
    let report = report(vec![row("http://site.test/a", Outcome::Ok)]);
    let lines = concat!(
        r#"{"url":"http://site.test/a","outcome":"ok","status":200,"next_url":null,"#,
        r#""error":null,"content_type":"text/html","encoding":"utf-8","size":8123,"#,
        r#""num_links":12,"num_new_links":3,"links":["http://site.test/b"],"#,
        r#""attempts":1,"elapsed_ms":3.1,"depth":1,"found_on":["http://site.test/"]}"#,
        "\n",
        r#"{"summary":{"stage":"stage3-async","urls":42,"ok":38,"redirect":2,"#,
        r#""http-error":1,"failed":1,"bytes":331221,"elapsed_ms":182.0,"max_tasks":10,"#,
        r#""peak_tasks":10,"complete":true,"left":0,"excluded":3,"unsearched":7}}"#,
        "\n",
    );
    assert_eq!(json(&report), lines);
}

#[test]
fn a_row_of_a_served_folder_has_its_path() {
    let urls = ["http://h:1/a?b#c", "http://h:12/a", "http://h:1", "http://i:1/a"];
    let rows = urls.map(|url| row(url, Outcome::Ok)).to_vec();
    let report = Report { origin: Some("http://h:1".into()), ..report(rows) };
    let json = json(&report);
    let paths: Vec<Value> = json
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["path"].clone())
        .collect();
    assert_eq!(paths[0], "/a?b#c");
    assert!(paths[1..].iter().all(Value::is_null), "{json}");
    assert!(
        json.starts_with(r#"{"path":"/a?b#c","url":"http://h:1/a?b#c","outcome":"#)
    );
    assert_eq!(json.matches("\"path\"").count(), 1, "no key for the others");
}

#[test]
fn links_are_no_key_where_they_were_not_asked_for() {
    let without = Row { links: None, ..row("http://site.test/a", Outcome::Ok) };
    let json = json(&report(vec![without]));
    assert!(!json.contains("\"links\""), "{json}");
    assert!(json.contains("\"num_links\""));
}

#[test]
fn the_way_from_the_link_on_the_first_page_is_a_key_where_there_are_redirects() {
    let way = vec!["http://site.test/old".into(), "http://site.test/a".into()];
    let json = |via| {
        let row = row("http://site.test/a", Outcome::HttpError);
        json(&report(vec![Row { via, ..row }])).lines().next().unwrap().to_string()
    };
    let told = r#","via":["http://site.test/old","http://site.test/a"]}"#;
    assert!(json(vec![way.clone(), Vec::new()]).ends_with(told));
    for direct in [vec![], vec![Vec::new(), way]] {
        assert!(!json(direct).contains("\"via\""));
    }
}

#[test]
fn what_is_not_known_is_null() {
    let (status, content_type, encoding, size) = (None, None, None, None);
    let row = row("http://site.test/a", Outcome::Timeout);
    let row = Row { status, content_type, encoding, size, ..row };
    let json = json(&report(vec![row]));
    let row: Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    for key in ["status", "next_url", "error", "content_type", "encoding", "size"] {
        assert_eq!(row.get(key), Some(&Value::Null), "{key}");
    }
}

#[test]
fn the_summary_alone_is_the_last_line() {
    let rows = ["a", "b"].map(|url| row(url, Outcome::Ok)).to_vec();
    let report = report(rows);
    let mut summary = Vec::new();
    report.write_summary(&mut summary).unwrap();
    let json = json(&report);
    assert_eq!(json.lines().count(), 3);
    assert_eq!(
        String::from_utf8(summary).unwrap().trim_end(),
        json.lines().last().unwrap()
    );
}

#[test]
fn without_rows_there_are_totals_still() {
    assert_eq!(json(&report(Vec::new())).lines().count(), 1);
}

#[test]
fn an_outcome_has_one_name_and_two_are_no_failure() {
    use Outcome::*;
    let names = [
        (Ok, "ok"),
        (Redirect, "redirect"),
        (HttpError, "http-error"),
        (TooManyRedirects, "too-many-redirects"),
        (Timeout, "timeout"),
        (TooLarge, "too-large"),
        (Truncated, "truncated"),
        (Malformed, "malformed"),
        (NetworkError, "network-error"),
        (Unsupported, "unsupported"),
        (InvalidUrl, "invalid-url"),
        (MissingFragment, "missing-fragment"),
    ];
    for (outcome, name) in names {
        assert_eq!(outcome.name(), name);
        assert_eq!(serde_json::to_value(outcome).unwrap(), name);
        assert_eq!(outcome.is_failure(), !matches!(outcome, Ok | Redirect), "{name}");
    }
}

#[test]
fn a_row_is_found_by_its_url() {
    let report = report(["a", "b", "c"].map(|url| row(url, Outcome::Ok)).to_vec());
    for url in ["a", "b", "c"] {
        assert_eq!(&*report.row(url).unwrap().url, url);
    }
    assert_eq!(report.row("d"), None);
}

/// A writer that takes this number of bytes and then fails.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(self.0);
        self.0 -= count;
        match count {
            0 => Err(ErrorKind::BrokenPipe.into()),
            _ => Ok(count),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_who_leaves_is_an_error_with_its_kind() {
    let rows = ["a", "b"].map(|url| row(url, Outcome::HttpError)).to_vec();
    let report = report(rows);
    for room in 0..150 {
        let writes: [io::Result<()>; 3] = [
            report.write_json_lines(&mut Full(room)),
            report.write_text(&mut Full(room)),
            report.write_summary(&mut Full(room)),
        ];
        for written in writes {
            assert_eq!(written.unwrap_err().kind(), ErrorKind::BrokenPipe, "{room}");
        }
    }
}
