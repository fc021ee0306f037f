//! A number that is delivered later, and a leaf future that waits for it.

use crate::{CountingWaker, cases, story, waker_that};
use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// A number that is delivered once. Clones are handles to the same delivery.
pub trait Delivery: Clone + 'static {
    /// The leaf: ready with the number once it is delivered. When it is dropped, no waker
    /// is left behind, and a number that it has not taken stays.
    type Wait: Future<Output = u32> + Unpin + 'static;
    /// Makes a delivery without a number.
    fn new() -> Self;
    /// Returns a future that waits for the number. At most one waits at a time.
    fn wait(&self) -> Self::Wait;
    /// Stores the number, and wakes the task that waits for it.
    fn deliver(&self, number: u32);
}

cases! {
    Delivery:
    a_number_that_is_there_is_taken_at_once,
    a_task_that_waits_is_woken_and_finds_the_number,
    a_poll_that_comes_too_early_waits_on,
    the_task_that_polled_last_is_woken,
    a_waker_may_poll_at_once_and_finds_the_number,
    a_leaf_that_is_dropped_leaves_no_waker,
    a_leaf_that_is_dropped_leaves_the_number,
    a_number_is_taken_once,
}

fn poll<F: Future<Output = u32> + Unpin>(
    task: &str,
    leaf: &mut F,
    waker: &Waker,
) -> Poll<u32> {
    let poll = Pin::new(leaf).poll(&mut Context::from_waker(waker));
    story!("{task} polls: {poll:?}");
    poll
}

fn deliver<D: Delivery>(delivery: &D) {
    story!("7 is delivered");
    delivery.deliver(7);
}

fn a_number_that_is_there_is_taken_at_once<D: Delivery>() {
    let (delivery, task) = (D::new(), CountingWaker::new("task 1"));
    let mut leaf = delivery.wait();
    deliver(&delivery);
    assert_eq!(poll("task 1", &mut leaf, &task.waker()), Poll::Ready(7));
}

fn a_task_that_waits_is_woken_and_finds_the_number<D: Delivery>() {
    let (delivery, task) = (D::new(), CountingWaker::new("task 1"));
    let mut leaf = delivery.wait();
    assert_eq!(poll("task 1", &mut leaf, &task.waker()), Poll::Pending);
    assert_eq!(task.wakes(), 0, "wakes of the task, although nothing was delivered");
    deliver(&delivery);
    assert_eq!(
        task.wakes(),
        1,
        "wakes of the task: `Pending` promises that its waker is kept, and called"
    );
    assert_eq!(poll("task 1", &mut leaf, &task.waker()), Poll::Ready(7));
}

fn a_poll_that_comes_too_early_waits_on<D: Delivery>() {
    let (delivery, task) = (D::new(), CountingWaker::new("task 1"));
    let mut leaf = delivery.wait();
    for _ in 0..3 {
        let poll = poll("task 1", &mut leaf, &task.waker());
        assert_eq!(
            poll,
            Poll::Pending,
            "a poll does not mean that the number is there"
        );
    }
    deliver(&delivery);
    assert_eq!(task.wakes(), 1, "one number wakes the task once");
    assert_eq!(poll("task 1", &mut leaf, &task.waker()), Poll::Ready(7));
}

fn the_task_that_polled_last_is_woken<D: Delivery>() {
    let delivery = D::new();
    let (one, two) = (CountingWaker::new("task 1"), CountingWaker::new("task 2"));
    let mut leaf = delivery.wait();
    assert!(poll("task 1", &mut leaf, &one.waker()).is_pending());
    assert!(poll("task 2", &mut leaf, &two.waker()).is_pending());
    deliver(&delivery);
    assert_eq!(two.wakes(), 1, "wakes of task 2, which polled last");
    assert_eq!(one.wakes(), 0, "wakes of task 1, which has passed the leaf on");
}

/// A waker may run any code: this one polls.
fn a_waker_may_poll_at_once_and_finds_the_number<D: Delivery>() {
    let delivery = D::new();
    let leaf = Rc::new(RefCell::new(delivery.wait()));
    let found = Rc::new(RefCell::new(None));
    let (leaf_of_waker, found_by_waker) = (Rc::clone(&leaf), Rc::clone(&found));
    let waker = waker_that(move || {
        story!("the waker polls the leaf at once");
        let poll = poll("it", &mut *leaf_of_waker.borrow_mut(), Waker::noop());
        found_by_waker.replace(Some(poll));
    });
    assert!(poll("task 1", &mut *leaf.borrow_mut(), &waker).is_pending());
    deliver(&delivery);
    assert_eq!(found.take(), Some(Poll::Ready(7)), "store the number before you wake");
}

fn a_leaf_that_is_dropped_leaves_no_waker<D: Delivery>() {
    let (delivery, task) = (D::new(), CountingWaker::new("task 1"));
    let mut leaf = delivery.wait();
    assert!(poll("task 1", &mut leaf, &task.waker()).is_pending());
    story!("the leaf is dropped");
    drop(leaf);
    assert_eq!(task.held(), 0, "wakers that are still held after the leaf is gone");
    deliver(&delivery);
    assert_eq!(task.wakes(), 0, "wakes of the task, which no longer waits");
}

fn a_leaf_that_is_dropped_leaves_the_number<D: Delivery>() {
    let (delivery, task) = (D::new(), CountingWaker::new("task 1"));
    let mut leaf = delivery.wait();
    assert!(poll("task 1", &mut leaf, &task.waker()).is_pending());
    deliver(&delivery);
    story!("the leaf is dropped, and has not taken the number");
    drop(leaf);
    let poll = poll("task 2", &mut delivery.wait(), &task.waker());
    assert_eq!(poll, Poll::Ready(7), "the number is still there for the next leaf");
}

fn a_number_is_taken_once<D: Delivery>() {
    let delivery = D::new();
    deliver(&delivery);
    let first = poll("task 1", &mut delivery.wait(), Waker::noop());
    assert_eq!(first, Poll::Ready(7));
    let second = poll("task 2", &mut delivery.wait(), Waker::noop());
    assert_eq!(second, Poll::Pending, "one number was delivered, and task 1 has it");
}
