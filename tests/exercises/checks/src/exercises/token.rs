//! A tree of stop tokens: one that stops wakes all that wait for it, or for one below.

use crate::{CountingWaker, cases, story, waker_that, waker_that_ends_with};
use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// A future in a box.
pub type Boxed = Pin<Box<dyn Future<Output = ()>>>;

/// A request to stop. Clones are handles to the same token.
pub trait StopToken: Clone + 'static {
    /// A token that has not stopped.
    fn new() -> Self;
    /// Returns a token below this one: it stops when this one stops, or alone. It is
    /// stopped from the beginning if this one has stopped.
    fn child(&self) -> Self;
    /// Stops this token and all tokens below it, and wakes all tasks that wait for one of
    /// them. When a waker is called, the token of its wait has stopped. The others may
    /// stop later, before this returns.
    fn stop(&self);
    /// Returns whether the token has stopped.
    fn is_stopped(&self) -> bool;
    /// Waits until the token has stopped.
    fn stopped(&self) -> Boxed;
}

cases! {
    StopToken:
    a_token_that_has_not_stopped_waits,
    all_that_wait_are_woken,
    a_wait_that_begins_after_the_stop_is_over,
    children_and_grandchildren_stop,
    a_child_stops_alone,
    a_child_of_a_stopped_token_is_stopped,
    a_token_in_the_middle_may_be_dropped,
    the_task_that_polled_last_is_woken,
    a_wait_that_is_dropped_leaves_no_waker,
    a_waker_may_use_the_tokens,
    the_destructor_of_a_waker_may_use_the_tokens,
}

fn poll(wait: &mut Boxed, waker: &Waker) -> Poll<()> {
    let poll = wait.as_mut().poll(&mut Context::from_waker(waker));
    story!("a wait is polled: {poll:?}");
    poll
}

fn stop<T: StopToken>(name: &str, token: &T) {
    story!("{name} stops");
    token.stop();
}

/// A wait for this token that has been polled, and the waker of its task.
fn waits<T: StopToken>(name: &'static str, token: &T) -> (Boxed, Arc<CountingWaker>) {
    let (mut wait, task) = (token.stopped(), CountingWaker::new(name));
    story!("{name} begins to wait");
    assert!(poll(&mut wait, &task.waker()).is_pending(), "the token has not stopped");
    (wait, task)
}

fn a_token_that_has_not_stopped_waits<T: StopToken>() {
    let token = T::new();
    assert!(!token.is_stopped(), "nothing has stopped it");
    let (_wait, task) = waits("the task", &token);
    assert_eq!(task.wakes(), 0, "wakes of the task, although nothing has stopped");
}

fn all_that_wait_are_woken<T: StopToken>() {
    let token = T::new();
    let tasks = ["task 1", "task 2", "task 3"].map(|name| waits(name, &token));
    stop("the token", &token);
    assert!(token.is_stopped(), "it has stopped");
    for (mut wait, task) in tasks {
        assert_eq!(task.wakes(), 1, "wakes of a task that waits");
        assert!(poll(&mut wait, &task.waker()).is_ready(), "the token has stopped");
    }
}

fn a_wait_that_begins_after_the_stop_is_over<T: StopToken>() {
    let token = T::new();
    let handle = token.clone();
    stop("the token", &token);
    stop("the token, again,", &token);
    assert!(handle.is_stopped(), "a clone is the same token");
    assert!(poll(&mut handle.stopped(), Waker::noop()).is_ready(), "it has stopped");
}

fn children_and_grandchildren_stop<T: StopToken>() {
    let crawl = T::new();
    let (host, other) = (crawl.child(), crawl.child());
    let page = host.child();
    let tasks = [("the host", &host), ("the other host", &other), ("the page", &page)]
        .map(|(name, token)| (name, token, waits(name, token)));
    stop("the crawl", &crawl);
    for (name, token, (mut wait, task)) in tasks {
        assert!(token.is_stopped(), "{name} is below the crawl");
        assert_eq!(task.wakes(), 1, "wakes of the task that waits for {name}");
        assert!(poll(&mut wait, Waker::noop()).is_ready(), "{name} has stopped");
    }
}

fn a_child_stops_alone<T: StopToken>() {
    let crawl = T::new();
    let (host, other) = (crawl.child(), crawl.child());
    let tasks = [&crawl, &other].map(|token| waits("another task", token));
    stop("the host", &host);
    let stopped = [&host, &crawl, &other].map(T::is_stopped);
    assert_eq!(stopped, [true, false, false], "the host, the crawl, the other host");
    assert_eq!(tasks.map(|(_, task)| task.wakes()), [0, 0], "wakes of the other tasks");
}

fn a_child_of_a_stopped_token_is_stopped<T: StopToken>() {
    let crawl = T::new();
    stop("the crawl", &crawl);
    let host = crawl.child();
    assert!(host.is_stopped(), "the crawl had stopped before the host was made");
    assert!(
        poll(&mut host.stopped(), Waker::noop()).is_ready(),
        "nothing will wake it"
    );
}

fn a_token_in_the_middle_may_be_dropped<T: StopToken>() {
    let crawl = T::new();
    let host = crawl.child();
    let page = host.child();
    story!("the handle of the host is dropped");
    drop(host);
    let (_wait, task) = waits("the page", &page);
    stop("the crawl", &crawl);
    assert!(page.is_stopped(), "the page is still below the crawl");
    assert_eq!(task.wakes(), 1, "wakes of the task that waits for the page");
}

fn the_task_that_polled_last_is_woken<T: StopToken>() {
    let token = T::new();
    let (mut wait, old) = waits("the old task", &token);
    let new = CountingWaker::new("the new task");
    story!("the wait is moved to another task");
    assert!(poll(&mut wait, &new.waker()).is_pending());
    stop("the token", &token);
    assert_eq!(
        (old.wakes(), new.wakes()),
        (0, 1),
        "wakes of the old task and of the new"
    );
}

/// A worker that races each page against the token drops a wait for each of them.
fn a_wait_that_is_dropped_leaves_no_waker<T: StopToken>() {
    let crawl = T::new();
    let host = crawl.child();
    let (wait, worker) = waits("the worker", &host);
    let (_wait_2, worker_2) = waits("worker 2", &host);
    story!("the worker drops its wait");
    drop(wait);
    assert_eq!(worker.held(), 0, "wakers of the worker that are still held");
    let (_wait_3, worker_3) = waits("worker 3", &host);
    stop("the crawl", &crawl);
    let wakes = [worker.wakes(), worker_2.wakes(), worker_3.wakes()];
    assert_eq!(wakes, [0, 1, 1], "wakes of the three; the first no longer waits");
}

/// A waker may run any code: these ask their token, make a child, and poll a wait.
fn a_waker_may_use_the_tokens<T: StopToken>() {
    let crawl = T::new();
    let (host, other) = (crawl.child(), crawl.child());
    let seen = Rc::new(RefCell::new(Vec::new()));
    let mut waits = Vec::new();
    for token in [&crawl, &host, &other] {
        let (of_waker, seen) = (token.clone(), Rc::clone(&seen));
        let waker = waker_that(move || {
            let has_stopped = of_waker.is_stopped();
            story!("a waker is called, and its token has stopped: {has_stopped}");
            let child = of_waker.child();
            let is_over = poll(&mut child.stopped(), Waker::noop()).is_ready();
            seen.borrow_mut().push((has_stopped, is_over));
        });
        let mut wait = token.stopped();
        assert!(poll(&mut wait, &waker).is_pending());
        waits.push(wait);
    }
    stop("the crawl", &crawl);
    let what = "whether each waker has found (its token, a new child of it) stopped";
    assert_eq!(*seen.borrow(), [(true, true); 3], "{what}");
}

fn the_destructor_of_a_waker_may_use_the_tokens<T: StopToken>() {
    for is_dropped in [false, true] {
        crate::story::begin();
        let token = T::new();
        let (of_waker, child) = (token.clone(), Rc::new(RefCell::new(None)));
        let child_of_waker = Rc::clone(&child);
        let waker = waker_that_ends_with(move || {
            story!("the waker is dropped, and makes a child");
            *child_of_waker.borrow_mut() = Some(of_waker.child());
        });
        let mut wait = token.stopped();
        assert!(poll(&mut wait, &waker).is_pending());
        drop(waker);
        if is_dropped {
            story!("the wait is dropped");
            drop(wait);
        } else {
            story!("the wait is polled with another waker");
            assert!(poll(&mut wait, Waker::noop()).is_pending());
        }
        let child = child.borrow_mut().take().expect("no waker is held any longer");
        stop("the token", &token);
        assert!(child.is_stopped(), "the child of a token that has stopped");
    }
}
