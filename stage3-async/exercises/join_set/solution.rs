//! A set of tasks: the one that ends first is the next, however it ends.

use checks::join_set::{Boxed, End, JoinSet};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::pin::Pin;
use std::rc::Rc;
// hole 2
//| use std::task::{Context, Poll, Waker};
use std::task::{Context, Poll, Waker, ready};
// end hole

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
    /// `None` once it has ended.
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
// hole 2
/// Reports the end of a task when it is dropped, even if another destructor panics.
struct Report(Mine, End);

impl Drop for Report {
    fn drop(&mut self) {
        let mut state = self.0.0.borrow_mut();
        state.running -= 1;
        state.ended.push_back(self.1);
        // hole 1
        //| todo!("wake the task that waits; what must end before that?")
        let waiter = state.waiter.take();
        drop(state); // a waker may run any code
        waiter.into_iter().for_each(Waker::wake);
        // end hole
    }
}

// end hole
impl<F: Future<Output = u32>> Future for Task<F> {
    type Output = ();

    // hole 2
    //| fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
    //|     todo!("poll the future; once it is ready, drop it and report the end")
    //| }
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let future = self.future.as_mut().expect("it has not ended");
        let output = ready!(future.as_mut().poll(cx));
        let _report = Report(self.set.clone(), Some(output));
        self.future = None;
        Poll::Ready(())
    }
    // end hole
}

impl<F> Drop for Task<F> {
    fn drop(&mut self) {
        // hole 2
        //| // Yours: a task that is dropped before its end has ended, too.
        if let Some(future) = self.future.take() {
            let _report = Report(self.set.clone(), None);
            drop(future);
        }
        // end hole
    }
}

impl Future for Next {
    type Output = Option<End>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<End>> {
        // hole 2
        //| todo!("take the oldest end; if there is none, wait, unless no task runs")
        let mut state = self.0.0.borrow_mut();
        if let Some(end) = state.ended.pop_front() {
            return Poll::Ready(Some(end));
        }
        // hole 1
        //| // Yours: is there anything to wait for?
        if state.running == 0 {
            return Poll::Ready(None);
        }
        // end hole
        let replaced = state.waiter.replace(cx.waker().clone());
        drop(state); // the destructor of a waker may run any code, too
        drop(replaced);
        Poll::Pending
        // end hole
    }
}

// hole 2
//| // Yours: `Next` may be dropped while it waits.
impl Drop for Next {
    fn drop(&mut self) {
        let waiter = self.0.0.borrow_mut().waiter.take();
        drop(waiter);
    }
}
// end hole
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::join_set::check::<Mine>()
}
