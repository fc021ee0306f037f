//! What can happen in a loop, and how it is written.

use serde::{Serialize, Serializer};
use std::fmt::{self, Display, Formatter};
use std::panic;

/// The task number of the loop itself.
pub(super) const LOOP: u64 = 0;

/// One thing that a loop, an executor or a reactor did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum Event<'a> {
    /// A task was created.
    Created {
        /// What the task is for: a URL, a name.
        #[serde(rename = "for", serialize_with = "shortened")]
        label: &'a str,
    },
    /// A task runs again, from this state. The line says how many tasks are left in the
    /// ready queue.
    Resumed {
        /// The callback, or the enum's variant.
        state: &'a str,
        /// What the task is for: a URL, a name.
        #[serde(rename = "for", serialize_with = "shortened")]
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
        /// The number of the socket that it waits for, if it waits for one.
        #[serde(skip_serializing_if = "Option::is_none")]
        socket: Option<u64>,
        /// Where it was suspended.
        at: Location,
    },
    /// The event that a task waits for has happened.
    Woken,
    /// A task was put into the ready queue. The line says how many are in it now.
    Queued,
    /// A task returned.
    Finished,
    /// A task was dropped before it returned.
    Cancelled,
    /// A socket was registered with the operating system's selector.
    Registered {
        /// Its number. Where a task has one socket at a time, that of the task.
        socket: u64,
    },
    /// The operating system reported an event of a socket.
    Arrived {
        /// The number of the socket.
        socket: u64,
        /// The socket can be read, or its peer has closed it.
        readable: bool,
        /// The socket can be written, or its connection failed.
        writable: bool,
    },
    /// The loop waits in the operating system: nothing runs until it `Woke`.
    Slept {
        /// When the next timer is due, in microseconds since the trace was created.
        /// `None`: no timer is set.
        until: Option<u64>,
    },
    /// The operating system returned from the wait.
    Woke {
        /// How many events it reported, also such as no task waits for.
        events: usize,
    },
    /// A timer was set, by the task that runs.
    TimerSet {
        /// Its number: timers are numbered from 1.
        timer: u64,
        /// When it is due, in microseconds since the trace was created.
        when: u64,
    },
    /// A timer was due, and is gone.
    TimerFired {
        /// Its number.
        timer: u64,
    },
    /// A timer was cleared before it was due.
    TimerCleared {
        /// Its number.
        timer: u64,
    },
}

/// How many characters of a label are written. A URL may have 16 KiB, and a server that
/// sends byte by byte causes several events with each of them.
const MAX_LABEL: usize = 200;

fn shortened<S: Serializer>(label: &str, serializer: S) -> Result<S::Ok, S::Error> {
    match label.char_indices().nth(MAX_LABEL) {
        Some((end, _)) => serializer.collect_str(&format_args!("{}…", &label[..end])),
        None => serializer.serialize_str(label),
    }
}

impl Event<'_> {
    /// Returns the line at which the task is suspended, if the event has one.
    pub(super) fn line(&self) -> Option<Caller> {
        match self {
            Event::Resumed { at, .. } | Event::Paused { at, .. } => Some(at.line),
            _ => None,
        }
    }
}

/// The place of a call, as `#[track_caller]` gives it.
pub type Caller = &'static panic::Location<'static>;

/// A line of a crate's source, shown as `src/machine/net.rs:124` on every system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SourceLine {
    pub(super) file: &'static str,
    pub(super) line: u32,
}

/// The folders of a crate that hold sources.
const FOLDERS: [&str; 4] = ["src", "examples", "tests", "benches"];

impl Display for SourceLine {
    /// Leaves out what is above the crate: the compiler is called from another folder
    /// on each machine.
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let parts: Vec<&str> = self.file.split(['/', '\\']).collect();
        let folder = parts.iter().rposition(|part| FOLDERS.contains(part));
        for part in &parts[folder.unwrap_or_default()..parts.len() - 1] {
            write!(out, "{part}/")?;
        }
        write!(out, "{}:{}", Location::short(self.file), self.line)
    }
}

impl Serialize for SourceLine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A place in the source, shown as `fetcher.rs:connected`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The path of the file; only its last part is shown.
    pub file: &'static str,
    /// The name of the function, or of the state.
    pub name: &'static str,
    /// The line where the task was suspended; it may be in another file.
    pub line: Caller,
}

impl Serialize for Location {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let file = Location::short(self.file);
        serializer.collect_str(&format_args!("{file}:{}", self.name))
    }
}

impl Location {
    /// Returns the caller's place, with this name.
    #[track_caller]
    pub fn caller(name: &'static str) -> Location {
        let line = panic::Location::caller();
        Location { file: line.file(), name, line }
    }

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

impl WaitReason<'_> {
    /// Returns whether an event of a socket ends the wait.
    pub fn is_socket(&self) -> bool {
        matches!(self, WaitReason::Socket | WaitReason::Readable | WaitReason::Writable)
    }
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

/// A line of a trace after the first.
#[derive(Serialize)]
pub(super) struct Line<'a> {
    pub(super) step: u64,
    /// Microseconds since the trace was created.
    pub(super) us: u64,
    pub(super) task: u64,
    #[serde(flatten)]
    pub(super) event: Event<'a>,
    /// The length of the ready queue, where the event changes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ready: Option<usize>,
    pub(super) line: SourceLine,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_shown_below_its_crate() {
        for (file, shown) in [
            ("stage3-async/src/machine/net.rs", "src/machine/net.rs:7"),
            ("stage3-async\\src\\machine\\net.rs", "src/machine/net.rs:7"),
            ("/home/src/project/stage/examples/a.rs", "examples/a.rs:7"),
            ("C:\\src\\stage\\tests\\a.rs", "tests/a.rs:7"),
            ("src/lib.rs", "src/lib.rs:7"),
            ("lib.rs", "lib.rs:7"),
        ] {
            assert_eq!(SourceLine { file, line: 7 }.to_string(), shown);
        }
    }
}
