//! A queue: `put` never waits, `get` waits for an item. No item is lost.

use crate::{CountingWaker, cases, story, waker_that, waker_that_ends_with};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// A future in a box.
pub type Boxed = Pin<Box<dyn Future<Output = u32>>>;

/// Items for workers.
pub trait Queue: 'static {
    /// Makes an empty queue.
    fn new() -> Rc<Self>;
    /// Adds an item, or hands it to the `get` that has waited longest.
    fn put(&self, item: u32);
    /// Waits for an item, and takes it. A `get` that was woken, and is dropped before it
    /// has taken its item, passes the item on. A waker may run any code when it is called,
    /// and when it is dropped.
    fn get(self: &Rc<Self>) -> Boxed;
}

cases! {
    Queue:
    items_come_out_in_their_order,
    a_get_that_waits_is_woken_by_the_next_item,
    one_item_wakes_the_get_that_has_waited_longest,
    a_get_that_is_polled_again_keeps_its_place,
    a_late_get_takes_nothing_from_one_that_was_woken,
    a_get_that_is_dropped_passes_its_item_on,
    an_item_that_is_passed_on_is_the_next,
    a_get_that_is_dropped_while_it_waits_is_handed_nothing,
    a_waker_may_use_the_queue,
    the_destructor_of_a_waker_may_use_the_queue,
}

fn poll(worker: &str, get: &mut Boxed, waker: &Waker) -> Poll<u32> {
    let poll = get.as_mut().poll(&mut Context::from_waker(waker));
    story!("{worker} polls its get: {poll:?}");
    poll
}

fn put<Q: Queue>(queue: &Rc<Q>, item: u32) {
    story!("{item} is put");
    queue.put(item);
}

/// Two workers, and a `get` of each that waits.
fn two_that_wait<Q: Queue>(
    queue: &Rc<Q>,
) -> [(Boxed, std::sync::Arc<CountingWaker>); 2] {
    ["worker 1", "worker 2"].map(|name| {
        let (mut get, worker) = (queue.get(), CountingWaker::new(name));
        assert!(poll(name, &mut get, &worker.waker()).is_pending());
        (get, worker)
    })
}

fn items_come_out_in_their_order<Q: Queue>() {
    let queue = Q::new();
    (1..=3).for_each(|item| put(&queue, item));
    for item in 1..=3 {
        assert_eq!(
            poll("a worker", &mut queue.get(), Waker::noop()),
            Poll::Ready(item)
        );
    }
}

fn a_get_that_waits_is_woken_by_the_next_item<Q: Queue>() {
    let queue = Q::new();
    let (mut get, worker) = (queue.get(), CountingWaker::new("worker 1"));
    assert!(poll("worker 1", &mut get, &worker.waker()).is_pending());
    put(&queue, 7);
    assert_eq!(
        worker.wakes(),
        1,
        "wakes of the worker that waits, once an item is there"
    );
    assert_eq!(poll("worker 1", &mut get, &worker.waker()), Poll::Ready(7));
}

fn one_item_wakes_the_get_that_has_waited_longest<Q: Queue>() {
    let queue = Q::new();
    let [(_first, one), (_second, two)] = two_that_wait(&queue);
    put(&queue, 7);
    assert_eq!((one.wakes(), two.wakes()), (1, 0), "wakes of (worker 1, worker 2)");
    put(&queue, 8);
    assert_eq!((one.wakes(), two.wakes()), (1, 1), "wakes of (worker 1, worker 2)");
}

fn a_get_that_is_polled_again_keeps_its_place<Q: Queue>() {
    let queue = Q::new();
    let [(mut first, one), (_second, two)] = two_that_wait(&queue);
    let again = CountingWaker::new("worker 1, with its new waker,");
    let poll_again = poll("worker 1", &mut first, &again.waker());
    assert!(poll_again.is_pending(), "a poll does not mean that an item is there");
    put(&queue, 7);
    assert_eq!(
        (one.wakes(), again.wakes(), two.wakes()),
        (0, 1, 0),
        "wakes of (worker 1's old waker, its new one, worker 2)"
    );
    assert_eq!(
        poll("worker 1", &mut first, &again.waker()),
        Poll::Ready(7),
        "worker 1 was woken for 7"
    );
}

fn a_late_get_takes_nothing_from_one_that_was_woken<Q: Queue>() {
    let queue = Q::new();
    let (mut get, worker) = (queue.get(), CountingWaker::new("worker 1"));
    assert!(poll("worker 1", &mut get, &worker.waker()).is_pending());
    put(&queue, 7);
    let late = poll("worker 2", &mut queue.get(), Waker::noop());
    assert!(late.is_pending(), "7 is for worker 1, which was woken for it");
    assert_eq!(poll("worker 1", &mut get, &worker.waker()), Poll::Ready(7));
}

fn a_get_that_is_dropped_passes_its_item_on<Q: Queue>() {
    let queue = Q::new();
    let [(first, _), (mut second, two)] = two_that_wait(&queue);
    put(&queue, 7);
    story!("worker 1 is cancelled before it is polled");
    drop(first);
    assert_eq!(
        two.wakes(),
        1,
        "wakes of worker 2, once worker 1 is gone and its item is there for the next"
    );
    assert_eq!(poll("worker 2", &mut second, &two.waker()), Poll::Ready(7));
}

fn an_item_that_is_passed_on_is_the_next<Q: Queue>() {
    let queue = Q::new();
    let (mut get, worker) = (queue.get(), CountingWaker::new("worker 1"));
    assert!(poll("worker 1", &mut get, &worker.waker()).is_pending());
    put(&queue, 7);
    put(&queue, 8);
    story!("worker 1 is cancelled before it is polled");
    drop(get);
    for item in [7, 8] {
        assert_eq!(
            poll("worker 2", &mut queue.get(), Waker::noop()),
            Poll::Ready(item),
            "no other get waits: 7 stays in the queue, and comes before 8"
        );
    }
}

fn a_get_that_is_dropped_while_it_waits_is_handed_nothing<Q: Queue>() {
    let queue = Q::new();
    let [(first, one), (mut second, two)] = two_that_wait(&queue);
    story!("worker 1 is cancelled while it waits");
    drop(first);
    assert_eq!(one.held(), 0, "wakers of worker 1 that are still held");
    put(&queue, 7);
    assert_eq!((one.wakes(), two.wakes()), (0, 1), "wakes of (worker 1, worker 2)");
    assert_eq!(poll("worker 2", &mut second, &two.waker()), Poll::Ready(7));
    let [(mut first, one), (second, two)] = two_that_wait(&queue);
    story!("worker 2 is cancelled while it waits");
    drop(second);
    put(&queue, 8);
    assert_eq!((one.wakes(), two.wakes()), (1, 0), "wakes of (worker 1, worker 2)");
    assert_eq!(poll("worker 1", &mut first, &one.waker()), Poll::Ready(8));
}

fn a_waker_may_use_the_queue<Q: Queue>() {
    let queue = Q::new();
    let queue_of_waker = Rc::clone(&queue);
    let waker = waker_that(move || {
        story!("the waker puts an item");
        queue_of_waker.put(8);
    });
    let mut get = queue.get();
    assert!(poll("worker 1", &mut get, &waker).is_pending());
    put(&queue, 7);
    assert_eq!(poll("worker 1", &mut get, Waker::noop()), Poll::Ready(7));
    assert_eq!(poll("worker 2", &mut queue.get(), Waker::noop()), Poll::Ready(8));
}

fn the_destructor_of_a_waker_may_use_the_queue<Q: Queue>() {
    for is_dropped in [false, true] {
        crate::story::begin();
        let queue = Q::new();
        let queue_of_waker = Rc::clone(&queue);
        let waker = waker_that_ends_with(move || {
            story!("the waker is dropped, and puts an item");
            queue_of_waker.put(8);
        });
        let mut get = queue.get();
        assert!(poll("worker 1", &mut get, &waker).is_pending());
        drop(waker);
        if is_dropped {
            story!("the get is dropped");
            drop(get);
            get = queue.get();
        } else {
            story!("the get is polled with another waker");
            assert!(poll("worker 1", &mut get, Waker::noop()).is_pending());
        }
        assert_eq!(poll("worker 1", &mut get, Waker::noop()), Poll::Ready(8));
    }
}
