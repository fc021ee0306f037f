//! A clock that only jumps, and an executor that waits for it, for chapter 36.
#![allow(dead_code)] // not each step needs all of it

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

const NOT_POISONED: &str = "nothing panics while it holds the ready queue";

// ANCHOR: clock
/// A clock with timers. Clones are handles to the same clock.
#[derive(Clone, Default)]
pub(crate) struct Clock(Rc<Inner>);

#[derive(Default)]
struct Inner {
    /// The time since the clock was made. Only `jump` changes it.
    now: Cell<Duration>,
    timers: RefCell<BTreeMap<(Duration, u64), Waker>>,
    /// The number of the latest timer.
    latest: Cell<u64>,
    /// Each [`WorkGuard`] has a clone.
    work: Rc<()>,
}
// ANCHOR_END: clock

/// Work on another thread, which takes real time.
pub(crate) struct WorkGuard(#[allow(dead_code)] Rc<()>);

impl Clock {
    pub(crate) fn now(&self) -> Duration {
        self.0.now.get()
    }

    // ANCHOR: jump
    /// Jumps to the next deadline, and wakes its task. Returns whether there was one.
    fn jump(&self) -> bool {
        let first = self.0.timers.borrow_mut().pop_first();
        let Some(((when, _), waker)) = first else { return false };
        self.0.now.set(when);
        waker.wake();
        true
    }
    // ANCHOR_END: jump

    pub(crate) fn sleep(&self, time: Duration) -> Sleep {
        Sleep { clock: self.clone(), when: self.now() + time, timer: None }
    }

    pub(crate) fn work_guard(&self) -> WorkGuard {
        WorkGuard(Rc::clone(&self.0.work))
    }

    fn has_work_elsewhere(&self) -> bool {
        Rc::strong_count(&self.0.work) > 1
    }
}

/// Waits until a time of the clock. Clears its timer when it is dropped.
pub(crate) struct Sleep {
    clock: Clock,
    when: Duration,
    timer: Option<(Duration, u64)>,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context) -> Poll<()> {
        if self.clock.now() >= self.when {
            return Poll::Ready(());
        }
        let inner = Rc::clone(&self.clock.0);
        let timer = self.timer.unwrap_or_else(|| {
            inner.latest.update(|latest| latest + 1);
            (self.when, inner.latest.get())
        });
        self.timer = Some(timer);
        let older = inner.timers.borrow_mut().insert(timer, cx.waker().clone());
        drop(older); // after the borrow: a waker may own anything
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        let timer =
            self.timer.and_then(|it| self.clock.0.timers.borrow_mut().remove(&it));
        drop(timer);
    }
}

/// The numbers of the tasks that are ready. Any thread may add one.
#[derive(Default)]
struct Ready {
    tasks: Mutex<VecDeque<usize>>,
    pushed: Condvar,
}

impl Ready {
    fn lock(&self) -> MutexGuard<'_, VecDeque<usize>> {
        self.tasks.lock().expect(NOT_POISONED)
    }

    fn push(&self, task: usize) {
        let mut tasks = self.lock();
        if !tasks.contains(&task) {
            tasks.push_back(task);
        }
        drop(tasks);
        self.pushed.notify_one();
    }

    fn pop(&self) -> Option<usize> {
        self.lock().pop_front()
    }

    /// Waits, in real time, until a task is ready.
    fn wait(&self) {
        drop(
            self.pushed
                .wait_while(self.lock(), |tasks| tasks.is_empty())
                .expect(NOT_POISONED),
        );
    }
}

struct TaskWaker {
    id: usize,
    ready: Arc<Ready>,
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        self.ready.push(self.id);
    }
}

type Task = Pin<Box<dyn Future<Output = ()>>>;

/// An executor whose waits take no time.
#[derive(Default)]
pub(crate) struct Executor {
    tasks: Vec<Option<Task>>,
    ready: Arc<Ready>,
    pub(crate) polls: usize,
    pub(crate) jumps: usize,
}

impl Executor {
    pub(crate) fn spawn(&mut self, task: impl Future<Output = ()> + 'static) {
        self.ready.push(self.tasks.len());
        self.tasks.push(Some(Box::pin(task)));
    }

    // ANCHOR: run
    /// Runs until all tasks have ended, or nothing can wake one.
    pub(crate) fn run(&mut self, clock: &Clock) {
        loop {
            while let Some(task) = self.ready.pop() {
                self.poll(task);
            }
            if self.tasks.iter().all(Option::is_none) {
                return;
            }
            // No task is ready.
            if clock.has_work_elsewhere() {
                self.ready.wait();
            } else if clock.jump() {
                self.jumps += 1;
            } else {
                return;
            }
        }
    }
    // ANCHOR_END: run

    fn poll(&mut self, id: usize) {
        let waker = TaskWaker { id, ready: Arc::clone(&self.ready) };
        let waker = Waker::from(Arc::new(waker));
        let slot = &mut self.tasks[id];
        self.polls += usize::from(slot.is_some());
        if let Some(task) = slot
            && task.as_mut().poll(&mut Context::from_waker(&waker)).is_ready()
        {
            slot.take();
        }
    }
}
