//! The budget of a turn: what fills it, and how a leaf draws on it.

use crate::{CountingWaker, cases, expect_panic, story};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// The budget of the turn that runs on this thread.
pub trait Budget: 'static {
    /// What a leaf awaits before all else: one unit of the budget. It is drawn at the first
    /// poll. If no unit is left, the draw is pending once and wakes its own task.
    type Draw: Future<Output = ()> + Unpin;
    /// Returns a draw that was not polled yet.
    fn draw() -> Self::Draw;
    /// Runs `poll` as one turn, with a full budget of `units`. However the turn ends, the
    /// budget is then again what it was before. Outside of all turns, there is no limit.
    fn turn<T>(units: u32, poll: impl FnOnce() -> T) -> T;
}

cases! {
    Budget:
    leaves_draw_until_nothing_is_left,
    a_leaf_that_ends_the_turn_wakes_its_own_task,
    each_turn_has_a_full_budget,
    a_leaf_that_waits_for_an_event_draws_once,
    a_leaf_that_has_ended_a_turn_has_paid,
    outside_of_a_turn_there_is_no_limit,
    a_turn_inside_of_a_turn_leaves_the_outer_budget_alone,
    a_turn_that_panics_leaves_the_outer_budget_alone,
}

/// Polls a leaf's draw. Returns whether the leaf may go on.
fn may_go_on<D: Future<Output = ()> + Unpin>(
    leaf: &str,
    draw: &mut D,
    task: &Arc<CountingWaker>,
) -> bool {
    let poll = Pin::new(draw).poll(&mut Context::from_waker(&task.waker()));
    story!("{leaf} draws: {poll:?}");
    poll == Poll::Ready(())
}

/// Begins to await `leaves` leaves, one after the other. Returns how many may go on.
fn begin<B: Budget>(leaves: u32, task: &Arc<CountingWaker>) -> u32 {
    let begun = (0..leaves).take_while(|_| may_go_on("a leaf", &mut B::draw(), task));
    begun.count() as u32
}

fn turn<B: Budget, T>(units: u32, poll: impl FnOnce() -> T) -> T {
    story!("a turn with {units} units");
    B::turn(units, poll)
}

fn task() -> Arc<CountingWaker> {
    CountingWaker::new("the task")
}

fn leaves_draw_until_nothing_is_left<B: Budget>() {
    let task = task();
    let (begun, wakes, more) =
        turn::<B, _>(3, || (begin::<B>(3, &task), task.wakes(), begin::<B>(1, &task)));
    assert_eq!(begun, 3, "leaves that may go on, of 3");
    assert_eq!(wakes, 0, "wakes of the task, although three units are there");
    assert_eq!(more, 0, "more leaves that may go on: nothing is left");
    let begun = turn::<B, _>(0, || begin::<B>(1, &task));
    assert_eq!(begun, 0, "leaves that may go on in a turn with no units");
}

fn a_leaf_that_ends_the_turn_wakes_its_own_task<B: Budget>() {
    let task = task();
    turn::<B, _>(1, || begin::<B>(2, &task));
    assert_eq!(task.wakes(), 1, "wakes of its own task, which no event will wake");
}

fn each_turn_has_a_full_budget<B: Budget>() {
    let task = task();
    // The first turn leaves two of its units, and the second one none.
    let turns = [1, 9, 9].map(|leaves| turn::<B, _>(3, || begin::<B>(leaves, &task)));
    assert_eq!(turns, [1, 3, 3], "leaves that may go on in each turn, of 1, 9 and 9");
}

fn a_leaf_that_waits_for_an_event_draws_once<B: Budget>() {
    let (task, mut read) = (task(), B::draw());
    let polls =
        turn::<B, _>(2, || [(); 3].map(|()| may_go_on("read", &mut read, &task)));
    assert_eq!(polls, [true; 3], "a leaf that is polled again does not draw again");
    let begun = turn::<B, _>(2, || {
        may_go_on("read", &mut read, &task);
        begin::<B>(9, &task)
    });
    assert_eq!(begun, 2, "new leaves that may go on beside one that has drawn before");
}

fn a_leaf_that_has_ended_a_turn_has_paid<B: Budget>() {
    let (task, mut sleep) = (task(), B::draw());
    let busy_then_sleep = |sleep: &mut B::Draw| {
        begin::<B>(9, &task); // a busy future uses up the whole budget in each turn
        may_go_on("sleep", sleep, &task)
    };
    let first = turn::<B, _>(2, || busy_then_sleep(&mut sleep));
    assert!(!first, "nothing is left, and the sleep may go on");
    let second = turn::<B, _>(2, || busy_then_sleep(&mut sleep));
    assert!(
        second,
        "the sleep has drawn in the turn before, and draws again: a busy future beside it \
         starves it"
    );
}

fn outside_of_a_turn_there_is_no_limit<B: Budget>() {
    let task = task();
    assert_eq!(begin::<B>(99, &task), 99, "leaves that may go on before any turn");
    turn::<B, _>(1, || begin::<B>(2, &task));
    story!("the turn is over");
    assert_eq!(begin::<B>(99, &task), 99, "leaves that may go on after a turn");
    let mut read = B::draw();
    may_go_on("read", &mut read, &task);
    let begun = turn::<B, _>(2, || {
        may_go_on("read", &mut read, &task);
        begin::<B>(9, &task)
    });
    assert_eq!(begun, 2, "new leaves that may go on: `read` has drawn outside");
}

fn a_turn_inside_of_a_turn_leaves_the_outer_budget_alone<B: Budget>() {
    let task = task();
    let after = turn::<B, _>(3, || {
        begin::<B>(1, &task);
        let inner = turn::<B, _>(5, || begin::<B>(9, &task));
        assert_eq!(inner, 5, "leaves that may go on in the inner turn");
        turn::<B, _>(5, || begin::<B>(1, &task)); // four are not used
        story!("the inner turns are over");
        begin::<B>(9, &task)
    });
    assert_eq!(after, 2, "units of the outer turn that are left; 9 were asked for");
}

fn a_turn_that_panics_leaves_the_outer_budget_alone<B: Budget>() {
    let task = task();
    let panic = expect_panic(|| turn::<B, _>(1, || panic!("a bug in a task")));
    assert!(panic.is_some(), "the panic of a task goes on");
    story!("the turn has panicked");
    assert_eq!(begin::<B>(99, &task), 99, "leaves that may go on after the panic");
}
