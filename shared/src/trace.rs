//! Records what a loop does, event by event, in the same few words for all three
//! crawlers.

mod perfetto; // the same events for a viewer

use self::perfetto::Tracks;
use crate::error::describe;
use crate::options::Options;
use crate::output::{self, Output};
use crate::report::Report;
use clap::ValueEnum;
use indexmap::IndexMap;
use serde::{Serialize, Serializer};
use std::fmt::{self, Display, Formatter};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// One thing that a loop, an executor or a reactor did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum Event<'a> {
    /// A task was created.
    Created {
        /// What the task is for: a URL, a name.
        #[serde(rename = "for")]
        label: &'a str,
    },
    /// A task runs again, from this state.
    Resumed {
        /// The callback, or the enum's variant.
        state: &'a str,
        /// What the task is for: a URL, a name.
        #[serde(rename = "for")]
        label: &'a str,
        /// Where it was suspended.
        at: Location,
    },
    /// A task was suspended.
    Paused {
        /// The state in which it will be resumed.
        state: &'a str,
        /// What it waits for.
        waits: WaitReason<'a>,
        /// Where it was suspended.
        at: Location,
    },
    /// The event that a task waits for has happened.
    Woken,
    /// A task was put into the ready queue.
    Queued,
    /// A task returned.
    Finished,
    /// A task was dropped before it returned.
    Cancelled,
    /// A socket was registered with the operating system's selector.
    Registered,
    /// The operating system reported an event of a socket.
    Arrived {
        /// The socket can be read, or its peer has closed it.
        readable: bool,
        /// The socket can be written, or its connection failed.
        writable: bool,
    },
}

/// A place in the source, shown as `fetcher.rs:connected`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The path of the file; only its last part is shown.
    pub file: &'static str,
    /// The name of the function, or of the state.
    pub name: &'static str,
}

impl Serialize for Location {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let file = Location::short(self.file);
        serializer.collect_str(&format_args!("{file}:{}", self.name))
    }
}

impl Location {
    /// Returns the last part of a file's path.
    pub fn short(file: &str) -> &str {
        file.rsplit(['/', '\\']).next().unwrap_or(file)
    }
}

/// What a task waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WaitReason<'a> {
    /// Any event of its socket.
    Socket,
    /// Its socket to become readable.
    Readable,
    /// Its socket to become writable.
    Writable,
    /// Its next turn: it has used up its share of this one.
    Turn,
    /// A timer.
    Timer,
    /// Something with a name: an item, another task, a look-up.
    Named(&'a str),
}

impl Display for WaitReason<'_> {
    /// Describes it as the stuck report does, after "waits for".
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            WaitReason::Socket => "its socket",
            WaitReason::Readable => "its socket to be readable",
            WaitReason::Writable => "its socket to be writable",
            WaitReason::Turn => "its turn",
            WaitReason::Timer => "a timer",
            WaitReason::Named(what) => what,
        })
    }
}

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
pub struct Trace(Option<Arc<Mutex<Log>>>);

#[derive(Debug)]
struct Log {
    out: BufWriter<Output>,
    /// The tracks of the tasks in the format of Perfetto; `None` for JSON lines.
    tracks: Option<Tracks>,
    /// The time from which events are counted.
    began: Instant,
    /// The number of the last event.
    step: u64,
    /// The first error of a write. Nothing is written after it; `finish` takes it.
    failed: Option<io::Error>,
}

/// The first line of a trace.
#[derive(Serialize)]
struct Head<'a> {
    trace: u32,
    program: &'a str,
}

/// Each other line.
#[derive(Serialize)]
struct Line<'a> {
    step: u64,
    /// Microseconds since the trace was created.
    us: u128,
    task: u64,
    #[serde(flatten)]
    event: Event<'a>,
}

impl Trace {
    /// Creates a trace that discards all events.
    pub fn off() -> Trace {
        Trace(None)
    }

    /// Creates the trace that a crawl's options ask for.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn of_crawl(options: &Options, program: &str) -> io::Result<Trace> {
        let path = options.trace.as_deref();
        match options.trace_format {
            TraceFormat::Jsonl => Trace::create(path, program),
            TraceFormat::Perfetto => Trace::open(path, |out| {
                let tracks = Tracks::default();
                tracks.begin(out, program).map(|()| Some(tracks))
            }),
        }
    }

    /// Creates the file at `path`, for JSON lines; without a path events are discarded.
    /// The first line names the program; times are microseconds since this call.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create(path: Option<&Path>, program: &str) -> io::Result<Trace> {
        Trace::open(path, |out| {
            write_line(out, &Head { trace: 1, program }).map(|()| None)
        })
    }

    fn open(
        path: Option<&Path>,
        begin: impl FnOnce(&mut BufWriter<Output>) -> io::Result<Option<Tracks>>,
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
        let tracks = begin(&mut out)?;
        let log = Log { out, tracks, began: Instant::now(), step: 0, failed: None };
        Ok(Trace(Some(Arc::new(Mutex::new(log)))))
    }

    /// Returns whether events are written.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Records that `event` happened to `task`.
    pub fn record(&self, task: u64, event: Event<'_>) {
        let Some(log) = &self.0 else { return };
        let mut log = log.lock().expect("nothing panics while it writes a line");
        let Log { out, tracks, began, step, failed } = &mut *log;
        if failed.is_some() {
            return;
        }
        *step += 1;
        let us = began.elapsed().as_micros();
        let written = match tracks {
            Some(tracks) => tracks.write(out, us, task, &event),
            None => write_line(out, &Line { step: *step, us, task, event }),
        };
        if let Err(error) = written {
            *failed = Some(error);
        }
    }

    /// Writes the lines that are still buffered.
    ///
    /// # Errors
    /// The first error of any line that could not be written.
    pub fn finish(&self) -> io::Result<()> {
        let Some(log) = &self.0 else { return Ok(()) };
        let mut log = log.lock().expect("nothing panics while it writes a line");
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

fn write_line(out: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}

/// Joins the lines of a report, each different line once. A line that occurs more often
/// gets its count: ten thousand idle workers are not worth ten thousand lines.
pub fn grouped(lines: impl IntoIterator<Item = String>) -> String {
    let mut counted: IndexMap<String, usize> = IndexMap::new();
    for line in lines {
        *counted.entry(line).or_default() += 1;
    }
    let text = |(line, count): (String, usize)| match count {
        1 => line,
        count => format!("{count} × {line}"),
    };
    counted.into_iter().map(text).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lines_are_counted() {
        let lines = ["a", "b", "a"].map(String::from);
        assert_eq!(grouped(lines), "2 × a\nb");
    }
}
