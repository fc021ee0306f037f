//! The executor: polls the tasks that were woken, and sleeps when there are none.

// ANCHOR: uses
use super::ready::{MAIN, ReadyQueue, TaskId, TaskWaker};
use super::{budget::BUDGET, budget::limited, reactor::Reactor};
use slab::Slab;
use std::cell::{Cell, RefCell};
use std::task::{Context, Poll, Wake, Waker};
use std::{future::Future, io, mem, pin::Pin, pin::pin, rc::Rc, sync::Arc};
// ANCHOR_END: uses

/// Runs tasks on this thread. Clones are handles to the same executor: a task that
/// spawns others holds one.
///
/// Such a task and its executor keep each other alive, until `block_on` returns and
/// drops all tasks. An executor with such tasks that never runs is leaked; an empty
/// run, `block_on(async {})`, frees it.
///
/// ```
/// use stage3_async::{Executor, Stuck};
/// use std::future::pending;
///
/// let executor = Executor::new()?;
/// assert_eq!(executor.block_on(async { 1 + 1 }), Ok(2));
/// // Nothing can wake this future, so the executor does not wait forever.
/// assert!(matches!(executor.block_on(pending::<()>()), Err(Stuck(_))));
/// # Ok::<(), std::io::Error>(())
/// ```
// ANCHOR: inner
#[derive(Clone)]
pub struct Executor(pub(crate) Rc<Inner>);

pub(crate) struct Inner {
    /// All tasks. A place is `None` while its task is polled or dropped, so that the
    /// task may spawn others. That of the main future is always `None`: `run` owns it.
    tasks: RefCell<Slab<Option<Task<Spawned>>>>,
    /// The number of the latest task.
    latest: Cell<u64>,
    ready: Arc<ReadyQueue>,
    reactor: Reactor,
    /// Set while `block_on` runs.
    is_running: Cell<bool>,
    /// Set while the last tasks of a run are dropped. Then new ones are refused.
    is_closed: Cell<bool>,
    pub(crate) observer: Rc<crate::observe::Observer>,
}

/// A future and its waker, in two forms: the executor's type and std's. Both are made
/// once, so that a turn clones no `Arc`.
struct Task<F> {
    future: F,
    state: Arc<TaskWaker>,
    waker: Waker,
}
// ANCHOR_END: inner

// ANCHOR: spawned
/// The future of a task. It never panics: `join.rs` catches its panics.
pub(crate) type Spawned = Pin<Box<dyn Future<Output = ()>>>;
// ANCHOR_END: spawned

/// Once a tick has done this many polls, the reactor runs before the next batch, even
/// if tasks are still ready. A batch is never cut short.
const POLLS_PER_TICK: usize = 64;

/// No task is ready and nothing can wake one: a deadlock. Lists what each task waits
/// for.
///
/// A waker that is held by another thread may still wake a task, but the executor
/// cannot know that. Where such a wake is expected, hold a
/// [`WorkGuard`](crate::WorkGuard), or use [`Executor::run_until`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stuck: nothing can wake a task\n{0}")]
pub struct Stuck(pub String);

impl Executor {
    /// Creates an executor without tasks.
    ///
    /// # Errors
    /// The operating system's selector cannot be made.
    // ANCHOR: new
    pub fn new() -> io::Result<Executor> {
        let (reactor, alarm) = Reactor::new()?;
        let inner = Inner {
            tasks: RefCell::new(Slab::from_iter([(MAIN, None)])),
            latest: Cell::new(0),
            // This fails only if the selector is closed, and then there is no wait to
            // end.
            ready: ReadyQueue::new(move || drop(alarm.wake())),
            reactor,
            is_running: Cell::new(false),
            is_closed: Cell::new(false),
            observer: Default::default(),
        };
        Ok(Executor(Rc::new(inner)))
    }

    /// The reactor, for the constructors of sockets and timers.
    pub fn reactor(&self) -> &Reactor {
        &self.0.reactor
    }
    // ANCHOR_END: new

    // ANCHOR: block_on
    /// Polls this future until it is ready, and runs all tasks meanwhile. Then drops
    /// the tasks that are left.
    ///
    /// # Errors
    /// The executor is stuck.
    ///
    /// # Panics
    /// A task of this executor calls it, or the operating system's selector fails. A
    /// panic in this future is propagated; a panic in a task is returned by its
    /// handle.
    #[track_caller]
    pub fn block_on<F: Future>(&self, future: F) -> Result<F::Output, Stuck> {
        assert!(!self.0.is_running.replace(true), "block_on inside of block_on");
        // Locals are dropped in reverse order: first the future, then the tasks, even
        // on a panic.
        let _tasks = DropAll(&self.0);
        let future = pin!(future); // from here on it does not move
        let main = self.0.new_task(MAIN, future);
        let _run = self.0.observer.begin_run(&main.state); // observe
        self.0.run(main)
    }
    // ANCHOR_END: block_on

    // ANCHOR: insert
    /// Adds a task for `spawn` (`join.rs`), which wraps its future. At the end of a run
    /// it is refused: the task is cancelled from the beginning.
    pub(crate) fn insert(&self, future: Spawned) -> Arc<TaskWaker> {
        let mut tasks = self.0.tasks.borrow_mut();
        let task = self.0.new_task(tasks.vacant_key(), future);
        let state = Arc::clone(&task.state);
        if self.0.is_closed.get() {
            state.cancel();
            // Forgotten, not dropped: its destructor might spawn another task, whose
            // destructor might spawn a third, without end.
            mem::forget(task.future);
        } else {
            tasks.insert(Some(task));
        }
        state
    }
    // ANCHOR_END: insert
}

impl Inner {
    // ANCHOR: new_task
    /// Makes a task, which is in the ready queue from the beginning.
    fn new_task<F>(&self, place: usize, future: F) -> Task<F> {
        self.latest.set(self.latest.get() + 1);
        let id = TaskId { number: self.latest.get(), place };
        let state = TaskWaker::new(id, &self.ready);
        state.wake_by_ref();
        let waker = Waker::from(Arc::clone(&state));
        let waker = self.observer.waker(id, waker, super::ready::WAKES); // observe
        Task { future, state, waker }
    }
    // ANCHOR_END: new_task

    // ANCHOR: run
    fn run<F: Future + Unpin>(&self, mut main: Task<F>) -> Result<F::Output, Stuck> {
        let mut batch = Vec::new();
        loop {
            let mut polls = 0;
            while polls < POLLS_PER_TICK && self.ready.take(&mut batch) {
                polls += batch.len();
                // A task that is woken from here on has its turn in the next batch.
                for id in batch.drain(..) {
                    if id != main.state.id {
                        self.turn(id);
                    } else if main.state.begin_turn()
                        && let Poll::Ready(output) = self.poll(&mut main)
                    {
                        return Ok(output);
                    }
                }
            }
            self.wait()?;
        }
    }
    // ANCHOR_END: run

    // ANCHOR: poll
    /// Gives a task its turn.
    fn turn(&self, id: TaskId) {
        let Some(mut task) = self.take_out(id) else { return };
        // Nothing is borrowed now: the task may spawn, wake and cancel, even itself.
        if task.state.begin_turn() && self.poll(&mut task).is_pending() {
            self.tasks.borrow_mut()[id.place] = Some(task);
        } else {
            self.end(id, task);
        }
    }

    /// Takes a task out of its place. `None` if the task has ended, and its place is
    /// free or belongs to another task.
    fn take_out(&self, id: TaskId) -> Option<Task<Spawned>> {
        let mut tasks = self.tasks.borrow_mut();
        tasks.get_mut(id.place)?.take_if(|task| task.state.id == id)
    }

    /// Polls a task's future, with a full budget.
    fn poll<F: Future + Unpin>(&self, task: &mut Task<F>) -> Poll<F::Output> {
        self.observer.resumed(task.state.id); // observe
        let cx = &mut Context::from_waker(&task.waker);
        let poll = limited(BUDGET, || Pin::new(&mut task.future).poll(cx));
        self.observer.polled(task.state.id, &poll); // observe
        poll
    }
    // ANCHOR_END: poll

    // ANCHOR: end
    /// Drops a task. Only then its place is freed, because its destructors may spawn.
    fn end(&self, id: TaskId, task: Task<Spawned>) {
        self.observer.ending(id); // observe
        drop(task);
        self.observer.ended(id); // observe
        self.tasks.borrow_mut().remove(id.place);
    }
    // ANCHOR_END: end

    // ANCHOR: wait
    /// Sleeps until something happens. If a task is ready, it only checks for events.
    fn wait(&self) -> Result<(), Stuck> {
        let may_sleep = self.ready.prepare_to_sleep();
        if may_sleep && !self.reactor.can_wake() {
            self.ready.stay_awake();
            return Err(Stuck(self.observer.waiters_report()));
        }
        self.reactor.wait(may_sleep).expect("the selector can be waited for");
        self.ready.stay_awake();
        // This must come after `stay_awake`. Otherwise the first of these wakes would
        // sound the alarm, and the next wait would end at once.
        self.reactor.wake_waiters();
        Ok(())
    }
    // ANCHOR_END: wait
}

// ANCHOR: drop_all
/// The end of a run: no task outlives it.
struct DropAll<'a>(&'a Inner);

impl Drop for DropAll<'_> {
    fn drop(&mut self) {
        // Destructors may spawn. Those tasks are dropped in the second round. What
        // their destructors spawn is refused: otherwise this might never end.
        for is_last in [false, true] {
            self.0.is_closed.set(is_last);
            let mut tasks = Vec::new();
            for (_, place) in self.0.tasks.borrow_mut().iter_mut() {
                tasks.extend(place.take());
            }
            // Nothing is borrowed now. The oldest task comes first.
            tasks.sort_by_key(|task| task.state.id);
            tasks.into_iter().for_each(|task| self.0.end(task.state.id, task));
        }
        self.0.is_closed.set(false);
        self.0.is_running.set(false);
    }
}
// ANCHOR_END: drop_all
