//! Dropping the future that waits for a thread does not stop the thread.

use std::future::{Future, poll_fn};
use std::sync::mpsc::channel;
use std::task::{Context, Poll, Waker};
use std::thread;

fn main() {
    let (result, arrived) = channel();
    let (go_on, may_go_on) = channel::<()>();
    let computation = thread::spawn(move || {
        may_go_on.recv().ok(); // in the middle of it, the task is cancelled
        println!("the computation has ended");
        println!("its result goes nowhere: {}", result.send(7).is_err());
    });
    let mut task = Box::pin(poll_fn(move |_| match arrived.try_recv() {
        Ok(result) => Poll::Ready(result),
        Err(_) => Poll::Pending,
    }));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(task.as_mut().poll(&mut cx).is_pending());
    drop(task);
    println!("the task is cancelled");
    go_on.send(()).ok();
    computation.join().expect("it does not panic");
}
