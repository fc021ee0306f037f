//! `a.await + b.await`, written by hand.

pub use crate::toy::leaf::Leaf;
use crate::toy::leaf::{Control, leaf};
use crate::{CountingWaker, cases, story};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// Does by hand what `async { a.await + b.await }` does.
pub trait Sum: 'static {
    /// The enum that the compiler would write.
    type Sum: Future<Output = u32> + Unpin + 'static;
    /// Returns a future that awaits `a`, then `b`, and returns their sum.
    fn sum(a: Leaf, b: Leaf) -> Self::Sum;
}

cases! {
    Sum:
    b_is_not_polled_before_a_is_ready,
    when_a_is_ready_b_is_polled_in_the_same_poll,
    the_number_of_a_is_kept_while_b_is_awaited,
    a_is_dropped_before_b_is_awaited,
    the_children_get_the_waker_of_this_poll,
    b_is_dropped_when_the_sum_is_there,
    a_number_may_be_0,
}

/// A sum of two leaves, and a task that polls it.
struct World<S: Sum> {
    sum: S::Sum,
    a: Control,
    b: Control,
    task: Arc<CountingWaker>,
}

fn world<S: Sum>() -> World<S> {
    let ((leaf_a, a), (leaf_b, b)) = (leaf("a"), leaf("b"));
    World { sum: S::sum(leaf_a, leaf_b), a, b, task: CountingWaker::new("the task") }
}

impl<S: Sum> World<S> {
    fn poll(&mut self) -> Poll<u32> {
        let waker = self.task.waker();
        self.poll_with(&waker)
    }

    fn poll_with(&mut self, waker: &Waker) -> Poll<u32> {
        story!("the sum is polled");
        let poll = Pin::new(&mut self.sum).poll(&mut Context::from_waker(waker));
        story!("the sum: {poll:?}");
        poll
    }

    fn polls(&self) -> (usize, usize) {
        (self.a.polls(), self.b.polls())
    }
}

fn b_is_not_polled_before_a_is_ready<S: Sum>() {
    let mut world = world::<S>();
    for round in 1..=3 {
        assert!(world.poll().is_pending());
        assert_eq!(world.polls(), (round, 0), "polls of (a, b)");
    }
}

fn when_a_is_ready_b_is_polled_in_the_same_poll<S: Sum>() {
    let mut world = world::<S>();
    assert!(world.poll().is_pending());
    world.a.deliver(3);
    assert!(world.poll().is_pending());
    let woken_by = match world.task.wakes() {
        1 => "the sum is pending, and no child has its waker",
        _ => "the sum wakes its task itself, for a poll that it does not need",
    };
    assert_eq!(world.b.polls(), 1, "polls of b: {woken_by}");
}

fn a_is_dropped_before_b_is_awaited<S: Sum>() {
    let mut world = world::<S>();
    world.a.deliver(3);
    assert!(world.poll().is_pending());
    assert!(world.a.is_dropped(), "b is awaited, and a is still in the frame");
}

fn the_number_of_a_is_kept_while_b_is_awaited<S: Sum>() {
    let mut world = world::<S>();
    world.a.deliver(3);
    assert!(world.poll().is_pending());
    assert!(world.poll().is_pending(), "b is not ready");
    world.b.deliver(4);
    assert_eq!(world.poll(), Poll::Ready(7), "a was 3 and b is 4");
}

fn the_children_get_the_waker_of_this_poll<S: Sum>() {
    let mut world = world::<S>();
    let last = CountingWaker::new("the task that polled last");
    assert!(world.poll().is_pending());
    assert!(world.poll_with(&last.waker()).is_pending());
    world.a.deliver(3);
    assert_eq!(last.wakes(), 1, "wakes of the task that polled last: a is ready");
    assert!(world.poll().is_pending());
    assert!(world.poll_with(&last.waker()).is_pending());
    world.b.deliver(4);
    assert_eq!(last.wakes(), 2, "wakes of the task that polled last: b is ready");
}

fn b_is_dropped_when_the_sum_is_there<S: Sum>() {
    let mut world = world::<S>();
    world.a.deliver(3);
    world.b.deliver(4);
    assert_eq!(world.poll(), Poll::Ready(7), "both are ready, so one poll is enough");
    let dropped = (world.a.is_dropped(), world.b.is_dropped());
    assert_eq!(dropped, (true, true), "whether (a, b) are dropped: the frame is empty");
}

fn a_number_may_be_0<S: Sum>() {
    let mut world = world::<S>();
    world.a.deliver(0);
    assert!(world.poll().is_pending(), "b is not ready");
    world.b.deliver(4);
    assert_eq!(world.poll(), Poll::Ready(4), "a was 0 and b is 4");
}
