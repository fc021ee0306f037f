//! From `resume` to `poll`: three things go, one arrow turns round, and one promise is
//! added.
//!
//! `cargo run -p stage2-generators --example ch16_three_go`

use shared::{FetchError, Stop, Trace};
use stage2_generators::{Coroutine, Future, Loop, Result, Resume, Step};
use std::cell::RefCell;
use std::io;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

// ANCHOR: resume
/// One leaf, three times: it waits for a number that other code delivers.
/// (a) In stage 2 it hands *up* the future that it waits for.
struct Resumed {
    number: Rc<RefCell<Option<u32>>>,
    delivered: Future,
}

impl Coroutine for Resumed {
    type Return = Result<u32>;

    fn resume(&mut self, _: &mut Loop, resume: Resume) -> Step<Result<u32>> {
        if let Resume::Throw(error) = resume {
            return Step::Return(Err(error));
        }
        if let Some(number) = self.number.take() {
            return Step::Return(Ok(number));
        }
        let future = self.delivered;
        println!("(a) the leaf hands up what it waits for: {future:?}");
        Step::Yield(future)
    }
}
// ANCHOR_END: resume

// ANCHOR: drive_resume
/// Does what a task and its executor do: the task parks on the future that it gets.
fn resumed() -> io::Result<()> {
    let mut event_loop = Loop::new(&Stop::new(), Trace::off())?;
    let (number, delivered) = (Rc::default(), event_loop.new_future());
    let mut leaf = Resumed { number: Rc::clone(&number), delivered };
    let step = leaf.resume(&mut event_loop, Resume::Send);
    assert_eq!(step, Step::Yield(delivered)); // here a task would park on the future
    *number.borrow_mut() = Some(7);
    event_loop.resolve(delivered);
    println!("    {delivered:?} is resolved: a task that is parked on it is woken");
    println!("    the leaf: {:?}", leaf.resume(&mut event_loop, Resume::Send));
    let mut unwanted = Resumed { number, delivered: event_loop.new_future() };
    assert!(matches!(unwanted.resume(&mut event_loop, Resume::Send), Step::Yield(_)));
    let throw = Resume::Throw(FetchError::Interrupted);
    println!(
        "    an error is thrown in: {:?}",
        unwanted.resume(&mut event_loop, throw)
    );
    Ok(())
}
// ANCHOR_END: drive_resume

// ANCHOR: pollable
/// (b) In between: nothing is sent in, nothing is thrown in, and no future comes out.
/// The task hands *down* a waker.
trait Pollable {
    type Output;

    fn poll(&mut self, waker: &Waker) -> Poll<Self::Output>;
}
// ANCHOR_END: pollable

// ANCHOR: poll
/// What the leaf shares with the code that delivers.
#[derive(Default)]
struct Slot {
    number: Option<u32>,
    /// Wakes the task that waits for the number.
    waiter: Option<Waker>,
}

struct Polled(Rc<RefCell<Slot>>);

impl Pollable for Polled {
    type Output = u32;

    fn poll(&mut self, waker: &Waker) -> Poll<u32> {
        let mut slot = self.0.borrow_mut();
        if let Some(number) = slot.number.take() {
            return Poll::Ready(number);
        }
        println!("(b) the leaf is handed a waker, and keeps it");
        slot.waiter = Some(waker.clone()); // replaces the one from the last poll
        Poll::Pending
    }
}
// ANCHOR_END: poll

// ANCHOR: drop
impl Drop for Polled {
    /// Nothing can be thrown in. A task that no longer wants the number drops the leaf.
    fn drop(&mut self) {
        if self.0.borrow_mut().waiter.take().is_some() {
            println!("    the leaf is dropped, and takes its waker back out");
        }
    }
}
// ANCHOR_END: drop

// A waker may run any code, even code that borrows the slot, so it is called when the
// slot is no longer borrowed.
// ANCHOR: deliver
/// Brings the number. All that it has of the task is the waker.
fn deliver(slot: &RefCell<Slot>, number: u32) {
    slot.borrow_mut().number = Some(number);
    let waiter = slot.borrow_mut().waiter.take();
    if let Some(waiter) = waiter {
        waiter.wake(); // nothing is borrowed now: a waker may run any code
    }
}

/// Plays a task, which an executor would queue.
struct Task;

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        println!("    the waker wakes its task");
    }
}
// ANCHOR_END: deliver

// ANCHOR: drive_poll
/// Does what a task and its executor do: the task parks, and need not know on what.
fn polled() {
    let (slot, waker) = (Rc::default(), Waker::from(Arc::new(Task)));
    let mut leaf = Polled(Rc::clone(&slot));
    assert!(leaf.poll(&waker).is_pending());
    deliver(&slot, 7);
    println!("    the leaf: {:?}", leaf.poll(&waker));
    let mut unwanted = Polled(slot);
    assert!(unwanted.poll(&waker).is_pending());
    drop(unwanted); // in place of a throw
}
// ANCHOR_END: drive_poll

// ANCHOR: future
/// (c) std's trait: the one above, and a promise. `Pin` promises that the leaf does not
/// move any more. This leaf could move, but what the compiler makes of an `async fn`
/// may point into itself.
struct StdFuture(Rc<RefCell<Slot>>);

impl std::future::Future for StdFuture {
    type Output = u32;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        let mut slot = self.0.borrow_mut();
        if let Some(number) = slot.number.take() {
            return Poll::Ready(number);
        }
        println!("(c) the leaf is handed a waker, and keeps it");
        slot.waiter = Some(cx.waker().clone());
        Poll::Pending
    }
}
// ANCHOR_END: future

// ANCHOR: drive_future
fn std_future() {
    let (slot, waker) = (Rc::default(), Waker::from(Arc::new(Task)));
    let mut context = Context::from_waker(&waker); // it holds nothing else
    let mut leaf = pin!(StdFuture(Rc::clone(&slot))); // from here on it does not move
    assert!(leaf.as_mut().poll(&mut context).is_pending());
    deliver(&slot, 7);
    println!("    the leaf: {:?}", leaf.as_mut().poll(&mut context));
}
// ANCHOR_END: drive_future

// ANCHOR: main
fn main() -> io::Result<()> {
    resumed()?;
    polled();
    std_future();
    Ok(())
}
// ANCHOR_END: main
