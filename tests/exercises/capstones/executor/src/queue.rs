//! Items for workers: get, put, task_done, join. Chapter 22.

use std::marker::PhantomData;
use std::rc::Rc;

/// A queue whose join waits until every item has been dealt with.
pub struct Queue<T> {
    // Items, how many of them are not done, and those that wait: for items, for the end.
    items: PhantomData<T>,
}

/// Calls `task_done` when it is dropped.
pub struct TaskDoneGuard<T>(Rc<Queue<T>>);

impl<T> Queue<T> {
    /// Creates an empty queue.
    #[allow(clippy::new_without_default, reason = "as you like")]
    pub fn new() -> Queue<T> {
        todo!("no items, nothing unfinished")
    }

    /// Adds an item, and wakes the `get` that has waited longest.
    pub fn put(&self, item: T) {
        todo!("one more is unfinished; wake with nothing borrowed")
    }

    /// Takes the next item as soon as there is one.
    pub async fn get(&self) -> T {
        todo!("what happens to an item whose `get` was woken, and is dropped?")
    }

    /// Notes that an item has been dealt with.
    ///
    /// # Panics
    /// More items are done than were put.
    pub fn task_done(&self) {
        todo!("one less is unfinished; at zero wake those that join")
    }

    /// Returns a guard that calls `task_done` on every way out.
    pub fn done_on_drop(self: &Rc<Self>) -> TaskDoneGuard<T> {
        todo!("a guard with a handle of this queue, and `impl Drop` for it")
    }

    /// Waits until no item is unfinished.
    pub async fn join(&self) {
        todo!("it ends with the round in which it began")
    }
}
