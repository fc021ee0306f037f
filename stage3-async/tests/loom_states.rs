//! The states of a task that several threads wake and poll, in all orders in which these
//! can meet. Run it with `RUSTFLAGS="--cfg loom" cargo test --release -p stage3-async
//! --no-default-features --test loom_states`.
#![cfg(loom)]

// The file itself, because the steps of the book are no library.
#[allow(dead_code)]
#[path = "../examples/threads/state.rs"]
mod state;

use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use loom::sync::{Arc, Condvar, Mutex};
use loom::thread;
use state::State;

/// One task, and a queue that holds only this task.
struct Machine {
    state: State,
    /// How often the task is in the queue. More than once is an error.
    queued: Mutex<usize>,
    pushed: Condvar,
    is_polled: AtomicBool,
    /// What the task waits for. It is relaxed, so that only the state makes it visible.
    news: AtomicUsize,
}

impl Machine {
    /// With a new task, which is in the queue.
    fn new() -> Arc<Machine> {
        Arc::new(Machine {
            state: State::new(),
            queued: Mutex::new(1),
            pushed: Condvar::new(),
            is_polled: AtomicBool::new(false),
            news: AtomicUsize::new(0),
        })
    }

    fn push(&self) {
        let mut queued = self.queued.lock().unwrap();
        *queued += 1;
        assert_eq!(*queued, 1, "the task is in the queue once");
        self.pushed.notify_one();
    }

    /// What an event does: there is news, and then a wake.
    fn wake(&self) {
        self.news.fetch_add(1, Relaxed);
        if self.state.wake() {
            self.push();
        }
    }

    /// Waits until the task is in the queue, and takes it. If a wake is lost, this waits
    /// for ever, and loom reports it.
    fn take(&self) {
        let mut queued = self.queued.lock().unwrap();
        while *queued == 0 {
            queued = self.pushed.wait(queued).unwrap();
        }
        *queued -= 1;
    }

    /// Polls the task, which was taken. Returns whether it is over: there were this many
    /// news.
    fn poll(&self, enough: usize) -> bool {
        self.state.start();
        assert!(!self.is_polled.swap(true, Relaxed), "one thread polls at a time");
        let is_over = self.news.load(Relaxed) >= enough;
        self.is_polled.store(false, Relaxed);
        if !is_over && self.state.pause() {
            self.push();
        }
        is_over
    }
}

/// All orders with at most this many preemptions: more would take hours.
fn check(preemptions: usize, case: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.check(case);
}

#[test]
fn no_wake_is_lost_before_during_or_after_a_poll() {
    check(4, || {
        let machine = Machine::new();
        let other = {
            let machine = Arc::clone(&machine);
            thread::spawn(move || machine.wake())
        };
        machine.take();
        while !machine.poll(1) {
            machine.take();
        }
        other.join().unwrap();
    });
}

#[test]
fn after_two_wakes_the_poll_sees_what_both_threads_did_before() {
    check(3, || {
        let machine = Machine::new();
        let others = [(); 2].map(|()| {
            let machine = Arc::clone(&machine);
            thread::spawn(move || machine.wake())
        });
        machine.take();
        while !machine.poll(2) {
            machine.take();
        }
        others.into_iter().for_each(|other| other.join().unwrap());
    });
}

#[test]
fn two_threads_never_poll_one_task_at_the_same_time() {
    check(3, || {
        let machine = Machine::new();
        // Both threads poll once: the first poll is that of the new task, the second one
        // that of the wake.
        let pollers = [(); 2].map(|()| {
            let machine = Arc::clone(&machine);
            thread::spawn(move || {
                machine.take();
                machine.poll(usize::MAX);
            })
        });
        // It has to come during or after the first poll: before, it would be merged.
        while machine.state.is(state::SCHEDULED) {
            thread::yield_now();
        }
        machine.wake();
        pollers.into_iter().for_each(|poller| poller.join().unwrap());
    });
}
