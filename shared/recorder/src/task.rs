//! A future that is recorded as a task.

use crate::Recorder;
use crate::json::Json;
use crate::state::{Name, Polling, State, Task};
use crate::thread::{self, RUNNING, Running};
use crate::trace::Place;
use crate::waker::TaskWaker;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Waker};

/// Records the polls of a task, and its end when it is dropped.
pub(crate) struct RecordedTask {
    recorder: Recorder,
    id: u64,
    /// The place of the call of `Recorder::task`.
    place: Place,
    /// The waker of the last poll. It is alive if a leaf has kept a clone.
    waker: Weak<TaskWaker>,
    /// Set while a poll lasts: the task in which it is polled, if any.
    outer: Option<Option<Running>>,
}

impl RecordedTask {
    pub(crate) fn new(recorder: &Recorder, name: Name) -> RecordedTask {
        let place = name.place;
        let id = recorder.change(|state, now| {
            state.created += 1;
            let (id, label) = (state.created, Json(&name.text));
            let fields = format_args!(r#","for":{label}"#);
            state.trace.write(now, id, "created", place, fields);
            state.tasks.insert(id, Task::new(name, now));
            id
        });
        let recorder = recorder.clone();
        RecordedTask { recorder, id, place, waker: Weak::new(), outer: None }
    }

    pub(crate) fn poll<F: Future>(
        &mut self,
        future: Pin<&mut F>,
        cx: &mut Context<'_>,
    ) -> Poll<F::Output> {
        let waker = self.waker_around(cx.waker());
        self.record_begin();
        let running = Running { recorder: self.recorder.0.number, task: self.id };
        self.outer = Some(RUNNING.replace(Some(running)));
        let polled = future.poll(&mut Context::from_waker(&waker));
        self.leave();
        drop(waker); // so that only the clones of leaves are counted
        match polled {
            Poll::Ready(_) => self.record_end("finished", ""),
            Poll::Pending => self.record_pause(),
        }
        polled
    }

    /// Returns a waker that calls `inner`. A leaf that has kept its waker gets the same one
    /// again, so that it may compare them with `will_wake`.
    fn waker_around(&mut self, inner: &Waker) -> Waker {
        let kept = self.waker.upgrade().filter(|it| it.inner.will_wake(inner));
        let waker = kept.unwrap_or_else(|| {
            let (recorder, inner) = (self.recorder.clone(), inner.clone());
            Arc::new(TaskWaker { recorder, task: self.id, inner })
        });
        self.waker = Arc::downgrade(&waker);
        Waker::from(waker)
    }

    fn record_begin(&self) {
        self.recorder.change(|state, now| {
            let State { tasks, trace, ready, .. } = state;
            let Some(task) = tasks.get_mut(&self.id) else { return };
            if !task.wakers.iter().any(|it| it.ptr_eq(&self.waker)) {
                task.wakers.retain(|it| it.strong_count() > 0);
                task.wakers.push(self.waker.clone());
            }
            *ready -= usize::from(task.queued.take().is_some());
            trace.threads.current().polls = true;
            let (wait, place) = task.state();
            let (wait, label) = (Json(&wait), Json(&task.name.text));
            let fields = format_args!(
                r#","state":{wait},"for":{label},"at":{wait},"ready":{ready}"#
            );
            trace.write(now, self.id, "resumed", place, fields);
            task.polls += 1;
            let (inside, thread) = (Vec::new(), thread::number());
            task.poll = Some(Polling { since: now, thread, inside, waits: (0, None) });
        });
    }

    fn record_pause(&self) {
        self.recorder.change(|state, now| {
            let State { tasks, trace, .. } = state;
            let Some(task) = tasks.get_mut(&self.id) else { return };
            let took = task.poll.take().map_or(0, |poll| now.saturating_sub(poll.since));
            task.polled = (now, took);
            let ((wait, place), wakers) = (task.state(), task.wakers_alive());
            let wait = Json(&wait);
            let fields = format_args!(
                r#","state":{wait},"waits":{{"named":{wait}}},"at":{wait},"took":{took},"wakers":{wakers}"#
            );
            trace.write(now, self.id, "paused", place, fields);
        });
    }

    /// Records the end, unless it is already recorded.
    fn record_end(&self, event: &str, more: &str) {
        self.recorder.change(|state, now| {
            let Some(task) = state.tasks.remove(&self.id) else { return };
            state.ready -= usize::from(task.queued.is_some());
            let took = task.poll.map_or(0, |poll| now.saturating_sub(poll.since));
            let fields = format_args!(r#","took":{took}{more}"#);
            state.trace.write(now, self.id, event, self.place, fields);
        });
    }

    /// The poll is over: the outer task runs again. Returns whether a poll lasted.
    fn leave(&mut self) -> bool {
        self.outer.take().map(|outer| RUNNING.set(outer)).is_some()
    }
}

impl Drop for RecordedTask {
    fn drop(&mut self) {
        // If it is dropped while its poll lasts, a panic unwinds that poll.
        let more = if self.leave() { r#","panicked":true"# } else { "" };
        self.record_end("cancelled", more);
    }
}
