//! A deadline for a child: a timer that throws, and that is cleared on every way out.

use crate::toy::coroutines::Future;
pub use crate::toy::coroutines::{
    Coroutine, FetchError, Loop, Result, Resume, Step, TimerId,
};
use crate::{cases, story, yield_from};
use std::collections::VecDeque;

/// Gives a coroutine a deadline.
pub trait Deadline: 'static {
    /// Runs the child. When `time` has passed since the child began, the child's wait
    /// fails with `FetchError::TimedOut(time)`, once. Returns what the child returns.
    fn within(
        time: u64,
        child: Child,
    ) -> impl Coroutine<Return = Result<u32>> + 'static;
}

cases! {
    Deadline:
    a_child_that_is_late_gets_the_error,
    the_time_begins_when_the_child_does,
    the_timer_is_cleared_after_a_value,
    the_timer_is_cleared_after_an_error,
    a_child_that_is_resumed_often_has_one_deadline,
    a_child_that_goes_on_has_no_second_deadline,
    a_deadline_inside_another_leaves_that_one_alone,
    a_child_that_does_not_wait,
    a_deadline_around_another_comes_first,
}

/// A coroutine that waits for one thing after the other, and then returns a result. If
/// a wait fails, it returns that error, unless it goes on after a time-out.
pub struct Child {
    waits: VecDeque<Wait>,
    result: Result<u32>,
    goes_on: bool,
}

type Wait = Box<dyn Coroutine<Return = Result<()>>>;

impl Coroutine for Child {
    type Return = Result<u32>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Result<u32>> {
        let Some(wait) = self.waits.front_mut() else {
            return Step::Return(self.result.clone());
        };
        let waited = yield_from!(wait, event_loop, resume);
        self.waits.pop_front();
        match waited {
            Err(error) if !self.goes_on => Step::Return(Err(error)),
            _ => self.resume(event_loop, Resume::Send),
        }
    }
}

/// Makes a future that is resolved at this time.
fn event(event_loop: &mut Loop, when: u64) -> Future {
    let future = event_loop.new_future();
    event_loop.timers.set(when, Box::new(move |event_loop| event_loop.resolve(future)));
    future
}

/// A child that waits for events at these times.
fn child(event_loop: &mut Loop, times: &[u64], result: Result<u32>) -> Child {
    let waits = times.iter().map(|when| Box::new(event(event_loop, *when)) as Wait);
    Child { waits: waits.collect(), result, goes_on: false }
}

/// What a task of a case waits for first.
type First = Box<dyn Coroutine<Return = Result<u32>>>;

/// Runs a task that begins at 10, waits for `first`, and then for something else until
/// 100. Returns what the first wait returns, its time, and what the second one returns.
fn play(event_loop: &mut Loop, mut first: First) -> (Result<u32>, u64, Result<()>) {
    let (mut begin, mut end) = (event(event_loop, 10), event(event_loop, 100));
    let (mut has_begun, mut result) = (false, None);
    let mut join =
        event_loop.spawn(move |event_loop: &mut Loop, mut resume: Resume| {
            if !has_begun {
                yield_from!(begin, event_loop, resume).ok();
                (has_begun, resume) = (true, Resume::Send);
            }
            if result.is_none() {
                let returned = yield_from!(first, event_loop, resume);
                story!("  its first wait returns {returned:?}");
                result = Some((returned, event_loop.now()));
                resume = Resume::Send;
            }
            let later = yield_from!(end, event_loop, resume);
            let (result, time) = result.take().expect("it is set");
            Step::Return(Ok((result, time, later)))
        });
    event_loop.turn_to(200);
    match join.resume(event_loop, Resume::Send) {
        Step::Return(Ok(results)) => results,
        _ => panic!("the task still waits, and nothing will resume it"),
    }
}

/// Plays a child with a deadline of 5. Returns what it returns, and how the next wait
/// ends.
fn play_alone<D: Deadline>(
    times: &[u64],
    result: Result<u32>,
) -> (Result<u32>, Result<()>) {
    let mut event_loop = Loop::default();
    let child = child(&mut event_loop, times, result);
    let (result, _, later) = play(&mut event_loop, Box::new(D::within(5, child)));
    (result, later)
}

/// What goes wrong if a timer is left.
const LATER: &str = "the child returned at 12, and the task waits for something else";

fn a_child_that_is_late_gets_the_error<D: Deadline>() {
    let (result, _) = play_alone::<D>(&[18], Ok(7));
    assert_eq!(result, Err(FetchError::TimedOut(5)), "the child waited from 10 to 15");
}

fn the_time_begins_when_the_child_does<D: Deadline>() {
    let (result, _) = play_alone::<D>(&[14], Ok(7));
    assert_eq!(result, Ok(7), "the child began at 10 and returned at 14");
}

fn the_timer_is_cleared_after_a_value<D: Deadline>() {
    let (result, later) = play_alone::<D>(&[12], Ok(7));
    assert_eq!(result, Ok(7), "what the child returns");
    assert_eq!(later, Ok(()), "{LATER}");
}

fn the_timer_is_cleared_after_an_error<D: Deadline>() {
    let (result, later) = play_alone::<D>(&[12], Err(FetchError::Reset));
    assert_eq!(result, Err(FetchError::Reset), "what the child returns");
    assert_eq!(later, Ok(()), "{LATER}");
}

fn a_child_that_is_resumed_often_has_one_deadline<D: Deadline>() {
    let (result, _) = play_alone::<D>(&[12, 14, 16, 18], Ok(7));
    let late = Err(FetchError::TimedOut(5));
    assert_eq!(result, late, "a server sends some bytes at 12, 14, 16 and 18");
}

fn a_child_that_goes_on_has_no_second_deadline<D: Deadline>() {
    let mut event_loop = Loop::default();
    let mut child = child(&mut event_loop, &[50, 60], Ok(7));
    child.goes_on = true;
    let (result, time, _) = play(&mut event_loop, Box::new(D::within(5, child)));
    assert_eq!(
        (result, time),
        (Ok(7), 60),
        "(result, time): it goes on at 15 and waits for the event at 60"
    );
}

fn a_deadline_inside_another_leaves_that_one_alone<D: Deadline>() {
    let mut event_loop = Loop::default();
    let slow = child(&mut event_loop, &[50], Ok(7));
    let mut attempt = D::within(3, slow);
    let attempt = move |event_loop: &mut Loop, resume: Resume| {
        Step::Return(yield_from!(attempt, event_loop, resume).map(drop))
    };
    let mut both = child(&mut event_loop, &[60], Ok(7));
    both.waits.push_front(Box::new(attempt));
    both.goes_on = true;
    let (result, time, _) = play(&mut event_loop, Box::new(D::within(5, both)));
    assert_eq!(
        (result, time),
        (Ok(7), 15),
        "(result, time): an attempt has 3, all attempts together have 5"
    );
}

fn a_child_that_does_not_wait<D: Deadline>() {
    let (result, later) = play_alone::<D>(&[], Ok(7));
    assert_eq!(result, Ok(7), "what the child returns");
    assert_eq!(later, Ok(()), "the child returned at once: is a timer left?");
}

fn a_deadline_around_another_comes_first<D: Deadline>() {
    let mut event_loop = Loop::default();
    let slow = child(&mut event_loop, &[50], Ok(7));
    let mut attempt = D::within(8, slow);
    let mut all = child(&mut event_loop, &[], Ok(7));
    all.waits.push_front(Box::new(move |event_loop: &mut Loop, resume: Resume| {
        Step::Return(yield_from!(attempt, event_loop, resume).map(drop))
    }));
    let (result, time, _) = play(&mut event_loop, Box::new(D::within(5, all)));
    let late = Err(FetchError::TimedOut(5));
    assert_eq!(
        (result, time),
        (late, 15),
        "the attempt has 8, all attempts together have 5"
    );
}
