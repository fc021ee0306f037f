//! A table of futures, and the tasks that wait for each of them.

use crate::{cases, story};

/// The number of a future: an event that has not happened yet.
pub type Future = usize;

/// The number of a task.
pub type TaskId = u32;

/// The futures that are pending, the tasks that wait for them, and the tasks to resume.
pub trait Futures: 'static {
    /// Returns a table without futures and without tasks.
    fn new() -> Self;
    /// Makes a future, which is pending.
    fn new_future(&mut self) -> Future;
    /// Registers the task to be queued when the future is resolved.
    fn wait(&mut self, future: Future, task: TaskId);
    /// Marks the event as having happened: queues the tasks that wait for it. Resolving a
    /// future again does nothing.
    fn resolve(&mut self, future: Future);
    /// Removes a waiting task from the future that it waits for, because an error will be
    /// thrown into it.
    fn give_up(&mut self, task: TaskId);
    /// Returns the task to resume next.
    fn next_ready(&mut self) -> Option<TaskId>;
}

cases! {
    Futures:
    a_task_is_queued_when_its_future_is_resolved,
    two_tasks_that_wait_for_one_future_in_their_order,
    each_future_has_its_own_tasks,
    a_future_that_is_resolved_twice,
    a_future_that_was_resolved_before,
    a_task_that_has_given_up_is_not_queued,
    a_future_that_all_its_tasks_have_left,
    two_futures_that_are_resolved_together,
}

fn ready<F: Futures>(futures: &mut F) -> Vec<TaskId> {
    let mut all = Vec::new();
    while let Some(task) = futures.next_ready() {
        all.push(task);
        assert!(all.len() < 100, "the ready queue has no end: {all:?}");
    }
    story!("ready: {all:?}");
    all
}

fn wait<F: Futures>(futures: &mut F, future: Future, task: TaskId) {
    story!("task {task} waits for future {future}");
    futures.wait(future, task);
}

fn resolve<F: Futures>(futures: &mut F, future: Future) {
    story!("future {future} is resolved");
    futures.resolve(future);
}

fn a_task_is_queued_when_its_future_is_resolved<F: Futures>() {
    let mut futures = F::new();
    let future = futures.new_future();
    wait(&mut futures, future, 1);
    assert_eq!(ready(&mut futures), [0; 0], "nothing has happened yet");
    resolve(&mut futures, future);
    assert_eq!(ready(&mut futures), [1], "task 1 waits for this future");
}

fn two_tasks_that_wait_for_one_future_in_their_order<F: Futures>() {
    let mut futures = F::new();
    let future = futures.new_future();
    wait(&mut futures, future, 2);
    wait(&mut futures, future, 1);
    resolve(&mut futures, future);
    assert_eq!(
        ready(&mut futures),
        [2, 1],
        "the first task that waits is the first in the queue"
    );
}

fn each_future_has_its_own_tasks<F: Futures>() {
    let mut futures = F::new();
    let (one, two) = (futures.new_future(), futures.new_future());
    wait(&mut futures, one, 1);
    wait(&mut futures, two, 2);
    resolve(&mut futures, two);
    assert_eq!(ready(&mut futures), [2], "only future {two} is resolved");
}

fn a_future_that_is_resolved_twice<F: Futures>() {
    let mut futures = F::new();
    let future = futures.new_future();
    wait(&mut futures, future, 1);
    resolve(&mut futures, future);
    resolve(&mut futures, future);
    assert_eq!(ready(&mut futures), [1], "task 1 would be resumed where it waits next");
}

fn a_future_that_was_resolved_before<F: Futures>() {
    let mut futures = F::new();
    let (one, two) = (futures.new_future(), futures.new_future());
    resolve(&mut futures, one);
    wait(&mut futures, two, 2);
    resolve(&mut futures, two);
    wait(&mut futures, one, 1);
    assert_eq!(
        ready(&mut futures),
        [2, 1],
        "the event of future 1 will not happen again, and task 2 was ready before task 1"
    );
}

fn a_task_that_has_given_up_is_not_queued<F: Futures>() {
    let mut futures = F::new();
    let (one, two) = (futures.new_future(), futures.new_future());
    wait(&mut futures, one, 1);
    wait(&mut futures, one, 2);
    wait(&mut futures, one, 3);
    story!("task 1 gives up");
    futures.give_up(1);
    wait(&mut futures, two, 1);
    resolve(&mut futures, one);
    assert_eq!(
        ready(&mut futures),
        [2, 3],
        "task 1 waits for something else by now, and the others keep their order"
    );
    resolve(&mut futures, two);
    assert_eq!(ready(&mut futures), [1], "task 1 waits for future 2");
}

fn a_future_that_all_its_tasks_have_left<F: Futures>() {
    let mut futures = F::new();
    let future = futures.new_future();
    wait(&mut futures, future, 1);
    story!("task 1 gives up");
    futures.give_up(1);
    wait(&mut futures, future, 2);
    assert_eq!(ready(&mut futures), [0; 0], "the future is not resolved");
    resolve(&mut futures, future);
    assert_eq!(ready(&mut futures), [2], "task 2 waits for this future");
}

fn two_futures_that_are_resolved_together<F: Futures>() {
    let mut futures = F::new();
    let (one, two) = (futures.new_future(), futures.new_future());
    wait(&mut futures, one, 1);
    wait(&mut futures, two, 2);
    resolve(&mut futures, two);
    resolve(&mut futures, one);
    assert_eq!(ready(&mut futures), [2, 1], "no task was resumed in between");
}
