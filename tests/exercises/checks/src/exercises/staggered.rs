//! Happy eyeballs: attempts to connect that begin one after the other, and run side by
//! side.

pub use crate::toy::clock::{Clock, Sleep};
use crate::toy::leaf::{Control, Leaf, leaf};
use crate::{CountingWaker, cases, story};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// Why an attempt has failed: the number of its error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused(pub u32);

/// The outcome of one attempt, or of all: the number of a connection.
pub type Outcome = Result<u32, Refused>;

/// An attempt to connect. It begins when it is polled for the first time. When it is
/// dropped, its socket is closed.
pub struct Attempt(Leaf);

impl Future for Attempt {
    type Output = Outcome;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome> {
        let poll = Pin::new(&mut self.0).poll(cx);
        poll.map(
            |number| if number < ERROR { Ok(number) } else { Err(Refused(number)) },
        )
    }
}

/// What is delivered to an attempt from here up is an error.
const ERROR: u32 = 100;

/// Connects to one of several addresses.
pub trait Staggered: 'static {
    /// Returns the first connection. The first attempt begins at once. Each of the others
    /// begins when `delay` has passed since the previous one began, or at once when a
    /// running attempt fails. If all have failed, returns the error that came last. There
    /// is at least one attempt.
    fn connect(
        attempts: Vec<Attempt>,
        delay: u64,
        clock: Clock,
    ) -> Pin<Box<dyn Future<Output = Outcome>>>;
}

cases! {
    Staggered:
    an_attempt_that_connects_counts,
    the_second_begins_after_the_delay,
    the_first_goes_on_when_the_second_has_begun,
    a_failure_begins_the_next_one_at_once,
    a_failure_beside_another_attempt_is_not_the_end,
    each_one_begins_a_delay_after_the_one_before,
    after_a_failure_the_delay_begins_again,
    when_all_have_failed_the_last_error_counts,
    no_outcome_is_overlooked,
    the_losers_are_closed_and_no_timer_is_left,
    an_attempt_may_fail_at_its_first_poll,
}

/// Three addresses `a`, `b` and `c`, a task, and its clock.
struct World {
    connect: Option<Pin<Box<dyn Future<Output = Outcome>>>>,
    clock: Clock,
    attempts: [Control; 3],
    task: Arc<CountingWaker>,
}

const DELAY: u64 = 250;

impl World {
    fn new<S: Staggered>() -> World {
        let (clock, names) = (Clock::default(), ["a", "b", "c"]);
        let (leaves, controls): (Vec<_>, Vec<_>) = names.map(leaf).into_iter().unzip();
        let attempts = leaves.into_iter().map(Attempt).collect();
        let connect = Some(S::connect(attempts, DELAY, clock.clone()));
        let attempts =
            controls.try_into().unwrap_or_else(|_| unreachable!("three names"));
        World { connect, clock, attempts, task: CountingWaker::new("the task") }
    }

    /// Polls the task, and again as long as it has woken itself.
    fn poll(&mut self) -> Poll<Outcome> {
        for _ in 0..20 {
            story!("the task is polled at {}", self.clock.now());
            let before = self.task.wakes();
            let connect =
                self.connect.as_mut().expect("it is not polled after its end");
            let waker = self.task.waker();
            let poll = connect.as_mut().poll(&mut Context::from_waker(&waker));
            story!("the task: {poll:?}");
            if poll.is_ready() {
                self.connect = None;
            }
            if poll.is_ready() || self.task.wakes() == before {
                return poll;
            }
        }
        panic!("the task wakes itself again and again");
    }

    /// Sets the clock, and polls the task if that has woken it.
    fn at(&mut self, now: u64) {
        let before = self.task.wakes();
        self.clock.set(now);
        if self.task.wakes() > before {
            assert_eq!(self.poll(), Poll::Pending, "no attempt has an outcome");
        }
    }

    /// Whether each attempt has begun.
    fn begun(&self) -> [bool; 3] {
        self.attempts.each_ref().map(|attempt| attempt.polls() > 0)
    }

    /// Whether each attempt is gone.
    fn closed(&self) -> [bool; 3] {
        self.attempts.each_ref().map(Control::is_dropped)
    }
}

fn an_attempt_that_connects_counts<S: Staggered>() {
    let mut world = World::new::<S>();
    assert_eq!(world.begun(), [false; 3], "a future does nothing by itself");
    assert!(world.poll().is_pending());
    world.attempts[0].deliver(7);
    assert_eq!(world.poll(), Poll::Ready(Ok(7)));
    assert_eq!(world.begun(), [true, false, false], "the first one was quick: begun");
}

fn the_second_begins_after_the_delay<S: Staggered>() {
    let mut world = World::new::<S>();
    assert!(world.poll().is_pending());
    assert_eq!(world.begun(), [true, false, false], "begun at 0");
    world.at(249);
    assert_eq!(world.begun(), [true, false, false], "begun at 249");
    world.at(250);
    assert_eq!(world.begun(), [true, true, false], "begun at 250");
    world.attempts[1].deliver(8);
    assert_eq!(world.poll(), Poll::Ready(Ok(8)));
}

fn the_first_goes_on_when_the_second_has_begun<S: Staggered>() {
    let mut world = World::new::<S>();
    assert!(world.poll().is_pending());
    world.at(250);
    assert_eq!(world.closed(), [false; 3], "closed, although it may still connect");
    let before = world.task.wakes();
    world.attempts[0].deliver(7);
    assert_eq!(
        world.task.wakes(),
        before + 1,
        "wakes, once the first one has connected"
    );
    assert_eq!(world.poll(), Poll::Ready(Ok(7)));
}

fn a_failure_begins_the_next_one_at_once<S: Staggered>() {
    let mut world = World::new::<S>();
    assert!(world.poll().is_pending());
    world.at(10);
    world.attempts[0].deliver(101);
    assert!(world.poll().is_pending(), "two addresses are left");
    assert_eq!(world.begun(), [true, true, false], "begun at 10, after a failure");
    world.attempts[1].deliver(8);
    assert_eq!(world.poll(), Poll::Ready(Ok(8)));
}

fn a_failure_beside_another_attempt_is_not_the_end<S: Staggered>() {
    let mut world = World::new::<S>();
    assert!(world.poll().is_pending());
    world.at(250);
    world.attempts[1].deliver(102);
    assert!(world.poll().is_pending(), "a still runs, and c has not begun");
    assert_eq!(world.begun(), [true; 3], "begun at 250, after a failure");
    world.attempts[2].deliver(103);
    assert!(world.poll().is_pending(), "a still runs");
    world.attempts[0].deliver(7);
    assert_eq!(world.poll(), Poll::Ready(Ok(7)));
}

fn each_one_begins_a_delay_after_the_one_before<S: Staggered>() {
    let mut world = World::new::<S>();
    assert!(world.poll().is_pending());
    world.at(300); // the loop was busy, and is late
    assert_eq!(world.begun(), [true, true, false], "begun at 300");
    world.at(549);
    assert_eq!(world.begun(), [true, true, false], "begun at 549: b began at 300");
    world.at(550);
    assert_eq!(world.begun(), [true; 3], "begun at 550");
    world.attempts[2].deliver(9);
    assert_eq!(world.poll(), Poll::Ready(Ok(9)));
}

fn after_a_failure_the_delay_begins_again<S: Staggered>() {
    let mut world = World::new::<S>();
    assert!(world.poll().is_pending());
    world.at(100);
    world.attempts[0].deliver(101);
    assert!(world.poll().is_pending());
    world.at(349);
    assert_eq!(world.begun(), [true, true, false], "begun at 349: b began at 100");
    world.at(350);
    assert_eq!(world.begun(), [true; 3], "begun at 350");
}

fn when_all_have_failed_the_last_error_counts<S: Staggered>() {
    let mut world = World::new::<S>();
    assert!(world.poll().is_pending());
    world.at(250);
    world.at(500);
    for (index, error) in [(2, 103), (0, 101)] {
        world.attempts[index].deliver(error);
        assert!(world.poll().is_pending(), "b still runs");
    }
    world.attempts[1].deliver(102);
    assert_eq!(
        world.poll(),
        Poll::Ready(Err(Refused(102))),
        "the error of b came last"
    );
}

fn no_outcome_is_overlooked<S: Staggered>() {
    let mut world = World::new::<S>();
    assert!(world.poll().is_pending());
    world.at(250);
    world.at(500);
    world.attempts[0].deliver(101);
    world.attempts[1].deliver(8);
    let end = world.poll();
    assert_eq!(
        end,
        Poll::Ready(Ok(8)),
        "a has failed, and at the same time b connects"
    );
}

fn the_losers_are_closed_and_no_timer_is_left<S: Staggered>() {
    let mut world = World::new::<S>();
    assert!(world.poll().is_pending());
    world.at(250);
    world.attempts[0].deliver(7);
    assert_eq!(world.poll(), Poll::Ready(Ok(7)));
    assert_eq!(world.closed(), [true; 3], "closed, when the race is over");
    assert_eq!(world.clock.timers(), 0, "timers that are set, and the race is over");
}

fn an_attempt_may_fail_at_its_first_poll<S: Staggered>() {
    let mut world = World::new::<S>();
    world.attempts[0].deliver(101);
    world.attempts[1].deliver(102);
    assert!(world.poll().is_pending());
    assert_eq!(world.begun(), [true; 3], "begun: two have failed at once");
    world.attempts[2].deliver(103);
    assert_eq!(world.poll(), Poll::Ready(Err(Refused(103))), "all have failed");
}
