//! Traces, without what differs in each run.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The events that are compared. A trace may have others.
const EVENTS: &[&str] = &[
    "created",
    "resumed",
    "paused",
    "woken",
    "queued",
    "finished",
    "cancelled",
    "registered",
    "arrived",
];

/// One event of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The number of its task.
    pub task: u64,
    /// The event, and what belongs to it.
    pub text: String,
    /// The system has reported that a socket can be read.
    pub is_response: bool,
}

/// Reads the events of a trace.
///
/// # Panics
/// It is no trace.
pub fn read(file: &Path) -> Vec<Event> {
    let text = fs::read_to_string(file).expect("the trace was written");
    let lines = text.lines().skip(1).map(|line| {
        let line: Value = serde_json::from_str(line).expect("a line is JSON");
        event(&line)
    });
    lines.flatten().collect()
}

fn event(line: &Value) -> Option<Event> {
    let name = line["event"].as_str()?;
    if !EVENTS.contains(&name) {
        return None;
    }
    let keys = ["event", "state", "waits", "readable", "writable", "for"];
    let value = |key: &str| match &line[key] {
        Value::String(text) => path_of(text),
        value => value.to_string(),
    };
    Some(Event {
        task: line["task"].as_u64()?,
        text: keys.map(value).join(" "),
        is_response: name == "arrived" && line["readable"] == true,
    })
}

/// A URL without its host and port, which differ.
fn path_of(text: &str) -> String {
    match text
        .strip_prefix("http://")
        .and_then(|rest| rest.find('/').map(|at| &rest[at..]))
    {
        Some(path) => path.to_string(),
        None => text.to_string(),
    }
}

/// The events of each task.
pub fn by_task(events: &[Event]) -> BTreeMap<u64, Vec<&str>> {
    let mut tasks: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    for event in events {
        tasks.entry(event.task).or_default().push(&event.text);
    }
    tasks
}
