//! The events of a loop, and how each is written.

use serde::{Serialize, Serializer};
use std::fmt::{self, Display, Formatter};
use std::panic;

/// The task number of the loop itself.
pub(super) const LOOP: u64 = 0;

/// What has woken a task, or has put it into the ready queue. Written as the number of
/// the task, or as a word in lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The task that ran. A task may wake itself. Task 0 is the loop, or the program
    /// around it.
    Task(u64),
    /// The loop, because of an event of a socket.
    Reactor,
    /// The loop, because a timer was due.
    Timer,
    /// A thread other than the loop's.
    Thread,
}

impl By {
    /// The loop, or the program around it.
    pub const LOOP: By = By::Task(LOOP);

    /// Returns what wakes tasks from this event on; `None` if the event does not change
    /// it.
    pub(super) fn after(task: u64, event: &Event<'_>) -> Option<By> {
        match event {
            Event::Resumed { .. } => Some(By::Task(task)),
            Event::Paused { .. } | Event::Finished | Event::Cancelled => Some(By::LOOP),
            Event::Arrived { .. } => Some(By::Reactor),
            Event::TimerFired { .. } => Some(By::Timer),
            _ => None,
        }
    }
}

impl Serialize for By {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            By::Task(number) => serializer.serialize_u64(*number),
            By::Reactor => serializer.serialize_str("reactor"),
            By::Timer => serializer.serialize_str("timer"),
            By::Thread => serializer.serialize_str("thread"),
        }
    }
}

/// Something that a loop, an executor or a reactor did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum Event<'a> {
    /// A task was created.
    Created {
        /// The purpose of the task: a URL or a name.
        #[serde(rename = "for", serialize_with = "shortened")]
        label: &'a str,
    },
    /// A task runs again. Its line in the trace also has the number of tasks that are
    /// left in the ready queue.
    Resumed {
        /// The state in which it continues: the callback, or the enum's variant. In stage 3,
        /// whose variants have no names, the operation that it waited for, such as `read`.
        state: &'a str,
        /// The purpose of the task: a URL or a name.
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
    /// The waker of a task was called. Its line in the trace also has what called it.
    Woken {
        /// Whether it was cancelled: it ends in its next turn at the latest.
        #[serde(skip_serializing_if = "is_false")]
        cancels: bool,
    },
    /// A task was put into the ready queue. Its line in the trace also has the new
    /// length of the queue, and what put it there unless that is what has `Woken` it.
    Queued,
    /// A thread took a task out of another queue and put it into its own.
    Moved,
    /// A task returned.
    Finished,
    /// A task was dropped before it returned.
    Cancelled,
    /// A socket was registered with the operating system's selector.
    Registered {
        /// The number of the socket. If a task has one socket at a time, this is the
        /// number of the task.
        socket: u64,
    },
    /// The operating system reported an event of a socket.
    Arrived {
        /// The number of the socket.
        socket: u64,
        /// Whether the socket can be read, or the peer has closed it.
        readable: bool,
        /// Whether the socket can be written, or its connection has failed.
        writable: bool,
    },
    /// The loop waits in the operating system. Nothing runs until `Woke`.
    Slept {
        /// When the next timer is due, in microseconds since the trace was created.
        /// `None` if no timer is set.
        until: Option<u64>,
    },
    /// The operating system returned from the wait.
    Woke {
        /// How many events were reported, including those that no task waits for.
        events: usize,
    },
    /// The running task set a timer.
    TimerSet {
        /// The number of the timer. Timers are numbered from 1.
        timer: u64,
        /// When it is due, in microseconds since the trace was created.
        when: u64,
    },
    /// A timer was due and has been removed.
    TimerFired {
        /// The number of the timer.
        timer: u64,
    },
    /// A timer was cleared before it was due.
    TimerCleared {
        /// The number of the timer.
        timer: u64,
    },
}

/// To how many characters a label is cut. A URL may have 16 KiB, and if a server sends
/// single bytes, each of them causes several events.
const MAX_LABEL: usize = 200;

fn shortened<S: Serializer>(label: &str, serializer: S) -> Result<S::Ok, S::Error> {
    match label.char_indices().nth(MAX_LABEL) {
        Some((end, _)) => serializer.collect_str(&format_args!("{}…", &label[..end])),
        None => serializer.serialize_str(label),
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

impl Event<'_> {
    /// Returns the line where the task is suspended, if the event contains it.
    pub(super) fn line(&self) -> Option<Caller> {
        match self {
            Event::Resumed { at, .. } | Event::Paused { at, .. } => Some(at.line),
            _ => None,
        }
    }
}

/// The place of a call, as returned by `panic::Location::caller`.
pub type Caller = &'static panic::Location<'static>;

/// A line of a crate's source, shown as `src/machine/net.rs:124` on every system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SourceLine {
    pub(super) file: &'static str,
    pub(super) line: u32,
}

/// The source folders of a crate.
const FOLDERS: [&str; 4] = ["src", "examples", "tests", "benches"];

impl Display for SourceLine {
    /// Cuts off the path of the crate, which depends on the machine and the folder in
    /// which the compiler ran.
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

/// A named place in the source, shown as `fetcher.rs:connected`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The path of the file. Only its last component is shown.
    pub file: &'static str,
    /// The name of the function, or of the state.
    pub name: &'static str,
    /// The line where the task was suspended. It may be in another file.
    pub line: Caller,
}

impl Serialize for Location {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let file = Location::short(self.file);
        serializer.collect_str(&format_args!("{file}:{}", self.name))
    }
}

impl Location {
    /// Returns the caller's source location, labeled with this function name.
    #[track_caller]
    pub fn caller(name: &'static str) -> Location {
        let line = panic::Location::caller();
        Location { file: line.file(), name, line }
    }

    /// Returns the last component of a path.
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
    /// Its next turn, after it has used up its budget for this one.
    Turn,
    /// A timer.
    Timer,
    /// Something that has a name: an item, another task, a look-up.
    Named(&'a str),
}

impl WaitReason<'_> {
    /// Returns whether the wait ends with an event of a socket.
    pub fn is_socket(&self) -> bool {
        matches!(self, WaitReason::Socket | WaitReason::Readable | WaitReason::Writable)
    }
}

impl Display for WaitReason<'_> {
    /// Formats the reason for the stuck report, where it follows "waits for".
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
    /// The length of the ready queue after the event; `None` if the event does not
    /// change it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ready: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) by: Option<By>,
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
