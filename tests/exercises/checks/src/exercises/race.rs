//! Two futures in one task, and one time-out for the whole fetch.

pub use crate::toy::clock::Clock;
use crate::toy::leaf::leaf;
use crate::{CountingWaker, cases, story};
use std::future::ready;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};

/// The output of the future that has won a race.
#[derive(Debug, PartialEq, Eq)]
pub enum Either<A, B> {
    /// The first one was ready.
    First(A),
    /// The second one was ready.
    Second(B),
}

/// Races, and time-outs.
pub trait Race: 'static {
    /// Returns the output of the future that is ready first, or of `a` if both are. Both
    /// futures are dropped before it returns.
    fn race<A: Future, B: Future>(
        a: A,
        b: B,
    ) -> impl Future<Output = Either<A::Output, B::Output>>;
    /// Returns the output of `whole`, or `None` if it takes longer than `time` from the
    /// first poll on.
    fn within<F: Future>(
        time: u64,
        whole: F,
        clock: &Clock,
    ) -> impl Future<Output = Option<F::Output>>;
}

cases! {
    Race:
    both_wait_side_by_side,
    the_task_that_polled_last_is_woken,
    if_both_are_ready_the_first_one_counts,
    the_loser_is_dropped_when_the_race_is_over,
    an_answer_in_time_leaves_no_timer,
    an_answer_that_has_arrived_counts_even_if_the_time_is_up,
    bytes_that_trickle_in_do_not_restart_the_time_out,
    the_time_begins_with_the_first_poll,
}

fn poll<F: Future>(future: Pin<&mut F>, task: &Arc<CountingWaker>) -> Poll<F::Output>
where
    F::Output: std::fmt::Debug,
{
    story!("the task is polled");
    let poll = future.poll(&mut Context::from_waker(&task.waker()));
    story!("the task: {poll:?}");
    poll
}

fn both_wait_side_by_side<R: Race>() {
    for first_wins in [true, false] {
        let ((leaf_a, a), (leaf_b, b)) = (leaf("a"), leaf("b"));
        let (mut race, task) =
            (pin!(R::race(leaf_a, leaf_b)), CountingWaker::new("the task"));
        assert!(poll(race.as_mut(), &task).is_pending());
        assert_eq!((a.polls(), b.polls()), (1, 1), "polls of (a, b)");
        let (winner, end) = match first_wins {
            true => (a, Either::First(7)),
            false => (b, Either::Second(7)),
        };
        winner.deliver(7);
        assert_eq!(task.wakes(), 1, "wakes of the task");
        assert_eq!(poll(race, &task), Poll::Ready(end), "each poll must ask both");
    }
}

fn the_task_that_polled_last_is_woken<R: Race>() {
    let ((leaf_a, a), (leaf_b, _b)) = (leaf("a"), leaf("b"));
    let (one, two) = (CountingWaker::new("task 1"), CountingWaker::new("task 2"));
    let mut race = pin!(R::race(leaf_a, leaf_b));
    assert!(poll(race.as_mut(), &one).is_pending());
    story!("the race is moved to task 2");
    assert!(poll(race.as_mut(), &two).is_pending());
    a.deliver(7);
    assert_eq!((one.wakes(), two.wakes()), (0, 1), "wakes of (task 1, task 2)");
}

fn if_both_are_ready_the_first_one_counts<R: Race>() {
    let ((leaf_a, a), (leaf_b, b)) = (leaf("a"), leaf("b"));
    a.deliver(1);
    b.deliver(2);
    let race = pin!(R::race(leaf_a, leaf_b));
    assert_eq!(
        poll(race, &CountingWaker::new("the task")),
        Poll::Ready(Either::First(1))
    );
    assert_eq!(b.polls(), 0, "polls of b, whose output would be lost");
}

fn the_loser_is_dropped_when_the_race_is_over<R: Race>() {
    let ((leaf_a, a), (leaf_b, b)) = (leaf("a"), leaf("b"));
    let (mut race, task) =
        (pin!(R::race(leaf_a, leaf_b)), CountingWaker::new("the task"));
    assert!(poll(race.as_mut(), &task).is_pending());
    b.deliver(2);
    assert!(poll(race.as_mut(), &task).is_ready());
    story!("the race is over");
    let dropped = (a.is_dropped(), b.is_dropped());
    assert_eq!(
        dropped,
        (true, true),
        "whether (a, b) are dropped, as a socket would be closed"
    );
}

fn an_answer_in_time_leaves_no_timer<R: Race>() {
    let (clock, (leaf, whole)) = (Clock::default(), leaf("the fetch"));
    let (mut fetch, task) =
        (pin!(R::within(10, leaf, &clock)), CountingWaker::new("the task"));
    assert!(poll(fetch.as_mut(), &task).is_pending());
    assert_eq!(clock.timers(), 1, "timers that are set");
    clock.set(9);
    whole.deliver(7);
    assert_eq!(poll(fetch.as_mut(), &task), Poll::Ready(Some(7)));
    assert_eq!(clock.timers(), 0, "timers that are still set after the fetch");
}

fn an_answer_that_has_arrived_counts_even_if_the_time_is_up<R: Race>() {
    let (clock, (leaf, whole)) = (Clock::default(), leaf("the fetch"));
    let (mut fetch, task) =
        (pin!(R::within(10, leaf, &clock)), CountingWaker::new("the task"));
    assert!(poll(fetch.as_mut(), &task).is_pending());
    whole.deliver(7);
    clock.set(10);
    assert_eq!(poll(fetch.as_mut(), &task), Poll::Ready(Some(7)));
    let end = poll(pin!(R::within(0, ready(8), &clock)), &task);
    assert_eq!(
        end,
        Poll::Ready(Some(8)),
        "it is there at the first poll, with a time of 0"
    );
}

fn bytes_that_trickle_in_do_not_restart_the_time_out<R: Race>() {
    let (clock, (leaf, whole)) = (Clock::default(), leaf("the fetch"));
    let (mut fetch, task) =
        (pin!(R::within(10, leaf, &clock)), CountingWaker::new("the task"));
    assert!(poll(fetch.as_mut(), &task).is_pending());
    for now in [3, 6, 9] {
        clock.set(now);
        whole.wake(); // a byte, and not the last one
        assert!(poll(fetch.as_mut(), &task).is_pending());
    }
    clock.set(10);
    assert_eq!(task.wakes(), 4, "wakes of the task by three bytes and the time-out");
    let end = poll(fetch.as_mut(), &task);
    assert_eq!(end, Poll::Ready(None), "the time is up: it began at the first poll");
    assert!(whole.is_dropped(), "the time is up, and the fetch is not dropped");
}

fn the_time_begins_with_the_first_poll<R: Race>() {
    let (clock, (leaf, _whole)) = (Clock::default(), leaf("the fetch"));
    let (mut fetch, task) =
        (pin!(R::within(10, leaf, &clock)), CountingWaker::new("the task"));
    clock.set(8);
    assert!(
        poll(fetch.as_mut(), &task).is_pending(),
        "a future does nothing by itself"
    );
    clock.set(17);
    assert!(poll(fetch.as_mut(), &task).is_pending(), "it was polled first at 8");
    clock.set(18);
    assert_eq!(poll(fetch, &task), Poll::Ready(None), "the time is up");
}
