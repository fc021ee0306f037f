//! The trace file, and the state of the loop that is needed to write it.

use super::event::{By, Caller, Event, LOOP, Line, SourceLine};
use super::perfetto::Tracks;
use crate::error::describe;
use crate::report::Report;
use crate::tool::output::{self, Output};
use clap::ValueEnum;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::mem;
use std::panic;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// How long a pipe may take nothing before its trace is abandoned. The loop is blocked
/// meanwhile.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// The file format of a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TraceFormat {
    /// JSON Lines: an object for each event.
    #[default]
    Jsonl,
    /// For the viewer at ui.perfetto.dev: Chrome's JSON trace format.
    Perfetto,
}

/// Writes events to a file, or discards them. Clones share the file. If no trace is
/// written, recording an event costs one `if`.
#[derive(Clone, Debug, Default)]
pub struct Trace(Option<Arc<Shared>>);

#[derive(Debug)]
struct Shared {
    /// Locked while the loop writes, which takes long if the file's reader is slow.
    log: Mutex<Log>,
    /// Any thread may lock it without waiting for the file's reader.
    wakes: Mutex<Wakes>,
}

#[derive(Debug)]
struct Wakes {
    /// Wakes that are not written yet. The loop writes and removes them before its next
    /// event.
    unwritten: Vec<Wake>,
    /// The thread of the loop, and what wakes tasks there now. Set by the events that
    /// [`By::after`] names, and by `set_caller`.
    caller: (ThreadId, By),
}

impl Wakes {
    /// Returns what wakes a task on this thread now.
    fn caller(&self) -> By {
        let (thread, caller) = self.caller;
        if thread::current().id() == thread { caller } else { By::Thread }
    }
}

/// A recorded wake.
#[derive(Debug)]
struct Wake {
    line: Caller,
    task: u64,
    event: Event<'static>,
    by: Option<By>,
    when: Instant,
}

#[derive(Debug)]
struct Log {
    out: BufWriter<Output>,
    /// Where Perfetto shows the tasks; `None` for JSON Lines.
    tracks: Option<Tracks>,
    /// The time of creation, from which all times are counted.
    created: Instant,
    /// The number of the last event.
    step: u64,
    /// Whether the loop waits in the operating system: set by `slept`, cleared by
    /// `woke`.
    is_asleep: bool,
    /// The running task, or 0 for the loop.
    running: u64,
    /// The tasks in the ready queue: added by `Queued`, removed by `Resumed` or at
    /// their end.
    ready: BTreeSet<u64>,
    /// The timers that are set, each with the task that set it.
    timers: BTreeMap<u64, u64>,
    /// The sockets, each with the task that registered it or that was last suspended
    /// at it.
    sockets: BTreeMap<u64, u64>,
    /// The first write error. After it nothing is written. Taken by `finish`.
    write_error: Option<io::Error>,
}

/// The version of the format, for the first line. Version 2 added source lines, the
/// loop's own events, timers, and the numbers of sockets. Version 3 added `by`, and
/// version 4 `cancels`.
pub(super) const VERSION: u32 = 4;

/// The first line of a trace.
#[derive(Serialize)]
pub(super) struct Head<'a> {
    pub(super) trace: u32,
    pub(super) program: &'a str,
    /// What has the number `task`, if that is no task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tasks: Option<&'a str>,
}

impl Trace {
    /// Creates a trace that discards all events.
    pub fn off() -> Trace {
        Trace(None)
    }

    /// Creates the file at `path`, and writes the first line with the name of the
    /// program. Without a path, events are discarded. Times are counted from this
    /// call.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn open(
        path: Option<&Path>,
        format: TraceFormat,
        program: &str,
    ) -> io::Result<Trace> {
        let Some(path) = path else { return Ok(Trace::off()) };
        let opened = output::open(File::options().truncate(true), path);
        let file = opened.map_err(|error| {
            let why = describe(&error);
            io::Error::new(
                error.kind(),
                format!("cannot write the trace {}: {why}", path.display()),
            )
        })?;
        let mut out = BufWriter::new(Output::new(file, Some(LONGEST_WAIT)));
        let tracks = match format {
            TraceFormat::Jsonl => {
                write_line(&mut out, &Head { trace: VERSION, program, tasks: None })?;
                None
            }
            TraceFormat::Perfetto => Some(Tracks::begin(&mut out, program)?),
        };
        let log = Log {
            out,
            tracks,
            created: Instant::now(),
            step: 0,
            is_asleep: false,
            running: LOOP,
            ready: BTreeSet::new(),
            timers: BTreeMap::new(),
            sockets: BTreeMap::new(),
            write_error: None,
        };
        let caller = (thread::current().id(), By::LOOP);
        let wakes = Mutex::new(Wakes { unwritten: Vec::new(), caller });
        Ok(Trace(Some(Arc::new(Shared { log: Mutex::new(log), wakes }))))
    }

    /// Returns whether events are written to a file.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Records that `event` happened to `task`. The source line is the caller's; for a
    /// suspended task it is the line where the task is suspended.
    #[inline]
    #[track_caller]
    pub fn record(&self, task: u64, event: Event<'_>) {
        if self.is_on() {
            let line = event.line().unwrap_or(panic::Location::caller());
            self.record_at(line, task, event);
        }
    }

    /// Records that `event` happened to `task`, with this source line.
    pub fn record_at(&self, line: Caller, task: u64, event: Event<'_>) {
        self.note(line, |_| Some((task, event)));
    }

    /// Names what wakes tasks from now on. Events do that as well: while a task runs, it
    /// is that task. The caller's thread is the loop's.
    pub fn set_caller(&self, by: By) {
        if let Some(shared) = &self.0 {
            shared.wakes().caller = (thread::current().id(), by);
        }
    }

    /// Records that a waker of `task` was called, whether by its `cancel`, and whether
    /// this has put the task into the ready queue. Any thread may call this: it does not
    /// wait for the file's reader. The loop writes both events, one after the other,
    /// before its next one.
    pub(crate) fn record_wake(
        &self,
        line: Caller,
        task: u64,
        cancels: bool,
        is_queued: bool,
    ) {
        let Some(shared) = &self.0 else { return };
        let mut wakes = shared.wakes();
        let (by, when) = (Some(wakes.caller()), Instant::now());
        let event = Event::Woken { cancels };
        wakes.unwritten.push(Wake { line, task, event, by, when });
        if is_queued {
            wakes.unwritten.push(Wake {
                line,
                task,
                event: Event::Queued,
                by: None,
                when,
            });
        }
    }

    /// Records that the loop waits in the operating system for `time`, until the next
    /// timer at `until`; `None` is without limit. If `time` is zero, nothing is
    /// recorded.
    #[track_caller]
    pub fn slept(&self, until: Option<Instant>, time: Option<Duration>) {
        self.note(panic::Location::caller(), |log| {
            log.is_asleep = time != Some(Duration::ZERO);
            let until = until.map(|when| log.us(when));
            log.is_asleep.then_some((LOOP, Event::Slept { until }))
        });
    }

    /// Records that the wait has ended, and the number of reported events.
    #[track_caller]
    pub fn woke(&self, events: impl IntoIterator) {
        self.note(panic::Location::caller(), |log| {
            let events = events.into_iter().count();
            mem::take(&mut log.is_asleep).then_some((LOOP, Event::Woke { events }))
        });
    }

    /// Records that the running task registered a socket. Does nothing outside of a
    /// task.
    #[track_caller]
    pub fn registered(&self, socket: u64) {
        self.note(panic::Location::caller(), |log| {
            let is_task = log.running != LOOP;
            is_task.then_some((log.running, Event::Registered { socket }))
        });
    }

    /// Records an event that the operating system reported for a socket. It is written
    /// for the task that waits for the socket.
    #[track_caller]
    pub fn arrived(&self, socket: u64, readable: bool, writable: bool) {
        self.note(panic::Location::caller(), |log| {
            let task = *log.sockets.get(&socket)?;
            Some((task, Event::Arrived { socket, readable, writable }))
        });
    }

    /// Records that the running task set a timer.
    #[track_caller]
    pub(crate) fn timer_set(&self, timer: u64, when: Instant) {
        self.note(panic::Location::caller(), |log| {
            log.timers.insert(timer, log.running);
            Some((log.running, Event::TimerSet { timer, when: log.us(when) }))
        });
    }

    /// Records that a timer was due. Does nothing if the timer is not set.
    #[track_caller]
    pub(crate) fn timer_fired(&self, timer: u64) {
        self.note(panic::Location::caller(), |log| {
            Some((log.timers.remove(&timer)?, Event::TimerFired { timer }))
        });
    }

    /// Records that a timer was cleared. Does nothing if the timer is not set.
    #[track_caller]
    pub(crate) fn timer_cleared(&self, timer: u64) {
        self.note(panic::Location::caller(), |log| {
            Some((log.timers.remove(&timer)?, Event::TimerCleared { timer }))
        });
    }

    fn note<'a>(
        &self,
        line: Caller,
        make: impl FnOnce(&mut Log) -> Option<(u64, Event<'a>)>,
    ) {
        let Some(shared) = &self.0 else { return };
        let (mut log, now) = shared.log_after_wakes();
        let Some((task, event)) = make(&mut log) else { return };
        let is_caused = matches!(event, Event::Woken { .. } | Event::Queued);
        let by = is_caused.then(|| shared.wakes().caller());
        let caller = By::after(task, &event);
        log.write(now, line, task, event, by);
        if let Some(caller) = caller {
            self.set_caller(caller);
        }
    }

    /// Writes the buffered lines.
    ///
    /// # Errors
    /// The first error of all writes.
    pub fn finish(&self) -> io::Result<()> {
        let Some(shared) = &self.0 else { return Ok(()) };
        let (mut log, _) = shared.log_after_wakes();
        let Log { out, tracks, write_error, .. } = &mut *log;
        let written = write_error.take().map_or(Ok(()), Err);
        let ended = written.and_then(|()| match tracks {
            Some(tracks) => tracks.end(out),
            None => Ok(()),
        });
        let finished = ended.and_then(|()| out.flush());
        finished.map_err(|error| io::Error::other(describe(&error)))
    }

    /// Finishes the trace after a crawl. A write error becomes a warning in the
    /// report.
    pub fn close(&self, mut report: Report) -> Report {
        if let Err(error) = self.finish() {
            report.warnings.push(format!("the trace is not whole: {error}"));
        }
        report
    }
}

impl Shared {
    fn wakes(&self) -> MutexGuard<'_, Wakes> {
        self.wakes.lock().expect("nothing panics while it holds the wakes")
    }

    /// Writes all wakes so far. Returns the locked log, and the time.
    fn log_after_wakes(&self) -> (MutexGuard<'_, Log>, Instant) {
        let mut log = self.log.lock().expect("nothing panics while it writes a line");
        let mut wakes = self.wakes();
        let (earlier, now) = (mem::take(&mut wakes.unwritten), Instant::now());
        drop(wakes); // unlock it: writing may take long
        for Wake { line, task, event, by, when } in earlier {
            log.write(when, line, task, event, by);
        }
        (log, now)
    }
}

impl Log {
    /// Returns a time in microseconds since the trace was created.
    fn us(&self, when: Instant) -> u64 {
        when.saturating_duration_since(self.created).as_micros() as u64
    }

    fn write(
        &mut self,
        when: Instant,
        line: Caller,
        task: u64,
        event: Event<'_>,
        by: Option<By>,
    ) {
        if self.write_error.is_some() {
            return;
        }
        self.step += 1;
        let ready = self.follow(task, &event);
        let line = SourceLine { file: line.file(), line: line.line() };
        let (step, us) = (self.step, self.us(when));
        let line = Line { step, us, task, event, ready, by, line };
        let written = match &mut self.tracks {
            Some(tracks) => tracks.write(&mut self.out, &line),
            None => write_line(&mut self.out, &line),
        };
        self.write_error = written.err();
    }

    /// Updates the running task and the ready queue. Returns the length of the queue
    /// if the event changes it.
    fn follow(&mut self, task: u64, event: &Event<'_>) -> Option<usize> {
        match event {
            Event::Queued => _ = self.ready.insert(task),
            Event::Resumed { .. } => {
                self.ready.remove(&task);
                self.running = task;
            }
            Event::Registered { socket } => _ = self.sockets.insert(*socket, task),
            Event::Paused { socket, .. } => {
                self.running = LOOP;
                self.sockets.extend(socket.map(|socket| (socket, task)));
            }
            Event::Finished | Event::Cancelled => {
                self.ready.remove(&task);
                if self.running == task {
                    self.running = LOOP;
                }
            }
            _ => {}
        }
        let changes = matches!(event, Event::Queued | Event::Resumed { .. });
        changes.then_some(self.ready.len())
    }
}

pub(super) fn write_line(
    out: &mut impl Write,
    line: &impl Serialize,
) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::TracedWakers;
    use std::sync::mpsc;
    use std::task::Waker;
    use std::{fs, thread};

    #[test]
    fn a_wake_does_not_wait_while_the_loop_writes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trace.jsonl");
        let trace = Trace::open(Some(&path), TraceFormat::Jsonl, "p").unwrap();
        let line = panic::Location::caller();
        let wakers = TracedWakers::default();
        let waker = wakers.insert(7, &trace, line, Waker::noop().clone());
        wakers.resumed(7);
        let writes = trace.0.as_ref().unwrap().log.lock().unwrap();
        let (send, woken) = mpsc::channel();
        let thread = thread::spawn(move || {
            waker.wake();
            send.send(()).unwrap();
        });
        let waited = woken.recv_timeout(Duration::from_secs(20));
        drop(writes);
        thread.join().unwrap();
        assert_eq!(waited, Ok(()));
        trace.record(7, Event::Finished);
        trace.finish().unwrap();
        let text = fs::read_to_string(path).unwrap();
        let events: Vec<&str> =
            text.lines().filter_map(|line| line.split('"').nth(9)).collect();
        assert_eq!(
            events,
            ["woken", "queued", "finished"],
            "in the order of their time"
        );
    }
}
