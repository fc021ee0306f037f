//! The states of a task that any thread may wake, in every order of its threads.

pub use crate::orders::AtomicU8;

use crate::orders::{Arc, Condvar, Mutex, in_every_order, thread};
use crate::{cases, story};
use loom::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The state of one task. `AtomicU8` is that of `checks::task_states`: it works like
/// std's, and the check can stop a thread wherever it uses one.
pub trait TaskStates: Send + Sync + 'static {
    /// A new task is in the queue.
    fn new() -> Self;
    /// Records a wake. Returns whether the caller has to queue the task.
    fn wake(&self) -> bool;
    /// The task was taken from the queue, and its poll begins.
    fn start(&self);
    /// The poll was pending. Returns whether the caller has to queue the task again.
    fn pause(&self) -> bool;
}

cases! {
    TaskStates:
    a_wake_queues_a_task_that_waits_once,
    a_new_task_is_in_the_queue_already,
    a_wake_during_the_poll_does_not_queue_the_task,
    a_wake_during_the_poll_queues_the_task_after_it,
    the_note_of_one_wake_counts_once,
    of_two_wakes_one_queues_the_task,
    no_wake_is_lost_in_any_order,
}

fn new<S: TaskStates>() -> S {
    story!("a new task: it is in the queue");
    S::new()
}

fn wake(state: &impl TaskStates) -> bool {
    let queue = state.wake();
    story!("wake: {queue}");
    queue
}

fn start(state: &impl TaskStates) {
    state.start();
    story!("start");
}

fn pause(state: &impl TaskStates) -> bool {
    let queue = state.pause();
    story!("pause: {queue}");
    queue
}

fn a_wake_queues_a_task_that_waits_once<S: TaskStates>() {
    in_every_order(|| {
        let state: S = new();
        start(&state);
        assert!(!pause(&state), "nothing has woken it, so it is not queued");
        assert!(wake(&state), "it waits: this wake has to queue it");
        assert!(!wake(&state), "it is in the queue already");
    });
}

fn a_new_task_is_in_the_queue_already<S: TaskStates>() {
    in_every_order(|| {
        let state: S = new();
        assert!(!wake(&state), "it is in the queue already");
    });
}

fn a_wake_during_the_poll_does_not_queue_the_task<S: TaskStates>() {
    in_every_order(|| {
        let state: S = new();
        start(&state);
        assert!(!wake(&state), "another thread would take it, while this one polls it");
    });
}

fn a_wake_during_the_poll_queues_the_task_after_it<S: TaskStates>() {
    in_every_order(|| {
        let state: S = new();
        start(&state);
        wake(&state);
        assert!(pause(&state), "it was woken during the poll, and that is lost");
    });
}

fn the_note_of_one_wake_counts_once<S: TaskStates>() {
    in_every_order(|| {
        let state: S = new();
        start(&state);
        wake(&state);
        wake(&state);
        pause(&state);
        assert!(!wake(&state), "the end of the poll has queued it already");
        start(&state);
        assert!(!pause(&state), "nothing has woken it since this poll began");
    });
}

fn of_two_wakes_one_queues_the_task<S: TaskStates>() {
    in_every_order(|| {
        let state = Arc::new(new::<S>());
        start(&*state);
        pause(&*state);
        let shared = Arc::clone(&state);
        let other = thread::spawn(move || wake(&*shared));
        let queued = [wake(&*state), other.join().expect("it has panicked already")];
        assert_ne!(queued, [true, true], "the task is in the queue twice");
        assert_ne!(queued, [false, false], "the task is in no queue");
    });
}

/// A queue for one task, and what the task waits for.
struct Machine<S> {
    state: S,
    is_queued: Mutex<bool>,
    pushed: Condvar,
    news: AtomicBool,
}

impl<S: TaskStates> Machine<S> {
    fn push(&self) {
        let mut is_queued = self.is_queued.lock().expect(NOT_POISONED);
        *is_queued = true;
        self.pushed.notify_one();
    }

    fn take(&self) {
        let mut is_queued = self.is_queued.lock().expect(NOT_POISONED);
        while !*is_queued {
            is_queued = self.pushed.wait(is_queued).expect(NOT_POISONED);
        }
        *is_queued = false;
    }
}

const NOT_POISONED: &str = "no thread panics under this lock";

fn no_wake_is_lost_in_any_order<S: TaskStates>() {
    in_every_order(|| {
        let machine = Arc::new(Machine {
            state: new::<S>(),
            is_queued: Mutex::new(true),
            pushed: Condvar::new(),
            news: AtomicBool::new(false),
        });
        let shared = Arc::clone(&machine);
        let other = thread::spawn(move || {
            shared.news.store(true, Relaxed); // only the state makes it visible
            if wake(&shared.state) {
                shared.push();
            }
        });
        loop {
            machine.take();
            start(&machine.state);
            let news = machine.news.load(Relaxed);
            story!("the poll sees news: {news}");
            if news {
                break;
            }
            if pause(&machine.state) {
                machine.push();
            }
        }
        other.join().expect("it has panicked already");
    });
}
