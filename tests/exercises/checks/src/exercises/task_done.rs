//! The end of a crawl is a count: `join` waits until as many items are done as were put.

use crate::{CountingWaker, cases, expect_panic, story, waker_that};
use std::cell::Cell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// A future in a box.
pub type Boxed = Pin<Box<dyn Future<Output = ()>>>;

/// A queue that counts what is not done yet. Its `get` never waits, which is the subject of
/// another exercise.
pub trait Queue: 'static {
    /// Makes an empty queue.
    fn new() -> Rc<Self>;
    /// Adds an item.
    fn put(&self, item: u32);
    /// Takes the first item, if there is one.
    fn get(&self) -> Option<u32>;
    /// Reports that an item has been dealt with. Panics if more items are reported than
    /// were put.
    fn task_done(&self);
    /// Waits until as many items are done as were put. A round that ends after the first
    /// poll of the future ends the wait, even if items are put after that. A round that
    /// ends between the call and the first poll may or may not count.
    /// When a round is over, the queue keeps no waker.
    fn join(self: &Rc<Self>) -> Boxed;
}

cases! {
    Queue:
    join_is_ready_if_nothing_was_put,
    an_empty_queue_is_not_the_end,
    the_first_item_comes_first,
    join_works_for_a_second_round,
    a_round_is_over_even_if_the_next_has_begun,
    all_tasks_in_join_are_woken,
    a_join_that_is_polled_often_keeps_one_waker,
    a_round_that_is_over_keeps_no_waker,
    a_waker_may_use_the_queue,
    more_done_than_put_is_a_panic,
    a_join_wakes_the_task_that_polled_it_last,
}

fn poll(join: &mut Boxed, waker: &Waker) -> Poll<()> {
    let poll = join.as_mut().poll(&mut Context::from_waker(waker));
    story!("join is polled: {poll:?}");
    poll
}

fn put<Q: Queue>(queue: &Rc<Q>, item: u32) {
    story!("{item} is put");
    queue.put(item);
}

fn done<Q: Queue>(queue: &Rc<Q>) {
    story!("an item is done");
    queue.task_done();
}

fn join_is_ready_if_nothing_was_put<Q: Queue>() {
    assert!(
        poll(&mut Q::new().join(), Waker::noop()).is_ready(),
        "nothing is unfinished"
    );
}

fn an_empty_queue_is_not_the_end<Q: Queue>() {
    let (queue, crawl) = (Q::new(), CountingWaker::new("the crawl"));
    put(&queue, 1);
    let mut join = queue.join();
    assert!(poll(&mut join, &crawl.waker()).is_pending());
    assert_eq!(queue.get(), Some(1), "the first item");
    story!("the queue is empty, and a worker deals with its last item");
    assert!(poll(&mut join, &crawl.waker()).is_pending(), "item 1 is not done");
    put(&queue, 2); // a link that was found
    done(&queue);
    assert_eq!(
        crawl.wakes(),
        0,
        "wakes of the task: item 1 is done, and item 2 was put before that"
    );
    assert_eq!(queue.get(), Some(2), "the second item");
    done(&queue);
    assert!(crawl.wakes() > 0, "all items are done, and the task in join is not woken");
    assert!(poll(&mut join, &crawl.waker()).is_ready());
}

fn the_first_item_comes_first<Q: Queue>() {
    let queue = Q::new();
    (1..=3).for_each(|item| put(&queue, item));
    let items = [queue.get(), queue.get(), queue.get(), queue.get()];
    assert_eq!(
        items,
        [Some(1), Some(2), Some(3), None],
        "what four calls of `get` return"
    );
}

fn join_works_for_a_second_round<Q: Queue>() {
    let queue = Q::new();
    for round in 1..=2 {
        story!("round {round}");
        put(&queue, round);
        let (mut join, crawl) = (queue.join(), CountingWaker::new("the crawl"));
        assert!(
            poll(&mut join, &crawl.waker()).is_pending(),
            "round {round} is not over"
        );
        assert_eq!(queue.get(), Some(round), "the item of round {round}");
        done(&queue);
        assert!(
            crawl.wakes() > 0,
            "everything is done, but `join` is not woken in round {round}"
        );
        assert!(poll(&mut join, &crawl.waker()).is_ready(), "round {round}");
    }
}

fn a_round_is_over_even_if_the_next_has_begun<Q: Queue>() {
    let (queue, crawl) = (Q::new(), CountingWaker::new("the crawl"));
    put(&queue, 1);
    let mut join = queue.join();
    assert!(poll(&mut join, &crawl.waker()).is_pending());
    done(&queue);
    put(&queue, 2);
    assert!(poll(&mut join, &crawl.waker()).is_ready(), "its own round is over");
}

fn all_tasks_in_join_are_woken<Q: Queue>() {
    let queue = Q::new();
    let tasks = ["task 1", "task 2"].map(CountingWaker::new);
    put(&queue, 1);
    let mut joins = [queue.join(), queue.join()];
    for (join, task) in joins.iter_mut().zip(&tasks) {
        assert!(poll(join, &task.waker()).is_pending());
    }
    done(&queue);
    let woken = tasks.map(|task| task.wakes() > 0);
    assert_eq!(
        woken,
        [true, true],
        "whether tasks 1 and 2, which both wait in `join`, were woken"
    );
}

fn a_join_that_is_polled_often_keeps_one_waker<Q: Queue>() {
    let (queue, crawl) = (Q::new(), CountingWaker::new("the crawl"));
    put(&queue, 1);
    let mut join = queue.join();
    for _ in 0..100 {
        assert!(poll(&mut join, &crawl.waker()).is_pending());
    }
    assert_eq!(crawl.held(), 1, "wakers of one task that are held after 100 polls");
    let (report, mut join_of_report) = (CountingWaker::new("the report"), queue.join());
    for _ in 0..100 {
        assert!(poll(&mut join, &crawl.waker()).is_pending());
        assert!(poll(&mut join_of_report, &report.waker()).is_pending());
    }
    let held = (crawl.held(), report.held());
    assert_eq!(
        held,
        (1, 1),
        "wakers that are held of two tasks that were polled in turn"
    );
}

fn a_round_that_is_over_keeps_no_waker<Q: Queue>() {
    let (queue, crawl) = (Q::new(), CountingWaker::new("the crawl"));
    put(&queue, 1);
    let mut join = queue.join();
    assert!(poll(&mut join, &crawl.waker()).is_pending());
    done(&queue);
    assert_eq!(crawl.held(), 0, "wakers that are held after the round is over");
    put(&queue, 2);
    done(&queue);
    assert_eq!(crawl.wakes(), 1, "wakes of a task that was polled in the first round");
}

fn a_waker_may_use_the_queue<Q: Queue>() {
    let (queue, was_called) = (Q::new(), Rc::new(Cell::new(false)));
    let (queue_of_waker, called) = (Rc::clone(&queue), Rc::clone(&was_called));
    let waker = waker_that(move || {
        story!("the waker puts an item");
        called.set(true);
        queue_of_waker.put(2);
    });
    put(&queue, 1);
    let mut join = queue.join();
    assert!(poll(&mut join, &waker).is_pending());
    done(&queue);
    assert!(was_called.get(), "all items are done, and the task in join is not woken");
}

fn more_done_than_put_is_a_panic<Q: Queue>() {
    let queue = Q::new();
    put(&queue, 1);
    done(&queue);
    let panic = expect_panic(|| done(&queue));
    assert!(panic.is_some(), "one item is done twice, and nothing reports it");
}

fn a_join_wakes_the_task_that_polled_it_last<Q: Queue>() {
    let queue = Q::new();
    let (one, two) = (CountingWaker::new("task 1"), CountingWaker::new("task 2"));
    put(&queue, 1);
    let mut join = queue.join();
    assert!(poll(&mut join, &one.waker()).is_pending());
    story!("the join is moved to task 2");
    assert!(poll(&mut join, &two.waker()).is_pending());
    done(&queue);
    assert!(two.wakes() > 0, "task 2 polled the join last, but is not woken");
}
