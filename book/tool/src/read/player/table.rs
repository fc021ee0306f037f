//! Tables for traces that have none of their own: they are there instead of the player, on
//! paper and without JavaScript.

use super::trace::Trace;
use serde_json::Value;
use std::fmt::Write;

/// A row for each event, as the recorded tables have them.
pub(super) fn of_rows(trace: &Trace) -> String {
    let mut table =
        "| time | task | event | state | why |\n|--:|---|---|---|---|\n".to_string();
    for at in &trace.rows {
        let event = &trace.events[*at];
        let (time, task) = (time(event), &event["task"]);
        let (name, state, why) =
            (text(event, "event"), code(text(event, "state")), why(event));
        let _ = writeln!(table, "| {time} | {task} | {name} | {state} | {why} |");
    }
    table
}

/// A row for each long sleep of each run.
pub(super) fn of_sleeps(runs: &[(&str, &Trace)], shortest: u64) -> String {
    let mut table =
        "| run | the thread sleeps from | until |\n|---|--:|--:|\n".to_string();
    for (title, trace) in runs {
        for (from, to) in trace.sleeps(shortest) {
            let (from, to) = (time(&trace.events[from]), time(&trace.events[to]));
            let _ = writeln!(table, "| {title} | {from} | {to} |");
        }
    }
    table
}

/// A table with a first column for the numbers of its rows, which are those of the player's
/// steps. Each is a place to which links lead: `trace=NAME@27` is step 27.
pub(super) fn numbered(name: &str, table: &str, steps: &[usize]) -> String {
    let mut lines = table.lines();
    let mut out = String::new();
    for (cell, line) in ["| step ", "|---"].into_iter().zip(lines.by_ref()) {
        let _ = writeln!(out, "{cell}{line}");
    }
    for (step, line) in steps.iter().zip(lines) {
        let _ = writeln!(out, "| <a id=\"trace={name}@{step}\"></a>{step} {line}");
    }
    out
}

fn text<'a>(event: &'a Value, key: &str) -> &'a str {
    event[key].as_str().unwrap_or_default()
}

fn time(event: &Value) -> String {
    let us = event["us"].as_u64().unwrap_or_default();
    format!("{:.1} ms", us as f64 / 1000.0)
}

fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{text}`") }
}

/// A URL without its site, which is the same for all.
fn path(url: &str) -> String {
    pattern!(SITE, r"^https?://127\.0\.0\.1(:\d+)?");
    SITE.replace(url, "").into_owned()
}

/// What an event says besides.
fn why(event: &Value) -> String {
    let (label, place) = (path(text(event, "for")), code(text(event, "at")));
    match text(event, "event") {
        "created" => format!("for {label}"),
        "resumed" => format!("for {label}, {place}"),
        "paused" => {
            let waits = &event["waits"];
            let waits = waits.as_str().or(waits["named"].as_str()).unwrap_or_default();
            format!("waits: {waits}, {place}")
        }
        "arrived" => {
            let sides = ["readable", "writable"];
            let sides = sides.into_iter().filter(|side| event[*side] == true);
            sides.collect::<Vec<_>>().join(", ")
        }
        _ => String::new(),
    }
}
