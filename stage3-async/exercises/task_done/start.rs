//! The end of a crawl is a count: `join` waits until as many items are done as were put.
//!
//! The types of `checks` are in `tests/exercises/checks/src/exercises/task_done.rs`.

use checks::task_done::{Boxed, Queue};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

#[derive(Default)]
struct State {
    items: VecDeque<u32>,
    /// Items that were put, and are not done.
    unfinished: usize,
    /// How often all items were done. So a `join` knows that its round is over, even if
    /// another item was put before the `join` was polled again.
    rounds: u64,
    /// The wakers of the tasks that wait in `join`.
    joiners: Vec<Waker>,
}

#[derive(Default)]
struct Mine(RefCell<State>);

// ANCHOR: task
impl Queue for Mine {
    fn new() -> Rc<Mine> {
        Rc::default()
    }

    fn put(&self, item: u32) {
        self.0.borrow_mut().items.push_back(item); // and count it
    }

    fn get(&self) -> Option<u32> {
        self.0.borrow_mut().items.pop_front()
    }

    fn task_done(&self) {
        todo!("one item fewer is unfinished; at zero wake the tasks in join")
    }

    fn join(self: &Rc<Mine>) -> Boxed {
        let queue = Rc::clone(self);
        Box::pin(async move {
            let _ = (&queue, poll_fn(|_| Poll::Ready(())));
            todo!("ready if the round is over; otherwise keep each task's waker once")
        })
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::task_done::check::<Mine>()
}
