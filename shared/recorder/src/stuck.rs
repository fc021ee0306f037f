//! Which tasks are stuck, and since when.

use crate::state::{State, Task};
use std::collections::{BTreeMap, BTreeSet};

/// Why a task makes no progress.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    InPoll,
    Woken,
    NeverPolled,
    NoWaker,
    Circle,
    /// Nothing at all happens.
    NoEvent,
}

impl Cause {
    fn words(self) -> &'static str {
        match self {
            Cause::InPoll => "a poll does not return",
            Cause::Woken => "woken, but not polled",
            Cause::NeverPolled => "never polled",
            Cause::NoWaker => "no waker can wake it",
            Cause::Circle => "a circle of waits",
            Cause::NoEvent => "no event",
        }
    }
}

/// A cause that holds since a moment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    cause: Cause,
    /// The number of the task, or 0 for the whole program.
    task: u64,
    since: u64,
}

impl Task {
    fn cause(&self) -> Option<(Cause, u64)> {
        match (&self.poll, self.queued) {
            (Some(poll), _) => Some((Cause::InPoll, poll.since)),
            (None, Some(since)) => Some((Cause::Woken, since)),
            _ if self.polls == 0 => Some((Cause::NeverPolled, self.created)),
            _ if self.wakers_alive() == 0 => Some((Cause::NoWaker, self.polled.0)),
            _ => None,
        }
    }
}

impl State {
    /// Returns what has lasted for `time` and was not reported before, in words. `reported`
    /// has what was reported, as long as it lasts.
    pub(crate) fn stuck(
        &self,
        now: u64,
        time: u64,
        reported: &mut BTreeSet<Finding>,
    ) -> Option<String> {
        let mut all: BTreeSet<Finding> = BTreeSet::new();
        for (&task, it) in &self.tasks {
            all.extend(it.cause().map(|(cause, since)| Finding { cause, task, since }));
        }
        if let Some(circle) = self.circle() {
            let (task, since) = (circle.first(), circle.since);
            all.insert(Finding { cause: Cause::Circle, task, since });
        }
        let no_event =
            Finding { cause: Cause::NoEvent, task: 0, since: self.trace.last };
        if !self.tasks.is_empty() {
            all.insert(no_event);
        }
        reported.retain(|earlier| all.contains(earlier)); // so that it does not grow
        let mut causes: BTreeMap<Cause, Vec<u64>> = BTreeMap::new();
        for finding in all {
            let has_lasted = now.saturating_sub(finding.since) >= time;
            if has_lasted && reported.insert(finding) {
                causes.entry(finding.cause).or_default().push(finding.task);
            }
        }
        if causes.is_empty() {
            return None;
        }
        reported.insert(no_event); // that report would repeat this one
        let words = causes.iter().map(|(cause, tasks)| match cause {
            Cause::NoEvent => cause.words().to_string(),
            _ => format!("{}: {}", cause.words(), list(tasks)),
        });
        Some(words.collect::<Vec<_>>().join("; "))
    }
}

/// How many tasks of a list are named.
const MOST_TASKS: usize = 3;

/// Returns `task 1`, or `tasks 1, 2, 3 and 9 more`.
pub(crate) fn list(tasks: &[u64]) -> String {
    let some = tasks.iter().take(MOST_TASKS).map(u64::to_string);
    let some = some.collect::<Vec<_>>().join(", ");
    match tasks.len() {
        1 => format!("task {some}"),
        count if count <= MOST_TASKS => format!("tasks {some}"),
        count => format!("tasks {some} and {} more", count - MOST_TASKS),
    }
}
