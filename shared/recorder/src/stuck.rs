//! Which tasks are stuck, and since when.

use crate::state::{State, Task};
use std::collections::BTreeSet;

/// Why a task makes no progress. Reports have the first ones first: a thread that is stuck
/// in a poll keeps other tasks from being polled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cause {
    /// A poll does not return.
    InPoll,
    /// Tasks wait for each other.
    Circle,
    /// A task is suspended, and no clone of its waker is left.
    NoWaker,
    NeverPolled,
    /// A task was woken, and is not polled.
    NotPolled,
    /// No event is recorded, and none of the other causes is known.
    NoEvent,
}

/// A cause that holds since a moment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    pub(crate) cause: Cause,
    /// The number of the task (of a circle, the first one), or 0 for the whole program.
    pub(crate) task: u64,
    since: u64,
}

impl Task {
    pub(crate) fn cause(&self) -> Option<Cause> {
        self.finding().map(|(cause, _)| cause)
    }

    /// Returns what keeps this task from progress, and since when. `None` if it is
    /// suspended and has a waker.
    fn finding(&self) -> Option<(Cause, u64)> {
        match (&self.poll, self.queued) {
            (Some(poll), _) => Some((Cause::InPoll, poll.since)),
            (None, Some(since)) => Some((Cause::NotPolled, since)),
            _ if self.polls == 0 => Some((Cause::NeverPolled, self.created)),
            _ if self.wakers_alive() == 0 => Some((Cause::NoWaker, self.polled.0)),
            _ => None,
        }
    }
}

impl State {
    /// Returns what has lasted for `time` and was not reported before. `reported` has what
    /// was reported, as long as it lasts.
    pub(crate) fn stuck(
        &self,
        now: u64,
        time: u64,
        reported: &mut BTreeSet<Finding>,
    ) -> Vec<Finding> {
        let mut all: BTreeSet<Finding> = BTreeSet::new();
        for (&task, it) in &self.tasks {
            all.extend(it.finding().map(|(cause, since)| Finding {
                cause,
                task,
                since,
            }));
        }
        let circle = self.circle();
        if let Some(&(task, _)) = circle.first() {
            let since = circle.iter().map(|(_, wait)| wait.since).max().unwrap_or(now);
            all.insert(Finding { cause: Cause::Circle, task, since });
        }
        if !self.tasks.is_empty() {
            all.insert(self.no_event());
        }
        reported.retain(|earlier| all.contains(earlier)); // so that it does not grow
        let is_new = |it: &Finding| {
            now.saturating_sub(it.since) >= time && !reported.contains(it)
        };
        let mut new: Vec<Finding> = all.into_iter().filter(is_new).collect();
        if new.len() > 1 {
            new.retain(|it| it.cause != Cause::NoEvent); // the others say why
        }
        new
    }

    /// Returns whether nothing was recorded in the second half of `time`.
    pub(crate) fn is_silent(&self, now: u64, time: u64) -> bool {
        now.saturating_sub(self.trace.last) >= time / 2
    }

    pub(crate) fn no_event(&self) -> Finding {
        Finding { cause: Cause::NoEvent, task: 0, since: self.trace.last }
    }
}
