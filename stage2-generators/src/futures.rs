//! Futures: events that have not happened yet, and who waits for each.

use crate::executor::Task;
use crate::{Coroutine, Result, Resume, Step};
use polling::Poller;
use shared::{FetchError, Lives, TaskId, Timers, Watch};
use std::collections::{HashMap, VecDeque};
use std::sync::mpsc::{self, Receiver, Sender};
use std::{io, sync::Arc, time::Instant};

/// One event that has not happened yet, Python's Future: a thing waited *for*, which
/// somebody else resolves. (Rust's is a thing *run*: we call it a std future.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Future(pub(crate) usize);

/// A future that is resolved already: who yields it lets the others run first.
pub const RESOLVED: Future = Future(0);

/// What is called when a future is resolved, or a timer is due.
pub type Callback = Box<dyn FnOnce(&mut Futures)>;

/// The slab, which is `pending`: who awaits each future. And the queue of those who
/// await nothing any more. Each coroutine is handed it when it is resumed.
pub struct Futures {
    /// Who waits for each future that is not resolved yet.
    pub(crate) pending: HashMap<Future, Vec<Callback>>,
    /// Futures that somebody outside resolves, the operating system or another thread:
    /// as long as there are any, we wait. And the task that asked for each: if an error
    /// is thrown into it, the future is given up.
    pub armed: HashMap<Future, TaskId>,
    /// What is called when.
    pub timers: Timers<Callback>,
    /// When the last wait was over.
    pub(crate) now: Instant,
    /// Futures that another thread resolves: it sends them here, and calls `notify`.
    pub woken: (Sender<Future>, Receiver<Future>),
    /// The operating system's selector. `notify` ends a wait.
    pub poller: Arc<Poller>,
    /// All tasks but the one that runs.
    pub(crate) tasks: HashMap<TaskId, Task>,
    /// Who is resumed next.
    pub(crate) ready: VecDeque<TaskId>,
    /// Who runs, and what each task has returned. And for the trace and the stuck
    /// report where each stands: `enters`, `will_pause`, `queued`, `arrived` only tell.
    pub lives: Lives,
    latest: usize,
}

impl Futures {
    /// No futures yet. What happens to tasks is told to `watch`.
    ///
    /// # Errors
    /// The operating system's selector cannot be made.
    pub fn new(watch: Watch) -> io::Result<Futures> {
        Ok(Futures {
            pending: HashMap::new(),
            armed: HashMap::new(),
            timers: Timers::default(),
            now: Instant::now(),
            woken: mpsc::channel(),
            poller: Arc::new(Poller::new()?),
            tasks: HashMap::new(),
            ready: VecDeque::new(),
            lives: Lives::new(watch),
            latest: 0,
        })
    }

    /// A new future, pending until somebody resolves it.
    pub fn new_future(&mut self) -> Future {
        self.latest += 1;
        self.pending.insert(Future(self.latest), Vec::new());
        Future(self.latest)
    }

    /// The event has happened. Tasks that wait for it are queued, and resumed later:
    /// never from in here. Once more is nothing. (`future.set_result(None)`)
    pub fn resolve(&mut self, future: Future) {
        self.armed.remove(&future);
        for callback in self.pending.remove(&future).unwrap_or_default() {
            callback(self);
        }
    }

    /// Calls back when the event happens: now, if it has happened already.
    /// (`future.add_done_callback(callback)`)
    pub fn when(&mut self, future: Future, callback: Callback) {
        match self.pending.get_mut(&future) {
            Some(callbacks) => callbacks.push(callback),
            None => callback(self),
        }
    }

    /// Puts a task into the ready queue, unless it waits for something else by now.
    pub(crate) fn wake(&mut self, id: TaskId, future: Future) {
        let Some(task) = self.tasks.get_mut(&id) else { return };
        if task.on.take_if(|on| *on == future).is_some() {
            self.lives.queued(id);
            self.ready.push_back(id);
        }
    }

    // ANCHOR: throw
    /// Throws an error into a task, at the `yield` where it stands. The task is taken
    /// off its future first, and is not resumed when that is resolved later. Of two
    /// errors the last counts. A task that runs or has ended feels nothing.
    /// (`task.cancel()`)
    pub fn throw(&mut self, id: TaskId, error: FetchError) {
        let Some(task) = self.tasks.get_mut(&id) else { return };
        task.resume = Resume::Throw(error);
        let Some(future) = task.on else { return };
        self.wake(id, future);
        if self.armed.get(&future) == Some(&id) {
            self.resolve(future); // to nobody: it is over
        }
    }
    // ANCHOR_END: throw
}

// ANCHOR: future_is_a_coroutine
/// A future is a coroutine, too: it returns when it is resolved.
impl Coroutine for Future {
    type Return = Result<()>;

    fn resume(&mut self, futures: &mut Futures, how: Resume) -> Step<Result<()>> {
        match how {
            Resume::Throw(error) => Step::Return(Err(error)),
            Resume::Send if futures.pending.contains_key(self) => Step::Yield(*self),
            Resume::Send => Step::Return(Ok(())),
        }
    }
}
// ANCHOR_END: future_is_a_coroutine
