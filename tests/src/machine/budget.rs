//! The budget of a poll: a task that never has to wait lets the others run all the same.

use super::doors::{ENDS, STUCK, poll, yield_once};
use super::{Either, Elapsed, Executor, Machine, Queue, Reactor, Rule, TcpStream};
use std::cell::Cell;
use std::future::{Future, pending, poll_fn, ready};
use std::net::TcpListener;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;
use std::time::{Duration, Instant};

pub(super) fn rules<M: Machine>() -> Vec<Rule> {
    super::rules![M, "budget":
        26 a_time_out_ends_a_loop_that_never_has_to_wait,
        26 a_race_starves_neither_of_its_futures,
        26 two_workers_share_a_queue_that_is_full_from_the_beginning,
        26 a_get_that_is_always_ready_gives_way,
        26 a_queue_without_items_that_is_joined_again_and_again_gives_way,
        26 sleeps_that_are_over_give_way,
        26 handles_of_tasks_that_have_ended_give_way,
        26 a_socket_that_is_always_ready_gives_way,
        26 connections_that_fail_at_once_give_way,
        26 an_executor_inside_of_a_poll_does_not_refill_the_outer_budget,
        26 outside_of_an_executor_there_is_no_limit,
        26 more_leaves_than_a_budget_has_are_awaited_together,
    ]
}

/// How often each rule awaits a leaf that is ready.
const USES: u32 = 1_000;
/// At most so many of them may come in one poll.
const MOST: u32 = 200;

/// Asserts that the executor polls this future several times until it is ready.
#[track_caller]
fn assert_gives_way<M: Machine>(
    executor: &M::Executor,
    future: impl Future<Output = ()>,
) {
    let (mut future, mut polls) = (pin!(future), 0);
    let counted = poll_fn(|cx| {
        polls += 1;
        future.as_mut().poll(cx)
    });
    executor.block_on(counted).expect(STUCK);
    assert!(polls >= USES / MOST, "{USES} uses in {polls} polls");
}

fn a_time_out_ends_a_loop_that_never_has_to_wait<M: Machine>() {
    let (executor, queue) = (M::executor(), M::Queue::new());
    let ticks = Rc::new(Cell::new(0));
    let theirs = ticks.clone();
    drop(executor.spawn(async move {
        loop {
            theirs.set(theirs.get() + 1);
            yield_once().await;
        }
    }));
    queue.put(());
    let busy = async {
        // An end, for an executor without a budget.
        for _ in 0..5_000_000 {
            queue.get().await;
            queue.put(());
        }
    };
    let reactor = executor.reactor();
    let ended = M::timeout(Duration::from_millis(50), busy, &reactor);
    assert_eq!(executor.block_on(ended), Ok(Err(Elapsed)), "the time-out cuts it off");
    assert!(ticks.get() > 1, "the other task has run meanwhile");
}

fn a_race_starves_neither_of_its_futures<M: Machine>() {
    let (executor, busy, other) = (M::executor(), M::Queue::new(), M::Queue::new());
    busy.put(());
    other.put(());
    let never_waits = async {
        for _ in 0..1_000_000 {
            busy.get().await;
            busy.put(());
        }
    };
    let first = executor.block_on(M::race(never_waits, other.get()));
    assert_eq!(first, Ok(Either::Second(())), "the second future is ready, too");
}

fn two_workers_share_a_queue_that_is_full_from_the_beginning<M: Machine>() {
    let (executor, queue) = (M::executor(), Rc::new(M::Queue::new()));
    for _ in 0..USES {
        queue.put(());
    }
    let taken = [0, 1].map(|_| Rc::new(Cell::new(0)));
    for taken in taken.clone() {
        let theirs = queue.clone();
        drop(executor.spawn(async move {
            loop {
                theirs.get().await;
                taken.set(taken.get() + 1);
                theirs.task_done();
            }
        }));
    }
    assert_eq!(executor.block_on(queue.join()), Ok(()), "{STUCK}");
    let [first, second]: [u32; 2] = taken.map(|taken| taken.get());
    assert_eq!(first + second, USES, "items that were taken");
    assert!(first.abs_diff(second) <= MOST, "{first} and {second}");
}

fn a_get_that_is_always_ready_gives_way<M: Machine>() {
    let (executor, queue) = (M::executor(), M::Queue::new());
    queue.put(());
    assert_gives_way::<M>(&executor, async {
        for _ in 0..USES {
            queue.get().await;
            queue.put(());
        }
    });
}

fn a_queue_without_items_that_is_joined_again_and_again_gives_way<M: Machine>() {
    let (executor, queue): (_, M::Queue<()>) = (M::executor(), M::Queue::new());
    assert_gives_way::<M>(&executor, async {
        for _ in 0..USES {
            queue.join().await;
        }
    });
}

fn sleeps_that_are_over_give_way<M: Machine>() {
    let executor = M::executor();
    let past = Instant::now();
    let reactor = executor.reactor();
    executor.block_on(reactor.sleep(Duration::ZERO)).expect(STUCK);
    assert_gives_way::<M>(&executor, async {
        for _ in 0..USES {
            reactor.sleep_until(past).await;
        }
    });
}

fn handles_of_tasks_that_have_ended_give_way<M: Machine>() {
    let executor = M::executor();
    let tasks: Vec<_> = (0..USES).map(|_| executor.spawn(async {})).collect();
    assert_gives_way::<M>(&executor, async {
        yield_once().await;
        for task in tasks {
            task.await.expect(ENDS);
        }
    });
}

fn a_socket_that_is_always_ready_gives_way<M: Machine>() {
    let executor = M::executor();
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = listener.local_addr().expect("it is bound");
    let reactor = executor.reactor();
    assert_gives_way::<M>(&executor, async {
        let stream = M::TcpStream::connect(address, &reactor).await;
        let mut stream = stream.expect("it connects");
        for _ in 0..USES {
            stream.write_all(&[0]).await.expect("its buffer has room");
        }
    });
}

fn more_leaves_than_a_budget_has_are_awaited_together<M: Machine>() {
    let (executor, queue) = (M::executor(), M::Queue::new());
    let mut gets: Vec<_> = (0..USES).map(|_| Box::pin(queue.get())).collect();
    let all = poll_fn(|cx| {
        gets.retain_mut(|get| get.as_mut().poll(cx).is_pending());
        if gets.is_empty() { Poll::Ready(()) } else { Poll::Pending }
    });
    let puts = async {
        yield_once().await;
        for _ in 0..USES {
            queue.put(());
        }
        pending::<()>().await;
    };
    let first = executor.block_on(M::race(all, puts));
    assert_eq!(first, Ok(Either::First(())), "all gets have their items");
}

fn connections_that_fail_at_once_give_way<M: Machine>() {
    let executor = M::executor();
    let reactor = executor.reactor();
    // No route leads there: the system says so without asking the network.
    let broadcast = "255.255.255.255:1".parse().expect("an address");
    assert_gives_way::<M>(&executor, async {
        for _ in 0..USES {
            let stream = M::TcpStream::connect(broadcast, &reactor).await;
            assert!(stream.is_err(), "no route leads there");
        }
    });
}

fn an_executor_inside_of_a_poll_does_not_refill_the_outer_budget<M: Machine>() {
    let (outer, inner, queue) = (M::executor(), M::executor(), M::Queue::new());
    queue.put(());
    assert_gives_way::<M>(&outer, async {
        for _ in 0..USES {
            queue.get().await;
            queue.put(());
            inner.block_on(ready(())).expect(STUCK);
        }
    });
}

fn outside_of_an_executor_there_is_no_limit<M: Machine>() {
    let queue = M::Queue::new();
    queue.put(());
    // Also after a panic has left a poll.
    let executor = M::executor();
    let panics = AssertUnwindSafe(|| executor.block_on(async { panic!("a bug") }));
    let panicked: Result<Result<(), _>, _> = catch_unwind(panics);
    assert!(panicked.is_err(), "the main future panics");
    for _ in 0..USES {
        assert!(poll(&mut Box::pin(queue.get())).is_ready(), "outside of a turn");
        queue.put(());
    }
}
