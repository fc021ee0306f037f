//! A set of tasks: the one that ends first is the next, however it ends.

use crate::toy::leaf::{Control, Leaf, leaf};
use crate::{
    CountingWaker, cases, expect_panic, story, waker_that, waker_that_ends_with,
};
use std::cell::{Cell, RefCell};
use std::future::{poll_fn, ready};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// How a task has ended: with its output, or with `None` if it was dropped before.
pub type End = Option<u32>;

/// A future in a box.
pub type Boxed<T> = Pin<Box<dyn Future<Output = T>>>;

/// Tasks that belong together. Clones are handles to the same set. The case plays the
/// executor: it polls the tasks, and it drops those that are cancelled.
pub trait JoinSet: Clone + 'static {
    /// An empty set.
    fn new() -> Self;
    /// Makes a task of a future, and adds it to the set. When the task has ended and
    /// its future is dropped, its end is reported, once.
    fn task<F: Future<Output = u32> + 'static>(&self, future: F) -> Boxed<()>;
    /// Waits for the end of a task, oldest first. `None` if no task is in the set when it is
    /// polled. A case has one of these futures at a time. When it is dropped, no end is
    /// lost. A waker may run any code when it is called, and when it is dropped.
    fn next(&self) -> Boxed<Option<End>>;
}

cases! {
    JoinSet:
    an_empty_set_has_no_next,
    a_next_that_waits_is_woken_when_a_task_ends,
    a_next_that_is_dropped_loses_no_end,
    the_task_that_ends_first_is_the_next,
    after_the_last_end_there_is_none,
    a_task_that_is_added_after_next_was_made_counts,
    a_task_that_is_dropped_ends_too,
    a_task_that_was_never_polled_ends_too,
    what_a_task_holds_is_dropped_before_its_end,
    a_task_whose_destructor_panics_ends_too,
    a_task_that_panics_ends_too,
    the_task_that_polled_last_is_woken,
    a_next_that_is_dropped_leaves_no_waker,
    a_waker_may_use_the_set,
    the_destructor_of_a_waker_may_use_the_set,
}

/// A task of the case's executor.
struct Task {
    name: &'static str,
    task: Option<Boxed<()>>,
    control: Control,
    executor: Arc<CountingWaker>,
}

fn spawn<S: JoinSet>(set: &S, name: &'static str) -> Task {
    let (leaf, control): (Leaf, Control) = leaf(name);
    let executor = CountingWaker::new(name);
    Task { name, task: Some(set.task(leaf)), control, executor }
}

impl Task {
    /// Polls the task, which has to wait.
    fn begin(&mut self) {
        assert!(self.poll().is_pending(), "{} has ended too early", self.name);
        assert_eq!(self.executor.held(), 1, "wakers that the future holds");
    }

    /// Lets the task return this number. As an executor does, the case then drops it.
    fn returns(&mut self, number: u32) {
        self.control.deliver(number);
        assert!(self.poll().is_ready(), "{} is ready, and its task is not", self.name);
        drop(self.task.take());
    }

    fn cancel(&mut self) {
        story!("{} is cancelled", self.name);
        drop(self.task.take());
    }

    fn poll(&mut self) -> Poll<()> {
        let task = self.task.as_mut().expect("it has not ended");
        task.as_mut().poll(&mut Context::from_waker(&self.executor.waker()))
    }
}

fn poll(next: &mut Boxed<Option<End>>, waker: &Waker) -> Poll<Option<End>> {
    let poll = next.as_mut().poll(&mut Context::from_waker(waker));
    story!("next is polled: {poll:?}");
    poll
}

/// Polls a new `next`.
fn poll_next<S: JoinSet>(set: &S) -> Poll<Option<End>> {
    poll(&mut set.next(), Waker::noop())
}

fn an_empty_set_has_no_next<S: JoinSet>() {
    assert_eq!(poll_next(&S::new()), Poll::Ready(None), "nothing will ever end");
}

fn a_next_that_waits_is_woken_when_a_task_ends<S: JoinSet>() {
    let (set, parent) = (S::new(), CountingWaker::new("the parent"));
    let mut task = spawn(&set, "task 1");
    let mut next = set.next();
    assert_eq!(poll(&mut next, &parent.waker()), Poll::Pending, "task 1 still runs");
    task.begin();
    assert_eq!(parent.wakes(), 0, "wakes of the parent, although no task has ended");
    task.returns(7);
    assert_eq!(parent.wakes(), 1, "wakes of the parent, after one end");
    assert_eq!(poll(&mut next, &parent.waker()), Poll::Ready(Some(Some(7))));
}

fn a_next_that_is_dropped_loses_no_end<S: JoinSet>() {
    let set = S::new();
    let mut task = spawn(&set, "task 1");
    let mut next = set.next();
    assert!(poll(&mut next, Waker::noop()).is_pending());
    task.returns(1);
    story!("next is dropped, after it was woken");
    drop(next);
    story!("another next is dropped, and was never polled");
    drop(set.next());
    assert_eq!(poll_next(&set), Poll::Ready(Some(Some(1))), "the end of task 1");
}

fn the_task_that_ends_first_is_the_next<S: JoinSet>() {
    let set = S::new();
    let [mut one, mut two, mut three] =
        ["task 1", "task 2", "task 3"].map(|name| spawn(&set, name));
    [&mut one, &mut two, &mut three].into_iter().for_each(Task::begin);
    two.returns(2);
    three.returns(3);
    assert_eq!(poll_next(&set), Poll::Ready(Some(Some(2))), "task 2 has ended first");
    one.returns(1);
    assert_eq!(poll_next(&set), Poll::Ready(Some(Some(3))), "task 3 has ended next");
    assert_eq!(poll_next(&set), Poll::Ready(Some(Some(1))), "task 1 has ended last");
}

fn after_the_last_end_there_is_none<S: JoinSet>() {
    let set = S::new();
    let (mut one, mut two) = (spawn(&set, "task 1"), spawn(&set, "task 2"));
    one.returns(1);
    assert_eq!(poll_next(&set), Poll::Ready(Some(Some(1))));
    assert_eq!(poll_next(&set), Poll::Pending, "task 2 still runs");
    two.returns(2);
    assert_eq!(poll_next(&set), Poll::Ready(Some(Some(2))));
    assert_eq!(poll_next(&set), Poll::Ready(None), "each task ends once");
}

fn a_task_that_is_added_after_next_was_made_counts<S: JoinSet>() {
    let set = S::new();
    let mut next = set.next();
    let _task = spawn(&set, "task 1");
    let poll = poll(&mut next, Waker::noop());
    assert_eq!(
        poll,
        Poll::Pending,
        "task 1 is in the set, and was not when next was made"
    );
}

fn a_task_that_is_dropped_ends_too<S: JoinSet>() {
    let (set, parent) = (S::new(), CountingWaker::new("the parent"));
    let mut task = spawn(&set, "task 1");
    task.begin();
    let mut next = set.next();
    assert_eq!(poll(&mut next, &parent.waker()), Poll::Pending, "task 1 still runs");
    task.cancel();
    assert_eq!(
        parent.wakes(),
        1,
        "wakes of the parent, which would wait forever otherwise"
    );
    assert_eq!(poll(&mut next, &parent.waker()), Poll::Ready(Some(None)));
    assert_eq!(poll_next(&set), Poll::Ready(None), "each task ends once");
}

fn a_task_that_was_never_polled_ends_too<S: JoinSet>() {
    let set = S::new();
    spawn(&set, "task 1").cancel();
    assert_eq!(poll_next(&set), Poll::Ready(Some(None)), "task 1 was in the set");
}

fn what_a_task_holds_is_dropped_before_its_end<S: JoinSet>() {
    for is_cancelled in [false, true] {
        crate::story::begin();
        let set = S::new();
        let mut task = spawn(&set, "task 1");
        task.begin();
        let (control, seen) = (Rc::new(task.control), Rc::new(RefCell::new(None)));
        let (control_of_waker, seen_by_waker) = (Rc::clone(&control), Rc::clone(&seen));
        let waker = waker_that(move || {
            story!("the parent is woken");
            seen_by_waker.replace(Some(control_of_waker.is_dropped()));
        });
        let mut next = set.next();
        assert!(poll(&mut next, &waker).is_pending());
        let mut future = task.task.take().expect("it has not ended");
        if !is_cancelled {
            control.deliver(1);
            let poll = future.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            assert!(poll.is_ready(), "task 1 is ready");
        }
        drop(future);
        assert_eq!(
            *seen.borrow(),
            Some(true),
            "the parent is woken, and the future is gone"
        );
    }
}

/// Panics when it is dropped.
struct Panics;

impl Drop for Panics {
    fn drop(&mut self) {
        panic!("the destructor of task 1 panics");
    }
}

/// An executor catches the panic, as the case does. Any end will do: with or without a
/// number.
fn a_task_whose_destructor_panics_ends_too<S: JoinSet>() {
    for is_cancelled in [false, true] {
        crate::story::begin();
        let (set, parent) = (S::new(), CountingWaker::new("the parent"));
        let ((mut leaf, control), held) = (leaf("task 1"), Panics);
        let mut task = set.task(poll_fn(move |cx| {
            let _held = &held;
            Pin::new(&mut leaf).poll(cx)
        }));
        let mut next = set.next();
        assert_eq!(
            poll(&mut next, &parent.waker()),
            Poll::Pending,
            "task 1 still runs"
        );
        if !is_cancelled {
            control.deliver(1);
            let mut cx = Context::from_waker(Waker::noop());
            expect_panic(|| assert!(task.as_mut().poll(&mut cx).is_ready()));
        }
        story!("task 1 is dropped, and its destructor panics");
        expect_panic(|| drop(task));
        assert_eq!(
            parent.wakes(),
            1,
            "wakes of the parent, which would wait forever otherwise"
        );
        let end = poll(&mut next, &parent.waker());
        assert!(matches!(end, Poll::Ready(Some(_))), "a task has ended: {end:?}");
        assert_eq!(poll_next(&set), Poll::Ready(None), "each task ends once");
    }
}

/// An executor catches the panic, and drops the task.
fn a_task_that_panics_ends_too<S: JoinSet>() {
    let set = S::new();
    let _other = spawn(&set, "task 2");
    let mut task = set.task(poll_fn(|_| panic!("task 1 panics")));
    let mut cx = Context::from_waker(Waker::noop());
    story!("task 1 is polled, and panics");
    expect_panic(|| assert!(task.as_mut().poll(&mut cx).is_pending()));
    expect_panic(|| drop(task));
    assert_eq!(poll_next(&set), Poll::Ready(Some(None)), "task 1 was in the set");
    assert_eq!(poll_next(&set), Poll::Pending, "task 1 ends once, and task 2 runs");
}

fn the_task_that_polled_last_is_woken<S: JoinSet>() {
    let set = S::new();
    let (old, new) =
        (CountingWaker::new("the old task"), CountingWaker::new("the new"));
    let mut task = spawn(&set, "task 1");
    let mut next = set.next();
    assert!(poll(&mut next, &old.waker()).is_pending());
    story!("next is moved to another task");
    assert!(poll(&mut next, &new.waker()).is_pending());
    task.returns(1);
    assert_eq!(
        (old.wakes(), new.wakes()),
        (0, 1),
        "wakes of the old task and of the new"
    );
}

fn a_next_that_is_dropped_leaves_no_waker<S: JoinSet>() {
    let (set, parent) = (S::new(), CountingWaker::new("the parent"));
    let mut task = spawn(&set, "task 1");
    let mut next = set.next();
    assert!(poll(&mut next, &parent.waker()).is_pending());
    story!("next is dropped");
    drop(next);
    assert_eq!(parent.held(), 0, "wakers that are still held");
    task.returns(1);
    assert_eq!(parent.wakes(), 0, "wakes of the parent, which no longer waits");
}

/// A waker may run any code: this one polls `next`.
fn a_waker_may_use_the_set<S: JoinSet>() {
    let set = S::new();
    let (set_of_waker, found) = (set.clone(), Rc::new(RefCell::new(None)));
    let found_by_waker = Rc::clone(&found);
    let waker = waker_that(move || {
        story!("the waker polls next at once");
        found_by_waker.replace(Some(poll_next(&set_of_waker)));
    });
    let mut task = spawn(&set, "task 1");
    let mut next = set.next();
    assert!(poll(&mut next, &waker).is_pending());
    task.returns(1);
    assert_eq!(
        found.take(),
        Some(Poll::Ready(Some(Some(1)))),
        "store the end, then wake"
    );
}

fn the_destructor_of_a_waker_may_use_the_set<S: JoinSet>() {
    for is_dropped in [false, true] {
        crate::story::begin();
        let set = S::new();
        let _task = spawn(&set, "task 1");
        let (set_of_waker, was_dropped) = (set.clone(), Rc::new(Cell::new(false)));
        let dropped = Rc::clone(&was_dropped);
        let waker = waker_that_ends_with(move || {
            story!("the waker is dropped, and adds a task to the set");
            drop(set_of_waker.task(ready(2)));
            dropped.set(true);
        });
        let mut next = set.next();
        assert!(poll(&mut next, &waker).is_pending());
        drop(waker);
        if is_dropped {
            story!("next is dropped");
            drop(next);
        } else {
            story!("next is polled with another waker");
            assert!(poll(&mut next, Waker::noop()).is_pending());
        }
        assert!(was_dropped.get(), "the waker is not dropped");
    }
}
