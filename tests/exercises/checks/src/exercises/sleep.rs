//! A future that waits for a time, on a clock that the case sets.

use crate::{CountingWaker, cases, story, waker_that};
use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// A clock with timers. Clones are handles to the same clock.
pub trait Clock: Clone + 'static {
    /// Waits until a time. When it is dropped, no timer is left behind.
    type Sleep: Future<Output = ()> + Unpin + 'static;
    /// Makes a clock that is at 0.
    fn new() -> Self;
    /// Returns a future that is ready when it is `when`, or later.
    fn sleep_until(&self, when: u64) -> Self::Sleep;
    /// Sets the time, and wakes the tasks whose timers are due.
    fn set(&self, now: u64);
    /// Returns how many timers are set.
    fn timers(&self) -> usize;
}

cases! {
    Clock:
    a_task_is_woken_when_its_time_has_come,
    a_poll_that_comes_too_early_sleeps_on,
    the_task_that_polled_last_is_woken,
    two_tasks_may_sleep_until_the_same_time,
    a_clock_that_jumps_wakes_all_that_are_due,
    a_sleep_that_is_dropped_leaves_no_timer,
    a_sleep_that_is_dropped_leaves_the_timers_of_others,
    a_task_may_sleep_again_when_it_is_woken,
}

fn poll<F: Future<Output = ()> + Unpin>(leaf: &mut F, waker: &Waker) -> Poll<()> {
    let poll = Pin::new(leaf).poll(&mut Context::from_waker(waker));
    story!("the sleep is polled: {poll:?}");
    poll
}

fn set<C: Clock>(clock: &C, now: u64) {
    story!("the time is {now}");
    clock.set(now);
}

fn a_task_is_woken_when_its_time_has_come<C: Clock>() {
    let (clock, task) = (C::new(), CountingWaker::new("the task"));
    let mut sleep = clock.sleep_until(10);
    assert!(poll(&mut sleep, &task.waker()).is_pending());
    set(&clock, 9);
    assert_eq!(task.wakes(), 0, "wakes at 9 of a task that sleeps until 10");
    set(&clock, 10);
    assert_eq!(task.wakes(), 1, "wakes at 10 of a task that sleeps until 10");
    assert!(poll(&mut sleep, &task.waker()).is_ready());
    assert!(
        poll(&mut clock.sleep_until(10), &task.waker()).is_ready(),
        "it is 10 already, and a new sleep until 10 waits"
    );
    set(&clock, 11);
    assert_eq!((clock.timers(), task.wakes()), (0, 1), "(timers, wakes)");
}

fn a_poll_that_comes_too_early_sleeps_on<C: Clock>() {
    let (clock, task) = (C::new(), CountingWaker::new("the task"));
    let mut sleep = clock.sleep_until(10);
    for now in 0..10 {
        set(&clock, now);
        let poll = poll(&mut sleep, &task.waker());
        assert!(
            poll.is_pending(),
            "it is {now}, and a sleep until 10 ends: look at the clock"
        );
    }
    assert_eq!(clock.timers(), 1, "timers that are set for one sleep, after ten polls");
}

fn the_task_that_polled_last_is_woken<C: Clock>() {
    let clock = C::new();
    let (one, two) = (CountingWaker::new("task 1"), CountingWaker::new("task 2"));
    let mut sleep = clock.sleep_until(10);
    assert!(poll(&mut sleep, &one.waker()).is_pending());
    assert!(poll(&mut sleep, &two.waker()).is_pending());
    set(&clock, 10);
    assert_eq!(
        (one.wakes(), two.wakes()),
        (0, 1),
        "wakes of (task 1, task 2), of which 2 polled last"
    );
}

fn two_tasks_may_sleep_until_the_same_time<C: Clock>() {
    let clock = C::new();
    let (one, two) = (CountingWaker::new("task 1"), CountingWaker::new("task 2"));
    let (mut first, mut second) = (clock.sleep_until(10), clock.sleep_until(10));
    assert!(poll(&mut first, &one.waker()).is_pending());
    assert!(poll(&mut second, &two.waker()).is_pending());
    set(&clock, 10);
    assert_eq!(
        (one.wakes(), two.wakes()),
        (1, 1),
        "wakes of (task 1, task 2), which are both due"
    );
}

fn a_clock_that_jumps_wakes_all_that_are_due<C: Clock>() {
    let clock = C::new();
    let tasks = ["task 1", "task 2", "task 3"].map(CountingWaker::new);
    let mut sleeps = [10, 15, 30].map(|when| clock.sleep_until(when));
    for (sleep, task) in sleeps.iter_mut().zip(&tasks) {
        assert!(poll(sleep, &task.waker()).is_pending());
    }
    set(&clock, 20);
    let wakes = [0, 1, 2].map(|task: usize| tasks[task].wakes());
    assert_eq!(wakes, [1, 1, 0], "wakes of the tasks that sleep until 10, 15 and 30");
    let is_ready = sleeps.each_mut().map(|it| poll(it, Waker::noop()).is_ready());
    assert_eq!(
        is_ready,
        [true, true, false],
        "it is 20: are sleeps until 10, 15, 30 over?"
    );
}

fn a_sleep_that_is_dropped_leaves_the_timers_of_others<C: Clock>() {
    let clock = C::new();
    let (one, two) = (CountingWaker::new("task 1"), CountingWaker::new("task 2"));
    let (mut first, mut second) = (clock.sleep_until(10), clock.sleep_until(10));
    assert!(poll(&mut first, &one.waker()).is_pending());
    assert!(poll(&mut second, &two.waker()).is_pending());
    story!("the sleep of task 1 is dropped");
    drop(first);
    set(&clock, 10);
    let wakes = (one.wakes(), two.wakes());
    assert_eq!(
        wakes,
        (0, 1),
        "wakes of (task 1, task 2), of which only 2 still sleeps"
    );
    let (mut first, mut second) = (clock.sleep_until(20), clock.sleep_until(20));
    assert!(poll(&mut first, &one.waker()).is_pending());
    assert!(poll(&mut second, &two.waker()).is_pending());
    story!("the sleep of task 2 is dropped");
    drop(second);
    set(&clock, 20);
    let wakes = (one.wakes(), two.wakes());
    assert_eq!(
        wakes,
        (1, 1),
        "wakes of (task 1, task 2), of which only 1 still sleeps"
    );
    let [mut first, mut second, mut third] = [(); 3].map(|()| clock.sleep_until(30));
    assert!(poll(&mut first, Waker::noop()).is_pending());
    assert!(poll(&mut second, &two.waker()).is_pending());
    story!("a sleep is dropped, and task 1 begins one");
    drop(first);
    assert!(poll(&mut third, &one.waker()).is_pending());
    set(&clock, 30);
    let wakes = (one.wakes(), two.wakes());
    assert_eq!(wakes, (2, 2), "wakes of (task 1, task 2), which both sleep until 30");
}

fn a_sleep_that_is_dropped_leaves_no_timer<C: Clock>() {
    let (clock, task) = (C::new(), CountingWaker::new("the task"));
    let mut sleep = clock.sleep_until(10);
    assert!(poll(&mut sleep, &task.waker()).is_pending());
    story!("the sleep is dropped: a time-out that was not needed");
    drop(sleep);
    assert_eq!(clock.timers(), 0, "timers of sleeps that no longer exist");
    assert_eq!(task.held(), 0, "wakers of the task that are still held");
}

fn a_task_may_sleep_again_when_it_is_woken<C: Clock>() {
    let clock = C::new();
    let again = Rc::new(RefCell::new(None));
    let (clock_of_waker, again_of_waker) = (clock.clone(), Rc::clone(&again));
    let waker = waker_that(move || {
        let is_due =
            poll(&mut clock_of_waker.sleep_until(10), Waker::noop()).is_ready();
        assert!(
            is_due,
            "it is 10 for the task that is woken: set the clock before you wake"
        );
        story!("the waker sets another timer at once");
        let mut sleep = clock_of_waker.sleep_until(20);
        assert!(poll(&mut sleep, Waker::noop()).is_pending());
        again_of_waker.replace(Some(sleep));
    });
    let mut sleep = clock.sleep_until(10);
    assert!(poll(&mut sleep, &waker).is_pending());
    set(&clock, 10);
    assert!(again.borrow().is_some(), "it is 10, and the waker is not called");
    assert_eq!(clock.timers(), 1, "timers: the one until 20");
}
