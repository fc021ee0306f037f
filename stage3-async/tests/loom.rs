//! The ready queue, with all orders in which threads can meet. Run it with
//! `RUSTFLAGS="--cfg loom" cargo test --release -p stage3-async --no-default-features
//! --test loom`.
#![cfg(loom)]

// The file itself: what it has is private to the crate.
#[allow(dead_code, unreachable_pub)]
#[path = "../src/ready.rs"]
mod ready;

use loom::sync::atomic::{AtomicBool, Ordering::SeqCst};
use loom::sync::{Arc, Condvar, Mutex};
use loom::thread;
use ready::{Ready, TaskId, TaskWaker};
use shared::Watch;
use std::task::Wake;

const TASK: TaskId = TaskId { number: 1, slot: 0 };

/// The end of the loop's wait: as the selector does it, a ring before the wait counts.
#[derive(Default)]
struct Bell {
    is_rung: Mutex<bool>,
    rung: Condvar,
}

impl Bell {
    fn ring(&self) {
        *self.is_rung.lock().unwrap() = true;
        self.rung.notify_one();
    }

    fn wait(&self) {
        let mut is_rung = self.is_rung.lock().unwrap();
        while !*is_rung {
            is_rung = self.rung.wait(is_rung).unwrap();
        }
        *is_rung = false;
    }
}

/// A queue whose loop waits for a bell; and the waker of a task, which is not queued.
fn loop_and_task() -> (std::sync::Arc<Ready>, Arc<Bell>, std::sync::Arc<TaskWaker>) {
    let bell = Arc::new(Bell::default());
    let theirs = Arc::clone(&bell);
    let ready = Ready::new(move || theirs.ring(), Watch::off());
    let task = TaskWaker::new(TASK, &ready);
    (ready, bell, task)
}

/// What the loop does: takes who is ready, and waits if nobody is. How often the task was
/// polled when `is_over` says so.
fn run(
    ready: &Ready,
    bell: &Bell,
    task: &TaskWaker,
    mut is_over: impl FnMut() -> bool,
) {
    let mut batch = Vec::new();
    loop {
        ready.swap(&mut batch);
        for _ in batch.drain(..) {
            task.before_poll();
            if is_over() {
                return;
            }
        }
        // Were a wake lost, this would wait for ever: loom tells of it.
        if ready.may_sleep() {
            bell.wait();
        }
        ready.stay_awake();
    }
}

#[test]
fn a_wake_from_another_thread_ends_the_wait_whenever_it_comes() {
    loom::model(|| {
        let (ready, bell, task) = loop_and_task();
        let (done, waker) = (Arc::new(AtomicBool::new(false)), task.clone());
        let theirs = Arc::clone(&done);
        let other = thread::spawn(move || {
            theirs.store(true, SeqCst);
            waker.wake();
        });
        run(&ready, &bell, &task, || done.load(SeqCst));
        other.join().unwrap();
    });
}

#[test]
fn of_two_wakes_from_two_threads_the_news_of_both_is_seen() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2); // all orders would take hours
    model.check(|| {
        let (ready, bell, task) = loop_and_task();
        let news = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        let others = news.clone().map(|news| {
            let waker = task.clone();
            thread::spawn(move || {
                news.store(true, SeqCst);
                waker.wake();
            })
        });
        run(&ready, &bell, &task, || news.iter().all(|news| news.load(SeqCst)));
        others.into_iter().for_each(|other| other.join().unwrap());
    });
}

#[test]
fn a_wake_during_the_poll_queues_the_task_again() {
    loom::model(|| {
        let (ready, bell, task) = loop_and_task();
        let (done, waker) = (Arc::new(AtomicBool::new(false)), task.clone());
        task.wake_by_ref();
        let theirs = Arc::clone(&done);
        let other = thread::spawn(move || {
            theirs.store(true, SeqCst);
            waker.wake_by_ref();
        });
        // The first poll may come before, during or after the wake of the other thread.
        run(&ready, &bell, &task, || done.load(SeqCst));
        other.join().unwrap();
    });
}

#[test]
fn waking_twice_queues_once() {
    loom::model(|| {
        let (ready, _bell, task) = loop_and_task();
        let others = [task.clone(), task.clone()].map(|it| thread::spawn(|| it.wake()));
        others.into_iter().for_each(|other| other.join().unwrap());
        let mut batch = Vec::new();
        ready.swap(&mut batch);
        assert_eq!(batch, [TASK]);
    });
}
