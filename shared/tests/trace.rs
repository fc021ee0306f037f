//! The trace of a loop, event by event.

use serde_json::{Value, json};
use shared::trace::{By, Event, Location, TraceFormat, TracedWakers, WaitReason};
use shared::{Timers, Trace};
use std::fs;
use std::panic;
use std::task::Waker;
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const PLACE: Location = Location {
    file: "stage/src/fetch.rs",
    name: "read_all",
    line: panic::Location::caller(),
};

/// Returns the place of the line above this call, as a trace shows it.
#[track_caller]
fn line_above() -> String {
    format!("tests/trace.rs:{}", panic::Location::caller().line() - 1)
}

/// Every kind of event, and its line in a trace.
fn events() -> Vec<(Event<'static>, Value)> {
    let resumed = Event::Resumed { state: "Reading", label: "/a", at: PLACE };
    let paused = |waits: WaitReason<'static>| {
        let socket = waits.is_socket().then_some(8);
        Event::Paused { state: "Reading", waits, socket, at: PLACE }
    };
    let waits = |waits: Value| {
        json!({"event": "paused", "state": "Reading", "waits": waits,
               "at": "fetch.rs:read_all"})
    };
    let waits_for = |side: &str| {
        json!({"event": "paused", "state": "Reading", "waits": side, "socket": 8,
               "at": "fetch.rs:read_all"})
    };
    vec![
        (Event::Created { label: "/a" }, json!({"event": "created", "for": "/a"})),
        (
            resumed,
            json!({"event": "resumed", "state": "Reading", "for": "/a",
                   "at": "fetch.rs:read_all"}),
        ),
        (paused(WaitReason::Socket), waits_for("socket")),
        (paused(WaitReason::Readable), waits_for("readable")),
        (paused(WaitReason::Writable), waits_for("writable")),
        (paused(WaitReason::Turn), waits(json!("turn"))),
        (paused(WaitReason::Timer), waits(json!("timer"))),
        (paused(WaitReason::Named("queue")), waits(json!({"named": "queue"}))),
        (Event::Woken { cancels: false }, json!({"event": "woken", "by": 0})),
        (
            Event::Woken { cancels: true },
            json!({"event": "woken", "cancels": true, "by": 0}),
        ),
        (Event::Queued, json!({"event": "queued", "by": 0})),
        (Event::Finished, json!({"event": "finished"})),
        (Event::Cancelled, json!({"event": "cancelled"})),
        (Event::Registered { socket: 8 }, json!({"event": "registered", "socket": 8})),
        (
            Event::Arrived { socket: 8, readable: true, writable: false },
            json!({"event": "arrived", "socket": 8, "readable": true,
                   "writable": false}),
        ),
        (Event::Slept { until: Some(5) }, json!({"event": "slept", "until": 5})),
        (Event::Slept { until: None }, json!({"event": "slept", "until": null})),
        (Event::Woke { events: 2 }, json!({"event": "woke", "events": 2})),
        (
            Event::TimerSet { timer: 3, when: 5 },
            json!({"event": "timer-set", "timer": 3, "when": 5}),
        ),
        (Event::TimerFired { timer: 3 }, json!({"event": "timer-fired", "timer": 3})),
        (
            Event::TimerCleared { timer: 3 },
            json!({"event": "timer-cleared", "timer": 3}),
        ),
    ]
}

/// Returns the lines of a trace, after `note` has recorded events.
fn trace(note: impl FnOnce(&Trace)) -> Vec<String> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("trace.jsonl");
    let trace =
        Trace::open(Some(&path), TraceFormat::Jsonl, "stage1-callbacks").unwrap();
    note(&trace);
    trace.finish().unwrap();
    fs::read_to_string(path).unwrap().lines().map(String::from).collect()
}

#[test]
fn the_first_line_names_the_program() {
    assert_eq!(trace(|_| ()), [r#"{"trace":4,"program":"stage1-callbacks"}"#]);
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
    let expected = r#""task":3,"event":"resumed","state":"Reading","for":"/a","at":"fetch.rs:read_all","ready":0,"#;
    let line = PLACE.line.line();
    assert_eq!(rest, format!(r#"{expected}"line":"tests/trace.rs:{line}"}}"#));
}

/// A server that sends single bytes causes several events with each of them.
#[test]
fn a_long_label_is_cut() {
    let lines = |label: &str| {
        trace(|trace| {
            trace.record(3, Event::Created { label });
            trace.record(3, Event::Resumed { state: "Reading", label, at: PLACE });
        })
    };
    let longest = "\u{fc}".repeat(200);
    for (label, shown) in
        [(longest.clone(), longest.clone()), (longest.repeat(80), longest + "…")]
    {
        for line in &lines(&label)[1..] {
            let line: Value = serde_json::from_str(line).unwrap();
            assert_eq!(line["for"], shown);
        }
    }
}

#[test]
fn each_event_is_a_line_with_the_number_of_its_step() {
    let mut place = String::new();
    let lines = trace(|trace| {
        for (task, (event, _)) in (7..).zip(events()) {
            trace.record(task, event);
            place = line_above();
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
        let at = format!("tests/trace.rs:{}", PLACE.line.line());
        expected["line"] = json!(if line["at"].is_null() { &place } else { &at });
        match line["event"].as_str() {
            Some("queued") => expected["ready"] = json!(1),
            Some("resumed") => expected["ready"] = json!(0),
            _ => {}
        }
        assert_eq!(line, expected);
    }
}

/// Parses the lines of a trace, and removes the times.
fn parsed(lines: &[String]) -> Vec<Value> {
    let line = |line: &String| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        line.as_object_mut().unwrap().remove("us");
        line
    };
    lines[1..].iter().map(line).collect()
}

#[test]
fn a_task_is_ready_from_when_it_is_queued_until_it_runs_or_ends() {
    let resumed = Event::Resumed { state: "New", label: "a", at: PLACE };
    let lines = trace(|trace| {
        for (task, event) in [
            (1, Event::Queued),
            (2, Event::Queued),
            (2, Event::Queued),
            (1, resumed),
            (1, Event::Queued),
            (2, Event::Cancelled),
            (1, Event::Finished),
            (3, Event::Queued),
        ] {
            trace.record(task, event);
        }
    });
    let lengths = parsed(&lines).into_iter().map(|line| line["ready"].as_u64());
    let expected = [Some(1), Some(2), Some(2), Some(1), Some(2), None, None, Some(1)];
    assert_eq!(lengths.collect::<Vec<_>>(), expected);
}

#[test]
fn a_cancel_says_what_cancels_and_is_nothing_after_the_end() {
    let line = panic::Location::caller();
    let lines = trace(|trace| {
        let wakers = TracedWakers::default();
        wakers.insert(1, trace, line, Waker::noop().clone());
        let cancels = wakers.cancels(1);
        let other = cancels.clone();
        cancels.cancelled(); // it is new, so it is in the queue
        wakers.resumed(1);
        thread::scope(|scope| _ = scope.spawn(move || other.cancelled()));
        trace.record(1, Event::Cancelled);
        wakers.remove(1);
        cancels.cancelled();
        wakers.cancels(1).cancelled();
    });
    let keys = |line: &Value| json!([line["event"], line["by"], line["cancels"]]);
    let seen: Vec<Value> = parsed(&lines).iter().map(keys).collect();
    let expected = json!([
        ["woken", 0, true],
        ["woken", "thread", true],
        ["queued", null, null],
        ["cancelled", null, null]
    ]);
    assert_eq!(json!(seen), expected);
}

/// A waker may outlive its task, and another thread may call it then.
#[test]
fn a_task_that_has_ended_is_not_queued_by_a_late_wake() {
    let line = panic::Location::caller();
    let lines = trace(|trace| {
        let wakers = TracedWakers::default();
        let late = wakers.insert(1, trace, line, Waker::noop().clone());
        trace.record(1, Event::Finished);
        wakers.remove(1);
        late.wake();
        trace.record(2, Event::Queued);
    });
    let lines = parsed(&lines);
    let events: Vec<&Value> = lines.iter().map(|line| &line["event"]).collect();
    assert_eq!(events, ["finished", "woken", "queued"]);
    assert_eq!(lines[2]["ready"], 1, "task 2 alone");
}

#[test]
fn a_wake_says_what_called_the_waker() {
    let line = panic::Location::caller();
    let lines = trace(|trace| {
        let wakers = TracedWakers::default();
        let waker = wakers.insert(1, trace, line, Waker::noop().clone());
        let resumed = Event::Resumed { state: "New", label: "a", at: PLACE };
        let (now, mut timers) = (Instant::now(), Timers::with_trace(trace.clone()));
        wakers.resumed(1);
        waker.wake_by_ref(); // the program, which queues it
        trace.record(1, Event::Registered { socket: 1 });
        trace.record(2, resumed);
        waker.wake_by_ref();
        thread::scope(|scope| _ = scope.spawn(|| waker.wake_by_ref()));
        trace.record(2, Event::Queued);
        timers.set(now, ());
        trace.record(2, Event::Finished);
        waker.wake_by_ref();
        trace.record(1, resumed);
        wakers.resumed(1);
        waker.wake_by_ref();
        trace.record(
            1,
            Event::Paused {
                state: "New",
                waits: WaitReason::Socket,
                socket: Some(1),
                at: PLACE,
            },
        );
        trace.arrived(1, true, false);
        waker.wake_by_ref();
        timers.take_due(now).expect("it is due");
        waker.wake_by_ref();
        trace.set_caller(By::Task(7)); // it is dropped
        waker.wake_by_ref();
    });
    let lines = parsed(&lines);
    let caused = lines.iter().filter(|it| it["event"] == "woken");
    let by: Vec<&Value> = caused.map(|it| &it["by"]).collect();
    let expected = json!([0, 2, "thread", 0, 1, "reactor", "timer", 7]);
    assert_eq!(json!(by), expected);
    let queued = lines.iter().filter(|it| it["event"] == "queued");
    let by: Vec<&Value> = queued.map(|it| &it["by"]).collect();
    assert_eq!(json!(by), json!([null, 2, null]), "after a wake it needs none");
}

#[test]
fn a_look_that_does_not_wait_is_no_sleep() {
    let lines = trace(|trace| {
        let now = Instant::now();
        for time in [Some(Duration::ZERO), Some(Duration::from_secs(1)), None] {
            trace.slept(time.map(|time| now + time), time);
            trace.woke([(), ()]);
        }
        trace.woke([()]);
    });
    let lines = parsed(&lines);
    let events: Vec<_> = lines.iter().map(|line| &line["event"]).collect();
    assert_eq!(events, ["slept", "woke", "slept", "woke"]);
    let until = lines[0]["until"].as_u64().unwrap();
    assert!(until >= 1_000_000, "from the trace's beginning: {until}");
    assert_eq!((&lines[1]["events"], &lines[2]["until"]), (&json!(2), &Value::Null));
}

#[test]
fn a_timer_belongs_to_the_task_that_set_it() {
    let mut place = String::new();
    let lines = trace(|trace| {
        let (now, mut timers) = (Instant::now(), Timers::with_trace(trace.clone()));
        trace.record(7, Event::Resumed { state: "New", label: "a", at: PLACE });
        let (_, cleared) = (timers.set(now, ()), timers.set(now, ()));
        trace.record(7, Event::Finished);
        timers.set(now, ());
        timers.clear(cleared);
        place = line_above();
        timers.clear(cleared); // it was cleared before
        while timers.take_due(now).is_some() {}
    });
    let lines = parsed(&lines);
    let timers = lines.iter().filter(|line| !line["timer"].is_null());
    let timers: Vec<_> = timers
        .map(|it| (it["event"].as_str().unwrap(), &it["timer"], &it["task"]))
        .map(|(event, timer, task)| {
            (event, timer.as_u64().unwrap(), task.as_u64().unwrap())
        })
        .collect();
    let expected = [
        ("timer-set", 1, 7),
        ("timer-set", 2, 7),
        ("timer-set", 3, 0),
        ("timer-cleared", 2, 7),
        ("timer-fired", 1, 7),
        ("timer-fired", 3, 0),
    ];
    assert_eq!(timers, expected);
    assert_eq!(lines[5]["line"], place, "where the loop called it");
}

#[test]
fn a_place_shows_the_last_part_of_its_path() {
    for (file, shown) in [
        ("fetch.rs", "fetch.rs:name"),
        ("/a/b/fetch.rs", "fetch.rs:name"),
        ("a\\b\\fetch.rs", "fetch.rs:name"),
        ("", ":name"),
    ] {
        let place = Location { file, ..Location::caller("name") };
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
                (0..500)
                    .for_each(|_| trace.record(task, Event::Woken { cancels: false }))
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
    for trace in [
        Trace::off(),
        Trace::default(),
        Trace::open(None, TraceFormat::Jsonl, "p").unwrap(),
    ] {
        trace.record(1, Event::Woken { cancels: false });
        assert!(trace.finish().is_ok());
    }
}

#[test]
fn a_trace_that_cannot_be_begun_is_an_error_at_once() {
    let folder = TempDir::new().unwrap();
    assert!(Trace::open(Some(folder.path()), TraceFormat::Jsonl, "p").is_err());
    let path = folder.path().join("no/such/folder");
    let why =
        Trace::open(Some(&path), TraceFormat::Jsonl, "p").unwrap_err().to_string();
    let path = path.display();
    assert_eq!(why, format!("cannot write the trace {path}: no such file or folder"));
}

/// Linux has a file that is always full.
#[cfg(target_os = "linux")]
#[test]
fn a_line_that_could_not_be_written_is_told_at_the_end() {
    for count in [0, 1, 10_000] {
        let full = std::path::Path::new("/dev/full");
        let trace = Trace::open(Some(full), TraceFormat::Jsonl, "p").unwrap();
        (0..count).for_each(|_| trace.record(1, Event::Woken { cancels: false }));
        let why = trace.finish().expect_err("the disk is full").to_string();
        assert!(!why.is_empty() && !why.contains("os error"), "{count}: {why}");
    }
}
