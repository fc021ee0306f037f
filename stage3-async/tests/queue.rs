//! The queue by hand: fair, and nothing is lost when whoever waits goes away.

use stage3_async::{Executor, Queue};
use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

fn executor() -> Executor {
    Executor::new().expect("a selector can be made")
}

fn poll<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
    Pin::new(future).poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn items_come_out_in_their_order() {
    let queue = Queue::default();
    queue.put(1);
    queue.put(2);
    assert_eq!(poll(&mut queue.get()), Poll::Ready(1));
    assert_eq!(poll(&mut queue.get()), Poll::Ready(2));
    assert_eq!(poll(&mut queue.get()), Poll::Pending);
}

#[test]
fn who_has_waited_for_longest_gets_the_next_item() {
    let queue = Queue::default();
    let (mut first, mut second) = (queue.get(), queue.get());
    assert!(poll(&mut first).is_pending() && poll(&mut second).is_pending());
    queue.put("for the first");
    // The item is the first one's: who is polled before it does not take it.
    assert!(poll(&mut second).is_pending());
    assert!(poll(&mut queue.get()).is_pending());
    assert_eq!(poll(&mut first), Poll::Ready("for the first"));
}

#[test]
fn who_was_woken_and_is_dropped_passes_the_wake_on() {
    let (executor, queue) = (executor(), Rc::new(Queue::default()));
    let got = Rc::new(RefCell::new(Vec::new()));
    let mut tasks = Vec::new();
    for name in ["a", "b"] {
        let (queue, got) = (queue.clone(), got.clone());
        tasks.push(executor.spawn(async move {
            let item: u32 = queue.get().await;
            got.borrow_mut().push((name, item));
        }));
    }
    let second = tasks.pop().expect("two");
    let first = tasks.pop().expect("two");
    executor
        .block_on(async {
            give_way().await;
            queue.put(7); // wakes the first
            first.cancel(); // before it has come
            second.await.expect("it gets the item");
        })
        .expect("not stuck");
    assert_eq!(*got.borrow(), [("b", 7)]);
}

#[test]
fn an_item_that_nobody_waits_for_any_more_is_there_for_the_next() {
    let queue = Queue::default();
    let mut get = queue.get();
    assert!(poll(&mut get).is_pending());
    queue.put(1);
    drop(get);
    assert_eq!(poll(&mut queue.get()), Poll::Ready(1));
}

#[test]
fn who_waits_no_longer_is_not_woken() {
    let queue = Queue::default();
    let (mut first, mut second) = (queue.get(), queue.get());
    assert!(poll(&mut first).is_pending() && poll(&mut second).is_pending());
    drop(first);
    queue.put(1);
    assert_eq!(poll(&mut second), Poll::Ready(1));
}

#[test]
fn join_waits_until_every_item_is_done_and_works_again() {
    let (executor, queue) = (executor(), Rc::new(Queue::default()));
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
                give_way().await;
                *count.borrow_mut() += 1;
                theirs.task_done();
            }
        }));
        let waiters = [queue.clone(), queue.clone()];
        let waiters =
            waiters.map(|queue| executor.spawn(async move { queue.join().await }));
        executor
            .block_on(async {
                for waiter in waiters {
                    waiter.await.expect("it ends");
                }
            })
            .expect("not stuck");
        assert_eq!(*done.borrow(), 3);
    }
}

#[test]
#[should_panic(expected = "an item is done once")]
fn more_done_than_put_is_a_mistake_that_is_told() {
    Queue::<()>::default().task_done();
}

/// Ready at the second poll.
async fn give_way() {
    let mut is_second = false;
    let wait = poll_fn(|cx| {
        if std::mem::replace(&mut is_second, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    });
    pin!(wait).await;
}

#[test]
fn a_join_ends_with_the_round_in_which_it_began() {
    let queue = Queue::default();
    queue.put(1);
    let mut join = Box::pin(queue.join());
    assert!(poll(&mut join).is_pending());
    assert_eq!(poll(&mut queue.get()), Poll::Ready(1));
    queue.task_done();
    queue.put(2); // before the one who waits has come
    assert!(poll(&mut join).is_ready());
}

#[test]
fn an_item_is_done_on_every_way_out() {
    let (executor, queue) = (executor(), Rc::new(Queue::default()));
    for item in 0..3 {
        queue.put(item);
        let theirs = queue.clone();
        drop(executor.spawn(async move {
            let item = theirs.get().await;
            let _done = theirs.done_at_end();
            match item {
                0 => {}
                1 => panic!("a bug"),
                _ => std::future::pending().await,
            }
        }));
    }
    let last = Rc::new(RefCell::new(None));
    let theirs = (queue.clone(), last.clone());
    let waits = executor.spawn(async move {
        theirs.0.get().await;
        let _done = theirs.0.done_at_end();
        std::future::pending::<()>().await;
    });
    queue.put(3);
    *last.borrow_mut() = Some(waits);
    let joined = executor.block_on(async {
        give_way().await;
        last.borrow().as_ref().expect("it is there").cancel();
        queue.join().await
    });
    assert!(joined.is_err(), "the third item is never done, and that is told");
}

#[test]
fn it_wakes_with_nothing_borrowed() {
    thread_local! {
        static QUEUE: Rc<Queue<u32>> = Rc::default();
    }
    /// Uses the queue while it is woken, and while it is dropped.
    struct Meddles;
    fn meddle() {
        let queue = QUEUE.with(Rc::clone);
        queue.put(0);
        queue.task_done();
        drop(queue.get());
    }
    impl std::task::Wake for Meddles {
        fn wake(self: std::sync::Arc<Self>) {
            meddle();
        }
    }
    impl Drop for Meddles {
        fn drop(&mut self) {
            meddle();
        }
    }
    let waker = || std::task::Waker::from(std::sync::Arc::new(Meddles));
    let queue = QUEUE.with(Rc::clone);
    queue.put(1);
    let (mut join, mut get) = (Box::pin(queue.join()), queue.get());
    assert!(join.as_mut().poll(&mut Context::from_waker(&waker())).is_pending());
    assert!(poll(&mut get).is_ready());
    let mut get = queue.get();
    for _ in 0..2 {
        let waker = waker();
        let _ = Pin::new(&mut get).poll(&mut Context::from_waker(&waker));
        let _ = join.as_mut().poll(&mut Context::from_waker(&waker));
    }
    queue.task_done();
    queue.put(2);
    drop(get);
}
