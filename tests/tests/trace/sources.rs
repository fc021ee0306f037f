//! The lines of the source that a trace names.

use serde_json::Value;
use std::fs;
use std::path::Path;

/// What the line of an event holds: a call of the observer, or what the observed function
/// was called with.
const HOLDS: &[(&str, &[&str])] = &[
    ("registered", &["registered", "created"]),
    ("arrived", &["arrived"]),
    ("woken", &["WAKES", "cancelled"]),
    ("queued", &["queued", "Queued", "WAKES", "cancelled", "spawn", "block_on"]),
    ("slept", &["slept"]),
    ("woke", &["woke"]),
    ("timer-set", &["set_timer", "timers.set"]),
    ("timer-cleared", &["clear"]),
    ("timer-fired", &["take_due"]),
];

/// Checks that the line of an event is there, and is one that records such an event.
pub(crate) fn check(program: &str, event: &Value) -> Result<(), String> {
    let place = event["line"].as_str().ok_or("no line")?;
    let (file, number) = place.rsplit_once(':').ok_or("no FILE:LINE")?;
    if !file.starts_with("src/") || file.contains('\\') {
        return Err("not below the folder of the stage".to_string());
    }
    let workspace =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("no folder")?;
    let text = fs::read_to_string(workspace.join(program).join(file))
        .map_err(|error| format!("{file}: {error}"))?;
    let number: usize = number.parse().map_err(|_| "no number")?;
    let line = text.lines().nth(number - 1).ok_or("after the end of the file")?;
    if line.trim().is_empty() || line.trim().starts_with("//") {
        return Err(format!("nothing runs there: `{line}`"));
    }
    let name = event["event"].as_str().unwrap_or_default();
    let expected = HOLDS.iter().find(|(event, _)| *event == name);
    match expected {
        Some((_, words)) if !words.iter().any(|word| line.contains(word)) => {
            Err(format!("records something else: `{line}`"))
        }
        _ => Ok(()),
    }
}
