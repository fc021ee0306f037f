//! The trace: what a loop does, event by event.

use serde_json::{Value, json};
use shared::Trace;
use shared::trace::{Event, Location, WaitReason};
use std::fs;
use std::thread;
use tempfile::TempDir;

const PLACE: Location = Location { file: "stage/src/fetch.rs", name: "read_all" };

/// Everything that can happen, and how it is written.
fn events() -> Vec<(Event<'static>, Value)> {
    let resumed = Event::Resumed { state: "Reading", label: "/a", at: PLACE };
    let paused = |waits| Event::Paused { state: "Reading", waits, at: PLACE };
    let waits = |waits: Value| {
        json!({"event": "paused", "state": "Reading", "waits": waits,
               "at": "fetch.rs:read_all"})
    };
    vec![
        (Event::Created { label: "/a" }, json!({"event": "created", "for": "/a"})),
        (
            resumed,
            json!({"event": "resumed", "state": "Reading", "for": "/a",
                   "at": "fetch.rs:read_all"}),
        ),
        (paused(WaitReason::Socket), waits(json!("socket"))),
        (paused(WaitReason::Readable), waits(json!("readable"))),
        (paused(WaitReason::Writable), waits(json!("writable"))),
        (paused(WaitReason::Turn), waits(json!("turn"))),
        (paused(WaitReason::Timer), waits(json!("timer"))),
        (paused(WaitReason::Named("queue")), waits(json!({"named": "queue"}))),
        (Event::Woken, json!({"event": "woken"})),
        (Event::Queued, json!({"event": "queued"})),
        (Event::Finished, json!({"event": "finished"})),
        (Event::Cancelled, json!({"event": "cancelled"})),
        (Event::Registered, json!({"event": "registered"})),
        (
            Event::Arrived { readable: true, writable: false },
            json!({"event": "arrived", "readable": true, "writable": false}),
        ),
    ]
}

/// A trace of what `note` notes, line by line.
fn trace(note: impl FnOnce(&Trace)) -> Vec<String> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("trace.jsonl");
    let trace = Trace::create(Some(&path), "stage1-callbacks").unwrap();
    note(&trace);
    trace.finish().unwrap();
    fs::read_to_string(path).unwrap().lines().map(String::from).collect()
}

#[test]
fn the_first_line_names_the_program() {
    assert_eq!(trace(|_| ()), [r#"{"trace":1,"program":"stage1-callbacks"}"#]);
}

#[test]
fn a_line_looks_as_in_the_design() {
    let lines = trace(|trace| {
        trace.record(3, Event::Resumed { state: "Reading", label: "/a", at: PLACE });
    });
    let (start, rest) = lines[1].split_once("\"us\":").unwrap();
    let (microseconds, rest) = rest.split_once(',').unwrap();
    assert_eq!(start, r#"{"step":1,"#);
    assert!(microseconds.parse::<u64>().is_ok(), "{microseconds}");
    let expected = r#""task":3,"event":"resumed","state":"Reading","for":"/a","at":"fetch.rs:read_all"}"#;
    assert_eq!(rest, expected);
}

#[test]
fn each_event_is_a_line_with_the_number_of_its_step() {
    let lines = trace(|trace| {
        for (task, (event, _)) in (7..).zip(events()) {
            trace.record(task, event);
        }
    });
    assert_eq!(lines.len(), 1 + events().len());
    let mut before = 0;
    for (index, (_, mut expected)) in events().into_iter().enumerate() {
        let line: Value = serde_json::from_str(&lines[index + 1]).unwrap();
        let microseconds = line["us"].as_u64().unwrap();
        assert!(microseconds >= before);
        before = microseconds;
        expected["step"] = json!(index + 1);
        expected["task"] = json!(index + 7);
        expected["us"] = json!(microseconds);
        assert_eq!(line, expected);
    }
}

#[test]
fn a_place_shows_the_last_part_of_its_path() {
    for (file, shown) in [
        ("fetch.rs", "fetch.rs:name"),
        ("/a/b/fetch.rs", "fetch.rs:name"),
        ("a\\b\\fetch.rs", "fetch.rs:name"),
        ("", ":name"),
    ] {
        let place = Location { file, name: "name" };
        assert_eq!(serde_json::to_value(place).unwrap(), shown);
    }
}

#[test]
fn what_a_task_is_for_is_quoted_whatever_it_is() {
    let lines = trace(|trace| trace.record(0, Event::Created { label: "a\"\n\x1b" }));
    let line: Value = serde_json::from_str(&lines[1]).unwrap();
    assert_eq!((lines.len(), &line["for"]), (2, &json!("a\"\n\x1b")));
}

#[test]
fn clones_and_threads_write_whole_lines_into_one_trace() {
    let lines = trace(|trace| {
        let note = |task| {
            let trace = trace.clone();
            thread::spawn(move || {
                (0..500).for_each(|_| trace.record(task, Event::Woken))
            })
        };
        for thread in [1, 2].map(note) {
            thread.join().unwrap();
        }
    });
    let step =
        |line: &String| serde_json::from_str::<Value>(line).unwrap()["step"].as_u64();
    let steps: Vec<_> = lines[1..].iter().map(|line| step(line).unwrap()).collect();
    assert_eq!(steps, (1..=1000).collect::<Vec<_>>());
}

#[test]
fn off_it_does_nothing() {
    for trace in [Trace::off(), Trace::default(), Trace::create(None, "p").unwrap()] {
        trace.record(1, Event::Woken);
        assert!(trace.finish().is_ok());
    }
}

#[test]
fn a_trace_that_cannot_be_begun_is_an_error_at_once() {
    let folder = TempDir::new().unwrap();
    assert!(Trace::create(Some(folder.path()), "p").is_err());
    assert!(Trace::create(Some(&folder.path().join("no/such/folder")), "p").is_err());
}

/// Linux has a file that is always full.
#[cfg(target_os = "linux")]
#[test]
fn a_line_that_could_not_be_written_is_told_at_the_end() {
    for count in [0, 1, 10_000] {
        let full = std::path::Path::new("/dev/full");
        let trace = Trace::create(Some(full), "p").unwrap();
        (0..count).for_each(|_| trace.record(1, Event::Woken));
        let why = trace.finish().expect_err("the disk is full").to_string();
        assert!(!why.is_empty() && !why.contains("os error"), "{count}: {why}");
    }
}
