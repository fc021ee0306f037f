//! A set of tasks: the one that ends first is the next, however it ends.

use checks::join_set::{Boxed, End, JoinSet};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker, ready};

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

// ANCHOR: solution
impl Mine {
    /// Reports the end of a task.
    fn report(&self, end: End) {
        let mut state = self.0.borrow_mut();
        state.running -= 1;
        state.ended.push_back(end);
        let waiter = state.waiter.take();
        drop(state); // a waker may run any code
        waiter.into_iter().for_each(Waker::wake);
    }
}

impl<F: Future<Output = u32>> Future for Task<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let future = self.future.as_mut().expect("it has not ended");
        let output = ready!(future.as_mut().poll(cx));
        self.future = None;
        self.set.report(Some(output));
        Poll::Ready(())
    }
}

impl<F> Drop for Task<F> {
    fn drop(&mut self) {
        if let Some(future) = self.future.take() {
            drop(future);
            self.set.report(None);
        }
    }
}

impl Future for Next {
    type Output = Option<End>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<End>> {
        let mut state = self.0.0.borrow_mut();
        if let Some(end) = state.ended.pop_front() {
            return Poll::Ready(Some(end));
        }
        if state.running == 0 {
            return Poll::Ready(None);
        }
        state.waiter = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for Next {
    fn drop(&mut self) {
        self.0.0.borrow_mut().waiter = None;
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::join_set::check::<Mine>()
}
