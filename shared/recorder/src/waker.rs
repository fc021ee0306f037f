//! A waker that records each wake, and the drop of a task's last one.

use crate::Recorder;
use crate::json::Json;
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;
use std::task::{Wake, Waker};

/// What called a waker.
#[derive(Clone)]
pub(crate) enum By {
    /// The task that ran. A task may wake itself.
    Task(u64),
    /// A thread that polls tasks, while it polled none.
    Runtime,
    /// A thread that has polled no recorded task.
    Thread(String),
}

impl By {
    /// Returns what traces have. (The name of the thread is a field of all events.)
    fn json(&self) -> String {
        match self {
            By::Task(id) => id.to_string(),
            By::Runtime => Json("runtime").to_string(),
            By::Thread(_) => Json("thread").to_string(),
        }
    }
}

impl Display for By {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            By::Task(id) => write!(out, "task {id}"),
            By::Runtime => out.write_str("the runtime"),
            By::Thread(name) => write!(out, "thread {name}"),
        }
    }
}

pub(crate) struct TaskWaker {
    pub(crate) recorder: Recorder,
    pub(crate) task: u64,
    /// The waker that the executor passed to the poll.
    pub(crate) inner: Waker,
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.record_wake();
        self.inner.wake_by_ref(); // without the lock: it may poll tasks, or drop them
    }
}

impl TaskWaker {
    /// Records the wake, unless the task has ended.
    fn record_wake(&self) {
        let running = self.recorder.running();
        self.recorder.change(|state, now| {
            let Some(task) = state.tasks.get_mut(&self.task) else { return };
            let thread = state.trace.threads.current();
            let by = match running {
                Some(id) => By::Task(id),
                None if thread.polls => By::Runtime,
                None => By::Thread(thread.name.clone()),
            };
            let (fields, place) = (by.json(), task.name.place);
            let fields = format_args!(r#","by":{fields}"#);
            state.trace.write(now, self.task, "woken", place, fields);
            task.wakes += 1;
            task.woken = Some((now, by));
            if task.queued.is_none() {
                task.queued = Some(now);
                state.ready += 1;
                let fields = format_args!(r#","ready":{}"#, state.ready);
                state.trace.write(now, self.task, "queued", place, fields);
            }
        });
    }
}

impl Drop for TaskWaker {
    fn drop(&mut self) {
        self.recorder.change(|state, now| {
            let Some(task) = state.tasks.get(&self.task) else { return };
            if task.is_parked() && task.wakers_alive() == 0 {
                let place = task.name.place;
                state.trace.write(now, self.task, "orphaned", place, format_args!(""));
            }
        });
    }
}
