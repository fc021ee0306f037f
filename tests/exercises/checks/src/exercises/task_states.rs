//! The states of a task that any thread may wake, in every order of its threads.

pub use crate::orders::AtomicU8;

use crate::orders::{Arc, Condvar, Mutex, in_every_order, thread};
use crate::{cases, story};
use loom::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

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
    no_wake_is_lost_in_any_order,
    what_was_done_before_a_wake_is_seen,
    one_thread_polls_at_a_time,
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

/// A queue for one task, and what the task waits for.
struct Machine<S> {
    state: S,
    queued: Mutex<u32>,
    pushed: Condvar,
    is_polled: AtomicBool,
    news: AtomicU32,
}

impl<S: TaskStates> Machine<S> {
    fn new() -> Arc<Machine<S>> {
        Arc::new(Machine {
            state: new(),
            queued: Mutex::new(1),
            pushed: Condvar::new(),
            is_polled: AtomicBool::new(false),
            news: AtomicU32::new(0),
        })
    }

    fn push(&self) {
        let mut queued = self.queued.lock().expect("no thread panics under this lock");
        *queued += 1;
        let is_once = *queued == 1;
        self.pushed.notify_one();
        drop(queued);
        assert!(is_once, "the task is in the queue twice");
    }

    fn wake(&self) {
        self.news.fetch_add(1, Relaxed);
        if wake(&self.state) {
            self.push();
        }
    }

    fn take(&self) {
        let mut queued = self.queued.lock().expect("no thread panics under this lock");
        while *queued == 0 {
            queued =
                self.pushed.wait(queued).expect("no thread panics under this lock");
        }
        *queued -= 1;
    }

    /// Returns whether there was enough news.
    fn poll(&self, enough: u32) -> bool {
        start(&self.state);
        let is_second = self.is_polled.swap(true, Relaxed);
        assert!(!is_second, "two threads poll the task at the same time");
        let news = self.news.load(Relaxed);
        story!("the poll sees {news} of {enough} news");
        self.is_polled.store(false, Relaxed);
        if news < enough && pause(&self.state) {
            self.push();
        }
        news >= enough
    }

    fn run_until(&self, enough: u32) {
        self.take();
        while !self.poll(enough) {
            self.take();
        }
    }
}

fn wake_from_another_thread<S: TaskStates>(
    machine: &Arc<Machine<S>>,
) -> thread::JoinHandle<()> {
    let machine = Arc::clone(machine);
    thread::spawn(move || machine.wake())
}

fn no_wake_is_lost_in_any_order<S: TaskStates>() {
    in_every_order(|| {
        let machine = Machine::<S>::new();
        // The first poll finds nothing; a wake may come at any moment of the second.
        start(&machine.state);
        machine.take();
        if pause(&machine.state) {
            machine.push();
        }
        let others = [(); 2].map(|()| wake_from_another_thread(&machine));
        machine.run_until(2);
        others.into_iter().for_each(|it| it.join().expect("it has panicked already"));
    });
}

fn what_was_done_before_a_wake_is_seen<S: TaskStates>() {
    in_every_order(|| {
        let machine = Machine::<S>::new();
        let other = wake_from_another_thread(&machine);
        machine.run_until(1);
        other.join().expect("it has panicked already");
    });
}

fn one_thread_polls_at_a_time<S: TaskStates>() {
    in_every_order(|| {
        let machine = Machine::<S>::new();
        start(&machine.state);
        machine.take();
        let other = wake_from_another_thread(&machine);
        if pause(&machine.state) {
            machine.push();
        }
        let theirs = Arc::clone(&machine);
        let poller = thread::spawn(move || {
            theirs.take();
            theirs.poll(u32::MAX);
        });
        machine.wake();
        poller.join().expect("it has panicked already");
        other.join().expect("it has panicked already");
    });
}
