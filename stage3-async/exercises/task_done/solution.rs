//! The end of a crawl is a count: `join` waits until as many items are done as were put.

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
    /// How many times all items were done. It shows a `join` that its round is over, even
    /// if another item was put before the `join` was polled again.
    rounds: u64,
    /// The wakers of the tasks that wait in `join`.
    joiners: Vec<Waker>,
}

#[derive(Default)]
struct Mine(RefCell<State>);

// ANCHOR: solution
impl Queue for Mine {
    fn new() -> Rc<Mine> {
        Rc::default()
    }

    fn put(&self, item: u32) {
        // hole 2
        //| self.0.borrow_mut().items.push_back(item); // and count it
        let mut state = self.0.borrow_mut();
        state.unfinished += 1;
        state.items.push_back(item);
        // end hole
    }

    fn get(&self) -> Option<u32> {
        self.0.borrow_mut().items.pop_front()
    }

    fn task_done(&self) {
        // hole 2
        //| todo!("one item fewer is unfinished; at zero wake the tasks in join")
        let mut state = self.0.borrow_mut();
        let left = state.unfinished.checked_sub(1);
        state.unfinished = left.expect("an item is done once");
        if state.unfinished == 0 {
            state.rounds += 1;
            // hole 1
            //| todo!("wake all tasks in join; what must end before?")
            let joiners = std::mem::take(&mut state.joiners);
            drop(state); // collected under the borrow, woken after it
            joiners.into_iter().for_each(Waker::wake);
            // end hole
        }
        // end hole
    }

    fn join(self: &Rc<Mine>) -> Boxed {
        let queue = Rc::clone(self);
        Box::pin(async move {
            // hole 2
            //| let _ = (&queue, poll_fn(|_| Poll::Ready(())));
            //| todo!("ready if the round is over; otherwise keep each task's waker once")
            let began = queue.0.borrow().rounds; // at the first poll
            poll_fn(|cx| {
                let mut state = queue.0.borrow_mut();
                if state.unfinished == 0 || state.rounds > began {
                    return Poll::Ready(());
                }
                // hole 1
                //| todo!("keep each task's waker once")
                if !state.joiners.iter().any(|it| it.will_wake(cx.waker())) {
                    state.joiners.push(cx.waker().clone());
                }
                Poll::Pending
                // end hole
            })
            .await
            // end hole
        })
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::task_done::check::<Mine>()
}
