//! Runs work that would block the loop on other threads.

use super::set_once::SetOnce;
use crate::Reactor;
use crate::observe::Leaf;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::{iter, thread};

static HELPER: Leaf = Leaf::named("run", "a helper thread");

/// How much work is given to each helper: one piece in progress and two in the queue,
/// because the loop may be computing when a helper becomes free.
const QUEUED_PER_HELPER: usize = 3;

type Work = Box<dyn FnOnce() + Send>;

/// A small thread pool with one queue. Its threads are detached: they end when the
/// pool is dropped and the queue is empty.
pub(crate) struct ThreadPool {
    /// The maximum number of threads.
    count: usize,
    /// How many threads have been started. A thread starts when there is work for it,
    /// and keeps running.
    started: Cell<usize>,
    work: Sender<Work>,
    receiver: Arc<Mutex<Receiver<Work>>>,
    /// Cloned for each piece of work, and dropped when it is done.
    outstanding: Arc<()>,
    reactor: Reactor,
}

impl ThreadPool {
    pub(crate) fn new(count: usize, reactor: &Reactor) -> ThreadPool {
        let (work, receiver) = channel();
        let receiver = Arc::new(Mutex::new(receiver));
        let (started, outstanding, reactor) =
            (Cell::new(0), Arc::default(), reactor.clone());
        ThreadPool { count, started, work, receiver, outstanding, reactor }
    }

    /// Returns whether every helper is busy and has work queued.
    pub(crate) fn is_saturated(&self) -> bool {
        self.outstanding() >= QUEUED_PER_HELPER * self.count
    }

    /// Returns how many pieces of work are queued or in progress.
    fn outstanding(&self) -> usize {
        Arc::strong_count(&self.outstanding) - 1
    }

    // ANCHOR: run
    /// Runs `work` on one of the threads, or here if there is none, and returns its
    /// result. A panic of `work` is propagated to the task.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> T {
        let caught = move || catch_unwind(AssertUnwindSafe(work));
        let done = match self.start(caught, &HELPER) {
            Ok(result) => result.get(Option::take, &self.reactor).await,
            Err(caught) => caught(),
        };
        done.unwrap_or_else(|panic| resume_unwind(panic))
    }
    // ANCHOR_END: run

    /// Queues work, which must not panic, and returns the cell for its result. Returns
    /// the work itself if no thread can be started at all.
    pub(crate) fn start<T: Send + 'static, W: FnOnce() -> T + Send + 'static>(
        &self,
        work: W,
        leaf: &'static Leaf,
    ) -> Result<SetOnce<T>, W> {
        let started = self.started.get();
        if started <= self.outstanding() && started < self.count && self.start_thread()
        {
            self.started.set(started + 1);
        }
        if self.started.get() == 0 {
            return Err(work);
        }
        let result = SetOnce::new(None, leaf);
        let (shared, outstanding) = (result.clone(), Arc::clone(&self.outstanding));
        let work = Box::new(move || {
            let done = work();
            drop(outstanding);
            shared.set(done);
        });
        self.work.send(work).expect("the receiver lives as long as this");
        Ok(result)
    }

    /// Returns whether a thread could be started.
    fn start_thread(&self) -> bool {
        let receiver = Arc::clone(&self.receiver);
        let next = move || receiver.lock().expect("waiting does not panic").recv().ok();
        let thread = move || iter::from_fn(next).for_each(|work| work());
        thread::Builder::new().name("helper".to_string()).spawn(thread).is_ok()
    }
}

/// Runs blocking work on a new thread, and returns its result. A panic of the work is
/// propagated to the task. If no thread can be started, the work runs here and blocks.
pub async fn unblock<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
    reactor: &Reactor,
) -> T {
    ThreadPool::new(1, reactor).run(work).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Executor;
    use std::task::{Context, Waker};

    #[test]
    fn helpers_are_saturated_while_each_has_work_queued() {
        let executor = Executor::new().expect("a selector");
        let helpers = ThreadPool::new(1, executor.reactor());
        let (begin, gate) = channel();
        let gate = Arc::new(Mutex::new(gate));
        let work = || {
            let gate = Arc::clone(&gate);
            move || gate.lock().expect("a gate").recv()
        };
        let mut tasks: Vec<_> =
            (0..QUEUED_PER_HELPER).map(|_| Box::pin(helpers.run(work()))).collect();
        for task in &mut tasks {
            assert!(!helpers.is_saturated());
            let mut context = Context::from_waker(Waker::noop());
            assert!(task.as_mut().poll(&mut context).is_pending());
        }
        drop(tasks.remove(0));
        assert!(helpers.is_saturated(), "work goes on after its wait was given up");
        (0..QUEUED_PER_HELPER).for_each(|_| begin.send(()).expect("work that waits"));
        let rest = async {
            for task in tasks {
                task.await.expect("it may begin");
            }
        };
        executor.block_on(rest).expect("the helper is at work");
        assert!(!helpers.is_saturated());
    }

    #[test]
    fn threads_are_started_when_there_is_work_for_them() {
        let executor = Executor::new().expect("a selector");
        let helpers = ThreadPool::new(2, executor.reactor());
        let (begin, gate) = channel::<()>();
        let gate = Arc::new(Mutex::new(gate));
        let mut started = vec![helpers.started.get()];
        for _ in 0..3 {
            let gate = Arc::clone(&gate);
            let work = move || drop(gate.lock().map(|gate| gate.recv()));
            helpers.start(work, &HELPER).map_err(drop).expect("a thread can be had");
            started.push(helpers.started.get());
        }
        assert_eq!(started, [0, 1, 2, 2]);
        drop(begin);
    }

    #[test]
    fn work_that_panics_does_so_in_the_task_that_awaits_it() {
        let executor = Executor::new().expect("a selector");
        let reactor = executor.reactor().clone();
        let task = executor
            .spawn(async move { unblock(|| panic!("on purpose"), &reactor).await });
        let joined = executor.block_on(task).expect("it is not stuck");
        assert!(matches!(joined, Err(crate::JoinError::Panicked(_))));
    }
}
