//! A future of many futures, which run side by side.

use crate::toy::leaf::{Control, Leaf, leaf};
use crate::{CountingWaker, cases, story};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// Waits for many futures at once.
pub trait JoinAll: 'static {
    /// Polls the futures side by side, until all of them are ready. Returns their
    /// numbers, in the order of the futures. A future that is ready is dropped at once.
    fn join_all<F>(futures: Vec<F>) -> impl Future<Output = Vec<u32>>
    where
        F: Future<Output = u32> + 'static;
}

cases! {
    JoinAll:
    futures_that_are_all_ready_need_one_poll,
    the_first_poll_polls_all,
    it_waits_for_the_last,
    it_is_not_polled_again_until_a_future_wakes_it,
    the_numbers_are_in_the_order_of_the_futures,
    a_future_that_is_ready_is_dropped,
    each_poll_hands_its_waker_to_all_that_wait,
    no_futures_are_ready_at_once,
}

const NAMES: [&str; 3] = ["future 0", "future 1", "future 2"];

/// Calls `case` with three futures that are joined, and their controls.
fn with_three<J: JoinAll>(
    case: impl FnOnce(Pin<&mut dyn Future<Output = Vec<u32>>>, [Control; 3]),
) {
    let pairs = NAMES.map(leaf);
    let (mut leaves, mut controls) = (Vec::new(), Vec::new());
    for (leaf, control) in pairs {
        leaves.push(leaf);
        controls.push(control);
    }
    let controls = controls.try_into().ok().expect("three");
    case(pin!(J::join_all(leaves)), controls);
}

fn poll(
    join_all: &mut Pin<&mut dyn Future<Output = Vec<u32>>>,
    waker: &Waker,
) -> Poll<Vec<u32>> {
    story!("join_all is polled");
    let poll = join_all.as_mut().poll(&mut Context::from_waker(waker));
    story!("  and returns {poll:?}");
    poll
}

fn futures_that_are_all_ready_need_one_poll<J: JoinAll>() {
    with_three::<J>(|mut join_all, controls| {
        for control in &controls {
            control.deliver(7);
        }
        let poll = poll(&mut join_all, Waker::noop());
        assert_eq!(
            poll,
            Poll::Ready(vec![7; 3]),
            "no future will wake this task again"
        );
    });
}

fn the_first_poll_polls_all<J: JoinAll>() {
    with_three::<J>(|mut join_all, controls| {
        assert!(poll(&mut join_all, Waker::noop()).is_pending(), "none is ready");
        let polls = controls.each_ref().map(Control::polls);
        assert_eq!(polls, [1; 3], "polls of the three, which run side by side");
    });
}

fn it_waits_for_the_last<J: JoinAll>() {
    with_three::<J>(|mut join_all, controls| {
        assert!(poll(&mut join_all, Waker::noop()).is_pending(), "none is ready");
        for (number, control) in [(0, &controls[0]), (2, &controls[2])] {
            control.deliver(number);
            let poll = poll(&mut join_all, Waker::noop());
            assert!(poll.is_pending(), "future 1 is not ready yet");
        }
        controls[1].deliver(1);
        assert!(poll(&mut join_all, Waker::noop()).is_ready(), "all are ready");
    });
}

fn it_is_not_polled_again_until_a_future_wakes_it<J: JoinAll>() {
    with_three::<J>(|mut join_all, controls| {
        let task = CountingWaker::new("the task");
        assert!(poll(&mut join_all, &task.waker()).is_pending(), "none is ready");
        assert_eq!(task.wakes(), 0, "wakes, although no future is ready: it spins");
        controls[1].deliver(1);
        assert!(poll(&mut join_all, &task.waker()).is_pending(), "one is ready");
        assert_eq!(task.wakes(), 1, "wakes, and one future is ready");
    });
}

fn the_numbers_are_in_the_order_of_the_futures<J: JoinAll>() {
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        crate::story::begin();
        with_three::<J>(|mut join_all, controls| {
            let mut latest = poll(&mut join_all, Waker::noop());
            for (future, number) in order.into_iter().zip([10, 20, 30]) {
                controls[future].deliver(number);
                latest = poll(&mut join_all, Waker::noop());
            }
            let mut expected = vec![0; 3];
            for (future, number) in order.into_iter().zip([10, 20, 30]) {
                expected[future] = number;
            }
            assert_eq!(latest, Poll::Ready(expected), "the order of the futures");
        });
    }
}

fn a_future_that_is_ready_is_dropped<J: JoinAll>() {
    with_three::<J>(|mut join_all, controls| {
        controls[1].deliver(1);
        assert!(poll(&mut join_all, Waker::noop()).is_pending(), "two are not ready");
        let dropped = controls.each_ref().map(Control::is_dropped);
        assert_eq!(dropped, [false, true, false], "which of the futures are dropped");
    });
}

fn each_poll_hands_its_waker_to_all_that_wait<J: JoinAll>() {
    with_three::<J>(|mut join_all, controls| {
        let (old, new) = (CountingWaker::new("the old task"), CountingWaker::new("it"));
        assert!(poll(&mut join_all, &old.waker()).is_pending(), "none is ready");
        story!("join_all is moved to another task");
        assert!(poll(&mut join_all, &new.waker()).is_pending(), "none is ready");
        for (future, control) in controls.iter().enumerate() {
            let before = new.wakes();
            control.wake();
            assert!(new.wakes() > before, "future {future} does not wake the new task");
        }
    });
}

fn no_futures_are_ready_at_once<J: JoinAll>() {
    let mut join_all: Pin<&mut dyn Future<Output = Vec<u32>>> =
        pin!(J::join_all(Vec::<Leaf>::new()));
    let poll = poll(&mut join_all, Waker::noop());
    assert_eq!(poll, Poll::Ready(vec![]), "there is no future that could wake it");
}
