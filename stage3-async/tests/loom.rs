//! The ready queue, in all orders in which threads can meet. Run it with
//! `RUSTFLAGS="--cfg loom" cargo test --release -p stage3-async --no-default-features
//! --test loom`.
#![cfg(loom)]

// The file itself, because its types are private to the crate.
#[allow(dead_code, unreachable_pub)]
#[path = "../src/machine/ready.rs"]
mod ready;

use loom::sync::atomic::{AtomicBool, Ordering::SeqCst};
use loom::sync::{Arc, Condvar, Mutex};
use loom::thread;
use ready::{ReadyQueue, TaskId, TaskWaker};
use std::task::Wake;

const TASK: TaskId = TaskId { number: 1, place: 0 };

/// Ends the loop's wait. As with the selector, a ring before the wait counts, too.
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
fn loop_and_task() -> (std::sync::Arc<ReadyQueue>, Arc<Bell>, std::sync::Arc<TaskWaker>)
{
    let bell = Arc::new(Bell::default());
    let alarm = Arc::clone(&bell);
    let ready = ReadyQueue::new(move || alarm.ring());
    let task = TaskWaker::new(TASK, &ready);
    (ready, bell, task)
}

/// What the executor does: polls the tasks that are ready, and waits if there are none.
/// Returns when the task is over: `is_over` is its poll.
fn run(
    ready: &ReadyQueue,
    bell: &Bell,
    task: &TaskWaker,
    mut is_over: impl FnMut() -> bool,
) {
    let mut batch = Vec::new();
    loop {
        ready.take(&mut batch);
        for id in batch.drain(..) {
            assert_eq!(id, TASK);
            if !task.begin_turn() || is_over() {
                return;
            }
        }
        // If a wake were lost, this would wait for ever, and loom would report it.
        if ready.prepare_to_sleep() {
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
        let flag = Arc::clone(&done);
        let other = thread::spawn(move || {
            flag.store(true, SeqCst);
            waker.wake();
        });
        run(&ready, &bell, &task, || done.load(SeqCst));
        other.join().unwrap();
    });
}

#[test]
fn after_two_wakes_from_two_threads_what_both_did_is_seen() {
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
        let flag = Arc::clone(&done);
        let other = thread::spawn(move || {
            flag.store(true, SeqCst);
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
        ready.take(&mut batch);
        assert_eq!(batch, [TASK]);
    });
}

#[test]
fn a_task_that_another_thread_cancels_has_its_last_turn() {
    loom::model(|| {
        let (ready, bell, task) = loop_and_task();
        task.wake_by_ref();
        let handle = task.clone();
        let other = thread::spawn(move || handle.cancel());
        // It returns only because the task is cancelled.
        run(&ready, &bell, &task, || false);
        other.join().unwrap();
    });
}
