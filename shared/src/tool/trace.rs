//! Records what a loop does, event by event, in one format for all three crawlers.
//!
//! A trace is a file of lines, each a JSON object. The first line names the version of
//! the format and the program. Each other line is an event with these keys: `step`,
//! its number; `us`, the time in microseconds; `task`, the number of the task, or 0
//! for the loop itself; `event`, its kind; and `line`, the place in the source,
//! relative to the folder of the stage. Other keys are the fields of [`Event`]. For
//! `queued` and `resumed`, `ready` is the length of the ready queue after the event.
//! `by` is what has called the waker of a task that is `woken`, or has cancelled it: the
//! number of a task (its own if it has woken itself, 0 for the loop), `"reactor"`,
//! `"timer"`, or `"thread"` for another thread. A `queued` that follows no wake has `by`,
//! too: stage 2 has no wakers, and a new task is queued by the task that has spawned it.
//!
//! A [`ThreadTrace`] has `thread`, too: the name of the thread on which the event happened.
//! If there is more than one ready queue, `queue` names that of the task. In chapter 2, where
//! threads do what tasks do later, the first line has `"tasks": "threads"`.

mod event; // the kinds of events
mod log; // the trace file, and the state needed to write it
mod perfetto; // a format for a graphical viewer
mod threads; // a trace of several threads
mod waker; // a waker that records each wake

pub use self::event::{By, Caller, Event, Location, WaitReason};
pub use self::log::{Trace, TraceFormat};
pub use self::threads::{ThreadTrace, Where};
pub use self::waker::{TracedCancels, TracedWakers};

use indexmap::IndexMap;

/// Joins the lines of a report without repetition. A line that occurs more than once
/// gets its count, so that ten thousand idle workers fill a single line.
pub fn group_lines(lines: impl IntoIterator<Item = String>) -> String {
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
        assert_eq!(group_lines(lines), "2 × a\nb");
    }
}
