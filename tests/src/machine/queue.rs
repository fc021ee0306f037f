//! What a queue promises: items are shared out fairly, and none is lost when a `get` is
//! dropped.

use super::doors::{
    ENDS, STUCK, bug, counted_waker, meddling_waker, poll, set_meddle, yield_once,
};
use super::{Executor, JoinHandle, Machine, Queue, Rule};
use std::cell::RefCell;
use std::future::{Future, pending};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::task::{Context, Poll};

pub(super) fn rules<M: Machine>() -> Vec<Rule> {
    super::rules![M, "queue":
        22 items_come_out_in_their_order,
        22 the_get_that_has_waited_longest_has_the_next_item,
        22 a_woken_get_that_is_dropped_passes_its_item_on,
        22 an_item_of_a_dropped_get_is_there_for_the_next,
        22 a_dropped_get_is_not_woken,
        22 join_waits_until_every_item_is_done_and_works_again,
        22 a_join_ends_with_the_round_in_which_it_began,
        22 more_items_done_than_put_panics,
        22 an_item_is_done_on_every_way_out,
        22 a_panic_with_an_item_ends_no_join,
        22 a_dropped_join_leaves_no_waker_behind,
        22 it_wakes_with_nothing_borrowed,
    ]
}

fn items_come_out_in_their_order<M: Machine>() {
    let queue = M::Queue::new();
    queue.put(1);
    queue.put(2);
    assert_eq!(poll(&mut Box::pin(queue.get())), Poll::Ready(1), "the first item");
    assert_eq!(poll(&mut Box::pin(queue.get())), Poll::Ready(2), "the second item");
    assert_eq!(poll(&mut Box::pin(queue.get())), Poll::Pending, "no item is left");
}

fn the_get_that_has_waited_longest_has_the_next_item<M: Machine>() {
    let queue = M::Queue::new();
    let (mut first, mut second) = (Box::pin(queue.get()), Box::pin(queue.get()));
    assert!(poll(&mut first).is_pending() && poll(&mut second).is_pending(), "no item");
    queue.put("for the first");
    // The item is the first one's: one that is polled before it does not take it.
    assert!(poll(&mut second).is_pending(), "the item is the first one's");
    assert!(poll(&mut Box::pin(queue.get())).is_pending(), "it is the first one's");
    assert_eq!(poll(&mut first), Poll::Ready("for the first"), "the first get");
}

fn a_woken_get_that_is_dropped_passes_its_item_on<M: Machine>() {
    let (executor, queue) = (M::executor(), Rc::new(M::Queue::new()));
    let got = Rc::new(RefCell::new(Vec::new()));
    let [first, second] = ["a", "b"].map(|name| {
        let (queue, got) = (queue.clone(), got.clone());
        executor.spawn(async move {
            let item: u32 = queue.get().await;
            got.borrow_mut().push((name, item));
        })
    });
    let run = async {
        yield_once().await;
        queue.put(7); // wakes the first
        first.cancel(); // before its turn has come
        second.await.expect("it gets the item");
    };
    executor.block_on(run).expect(STUCK);
    assert_eq!(*got.borrow(), [("b", 7)], "which task has which item");
}

fn an_item_of_a_dropped_get_is_there_for_the_next<M: Machine>() {
    let queue = M::Queue::new();
    let mut get = Box::pin(queue.get());
    assert!(poll(&mut get).is_pending(), "no item is there");
    queue.put(1);
    drop(get);
    let next = poll(&mut Box::pin(queue.get()));
    assert_eq!(next, Poll::Ready(1), "the item of the get that was dropped");
}

fn a_dropped_get_is_not_woken<M: Machine>() {
    let queue = M::Queue::new();
    let (mut first, mut second) = (Box::pin(queue.get()), Box::pin(queue.get()));
    assert!(poll(&mut first).is_pending() && poll(&mut second).is_pending(), "no item");
    drop(first);
    queue.put(1);
    assert_eq!(poll(&mut second), Poll::Ready(1), "the second get: the first is gone");
}

fn join_waits_until_every_item_is_done_and_works_again<M: Machine>() {
    let (executor, queue) = (M::executor(), Rc::new(M::Queue::new()));
    assert_eq!(executor.block_on(queue.join()), Ok(()), "nothing was put");
    for _ in 0..2 {
        let (theirs, done) = (queue.clone(), Rc::new(RefCell::new(0)));
        for item in 0..3 {
            queue.put(item);
        }
        let count = done.clone();
        drop(executor.spawn(async move {
            loop {
                theirs.get().await;
                yield_once().await;
                *count.borrow_mut() += 1;
                theirs.task_done();
            }
        }));
        let joins = [queue.clone(), queue.clone()];
        let joins =
            joins.map(|queue| executor.spawn(async move { queue.join().await }));
        let run = async {
            for join in joins {
                join.await.expect(ENDS);
            }
        };
        executor.block_on(run).expect(STUCK);
        assert_eq!(*done.borrow(), 3, "items done before `join` has returned");
    }
}

fn a_join_ends_with_the_round_in_which_it_began<M: Machine>() {
    let queue = M::Queue::new();
    queue.put(1);
    let mut join = Box::pin(queue.join());
    assert!(poll(&mut join).is_pending(), "an item is not done");
    assert_eq!(poll(&mut Box::pin(queue.get())), Poll::Ready(1), "the item");
    queue.task_done();
    queue.put(2); // before the one that waits has its turn
    assert!(poll(&mut join).is_ready(), "its round is over");
}

fn more_items_done_than_put_panics<M: Machine>() {
    let queue: M::Queue<()> = M::Queue::new();
    assert!(catch_unwind(AssertUnwindSafe(|| queue.task_done())).is_err(), "a panic");
}

fn an_item_is_done_on_every_way_out<M: Machine>() {
    let (executor, queue) = (M::executor(), Rc::new(M::Queue::new()));
    let work = |queue: Rc<M::Queue<u32>>| async move {
        let item = queue.get().await;
        let _done = queue.done_on_drop();
        match item {
            0 => {}
            1 => bug(),
            _ => pending().await,
        }
    };
    let [_, _, third, _] = [0, 1, 2, 3].map(|item| {
        queue.put(item);
        executor.spawn(work(queue.clone()))
    });
    let joined = executor.block_on(async {
        yield_once().await;
        third.cancel();
        assert!(third.await.is_err(), "a cancelled task has no output");
        queue.join().await
    });
    assert!(joined.is_err(), "the last item is never done");
}

fn a_panic_with_an_item_ends_no_join<M: Machine>() {
    let (executor, queue) = (M::executor(), Rc::new(M::Queue::new()));
    let done = Rc::new(RefCell::new(Vec::new()));
    let work = |queue: Rc<M::Queue<u32>>, done: Rc<RefCell<Vec<u32>>>| async move {
        loop {
            let item = queue.get().await;
            let _done = queue.done_on_drop();
            assert!(item > 0, "the promise has a worker that panics: catch that");
            for _ in 0..3 {
                yield_once().await; // `join` looks meanwhile
            }
            done.borrow_mut().push(item);
        }
    };
    for item in 0..4 {
        queue.put(item);
    }
    for _ in 0..2 {
        drop(executor.spawn(work(queue.clone(), done.clone())));
    }
    let joined = executor.block_on(queue.join());
    assert!(joined.is_ok(), "the other worker does the rest");
    assert_eq!(*done.borrow(), [1, 2, 3], "items that were done");
}

fn a_dropped_join_leaves_no_waker_behind<M: Machine>() {
    let queue = M::Queue::new();
    queue.put(1);
    let (waker, count) = counted_waker();
    let mut cx = Context::from_waker(&waker);
    for _ in 0..100 {
        let mut join = Box::pin(queue.join());
        assert!(join.as_mut().poll(&mut cx).is_pending(), "an item is not done");
        assert!(join.as_mut().poll(&mut cx).is_pending(), "an item is not done");
    }
    assert_eq!(count(), 1, "only ours is left");
}

fn it_wakes_with_nothing_borrowed<M: Machine>() {
    let queue = Rc::new(M::Queue::new());
    let theirs = queue.clone();
    set_meddle(move || {
        theirs.put(0);
        theirs.task_done();
        drop(theirs.get());
    });
    queue.put(1);
    let (mut join, mut get) = (Box::pin(queue.join()), Box::pin(queue.get()));
    let waker = meddling_waker();
    let mut cx = Context::from_waker(&waker);
    assert!(join.as_mut().poll(&mut cx).is_pending(), "an item is not done");
    assert!(poll(&mut get).is_ready(), "an item is there");
    let mut get = Box::pin(queue.get());
    for _ in 0..2 {
        let waker = meddling_waker();
        let _ = get.as_mut().poll(&mut Context::from_waker(&waker));
        let _ = join.as_mut().poll(&mut Context::from_waker(&waker));
    }
    drop(waker);
    queue.task_done();
    queue.put(2);
    drop(get);
    set_meddle(|| ());
}
