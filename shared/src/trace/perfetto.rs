//! Writes a trace for Perfetto (ui.perfetto.dev), in Chrome's JSON trace format: a track
//! for each task, with a slice for each time that it runs or waits.

use super::Event;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::io::{self, Write};

/// The tracks of a trace.
#[derive(Debug, Default)]
pub(super) struct Tracks {
    /// The tasks whose track has a slice that has not ended.
    open: HashSet<u64>,
    /// Whether the list was closed. Nothing may follow.
    is_closed: bool,
}

impl Tracks {
    /// Writes the beginning of the list: the program's name.
    pub(super) fn begin(&self, out: &mut impl Write, program: &str) -> io::Result<()> {
        let name = json!({ "name": program });
        let head = json!({ "ph": "M", "pid": 1, "name": "process_name", "args": name });
        write!(out, "[\n{head}")
    }

    /// Writes an event of `task`, `us` microseconds after the beginning.
    pub(super) fn write(
        &mut self,
        out: &mut impl Write,
        us: u128,
        task: u64,
        event: &Event<'_>,
    ) -> io::Result<()> {
        let mut put = |kind: &str, name: &str, args: Value| {
            let place = json!({ "ph": kind, "pid": 1, "tid": task, "ts": us as u64,
                "name": name, "s": "t", "args": args });
            if self.is_closed { Ok(()) } else { write!(out, ",\n{place}") }
        };
        let ends = matches!(event, Event::Finished | Event::Cancelled);
        let begins = match event {
            Event::Resumed { state, .. } => Some(state.to_string()),
            Event::Paused { waits, .. } => Some(format!("waits for {waits}")),
            _ => None,
        };
        let args = serde_json::to_value(event)?;
        if (ends || begins.is_some()) && self.open.remove(&task) {
            put("E", "", Value::Null)?;
        }
        if let Some(name) = begins {
            self.open.insert(task);
            return put("B", &name, args);
        }
        if let Event::Created { label } = event {
            put("M", "thread_name", json!({ "name": label }))?;
        }
        let name = args["event"].as_str().unwrap_or_default().to_string();
        put("i", &name, args)
    }

    /// Writes the end of the list, once.
    pub(super) fn end(&mut self, out: &mut impl Write) -> io::Result<()> {
        if std::mem::replace(&mut self.is_closed, true) {
            return Ok(());
        }
        out.write_all(b"\n]\n")
    }
}
