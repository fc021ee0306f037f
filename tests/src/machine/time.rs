//! What a reactor promises about time, and what is made of it.

use super::doors::{
    ENDS, STUCK, Story, Tells, meddling_waker, poll, set_meddle, yield_once,
};
use super::{Either, Elapsed, Executor, LONG, Machine, Reactor, Rule, SHORT};
use std::future::{Future, pending, poll_fn, ready};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

pub(super) fn rules<M: Machine>() -> Vec<Rule> {
    super::rules![M, "time":
        20 a_sleep_is_not_over_before_its_time,
        20 sleepers_wake_in_the_order_of_their_times,
        20 thousands_of_timers_are_waited_for_together,
        20 a_dropped_sleep_is_waited_for_no_longer,
        20 a_sleep_wakes_the_latest_waker,
        20 a_timer_wakes_with_nothing_borrowed,
        20 tasks_that_are_always_ready_do_not_stop_the_clock,
        21 of_two_that_are_ready_the_first_wins,
        21 the_loser_of_a_race_is_dropped,
        21 what_is_ready_at_once_needs_no_time,
        21 a_time_out_drops_the_future,
    ]
}

fn a_sleep_is_not_over_before_its_time<M: Machine>() {
    let executor = M::executor();
    let reactor = executor.reactor();
    let run = async {
        let when = Instant::now() + SHORT;
        reactor.sleep_until(when).await;
        assert!(Instant::now() >= when, "it is over too early");
        let when = Instant::now() + SHORT;
        reactor.sleep(SHORT).await;
        assert!(Instant::now() >= when, "it is over too early");
    };
    assert_eq!(executor.block_on(run), Ok(()), "{STUCK}");
}

fn sleepers_wake_in_the_order_of_their_times<M: Machine>() {
    let (executor, story) = (M::executor(), Story::default());
    let now = Instant::now();
    let sleep = |name, ms| {
        let (story, reactor) = (story.clone(), executor.reactor());
        executor.spawn(async move {
            reactor.sleep_until(now + Duration::from_millis(ms)).await;
            story.borrow_mut().push(name);
        })
    };
    let (late, soon) = (sleep("late", 30), sleep("soon", 10));
    let ended = executor.block_on(async { (late.await, soon.await) });
    let ended = ended.expect(STUCK);
    assert!(ended.0.is_ok() && ended.1.is_ok(), "both tasks end");
    assert_eq!(*story.borrow(), ["soon", "late"], "which sleep is over");
}

fn thousands_of_timers_are_waited_for_together<M: Machine>() {
    let executor = M::executor();
    let when = Instant::now() + SHORT;
    let sleep = |_| executor.spawn(executor.reactor().sleep_until(when));
    let sleepers: Vec<_> = (0..10_000).map(sleep).collect();
    let run = async {
        for sleeper in sleepers {
            sleeper.await.expect(ENDS);
        }
    };
    assert_eq!(executor.block_on(run), Ok(()), "{STUCK}");
    assert!(Instant::now() >= when, "it is over too early");
}

fn a_dropped_sleep_is_waited_for_no_longer<M: Machine>() {
    let executor = M::executor();
    let reactor = executor.reactor();
    let stuck = executor.block_on(async {
        let mut sleep = Box::pin(reactor.sleep(LONG));
        let first = poll_fn(|cx| Poll::Ready(sleep.as_mut().poll(cx))).await;
        assert!(first.is_pending(), "its time has not come");
        drop(sleep);
        pending::<()>().await;
    });
    assert!(stuck.is_err(), "no timer is left to wait for");
}

fn a_sleep_wakes_the_latest_waker<M: Machine>() {
    let executor = M::executor();
    let mut sleep = Box::pin(executor.reactor().sleep(SHORT));
    // Polled with a waker that wakes nothing; and then by another task.
    assert!(poll(&mut sleep).is_pending(), "its time has not come");
    assert_eq!(executor.block_on(sleep), Ok(()), "the sleep has kept an old waker");
}

fn a_timer_wakes_with_nothing_borrowed<M: Machine>() {
    let executor = M::executor();
    let reactor = executor.reactor();
    set_meddle(move || {
        let mut sleep = Box::pin(reactor.sleep(LONG));
        assert!(poll(&mut sleep).is_pending(), "its time has not come");
    });
    let mut sleep = Box::pin(executor.reactor().sleep(Duration::ZERO));
    for _ in 0..2 {
        let waker = meddling_waker();
        let mut cx = Context::from_waker(&waker);
        assert!(sleep.as_mut().poll(&mut cx).is_pending(), "its time has not come");
    }
    assert_eq!(executor.block_on(executor.reactor().sleep(SHORT)), Ok(()), "{STUCK}");
    set_meddle(|| ());
}

fn tasks_that_are_always_ready_do_not_stop_the_clock<M: Machine>() {
    let executor = M::executor();
    for _ in 0..3 {
        drop(executor.spawn(async {
            loop {
                yield_once().await;
            }
        }));
    }
    assert_eq!(executor.block_on(executor.reactor().sleep(SHORT)), Ok(()), "{STUCK}");
}

fn of_two_that_are_ready_the_first_wins<M: Machine>() {
    let executor = M::executor();
    let first = executor.block_on(M::race(ready(1), ready(2)));
    assert_eq!(first, Ok(Either::First(1)), "both are ready");
    let second = executor.block_on(M::race(pending::<()>(), ready(2)));
    assert_eq!(second, Ok(Either::Second(2)), "the first is never ready");
}

fn the_loser_of_a_race_is_dropped<M: Machine>() {
    let (executor, story) = (M::executor(), Story::default());
    let guard = Tells(story.clone(), "dropped");
    let loses = async move {
        let _guard = guard;
        pending::<()>().await;
    };
    let won = executor.block_on(M::race(loses, yield_once()));
    assert_eq!(won, Ok(Either::Second(())), "the first is never ready");
    assert_eq!(*story.borrow(), ["dropped"], "what happened to the loser");
}

fn what_is_ready_at_once_needs_no_time<M: Machine>() {
    let executor = M::executor();
    let reactor = executor.reactor();
    let in_time = M::timeout(Duration::ZERO, ready(3), &reactor);
    assert_eq!(executor.block_on(in_time), Ok(Ok(3)), "it was ready at once");
}

fn a_time_out_drops_the_future<M: Machine>() {
    let (executor, story) = (M::executor(), Story::default());
    let guard = Tells(story.clone(), "dropped");
    let never = async move {
        let _guard = guard;
        pending::<()>().await;
    };
    let late = executor.block_on(M::timeout(SHORT, never, &executor.reactor()));
    assert_eq!(late, Ok(Err(Elapsed)), "the time-out");
    assert_eq!(*story.borrow(), ["dropped"], "what happened to the future");
}
