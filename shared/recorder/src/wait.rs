//! A future whose wait has a name.

use crate::Recorder;
use crate::state::{Name, Task, Wait};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::task::{Context, Poll};

static LAST_WAIT: AtomicU64 = AtomicU64::new(0);

/// The guard of a wait. Its drop ends the wait.
pub(crate) struct NamedWait {
    recorder: Recorder,
    /// The number of this wait: no other one of the process has it.
    id: u64,
    /// The task in which it was polled last. `None` before the first poll, and after the
    /// wait is over.
    task: Option<u64>,
    name: Name,
}

impl NamedWait {
    pub(crate) fn new(recorder: &Recorder, name: Name) -> NamedWait {
        let (recorder, id) = (recorder.clone(), LAST_WAIT.fetch_add(1, Relaxed));
        NamedWait { recorder, id, task: None, name }
    }

    pub(crate) fn poll<F: Future>(
        &mut self,
        future: Pin<&mut F>,
        cx: &mut Context<'_>,
    ) -> Poll<F::Output> {
        let Some(running) = self.recorder.running() else { return future.poll(cx) };
        if self.task.is_some_and(|earlier| earlier != running) {
            self.end(); // the future has moved to another task
        }
        self.task = Some(running);
        self.change(|task, now| task.enter(self.id, &self.name, now));
        let polled = future.poll(cx);
        if polled.is_ready() {
            self.end();
        } else {
            self.change(|task, _| {
                task.poll.as_mut().map(|poll| poll.inside.pop());
            });
        }
        polled
    }

    /// Changes the task that waits. Does nothing if it has ended.
    fn change(&self, change: impl FnOnce(&mut Task, u64)) {
        let Some(id) = self.task else { return };
        self.recorder.change(|state, now| {
            if let Some(task) = state.tasks.get_mut(&id) {
                change(task, now);
            }
        });
    }

    fn end(&mut self) {
        self.change(|task, _| task.end_wait(self.id));
        self.task = None;
    }
}

impl Drop for NamedWait {
    fn drop(&mut self) {
        self.end();
    }
}

impl Task {
    /// A poll goes into this wait, which is added if it is new.
    fn enter(&mut self, id: u64, name: &Name, now: u64) {
        let Some(poll) = &mut self.poll else { return };
        let outer = poll.inside.last().copied();
        poll.inside.push(id);
        poll.waits = (poll.waits.0 + 1, Some(name.clone()));
        let new = || Wait { name: name.clone(), since: now, outer: None, inner: 0 };
        let wait = self.waits.entry(id).or_insert_with(new);
        let earlier = std::mem::replace(&mut wait.outer, outer);
        self.count_inner(earlier, |inner| inner.saturating_sub(1));
        self.count_inner(outer, |inner| inner + 1);
    }

    /// The wait is over: its future is done, was dropped, or belongs to another task.
    fn end_wait(&mut self, id: u64) {
        let Some(wait) = self.waits.remove(&id) else { return };
        self.count_inner(wait.outer, |inner| inner.saturating_sub(1));
        if let Some(poll) = &mut self.poll {
            poll.inside.retain(|it| *it != id);
        }
    }

    fn count_inner(&mut self, outer: Option<u64>, count: impl FnOnce(usize) -> usize) {
        if let Some(wait) = outer.and_then(|outer| self.waits.get_mut(&outer)) {
            wait.inner = count(wait.inner);
        }
    }
}
