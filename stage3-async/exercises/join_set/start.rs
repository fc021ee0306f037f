//! A set of tasks: the one that ends first is the next, however it ends.

use checks::join_set::{Boxed, End, JoinSet};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// What a set shares with its tasks.
#[derive(Default)]
struct State {
    /// The tasks that have not ended.
    running: usize,
    /// The ends that `next` has not returned, oldest first.
    ended: VecDeque<End>,
    /// The waker of the `next` that waits.
    waiter: Option<Waker>,
}

#[derive(Clone, Default)]
struct Mine(Rc<RefCell<State>>);

struct Task<F> {
    set: Mine,
    /// `None`: it has ended.
    future: Option<Pin<Box<F>>>,
}

struct Next(Mine);

impl JoinSet for Mine {
    fn new() -> Mine {
        Mine::default()
    }

    fn task<F: Future<Output = u32> + 'static>(&self, future: F) -> Boxed<()> {
        self.0.borrow_mut().running += 1;
        Box::pin(Task { set: self.clone(), future: Some(Box::pin(future)) })
    }

    fn next(&self) -> Boxed<Option<End>> {
        Box::pin(Next(self.clone()))
    }
}

// ANCHOR: task
impl<F: Future<Output = u32>> Future for Task<F> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        todo!("poll the future; once it is ready, drop it and report the end")
    }
}

impl<F> Drop for Task<F> {
    fn drop(&mut self) {
        // Yours: a task that is dropped before its end has ended, too.
    }
}

impl Future for Next {
    type Output = Option<End>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<End>> {
        todo!("take the oldest end; if there is none, wait, unless no task runs")
    }
}

// Yours: `Next` may be dropped while it waits.
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::join_set::check::<Mine>()
}
