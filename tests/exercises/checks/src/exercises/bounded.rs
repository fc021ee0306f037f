//! A queue with a fixed number of places: a put waits until one is free.

use crate::{CountingWaker, cases, story, waker_that, waker_that_ends_with};
use std::cell::Cell;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// The item of a put. The put takes it out when it has a place for it, and not before.
pub type Hand = Rc<Cell<Option<u32>>>;

/// A queue with a limit. Clones are handles to the same queue.
pub trait Bounded: Clone + 'static {
    /// A wait for a place: ready when the item of its hand is in the queue. If it is
    /// dropped before that, the item stays in the hand, and no place is lost.
    type Put: Future<Output = ()> + Unpin + 'static;
    /// Returns an empty queue with this number of places.
    fn new(bound: usize) -> Self;
    /// Waits for a place, and puts the item there. First come, first served.
    fn put(&self, hand: &Hand) -> Self::Put;
    /// Takes the item that is first in the queue, and offers its place to the put that
    /// has waited longest.
    fn take(&self) -> Option<u32>;
}

cases! {
    Bounded:
    a_put_does_not_wait_while_there_is_room,
    a_put_into_a_full_queue_waits,
    a_place_that_becomes_free_wakes_the_put_that_has_waited_longest,
    each_place_that_becomes_free_wakes_one_put,
    the_task_that_polled_last_is_woken,
    a_new_put_does_not_take_the_place_of_one_that_was_woken,
    a_put_that_is_dropped_leaves_its_item_in_the_hand,
    a_put_that_is_dropped_leaves_no_waker,
    a_put_that_was_woken_and_is_dropped_passes_its_place_on,
    a_put_that_was_the_only_one_and_is_dropped_leaves_its_place_free,
    the_place_is_there_when_the_waker_is_called,
    a_waker_that_goes_may_use_the_queue,
}

fn hand(item: u32) -> Hand {
    Rc::new(Cell::new(Some(item)))
}

fn poll<F: Future<Output = ()> + Unpin>(put: &mut F, waker: &Waker) -> Poll<()> {
    let poll = Pin::new(put).poll(&mut Context::from_waker(waker));
    story!("a put is polled: {poll:?}");
    poll
}

fn take<B: Bounded>(queue: &B) -> Option<u32> {
    let item = queue.take();
    story!("{item:?} is taken");
    item
}

/// Puts an item, for which there is room.
fn fill<B: Bounded>(queue: &B, item: u32) {
    let hand = hand(item);
    story!("{item} is put");
    let poll = poll(&mut queue.put(&hand), Waker::noop());
    assert!(poll.is_ready(), "there is room for {item}");
    assert_eq!(hand.get(), None, "the item is in the queue");
}

/// A put that has been polled and waits, with its task and its hand.
fn waits<B: Bounded>(queue: &B, item: u32) -> (B::Put, Arc<CountingWaker>, Hand) {
    let (hand, task) = (hand(item), CountingWaker::new("the task"));
    let mut put = queue.put(&hand);
    story!("{item} is to be put");
    assert!(poll(&mut put, &task.waker()).is_pending(), "no place is free for {item}");
    assert_eq!(hand.get(), Some(item), "a put that waits leaves its item in the hand");
    (put, task, hand)
}

fn a_put_does_not_wait_while_there_is_room<B: Bounded>() {
    let queue = B::new(2);
    for round in 0..3 {
        fill(&queue, round);
        fill(&queue, round + 10);
        assert_eq!(take(&queue), Some(round), "the first item comes first");
        assert_eq!(take(&queue), Some(round + 10), "the first item comes first");
    }
    assert_eq!(take(&queue), None, "all items were taken");
}

fn a_put_into_a_full_queue_waits<B: Bounded>() {
    let queue = B::new(1);
    assert_eq!(take(&queue), None, "the queue is empty");
    fill(&queue, 1);
    let (mut put, task, hand) = waits(&queue, 2);
    for _ in 0..3 {
        assert!(poll(&mut put, &task.waker()).is_pending(), "no place is free");
    }
    assert_eq!(task.wakes(), 0, "wakes of the task, although no place is free");
    assert_eq!(hand.get(), Some(2), "a put that waits leaves its item in the hand");
    assert_eq!(take(&queue), Some(1), "the only item");
    assert_eq!(task.wakes(), 1, "wakes of the task, once one place is free");
    assert!(poll(&mut put, &task.waker()).is_ready(), "it was woken for a place");
    drop(put);
    assert_eq!(take(&queue), Some(2), "what was put is in the queue");
    assert_eq!(take(&queue), None, "and only once");
}

fn a_place_that_becomes_free_wakes_the_put_that_has_waited_longest<B: Bounded>() {
    let queue = B::new(1);
    fill(&queue, 1);
    let mut puts = [2, 3, 4].map(|item| waits(&queue, item));
    story!("the one that has waited longest is polled again, without a reason");
    let (first, task, _) = &mut puts[0];
    assert!(poll(first, &task.waker()).is_pending(), "no place is free");
    assert_eq!(take(&queue), Some(1), "the only item");
    assert_eq!(puts.each_ref().map(|it| it.1.wakes()), [1, 0, 0], "wakes of the tasks");
    let (second, task, _) = &mut puts[1];
    let poll_of_second = poll(second, &task.waker());
    assert!(poll_of_second.is_pending(), "the place belongs to the first one");
    for (item, (mut put, task, _)) in (2..).zip(puts) {
        assert!(poll(&mut put, &task.waker()).is_ready(), "its place is free");
        assert_eq!(take(&queue), Some(item), "what was put is in the queue");
    }
}

fn each_place_that_becomes_free_wakes_one_put<B: Bounded>() {
    let queue = B::new(2);
    fill(&queue, 1);
    fill(&queue, 2);
    let puts = [3, 4, 5].map(|item| waits(&queue, item));
    assert_eq!((take(&queue), take(&queue)), (Some(1), Some(2)), "the items");
    let wakes = puts.each_ref().map(|it| it.1.wakes());
    assert_eq!(wakes, [1, 1, 0], "wakes of the tasks, once two places are free");
    let [mut first, mut second, _third] = puts;
    assert!(poll(&mut second.0, Waker::noop()).is_ready(), "it was woken for a place");
    assert!(poll(&mut first.0, Waker::noop()).is_ready(), "it was woken for a place");
}

fn the_task_that_polled_last_is_woken<B: Bounded>() {
    let queue = B::new(1);
    fill(&queue, 1);
    let (mut put, old, _hand) = waits(&queue, 2);
    let new = CountingWaker::new("the new task");
    story!("the put is moved to another task");
    assert!(poll(&mut put, &new.waker()).is_pending(), "no place is free");
    take(&queue);
    let wakes = (old.wakes(), new.wakes());
    assert_eq!(wakes, (0, 1), "wakes of the old task and of the new");
}

fn a_new_put_does_not_take_the_place_of_one_that_was_woken<B: Bounded>() {
    let queue = B::new(1);
    fill(&queue, 1);
    let (mut put, task, _hand) = waits(&queue, 2);
    take(&queue);
    let (_put_3, task_3, _hand_3) = waits(&queue, 3);
    assert!(poll(&mut put, &task.waker()).is_ready(), "it was woken for a place");
    assert_eq!(task_3.wakes(), 0, "wakes of task 3, although the only place is taken");
    assert_eq!(take(&queue), Some(2), "the item that has waited longest");
    assert_eq!(task_3.wakes(), 1, "wakes of task 3, which is the next one now");
}

fn a_put_that_is_dropped_leaves_its_item_in_the_hand<B: Bounded>() {
    let queue = B::new(1);
    fill(&queue, 1);
    let (put, _task, hand) = waits(&queue, 2);
    story!("the put is dropped");
    drop(put);
    assert_eq!(hand.get(), Some(2), "the item is not in the queue, so it is not lost");
    assert_eq!((take(&queue), take(&queue)), (Some(1), None), "what the queue has");
}

fn a_put_that_is_dropped_leaves_no_waker<B: Bounded>() {
    let queue = B::new(1);
    fill(&queue, 1);
    let (put, task, _hand) = waits(&queue, 2);
    let (mut put_3, task_3, _hand_3) = waits(&queue, 3);
    story!("the first put is dropped");
    drop(put);
    assert_eq!(task.held(), 0, "wakers of its task that are still held");
    let (_put_4, task_4, _hand_4) = waits(&queue, 4);
    take(&queue);
    let wakes = [task.wakes(), task_3.wakes(), task_4.wakes()];
    assert_eq!(wakes, [0, 1, 0], "wakes of the tasks; the first no longer waits");
    assert!(poll(&mut put_3, &task_3.waker()).is_ready(), "it was woken for a place");
}

fn a_put_that_was_woken_and_is_dropped_passes_its_place_on<B: Bounded>() {
    let queue = B::new(1);
    fill(&queue, 1);
    let (put, _task, hand) = waits(&queue, 2);
    let (mut put_3, task_3, _hand_3) = waits(&queue, 3);
    take(&queue);
    story!("the put that was woken is dropped");
    drop(put);
    assert_eq!(hand.get(), Some(2), "it had a place, and has not used it");
    assert_eq!(
        task_3.wakes(),
        1,
        "wakes of the task that waits, once the place is free"
    );
    assert!(poll(&mut put_3, &task_3.waker()).is_ready(), "the place is its own now");
}

fn a_put_that_was_the_only_one_and_is_dropped_leaves_its_place_free<B: Bounded>() {
    let queue = B::new(1);
    for item in 0..3 {
        fill(&queue, item);
        let (put, _task, _hand) = waits(&queue, 9);
        assert_eq!(take(&queue), Some(item), "the only item");
        story!("the put that was woken is dropped");
        drop(put);
    }
    fill(&queue, 3);
}

/// A waker may run any code: this one polls.
fn the_place_is_there_when_the_waker_is_called<B: Bounded>() {
    let queue = B::new(1);
    fill(&queue, 1);
    let put = Rc::new(std::cell::RefCell::new(queue.put(&hand(2))));
    let (found, put_of_waker) = (Rc::new(Cell::new(None)), Rc::clone(&put));
    let found_by_waker = Rc::clone(&found);
    let waker = waker_that(move || {
        story!("the waker polls the put at once");
        let poll = poll(&mut *put_of_waker.borrow_mut(), Waker::noop());
        found_by_waker.set(Some(poll));
    });
    assert!(poll(&mut *put.borrow_mut(), &waker).is_pending());
    take(&queue);
    assert_eq!(found.get(), Some(Poll::Ready(())), "make room, then wake");
}

/// The last waker of a task may own the task, and so run its destructors.
fn a_waker_that_goes_may_use_the_queue<B: Bounded>() {
    for is_dropped in [false, true] {
        story::begin();
        let (queue, of_waker) = (B::new(1), Rc::new(Cell::new(None)));
        fill(&queue, 1);
        let (its_queue, taken) = (queue.clone(), Rc::clone(&of_waker));
        let waker = waker_that_ends_with(move || {
            story!("the last waker of the old task goes, and takes an item");
            taken.set(its_queue.take());
        });
        let mut put = queue.put(&hand(2));
        assert!(poll(&mut put, &waker).is_pending(), "the queue is full");
        drop(waker);
        if is_dropped {
            story!("the put is dropped");
            drop(put);
        } else {
            story!("the put is moved to another task");
            let task = CountingWaker::new("the new task");
            let is_ready = poll(&mut put, &task.waker()).is_ready();
            assert!(
                is_ready || task.wakes() == 1,
                "a place is free, and the put waits"
            );
        }
        assert_eq!(of_waker.get(), Some(1), "what the waker has taken");
    }
}
