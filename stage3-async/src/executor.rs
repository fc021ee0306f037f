//! The executor: polls the tasks that were woken, and waits when none is.

use crate::join::{End, JoinError, JoinHandle, Outcome};
use crate::reactor::Reactor;
use crate::ready::{Ready, TaskId, TaskWaker};
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::io;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

/// Runs tasks on this thread. Clones are handles on the same executor: a task that spawns
/// others has one.
#[derive(Clone)]
pub struct Executor(Rc<Inner>);

struct Inner {
    /// The slab: the futures of all tasks. Only ids leave it.
    tasks: RefCell<Slab>,
    ready: Arc<Ready>,
    reactor: Reactor,
    is_running: Cell<bool>,
}

/// The end of a run: no task outlives it.
struct DropAll<'a>(&'a Inner);

impl Drop for DropAll<'_> {
    fn drop(&mut self) {
        self.0.drop_all();
        self.0.is_running.set(false);
    }
}

/// Drops what may panic as it goes, and tells how that ended.
fn drop_caught(what: impl Sized) -> JoinError {
    match catch_unwind(AssertUnwindSafe(|| drop(what))) {
        Ok(()) => JoinError::Cancelled,
        Err(panic) => JoinError::Panicked(panic),
    }
}

#[derive(Default)]
struct Slab {
    slots: Vec<Slot>,
    free: Vec<usize>,
}

/// A place in the slab. It is used again, by a task of another generation: an id of the
/// one before finds nobody.
#[derive(Default)]
struct Slot {
    generation: u64,
    task: Option<Task>,
}

type LocalFuture = Pin<Box<dyn Future<Output = ()>>>;

struct Task {
    /// None while it is polled: then it is on the stack.
    future: Option<LocalFuture>,
    waker: Arc<TaskWaker>,
    end: Rc<dyn End>,
    spawned: &'static Location<'static>,
}

/// Nobody is ready, and nothing can make anybody so: who waits, a line each.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stuck: nobody can wake\n{0}")]
pub struct Stuck(pub String);

impl Executor {
    /// An executor without tasks.
    ///
    /// # Errors
    /// The operating system's selector cannot be made.
    pub fn new() -> io::Result<Executor> {
        let (reactor, alarm) = Reactor::new()?;
        let (tasks, ready) = (RefCell::default(), Ready::new(alarm));
        let is_running = Cell::new(false);
        Ok(Executor(Rc::new(Inner { tasks, ready, reactor, is_running })))
    }

    /// What its sockets and timers are made of.
    pub fn reactor(&self) -> &Reactor {
        &self.0.reactor
    }

    /// Makes a task of a future: it is polled for the first time when its turn comes.
    #[track_caller]
    pub fn spawn<T: 'static>(
        &self,
        future: impl Future<Output = T> + 'static,
    ) -> JoinHandle<T> {
        let outcome = Outcome::new();
        let end = Rc::clone(&outcome);
        let whole = async move { end.set(Ok(future.await)) };
        let end: Rc<dyn End> = outcome.clone();
        let id = self.0.add(Box::pin(whole), end, Location::caller());
        let executor = Rc::downgrade(&self.0);
        let cancel = move || {
            if let Some(inner) = executor.upgrade() {
                inner.cancel(id);
            }
        };
        JoinHandle { outcome, cancel: Box::new(cancel) }
    }

    /// Polls this future until it is ready, and all tasks beside it. Then the tasks that
    /// are left are dropped.
    ///
    /// # Errors
    /// Nobody is ready, and nothing can happen any more: who waits on what.
    ///
    /// # Panics
    /// The operating system does not let us wait; or it is called inside of itself.
    pub fn block_on<F: Future>(&self, future: F) -> Result<F::Output, Stuck> {
        let was_running = self.0.is_running.replace(true);
        assert!(!was_running, "block_on inside of block_on");
        // Dropped behind the future, also when that panics: locals go in reverse.
        let _all = DropAll(&self.0);
        let mut future = pin!(future); // from here on it does not move
        let main = TaskWaker::new(TaskId::MAIN, &self.0.ready);
        main.wake_by_ref();
        let waker = Waker::from(Arc::clone(&main));
        loop {
            if self.0.tick() {
                main.before_poll();
                let poll = future.as_mut().poll(&mut Context::from_waker(&waker));
                if let Poll::Ready(output) = poll {
                    return Ok(output);
                }
            }
            self.0.wait()?;
        }
    }
}

impl Inner {
    fn add(
        &self,
        future: LocalFuture,
        end: Rc<dyn End>,
        spawned: &'static Location<'static>,
    ) -> TaskId {
        let mut slab = self.tasks.borrow_mut();
        let slot = slab.free.pop().unwrap_or_else(|| {
            slab.slots.push(Slot::default());
            slab.slots.len() - 1
        });
        let id = TaskId { slot, generation: slab.slots[slot].generation };
        let waker = TaskWaker::new(id, &self.ready);
        waker.wake_by_ref();
        let future = Some(future);
        slab.slots[slot].task = Some(Task { future, waker, end, spawned });
        id
    }

    /// Polls each task once that is ready now. Is the main future ready, too? Who is woken
    /// meanwhile has its turn when sockets and timers have been served.
    fn tick(&self) -> bool {
        let mut main = false;
        for id in self.ready.take() {
            match id {
                TaskId::MAIN => main = true,
                id => self.poll(id),
            }
        }
        main
    }

    fn poll(&self, id: TaskId) {
        // Taken out: while it is polled it may spawn, wake and cancel, itself even.
        let Some((mut future, waker)) = self.tasks.borrow_mut().take_out(id) else {
            return;
        };
        waker.before_poll();
        let waker = Waker::from(waker);
        let poll = || future.as_mut().poll(&mut Context::from_waker(&waker));
        match catch_unwind(AssertUnwindSafe(poll)) {
            Ok(Poll::Pending) => {
                // One that was cancelled meanwhile is dropped here, outside of any borrow.
                let rejected = self.tasks.borrow_mut().put_back(id, future);
                drop_caught(rejected);
            }
            Ok(Poll::Ready(())) => {
                let task = self.remove(id);
                drop_caught((task, future));
            }
            Err(panic) => {
                let task = self.remove(id);
                drop_caught(future);
                if let Some(task) = task {
                    task.end.end(JoinError::Panicked(panic));
                }
            }
        }
    }

    fn cancel(&self, id: TaskId) {
        let Some(task) = self.remove(id) else { return };
        let end = Rc::clone(&task.end);
        // Its future, and what that holds. Nothing is borrowed.
        end.end(drop_caught(task));
    }

    fn remove(&self, id: TaskId) -> Option<Task> {
        self.tasks.borrow_mut().remove(id)
    }

    /// Waits for what happens next, unless somebody is ready.
    fn wait(&self) -> Result<(), Stuck> {
        let is_idle = self.ready.may_sleep();
        let result = match is_idle && !self.reactor.expects_anything() {
            true => Err(Stuck(self.who_waits())),
            false => Ok(()),
        };
        if result.is_err() || !is_idle {
            self.ready.stay_awake();
        }
        if result.is_ok() {
            let most = (!is_idle).then_some(Duration::ZERO);
            let turned = self.reactor.turn(most, || self.ready.stay_awake());
            turned.expect("the selector can be waited for");
        }
        result
    }

    fn who_waits(&self) -> String {
        let slab = self.tasks.borrow();
        let tasks = slab.slots.iter().filter_map(|slot| slot.task.as_ref());
        let lines =
            tasks.map(|task| format!("a task that was spawned at {}", task.spawned));
        let main = "the future of block_on".to_string();
        [main].into_iter().chain(lines).collect::<Vec<_>>().join("\n")
    }

    /// Drops all tasks: also those that others spawn while they are dropped.
    fn drop_all(&self) {
        loop {
            let ids = self.tasks.borrow().ids();
            if ids.is_empty() {
                return;
            }
            for id in ids {
                self.cancel(id);
            }
        }
    }
}

impl Slab {
    fn get(&mut self, id: TaskId) -> Option<&mut Task> {
        let slot = self.slots.get_mut(id.slot)?;
        if slot.generation == id.generation { slot.task.as_mut() } else { None }
    }

    fn take_out(&mut self, id: TaskId) -> Option<(LocalFuture, Arc<TaskWaker>)> {
        let task = self.get(id)?;
        Some((task.future.take()?, Arc::clone(&task.waker)))
    }

    /// Puts a future back to its task; or returns it, if there is no such task any more.
    fn put_back(&mut self, id: TaskId, future: LocalFuture) -> Option<LocalFuture> {
        match self.get(id) {
            Some(task) => task.future.replace(future),
            None => Some(future),
        }
    }

    fn remove(&mut self, id: TaskId) -> Option<Task> {
        self.get(id)?;
        let slot = &mut self.slots[id.slot];
        slot.generation += 1;
        self.free.push(id.slot);
        slot.task.take()
    }

    fn ids(&self) -> Vec<TaskId> {
        let places =
            self.slots.iter().enumerate().filter(|(_, slot)| slot.task.is_some());
        let id =
            |(slot, it): (usize, &Slot)| TaskId { slot, generation: it.generation };
        places.map(id).collect()
    }
}
