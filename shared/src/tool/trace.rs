//! Records what a loop does, event by event, in the same few words for all three
//! crawlers.
//!
//! A trace is a file of lines, each a JSON object. The first one names the version and the
//! program. Each other line is an event: `step` counts them, `us` is the time in
//! microseconds, `task` is the number of the task or 0 for the loop itself, `event` is what
//! happened, and `line` is the place in the source, below the folder of the stage. The
//! other keys are those of [`Event`]. With `queued` and `resumed`, `ready` is the length
//! of the ready queue after it: the tasks that were queued and have not run since.

mod event; // what can happen
mod log; // the file, and what is kept of the loop to write it
mod perfetto; // the same events for a viewer
mod waker; // a waker that records each wake

pub use self::event::{Caller, Event, Location, WaitReason};
pub use self::log::{Trace, TraceFormat};
pub use self::waker::TracedWakers;

use indexmap::IndexMap;

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
