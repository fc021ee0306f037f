//! The executor: polls the tasks that were woken, and waits when none is.

use crate::Reactor;
use crate::ready::{Ready, TaskId, TaskWaker};
use crate::task::{JoinHandle, Spawned, Task};
use shared::watch::{Says, Standing, Watch, grouped};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::task::Wake;
use std::{future::Future, io, iter, mem, pin::pin, rc::Rc, sync::Arc};

/// Runs tasks on this thread. Clones are handles on the same executor: a task that
/// spawns others has one.
#[derive(Clone)]
pub struct Executor(Rc<Inner>);

struct Inner {
    tasks: RefCell<Slab>,
    ready: Arc<Ready>,
    reactor: Reactor,
    says: Says,
    is_running: Cell<bool>,
}

/// All tasks, each in a slot. Only ids leave it.
#[derive(Default)]
struct Slab {
    slots: Vec<Option<Rc<dyn Task>>>,
    free: Vec<usize>,
}

/// The end of a run: no task outlives it.
struct DropAll<'a>(&'a Inner);

/// Drops what may hold an output that nobody joins: a panic in there is no one else's.
fn drop_caught(task: impl Sized) {
    let _ = catch_unwind(AssertUnwindSafe(|| drop(task))); // the panic hook has told of it
}

/// The slot of the future that `block_on` polls: it stands in no slab.
const MAIN: usize = usize::MAX;
/// After so many polls sockets and timers are served, though there be others ready.
const POLLS_PER_TICK: usize = 64;

/// Nobody is ready, and nothing can make anybody so: who waits for what, a line each.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stuck: nobody can wake\n{0}")]
pub struct Stuck(pub String);

impl Executor {
    /// An executor without tasks.
    ///
    /// # Errors
    /// The operating system's selector cannot be made.
    pub fn new() -> io::Result<Executor> {
        Executor::watched(Watch::off())
    }

    /// An executor without tasks. What happens is told to `watch`.
    ///
    /// # Errors
    /// The operating system's selector cannot be made.
    pub fn watched(watch: Watch) -> io::Result<Executor> {
        let says = Says::new(watch.clone());
        let (reactor, alarm) = Reactor::new(says.clone())?;
        // It fails only where the selector is gone, and then nobody waits.
        let ready = Ready::new(move || drop(alarm.wake()), watch);
        let (tasks, is_running) = (RefCell::default(), Cell::new(false));
        Ok(Executor(Rc::new(Inner { tasks, ready, reactor, says, is_running })))
    }

    /// What its sockets and timers are made of.
    pub fn reactor(&self) -> &Reactor {
        &self.0.reactor
    }

    /// Makes a task of a future: it is polled for the first time when its turn comes.
    #[track_caller]
    pub fn spawn<F: Future + 'static>(&self, future: F) -> JoinHandle<F::Output> {
        self.spawn_named("a task", future)
    }

    /// Like [`spawn`](Self::spawn), with a name for traces and stuck reports.
    #[track_caller]
    pub fn spawn_named<F: Future + 'static>(
        &self,
        name: &'static str,
        future: F,
    ) -> JoinHandle<F::Output> {
        let mut tasks = self.0.tasks.borrow_mut();
        let slot = tasks.free.pop().unwrap_or(tasks.slots.len());
        let task = Rc::new(self.0.task(name, slot, Location::caller(), future));
        if slot == tasks.slots.len() {
            tasks.slots.push(None);
        }
        tasks.slots[slot] = Some(task.clone());
        JoinHandle::new(task)
    }

    /// Polls this future until it is ready, and all tasks beside it. Then the tasks
    /// that are left are dropped.
    ///
    /// # Errors
    /// Nobody is ready, and nothing can happen any more: who waits for what.
    ///
    /// # Panics
    /// The operating system does not let us wait; or it is called inside of itself.
    #[track_caller]
    pub fn block_on<F: Future>(&self, future: F) -> Result<F::Output, Stuck> {
        assert!(!self.0.is_running.replace(true), "block_on inside of block_on");
        // Dropped behind the future, also when that panics: locals go in reverse.
        let _all = DropAll(&self.0);
        let future = pin!(future); // from here on it does not move
        let main = self.0.task("block_on", MAIN, Location::caller(), future);
        let mut batch = Vec::new();
        loop {
            let mut polls = 0;
            while polls < POLLS_PER_TICK && self.0.ready.swap(&mut batch) {
                polls += batch.len();
                // Who is woken from here on has its turn when these have had theirs.
                if batch.drain(..).any(|id| self.0.poll(id, &main)) {
                    return Ok(main.output());
                }
            }
            self.0.wait(&main)?;
        }
    }

    /// Who waits for what, a line each; equal ones are counted.
    pub fn who_waits(&self) -> String {
        grouped(self.0.who_waits())
    }
}

impl Inner {
    /// A task that is ready: it stands in the queue.
    fn task<F: Future>(
        &self,
        name: &'static str,
        slot: usize,
        spawned: &'static Location<'static>,
        future: F,
    ) -> Spawned<F> {
        let standing = Standing::created(&self.says, name, spawned);
        let id = TaskId { number: standing.number(), slot };
        let own = TaskWaker::new(id, &self.ready);
        own.wake_by_ref();
        Spawned::new(future, own, standing, self.says.clone())
    }

    /// Polls the task with this id, and frees its slot if it has ended. An id whose
    /// task is gone finds nobody. Has the main one ended?
    fn poll(&self, id: TaskId, main: &dyn Task) -> bool {
        if id.slot == MAIN {
            return id.number == main.standing().number() && main.poll();
        }
        let task = self.tasks.borrow().slots.get(id.slot).cloned().flatten();
        // Nothing is borrowed now: it may spawn, wake, cancel, even itself.
        if let Some(task) = task.filter(|it| it.standing().number() == id.number)
            && task.poll()
        {
            let mut tasks = self.tasks.borrow_mut();
            tasks.free.push(id.slot);
            let ended = tasks.slots[id.slot].take();
            drop(tasks);
            drop_caught((task, ended));
        }
        false
    }

    /// Waits for what happens next, unless somebody is ready.
    fn wait(&self, main: &dyn Task) -> Result<(), Stuck> {
        let may_sleep = self.ready.may_sleep();
        if may_sleep && !self.reactor.expects_anything() {
            self.ready.stay_awake();
            let main = iter::once(main.standing().to_string());
            return Err(Stuck(grouped(main.chain(self.who_waits()))));
        }
        let waited = self.reactor.wait(may_sleep);
        self.ready.stay_awake();
        waited.expect("the selector can be waited for");
        self.reactor.wake_who_waited();
        Ok(())
    }

    fn who_waits(&self) -> Vec<String> {
        let tasks = self.tasks.borrow();
        tasks.slots.iter().flatten().map(|task| task.standing().to_string()).collect()
    }
}

impl Drop for DropAll<'_> {
    fn drop(&mut self) {
        // Also those that others spawn while they are dropped.
        loop {
            // Bound first: nothing is borrowed while they are dropped.
            let tasks = mem::take(&mut *self.0.tasks.borrow_mut()).slots;
            if tasks.is_empty() {
                break self.0.is_running.set(false);
            }
            for task in tasks.into_iter().flatten() {
                task.cancel();
                drop_caught(task);
            }
        }
    }
}
