//! A select over any number of branches, in which none starves.

pub use crate::toy::leaf::Leaf;
use crate::toy::leaf::{Control, leaf};
use crate::{CountingWaker, cases, story};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};

/// Awaits one of several branches, again and again.
pub trait Select: 'static {
    /// Nothing was selected yet: the first call begins with branch 0.
    fn new() -> Self;
    /// Returns the number of a branch that is ready, and its output. It begins with the
    /// branch after the one that has won last, and ends with that one. No branch is polled
    /// once another is ready.
    ///
    /// The next call may have more branches, or fewer. If it has no branch after the last
    /// winner, it begins with branch 0. If it does not have the last winner, either, it may
    /// begin with any branch.
    fn select(&mut self, branches: Vec<Leaf>) -> impl Future<Output = (usize, u32)>;
}

cases! {
    Select:
    a_branch_that_is_ready_wins,
    all_branches_are_asked_before_it_waits,
    an_event_of_any_branch_ends_the_wait,
    a_branch_is_not_polled_once_another_is_ready,
    branches_that_are_always_ready_take_turns,
    a_branch_that_is_never_ready_doubles_no_share,
    rounds_with_a_wait_take_turns_too,
    the_next_call_may_have_fewer_branches,
    the_next_call_may_have_more_branches,
}

const NAMES: [&str; 4] = ["branch 0", "branch 1", "branch 2", "branch 3"];

/// Branches, of which these are ready. Branch 2 has the output 12.
fn branches(count: usize, ready: &[usize]) -> (Vec<Leaf>, Vec<Control>) {
    let (leaves, controls): (Vec<_>, Vec<_>) =
        NAMES[..count].iter().map(|name| leaf(name)).unzip();
    for (number, control) in controls.iter().enumerate() {
        let control: &Control = control;
        if ready.contains(&number) {
            control.deliver(10 + number as u32);
        }
    }
    (leaves, controls)
}

fn poll<F: Future<Output = (usize, u32)>>(
    select: Pin<&mut F>,
    task: &Arc<CountingWaker>,
) -> Poll<(usize, u32)> {
    let poll = select.poll(&mut Context::from_waker(&task.waker()));
    story!("the select: {poll:?}");
    poll
}

fn task() -> Arc<CountingWaker> {
    CountingWaker::new("the task")
}

/// Selects once. Returns the number of the branch that has won.
#[track_caller]
fn winner<S: Select>(select: &mut S, count: usize, ready: &[usize]) -> usize {
    let (leaves, _controls) = branches(count, ready);
    let poll = poll(pin!(select.select(leaves)), &task());
    let Poll::Ready((number, output)) = poll else {
        panic!("branches {ready:?} are ready, and the select waits")
    };
    assert_eq!(output, 10 + number as u32, "the output of branch {number}");
    number
}

fn a_branch_that_is_ready_wins<S: Select>() {
    for ready in [0, 1, 2] {
        assert_eq!(winner(&mut S::new(), 3, &[ready]), ready, "the one that is ready");
    }
}

fn all_branches_are_asked_before_it_waits<S: Select>() {
    let ((leaves, controls), mut select) = (branches(3, &[]), S::new());
    let poll = poll(pin!(select.select(leaves)), &task());
    assert_eq!(poll, Poll::Pending, "no branch is ready");
    let polls: Vec<usize> = controls.iter().map(Control::polls).collect();
    assert_eq!(polls, [1, 1, 1], "polls of each branch: it needs the task's waker");
}

fn an_event_of_any_branch_ends_the_wait<S: Select>() {
    for number in [0, 1, 2] {
        let ((leaves, controls), task, mut select) =
            (branches(3, &[]), task(), S::new());
        let mut select = pin!(select.select(leaves));
        assert!(poll(select.as_mut(), &task).is_pending());
        controls[number].deliver(7);
        assert_eq!(task.wakes(), 1, "branch {number} is ready, and wakes the task");
        assert_eq!(poll(select, &task), Poll::Ready((number, 7)));
    }
}

fn a_branch_is_not_polled_once_another_is_ready<S: Select>() {
    let ((leaves, controls), mut select) = (branches(3, &[0, 1, 2]), S::new());
    assert_eq!(poll(pin!(select.select(leaves)), &task()), Poll::Ready((0, 10)));
    let polls: Vec<usize> = controls.iter().map(Control::polls).collect();
    assert_eq!(polls, [1, 0, 0], "polls of each branch, whose output would be lost");
}

fn branches_that_are_always_ready_take_turns<S: Select>() {
    let mut select = S::new();
    let winners = [(); 7].map(|()| winner(&mut select, 3, &[0, 1, 2]));
    assert_eq!(winners, [0, 1, 2, 0, 1, 2, 0], "the branches that win");
}

fn a_branch_that_is_never_ready_doubles_no_share<S: Select>() {
    let mut select = S::new();
    let winners = [(); 6].map(|()| winner(&mut select, 3, &[0, 2]));
    assert_eq!(winners, [0, 2, 0, 2, 0, 2], "the branches that win; 1 is never ready");
}

fn rounds_with_a_wait_take_turns_too<S: Select>() {
    let (mut select, task) = (S::new(), task());
    let first = winner(&mut select, 3, &[0, 1, 2]);
    assert_eq!(first, 0, "the branch that wins first");
    {
        let (leaves, controls) = branches(3, &[]);
        let mut select = pin!(select.select(leaves));
        for _ in 0..2 {
            assert!(poll(select.as_mut(), &task).is_pending());
        }
        controls[0].deliver(10);
        controls[2].deliver(12);
        let poll = poll(select, &task);
        assert_eq!(poll, Poll::Ready((2, 12)), "branch 0 has won last: it is the last");
    }
    assert_eq!(
        winner(&mut select, 3, &[0, 1, 2]),
        0,
        "the branch that wins: branch 2 has won last"
    );
}

fn the_next_call_may_have_fewer_branches<S: Select>() {
    let mut select = S::new();
    assert_eq!(winner(&mut select, 4, &[2]), 2, "the branch that wins: 2 is ready");
    let (leaves, controls) = branches(2, &[]);
    assert_eq!(poll(pin!(select.select(leaves)), &task()), Poll::Pending);
    let polls: Vec<usize> = controls.iter().map(Control::polls).collect();
    assert_eq!(polls, [1, 1], "polls of each of two branches");
    let winners = [(); 3].map(|()| winner(&mut select, 2, &[0, 1]));
    let takes_turns = winners == [0, 1, 0] || winners == [1, 0, 1];
    assert!(takes_turns, "two branches, and {winners:?} win");
}

fn the_next_call_may_have_more_branches<S: Select>() {
    let mut select = S::new();
    assert_eq!(winner(&mut select, 2, &[1]), 1, "the one that is ready");
    story!("the next call has four branches, all of them ready");
    let winners = [(); 3].map(|()| winner(&mut select, 4, &[0, 1, 2, 3]));
    assert_eq!(
        winners,
        [2, 3, 0],
        "the branches that win; branch 1 of 2 has won before"
    );
}
