//! The file of a trace, and what is kept of the loop to write it.

use super::event::{Caller, Event, LOOP, Line, SourceLine};
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
use std::time::{Duration, Instant};

/// For how long a pipe may take nothing before its trace is given up: the loop is blocked
/// meanwhile.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// How a trace is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TraceFormat {
    /// A JSON object for each event, on a line of its own.
    #[default]
    Jsonl,
    /// For the viewer at ui.perfetto.dev: Chrome's JSON trace format.
    Perfetto,
}

/// Writes events to a file, or discards them. Clones share the file; when it is off, to
/// record an event costs one `if`.
#[derive(Clone, Debug, Default)]
pub struct Trace(Option<Arc<Shared>>);

#[derive(Debug)]
struct Shared {
    /// Locked by the loop while it writes, which may take as long as the file's reader.
    log: Mutex<Log>,
    /// Added by any thread, which does not wait for the reader. Written before the loop's
    /// next event.
    wakes: Mutex<Vec<Wake>>,
}

/// A wake that is not written yet.
#[derive(Debug)]
struct Wake {
    line: Caller,
    task: u64,
    event: Event<'static>,
    when: Instant,
}

#[derive(Debug)]
struct Log {
    out: BufWriter<Output>,
    /// The tracks of the tasks in the format of Perfetto; `None` for JSON lines.
    tracks: Option<Tracks>,
    /// The time from which events are counted.
    began: Instant,
    /// The number of the last event.
    step: u64,
    /// Whether the loop waits in the operating system.
    is_asleep: bool,
    /// The task that runs, or 0.
    running: u64,
    /// The tasks that were queued and have not run since.
    ready: BTreeSet<u64>,
    /// The timers that are set, and the task that set each of them.
    timers: BTreeMap<u64, u64>,
    /// The sockets, and the task that registered each of them, or was suspended at it
    /// last.
    sockets: BTreeMap<u64, u64>,
    /// The first error of a write. Nothing is written after it; `finish` takes it.
    failed: Option<io::Error>,
}

/// The version of the format, in the first line. Version 2 has the lines of the source,
/// the loop's own events, timers, and the numbers of sockets.
const VERSION: u32 = 2;

/// The first line of a trace.
#[derive(Serialize)]
struct Head<'a> {
    trace: u32,
    program: &'a str,
}

impl Trace {
    /// Creates a trace that discards all events.
    pub fn off() -> Trace {
        Trace(None)
    }

    /// Creates the file at `path`; without a path, events are discarded. It begins with
    /// the name of the program. Times are microseconds since this call.
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
                write_line(&mut out, &Head { trace: VERSION, program })?;
                None
            }
            TraceFormat::Perfetto => Some(Tracks::begin(&mut out, program)?),
        };
        let log = Log {
            out,
            tracks,
            began: Instant::now(),
            step: 0,
            is_asleep: false,
            running: LOOP,
            ready: BTreeSet::new(),
            timers: BTreeMap::new(),
            sockets: BTreeMap::new(),
            failed: None,
        };
        let (log, wakes) = (Mutex::new(log), Mutex::default());
        Ok(Trace(Some(Arc::new(Shared { log, wakes }))))
    }

    /// Returns whether events are written.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Records that `event` happened to `task`, in the line that calls this: of a task
    /// that is suspended, in the line where it is.
    #[inline]
    #[track_caller]
    pub fn record(&self, task: u64, event: Event<'_>) {
        if self.is_on() {
            let line = event.line().unwrap_or(panic::Location::caller());
            self.record_at(line, task, event);
        }
    }

    /// Records that `event` happened to `task`, in this line.
    pub fn record_at(&self, line: Caller, task: u64, event: Event<'_>) {
        self.note(line, |_| Some((task, event)));
    }

    /// Records a wake of `task`, by any thread, in this line. Does not wait for the file's
    /// reader, as the loop may be doing: the loop writes the wake before its next event.
    pub(crate) fn record_wake(&self, line: Caller, task: u64, event: Event<'static>) {
        let Some(shared) = &self.0 else { return };
        let mut wakes = shared.wakes();
        wakes.push(Wake { line, task, event, when: Instant::now() });
    }

    /// Records that the loop waits in the operating system, for so long: until the next
    /// timer is due, or without a limit. A look that does not wait is not recorded.
    #[track_caller]
    pub fn slept(&self, until: Option<Instant>, time: Option<Duration>) {
        self.note(panic::Location::caller(), |log| {
            log.is_asleep = time != Some(Duration::ZERO);
            let until = until.map(|when| log.us(when));
            log.is_asleep.then_some((LOOP, Event::Slept { until }))
        });
    }

    /// Records that the wait is over, and how many events it has brought.
    #[track_caller]
    pub fn woke(&self, events: impl IntoIterator) {
        self.note(panic::Location::caller(), |log| {
            let events = events.into_iter().count();
            mem::take(&mut log.is_asleep).then_some((LOOP, Event::Woke { events }))
        });
    }

    /// Records that the task that runs has registered a socket; outside of a task, nothing.
    #[track_caller]
    pub fn registered(&self, socket: u64) {
        self.note(panic::Location::caller(), |log| {
            let is_task = log.running != LOOP;
            is_task.then_some((log.running, Event::Registered { socket }))
        });
    }

    /// Records what the operating system has reported about a socket, for the task that
    /// waits for it.
    #[track_caller]
    pub fn arrived(&self, socket: u64, readable: bool, writable: bool) {
        self.note(panic::Location::caller(), |log| {
            let task = *log.sockets.get(&socket)?;
            Some((task, Event::Arrived { socket, readable, writable }))
        });
    }

    /// Records that the task that runs has set a timer.
    #[track_caller]
    pub(crate) fn timer_set(&self, timer: u64, when: Instant) {
        self.note(panic::Location::caller(), |log| {
            log.timers.insert(timer, log.running);
            Some((log.running, Event::TimerSet { timer, when: log.us(when) }))
        });
    }

    /// Records that a timer was due.
    #[track_caller]
    pub(crate) fn timer_fired(&self, timer: u64) {
        self.note(panic::Location::caller(), |log| {
            Some((log.timers.remove(&timer)?, Event::TimerFired { timer }))
        });
    }

    /// Records that a timer was cleared; one that is not set is ignored.
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
        if let Some((task, event)) = make(&mut log) {
            log.write(now, line, task, event);
        }
    }

    /// Writes the lines that are still buffered.
    ///
    /// # Errors
    /// The first error of any line that could not be written.
    pub fn finish(&self) -> io::Result<()> {
        let Some(shared) = &self.0 else { return Ok(()) };
        let (mut log, _) = shared.log_after_wakes();
        let Log { out, tracks, failed, .. } = &mut *log;
        let written = failed.take().map_or(Ok(()), Err);
        let ended = written.and_then(|()| match tracks {
            Some(tracks) => tracks.end(out),
            None => Ok(()),
        });
        let finished = ended.and_then(|()| out.flush());
        finished.map_err(|error| io::Error::other(describe(&error)))
    }

    /// Finishes the trace of a crawl that is over. Lines that could not be written
    /// become a warning in its report.
    pub fn close(&self, mut report: Report) -> Report {
        if let Err(error) = self.finish() {
            report.warnings.push(format!("the trace is not whole: {error}"));
        }
        report
    }
}

impl Shared {
    fn wakes(&self) -> MutexGuard<'_, Vec<Wake>> {
        self.wakes.lock().expect("nothing panics while it holds the wakes")
    }

    /// Returns the log once it has all wakes up to now, and that time.
    fn log_after_wakes(&self) -> (MutexGuard<'_, Log>, Instant) {
        let mut log = self.log.lock().expect("nothing panics while it writes a line");
        let mut wakes = self.wakes();
        let (earlier, now) = (mem::take(&mut *wakes), Instant::now());
        drop(wakes); // writing may take long
        for Wake { line, task, event, when } in earlier {
            log.write(when, line, task, event);
        }
        (log, now)
    }
}

impl Log {
    /// Returns a time in microseconds since the trace was created.
    fn us(&self, when: Instant) -> u64 {
        when.saturating_duration_since(self.began).as_micros() as u64
    }

    fn write(&mut self, when: Instant, line: Caller, task: u64, event: Event<'_>) {
        if self.failed.is_some() {
            return;
        }
        self.step += 1;
        let ready = self.follow(task, &event);
        let line = SourceLine { file: line.file(), line: line.line() };
        let (step, us) = (self.step, self.us(when));
        let line = Line { step, us, task, event, ready, line };
        let written = match &mut self.tracks {
            Some(tracks) => tracks.write(&mut self.out, &line),
            None => write_line(&mut self.out, &line),
        };
        self.failed = written.err();
    }

    /// Keeps which task runs and which are ready. Returns how many are, if the event
    /// changes it.
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

fn write_line(out: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
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
        let waker =
            TracedWakers::default().insert(7, &trace, line, Waker::noop().clone());
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
