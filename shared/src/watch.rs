//! What a loop does, event by event: the same few words for all three crawlers.

mod lives;
mod standing;

pub use lives::{Lives, Returned, TaskId};
pub use standing::{Leaf, Says, Standing, grouped};

use crate::error::worded;
use crate::report::Report;
use serde::{Serialize, Serializer};
use std::fmt::{self, Display, Formatter};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// One thing that a loop, an executor or a reactor did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum Event<'a> {
    /// A task exists now, to do something for somebody.
    Created {
        /// For what: a URL, a name.
        #[serde(rename = "for")]
        purpose: &'a str,
    },
    /// A task runs on, from this state.
    Resumed {
        /// The callback, or the enum's variant.
        state: &'a str,
        /// For what it exists: a URL, a name.
        #[serde(rename = "for")]
        purpose: &'a str,
        /// Where it was parked.
        at: Place,
    },
    /// A task stands still.
    Paused {
        /// The state in which it will be resumed.
        state: &'a str,
        /// What it waits for.
        waits: Waiting<'a>,
        /// Where it parked itself.
        at: Place,
    },
    /// What a task waited for has happened.
    Woken,
    /// A task stands in the ready queue.
    Queued,
    /// A task came to its own end.
    Finished,
    /// A task was ended from outside.
    Cancelled,
    /// A socket is known to the operating system's selector.
    Registered,
    /// The operating system reported something about a socket.
    Arrived {
        /// It may be read, or its peer has closed it.
        readable: bool,
        /// It may be written, or its connection failed.
        writable: bool,
    },
}

/// A place in the source, shown as `fetcher.rs:connected`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The path of the file; its last part is shown.
    pub file: &'static str,
    /// The function, or the state.
    pub name: &'static str,
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let file = Place::short(self.file);
        serializer.collect_str(&format_args!("{file}:{}", self.name))
    }
}

impl Place {
    /// The last part of a file's path.
    fn short(file: &str) -> &str {
        file.rsplit(['/', '\\']).next().unwrap_or(file)
    }
}

/// What a task waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Waiting<'a> {
    /// Any event of its socket.
    Socket,
    /// That its socket may be read.
    Readable,
    /// That its socket may be written.
    Writable,
    /// Its next turn: it has had its share of this one.
    Turn,
    /// A timer.
    Timer,
    /// Something with a name: an item, another task, a look-up.
    Named(&'a str),
}

impl Display for Waiting<'_> {
    /// In words, as the stuck report has it: "waits for …".
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Waiting::Socket => "its socket",
            Waiting::Readable => "its socket to be readable",
            Waiting::Writable => "its socket to be writable",
            Waiting::Turn => "its turn",
            Waiting::Timer => "a timer",
            Waiting::Named(what) => what,
        })
    }
}

/// Somebody to tell, or nobody. Clones tell the same file; off, each note is one `if`.
#[derive(Clone, Debug, Default)]
pub struct Watch(Option<Arc<Mutex<Log>>>);

#[derive(Debug)]
struct Log {
    out: BufWriter<File>,
    began: Instant,
    step: u64,
    failed: Option<io::Error>,
}

#[derive(Serialize)]
struct Head<'a> {
    trace: u32,
    program: &'a str,
}

#[derive(Serialize)]
struct Line<'a> {
    step: u64,
    us: u128,
    task: u64,
    #[serde(flatten)]
    event: Event<'a>,
}

impl Watch {
    /// Tells nobody.
    pub fn off() -> Watch {
        Watch(None)
    }

    /// Writes JSON lines to a file at `path` (none: tells nobody). The first line names
    /// the program; times are microseconds since this call.
    pub fn open(path: Option<&Path>, program: &str) -> io::Result<Watch> {
        let Some(path) = path else { return Ok(Watch::off()) };
        let file = File::create(path).map_err(|error| {
            let why = worded(&error);
            io::Error::new(
                error.kind(),
                format!("cannot write the trace {}: {why}", path.display()),
            )
        })?;
        let mut out = BufWriter::new(file);
        write_line(&mut out, &Head { trace: 1, program })?;
        let log = Log { out, began: Instant::now(), step: 0, failed: None };
        Ok(Watch(Some(Arc::new(Mutex::new(log)))))
    }

    /// Is somebody told?
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Notes that `event` happened to `task`.
    pub fn note(&self, task: u64, event: Event<'_>) {
        let Some(log) = &self.0 else { return };
        let mut log = log.lock().expect("nothing panics while it writes a line");
        log.step += 1;
        let line =
            Line { step: log.step, us: log.began.elapsed().as_micros(), task, event };
        if let Err(error) = write_line(&mut log.out, &line) {
            log.failed.get_or_insert(error);
        }
    }

    /// Writes out what is buffered, and tells of the first line that could not be
    /// written.
    pub fn finish(&self) -> io::Result<()> {
        let Some(log) = &self.0 else { return Ok(()) };
        let mut log = log.lock().expect("nothing panics while it writes a line");
        let written = log.failed.take().map_or(Ok(()), Err);
        let finished = written.and_then(|()| log.out.flush());
        finished.map_err(|error| io::Error::other(worded(&error)))
    }

    /// Writes out what is buffered, once a crawl is over; what is missing is a warning
    /// of its report.
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
