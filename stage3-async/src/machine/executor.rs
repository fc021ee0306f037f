//! The executor: polls the tasks that were woken, and sleeps when there are none.

// ANCHOR: uses
use super::budget;
use super::reactor::Reactor;
use super::ready::{ReadyQueue, TaskId, TaskWaker};
use crate::observe::Observer; // observe
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::pin::{Pin, pin};
use std::task::{Poll, Wake};
use std::{future::Future, io, mem, rc::Rc, sync::Arc};
// ANCHOR_END: uses

/// Runs tasks on this thread. Clones are handles to the same executor: a task that
/// spawns others holds one.
///
/// Such a task and its executor keep each other alive, until `block_on` returns and
/// drops all tasks. An executor with such tasks that never runs is leaked; an empty
/// run, `block_on(async {})`, frees it.
// ANCHOR: inner
#[derive(Clone)]
pub struct Executor(pub(crate) Rc<Inner>);

pub(crate) struct Inner {
    /// All tasks, in the order in which they were spawned. `None` is the task that is
    /// polled now: its future is out of the table, so that it may spawn others.
    tasks: RefCell<BTreeMap<TaskId, Option<Task>>>,
    /// The number of the latest task.
    latest: Cell<u64>,
    ready: Arc<ReadyQueue>,
    reactor: Reactor,
    /// Raised while `block_on` runs.
    is_running: Cell<bool>,
    /// Raised at the end of a run, while the last tasks are dropped.
    is_closed: Cell<bool>,
    pub(crate) observer: Observer, // observe
}

/// A future that runs by itself. It never panics: `join.rs` sees to that.
pub(crate) type Task = Pin<Box<dyn Future<Output = ()>>>;
// ANCHOR_END: inner

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
    /// An executor without tasks.
    ///
    /// # Errors
    /// The operating system gives no selector.
    // ANCHOR: new
    pub fn new() -> io::Result<Executor> {
        let (reactor, alarm) = Reactor::new()?;
        let inner = Inner {
            tasks: RefCell::default(),
            latest: Cell::new(0),
            // The alarm fails only if the selector is gone, and then nothing waits for
            // it.
            ready: ReadyQueue::new(move || drop(alarm.wake())),
            reactor,
            is_running: Cell::new(false),
            is_closed: Cell::new(false),
            observer: Observer::default(), // observe
        };
        Ok(Executor(Rc::new(inner)))
    }

    /// The reactor, for the constructors of sockets and timers.
    pub fn reactor(&self) -> &Reactor {
        &self.0.reactor
    }
    // ANCHOR_END: new

    // ANCHOR: block_on
    /// Polls this future until it is ready, and all tasks beside it. Then the tasks
    /// that are left are dropped.
    ///
    /// # Errors
    /// The executor is stuck.
    ///
    /// # Panics
    /// It is called by one of its own tasks, or the operating system's selector fails.
    /// A panic of this future goes on here; that of a task goes to its handle.
    #[track_caller]
    pub fn block_on<F: Future>(&self, future: F) -> Result<F::Output, Stuck> {
        assert!(!self.0.is_running.replace(true), "block_on inside of block_on");
        // Locals are dropped in reverse order: the tasks after the future, even if that
        // panics.
        let _tasks = DropAll(&self.0);
        let future = pin!(future); // from here on it does not move
        let future = self.0.observer.task("block_on", future); // observe
        self.0.run(future)
    }
    // ANCHOR_END: block_on

    // ANCHOR: insert
    /// Adds a task, which is polled for the first time when its turn comes. At the end
    /// of a run it is refused: its waker is cancelled from the beginning.
    pub(crate) fn insert(&self, task: Task) -> Arc<TaskWaker> {
        let waker = self.0.new_waker();
        if self.0.is_closed.get() {
            waker.cancel();
            // Forgotten, not dropped: its destructor might spawn another one, without
            // end.
            mem::forget(task);
        } else {
            self.0.tasks.borrow_mut().insert(waker.id, Some(task));
        }
        waker
    }
    // ANCHOR_END: insert
}

impl Inner {
    // ANCHOR: new_waker
    /// The waker of a new task, which is in the ready queue from the beginning.
    fn new_waker(&self) -> Arc<TaskWaker> {
        self.latest.set(self.latest.get() + 1);
        let waker = TaskWaker::new(TaskId(self.latest.get()), &self.ready);
        waker.wake_by_ref();
        waker
    }
    // ANCHOR_END: new_waker

    // ANCHOR: run
    fn run<F: Future + Unpin>(&self, mut main: F) -> Result<F::Output, Stuck> {
        let main_id = self.new_waker().id;
        let mut batch = Vec::new();
        loop {
            let mut polls = 0;
            while polls < POLLS_PER_TICK && self.ready.take(&mut batch) {
                polls += batch.len();
                // A task that is woken from here on has its turn in the next batch.
                for waker in batch.drain(..) {
                    let _restore = budget::refill(); // at the end of this turn
                    if waker.id != main_id {
                        self.poll(waker);
                    } else if let Some(Poll::Ready(output)) = waker.poll(&mut main) {
                        return Ok(output);
                    }
                }
            }
            self.wait()?;
        }
    }
    // ANCHOR_END: run

    // ANCHOR: poll
    /// Gives a task its turn. One that has ended meanwhile is no longer in the table.
    fn poll(&self, waker: Arc<TaskWaker>) {
        let id = waker.id;
        let task = self.tasks.borrow_mut().get_mut(&id).and_then(Option::take);
        let Some(mut task) = task else { return };
        // Nothing is borrowed now: the task may spawn, wake and cancel, even itself.
        let is_over = waker.poll(&mut task).is_none_or(|poll| poll.is_ready());
        let mut tasks = self.tasks.borrow_mut();
        if is_over {
            tasks.remove(&id);
            drop(tasks); // first the borrow ends: the task's destructors may spawn, too
            drop(task);
        } else {
            tasks.insert(id, Some(task));
        }
    }
    // ANCHOR_END: poll

    // ANCHOR: wait
    /// Sleeps until something happens; or only looks, if a task is ready.
    fn wait(&self) -> Result<(), Stuck> {
        let may_sleep = self.ready.prepare_to_sleep();
        if may_sleep && !self.reactor.can_wake() {
            self.ready.stay_awake();
            let mut report = String::new();
            report += &self.observer.who_waits(); // observe
            return Err(Stuck(report));
        }
        self.reactor.wait(may_sleep).expect("the selector can be waited for");
        self.ready.stay_awake();
        // Only now: before `stay_awake` the first of these wakes would sound the alarm,
        // and the next wait would end at once.
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
        // Destructors may spawn. Those tasks are dropped in the second round; what
        // their destructors spawn in turn is refused, else this might never end.
        for is_last in [false, true] {
            self.0.is_closed.set(is_last);
            // Bound first: nothing is borrowed while tasks are dropped.
            let tasks = mem::take(&mut *self.0.tasks.borrow_mut());
            drop(tasks);
        }
        self.0.is_closed.set(false);
        self.0.is_running.set(false);
    }
}
// ANCHOR_END: drop_all
