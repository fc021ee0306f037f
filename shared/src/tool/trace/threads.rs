//! A trace of several threads, which run at the same time: each event names its thread.

use super::event::{By, Caller, Event, Line, SourceLine};
use super::log::{Head, VERSION, write_line};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::panic;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};
use std::thread::{self, ThreadId};
use std::time::Instant;

/// Writes the events of all threads of a step to one file. Without a file, recording an
/// event costs one `if`.
#[derive(Debug, Default)]
pub struct ThreadTrace(Option<Mutex<Inside>>);

/// Where an event of a [`ThreadTrace`] happened.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Where<'a> {
    /// The name of the thread. `None` if the tasks of the trace are threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<&'a str>,
    /// The ready queue that has the task from now on, if there is more than one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue: Option<&'a str>,
}

#[derive(Debug)]
struct Inside {
    out: BufWriter<File>,
    created: Instant,
    /// The number of the last event.
    step: u64,
    /// The tasks that were queued, and have not run since.
    ready: BTreeSet<u64>,
    /// The task that runs on each thread: set by `Resumed`, removed at the end of its poll.
    running: BTreeMap<u64, ThreadId>,
    /// The task that was woken by the last event. A `Queued` that follows has no other cause.
    woken: Option<u64>,
}

/// A line of a trace, with the place of its event.
#[derive(Serialize)]
struct ThreadLine<'a> {
    #[serde(flatten)]
    line: Line<'a>,
    #[serde(flatten)]
    at: Where<'a>,
}

impl ThreadTrace {
    /// Creates the file at `path`, and writes the first line with the name of the package.
    /// `tasks` is what the events number, if they number no tasks: `threads`.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn create(
        path: &Path,
        program: &str,
        tasks: Option<&str>,
    ) -> io::Result<ThreadTrace> {
        let mut out = BufWriter::new(File::create(path)?);
        write_line(&mut out, &Head { trace: VERSION, program, tasks })?;
        Ok(ThreadTrace(Some(Mutex::new(Inside {
            out,
            created: Instant::now(),
            step: 0,
            ready: BTreeSet::new(),
            running: BTreeMap::new(),
            woken: None,
        }))))
    }

    /// Like [`ThreadTrace::create`], for a step: in the file that the program's arguments
    /// name with `--trace FILE`, if they do.
    ///
    /// # Panics
    /// The file cannot be created.
    pub fn of_step(package: &str, tasks: Option<&str>) -> ThreadTrace {
        let mut arguments =
            std::env::args_os().skip_while(|it| it != "--trace").skip(1);
        let Some(path) = arguments.next() else { return ThreadTrace::default() };
        ThreadTrace::create(Path::new(&path), package, tasks)
            .unwrap_or_else(|error| panic!("cannot write the trace: {error}"))
    }

    /// Returns whether events are written to a file.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Records that `event` happened to `task`, on the caller's thread and at the caller's
    /// line.
    ///
    /// # Panics
    /// The file cannot be written.
    #[track_caller]
    pub fn record(&self, task: u64, event: Event<'_>, at: Where<'_>) {
        self.record_at(panic::Location::caller(), task, event, at);
    }

    /// Like [`ThreadTrace::record`], at another line.
    ///
    /// # Panics
    /// The file cannot be written.
    pub fn record_at(&self, line: Caller, task: u64, event: Event<'_>, at: Where<'_>) {
        let Some(mut inside) = self.lock() else { return };
        let line = SourceLine { file: line.file(), line: line.line() };
        let written = inside.write(task, event, at, line);
        drop(inside); // other threads go on recording
        written.expect("the trace can be written");
    }

    /// Writes the buffered lines.
    ///
    /// # Panics
    /// The file cannot be written.
    pub fn finish(&self) {
        let Some(mut inside) = self.lock() else { return };
        let written = inside.out.flush();
        drop(inside);
        written.expect("the trace can be written");
    }

    fn lock(&self) -> Option<MutexGuard<'_, Inside>> {
        let inside = self.0.as_ref()?;
        Some(inside.lock().expect("nothing panics while it writes a line"))
    }
}

impl Inside {
    fn write(
        &mut self,
        task: u64,
        event: Event<'_>,
        at: Where<'_>,
        line: SourceLine,
    ) -> io::Result<()> {
        let by = self.follow(task, &event);
        let is_queue = matches!(event, Event::Queued | Event::Resumed { .. });
        let ready = is_queue.then_some(self.ready.len());
        self.step += 1;
        let us = self.created.elapsed().as_micros() as u64;
        let line = Line { step: self.step, us, task, event, ready, by, line };
        write_line(&mut self.out, &ThreadLine { line, at })
    }

    /// Updates what runs and what is ready. Returns what has caused the event, if that is
    /// a part of it.
    fn follow(&mut self, task: u64, event: &Event<'_>) -> Option<By> {
        let this = thread::current().id();
        let own = self.running.iter().find(|(_, thread)| **thread == this);
        let own = own.map(|(task, _)| By::Task(*task));
        let woken = self.woken.take();
        match event {
            Event::Woken { .. } => {
                self.woken = Some(task);
                return Some(own.unwrap_or(By::Thread));
            }
            Event::Queued => {
                self.ready.insert(task);
                return (woken != Some(task)).then_some(own.unwrap_or(By::LOOP));
            }
            Event::Resumed { .. } => {
                self.ready.remove(&task);
                self.running.insert(task, this);
            }
            Event::Paused { .. } | Event::Finished | Event::Cancelled => {
                self.running.remove(&task);
            }
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Location, WaitReason};
    use std::fs;

    #[test]
    fn each_thread_has_a_task_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trace.jsonl");
        let trace = ThreadTrace::create(&path, "p", None).unwrap();
        let at = Location::caller("here");
        let resumed = Event::Resumed { state: "New", label: "x", at };
        let on = |thread| Where { thread: Some(thread), queue: None };
        for task in [1, 2] {
            trace.record(task, Event::Queued, on("main"));
        }
        trace.record(1, resumed, on("main"));
        thread::scope(|scope| {
            let other = || {
                trace.record(2, resumed, on("other"));
                trace.record(1, Event::Woken { cancels: false }, on("other"));
                trace.record(1, Event::Queued, on("other"));
            };
            scope.spawn(other);
        });
        let waits = WaitReason::Turn;
        let paused = Event::Paused { state: "x", waits, socket: None, at };
        trace.record(1, paused, on("main"));
        trace.record(2, Event::Woken { cancels: false }, on("main"));
        trace.finish();
        let text = fs::read_to_string(path).unwrap();
        let seen: Vec<String> = text
            .lines()
            .skip(1)
            .map(|line| {
                let it: serde_json::Value = serde_json::from_str(line).unwrap();
                let [task, event, by, ready, thread] =
                    ["task", "event", "by", "ready", "thread"].map(|key| &it[key]);
                format!("{task} {event} {by} {ready} {thread}").replace('"', "")
            })
            .collect();
        assert_eq!(
            seen,
            [
                "1 queued 0 1 main",
                "2 queued 0 2 main",
                "1 resumed null 1 main",
                "2 resumed null 0 other",
                "1 woken 2 null other",
                "1 queued null 1 other",
                "1 paused null null main",
                "2 woken thread null main",
            ]
        );
    }
}
