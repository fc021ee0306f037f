//! Queues of several threads, and a thread that takes half of another's.

pub use crate::orders::{Mutex, MutexGuard};

use crate::orders::{Arc, in_every_order, thread};
use crate::{cases, story};

/// A queue for each thread. `Mutex` is that of `checks::steal_half`: it works like std's,
/// and the check can stop a thread wherever it uses one.
pub trait Stealing: Send + Sync + 'static {
    /// Returns an empty queue for each of `threads` threads.
    fn new(threads: usize) -> Self;
    /// Adds a task to the queue of this thread: any thread may call it.
    fn push(&self, thread: usize, task: u32);
    /// Takes the oldest task of this thread's queue. If there is none, takes half of the
    /// tasks of another thread, and returns the first of them. `None` if all are empty.
    fn next(&self, thread: usize) -> Option<u32>;
    /// Returns the number of tasks in the queue of this thread.
    fn len(&self, thread: usize) -> usize;
}

cases! {
    Stealing:
    a_thread_takes_its_own_tasks_first,
    an_idle_thread_takes_half,
    what_was_stolen_keeps_its_order,
    a_single_task_is_stolen_too,
    every_other_thread_is_asked,
    if_all_are_empty_there_is_nothing,
    two_threads_may_steal_from_each_other,
    each_task_is_taken_once,
}

fn push(queues: &impl Stealing, thread: usize, tasks: impl IntoIterator<Item = u32>) {
    for task in tasks {
        story!("task {task} goes to thread {thread}");
        queues.push(thread, task);
    }
}

fn next(queues: &impl Stealing, thread: usize) -> Option<u32> {
    let task = queues.next(thread);
    story!("thread {thread} takes {task:?}");
    task
}

fn a_thread_takes_its_own_tasks_first<S: Stealing>() {
    in_every_order(|| {
        let queues = S::new(2);
        push(&queues, 0, [1, 2]);
        push(&queues, 1, [3]);
        let taken = [next(&queues, 0), next(&queues, 0)];
        assert_eq!(taken, [Some(1), Some(2)], "what thread 0 takes of its own queue");
        assert_eq!(
            queues.len(1),
            1,
            "tasks of thread 1: thread 0 had some, and need not steal"
        );
    });
}

fn an_idle_thread_takes_half<S: Stealing>() {
    in_every_order(|| {
        let queues = S::new(2);
        push(&queues, 0, 1..=8);
        assert!(next(&queues, 1).is_some(), "thread 0 has tasks");
        let left = [queues.len(0), queues.len(1)];
        assert_eq!(left, [4, 3], "four are stolen; one of them is returned");
    });
}

fn what_was_stolen_keeps_its_order<S: Stealing>() {
    in_every_order(|| {
        let queues = S::new(2);
        push(&queues, 0, 1..=6);
        let stolen = [(); 3].map(|()| next(&queues, 1));
        assert_eq!(stolen, [Some(1), Some(2), Some(3)], "the oldest, in their order");
        assert_eq!(next(&queues, 0), Some(4), "the rest, in its order");
    });
}

fn a_single_task_is_stolen_too<S: Stealing>() {
    in_every_order(|| {
        let queues = S::new(2);
        push(&queues, 0, [1]);
        assert_eq!(next(&queues, 1), Some(1), "half of one is rounded up");
    });
}

fn every_other_thread_is_asked<S: Stealing>() {
    in_every_order(|| {
        for (has, wants) in [(0, 2), (2, 0), (1, 2), (0, 1), (2, 1), (1, 0)] {
            let queues = S::new(3);
            push(&queues, has, [1]);
            assert_eq!(next(&queues, wants), Some(1), "thread {has} has a task");
        }
    });
}

fn if_all_are_empty_there_is_nothing<S: Stealing>() {
    in_every_order(|| {
        let queues = S::new(2);
        assert_eq!(next(&queues, 0), None);
    });
}

fn two_threads_may_steal_from_each_other<S: Stealing>() {
    in_every_order(|| {
        let queues = Arc::new(S::new(2));
        let thieves = [0, 1].map(|thread| {
            let queues = Arc::clone(&queues);
            thread::spawn(move || next(&*queues, thread))
        });
        // As the reactor does: both queues may get a task after their threads have looked.
        push(&*queues, 0, [1]);
        push(&*queues, 1, [2, 3]);
        for thief in thieves {
            thief.join().expect("it has panicked already");
        }
    });
}

fn each_task_is_taken_once<S: Stealing>() {
    in_every_order(|| {
        let queues = Arc::new(S::new(2));
        push(&*queues, 0, 1..=3);
        let stolen_from = Arc::clone(&queues);
        let thief = thread::spawn(move || next(&*stolen_from, 1));
        let mut taken = vec![next(&*queues, 0)];
        taken.push(thief.join().expect("it has panicked already"));
        taken.extend([next(&*queues, 0), next(&*queues, 0), next(&*queues, 0)]);
        let mut taken: Vec<u32> = taken.into_iter().flatten().collect();
        taken.sort_unstable();
        assert_eq!(taken, [1, 2, 3], "each task is taken, and taken once");
    });
}
