//! Writes a trace for Perfetto (ui.perfetto.dev), in Chrome's JSON trace format. Each
//! task has a track, with a slice for each time that it runs or waits. Another track
//! shows when the loop runs and sleeps.

use super::event::{Event, LOOP, Line};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// The state of the tracks.
#[derive(Debug, Default)]
pub(super) struct Tracks {
    /// The tracks with an open slice: the numbers of their tasks, or 0 for the loop.
    open: BTreeSet<u64>,
    /// The time of the last event.
    latest: u64,
    /// Set when the list is closed. Nothing may be written after it.
    is_closed: bool,
}

impl Tracks {
    /// Writes the beginning of the list: the name of the program, and the first slice
    /// of the loop.
    pub(super) fn begin(out: &mut impl Write, program: &str) -> io::Result<Tracks> {
        let mut tracks = Tracks::default();
        let name = json!({ "name": program });
        let head = json!({ "ph": "M", "pid": 1, "name": "process_name", "args": name });
        write!(out, "[\n{head}")?;
        tracks.put(out, "M", LOOP, "thread_name", json!({ "name": "the loop" }))?;
        // Tasks are shown below the loop, in the order of their numbers.
        tracks.put(out, "M", LOOP, "thread_sort_index", json!({ "sort_index": -1 }))?;
        tracks.slice(out, LOOP, "runs", Value::Null)?;
        Ok(tracks)
    }

    /// Writes an event.
    pub(super) fn write(
        &mut self,
        out: &mut impl Write,
        line: &Line<'_>,
    ) -> io::Result<()> {
        if self.is_closed {
            return Ok(());
        }
        self.latest = line.us;
        let args = serde_json::to_value(line)?;
        match &line.event {
            Event::Resumed { state, .. } => self.slice(out, line.task, state, args),
            Event::Paused { waits, .. } => {
                self.slice(out, line.task, &format!("waits for {waits}"), args)
            }
            Event::Slept { .. } => self.slice(out, LOOP, "sleeps", args),
            Event::Woke { .. } => self.slice(out, LOOP, "runs", args),
            Event::Created { label } => {
                let name = json!({ "name": label });
                self.put(out, "M", line.task, "thread_name", name)?;
                self.instant(out, line.task, args)
            }
            Event::Finished | Event::Cancelled => {
                self.end_slice(out, line.task)?;
                self.instant(out, line.task, args)
            }
            _ => self.instant(out, line.task, args),
        }
    }

    /// Writes the end of the list, once. Open slices end at the time of the last
    /// event.
    pub(super) fn end(&mut self, out: &mut impl Write) -> io::Result<()> {
        if std::mem::replace(&mut self.is_closed, true) {
            return Ok(());
        }
        for task in self.open.clone() {
            self.end_slice(out, task)?;
        }
        out.write_all(b"\n]\n")
    }

    /// Ends the open slice of a track, and begins another one.
    fn slice(
        &mut self,
        out: &mut impl Write,
        task: u64,
        name: &str,
        args: Value,
    ) -> io::Result<()> {
        self.end_slice(out, task)?;
        self.open.insert(task);
        self.put(out, "B", task, name, args)
    }

    fn end_slice(&mut self, out: &mut impl Write, task: u64) -> io::Result<()> {
        match self.open.remove(&task) {
            true => self.put(out, "E", task, "", Value::Null),
            false => Ok(()),
        }
    }

    fn instant(&self, out: &mut impl Write, task: u64, args: Value) -> io::Result<()> {
        let name = args["event"].as_str().unwrap_or_default().to_string();
        self.put(out, "i", task, &name, args)
    }

    fn put(
        &self,
        out: &mut impl Write,
        kind: &str,
        task: u64,
        name: &str,
        args: Value,
    ) -> io::Result<()> {
        let place = json!({ "ph": kind, "pid": 1, "tid": task, "ts": self.latest,
            "name": name, "s": "t", "args": args });
        write!(out, ",\n{place}")
    }
}
