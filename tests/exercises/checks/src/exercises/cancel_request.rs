//! A read that can be stopped: to cancel is to ask, and the completion says what happened.

use crate::{CountingWaker, cases, story};
use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// What has become of a read: what its completion says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// These bytes were taken off the stream.
    Bytes(&'static str),
    /// It was cancelled before any byte had arrived.
    Cancelled,
}

/// Something that happens once. As a future, it may be polled until it is ready.
struct Once<T> {
    name: &'static str,
    value: Cell<Option<T>>,
    waker: RefCell<Option<Waker>>,
    polls: Cell<usize>,
    has_ended: Cell<bool>,
    requests: Cell<usize>,
}

/// The polls after which it panics: it is polled without end.
const MOST_POLLS: usize = 1000;

impl<T: Copy + std::fmt::Debug> Once<T> {
    fn new(name: &'static str) -> Rc<Once<T>> {
        Rc::new(Once {
            name,
            value: Cell::new(None),
            waker: RefCell::default(),
            polls: Cell::default(),
            has_ended: Cell::default(),
            requests: Cell::default(),
        })
    }

    fn happens(&self, value: T) {
        story!("{} is ready: {value:?}", self.name);
        self.value.set(Some(value));
        let waker = self.waker.take();
        waker.into_iter().for_each(Waker::wake);
    }

    fn poll(&self, cx: &mut Context<'_>) -> Poll<T> {
        let name = self.name;
        assert!(!self.has_ended.get(), "{name} was ready before, and is polled again");
        self.polls.set(self.polls.get() + 1);
        assert!(self.polls.get() < MOST_POLLS, "{name} is polled without end");
        let poll = self.value.get().map_or(Poll::Pending, Poll::Ready);
        self.has_ended.set(poll.is_ready());
        story!("  {name} is polled: {poll:?}");
        let waker = poll.is_pending().then(|| cx.waker().clone());
        drop(self.waker.replace(waker));
        poll
    }
}

/// A read in flight. It was submitted, and goes on whether it is polled or not.
pub struct Operation(Rc<Once<End>>);

impl Operation {
    /// Asks the kernel to cancel the operation with the number of this one.
    pub fn request_cancel(&self) {
        story!("  the kernel is asked to cancel the read");
        if self.0.has_ended.get() {
            story!("  but that has ended: its number may be another read's");
        }
        self.0.requests.set(self.0.requests.get() + 1);
    }
}

impl Future for Operation {
    type Output = End;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<End> {
        self.0.poll(cx)
    }
}

/// Is ready when the read is to be stopped: a time-out, or a stop token.
pub struct Stop(Rc<Once<()>>);

impl Future for Stop {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.0.poll(cx)
    }
}

/// A read, and what stops it.
pub trait Stoppable: Future<Output = End> + Unpin + 'static {
    /// The future is ready when the operation is, with its end. A stop, or a drop, asks
    /// the kernel to cancel the operation, once.
    fn new(operation: Operation, stop: Stop) -> Self;
}

cases! {
    Stoppable:
    bytes_that_arrive_end_the_read,
    a_stop_wakes_the_task,
    a_stop_asks_the_kernel_to_cancel,
    a_stop_asks_only_once,
    a_read_that_was_asked_to_end_is_still_in_flight,
    a_read_that_was_cancelled_in_time_says_so,
    bytes_that_were_read_before_the_request_are_returned,
    bytes_that_come_with_the_stop_are_returned,
    a_stop_before_the_first_poll_asks_as_well,
    the_task_that_polled_last_is_woken,
    a_dropped_read_is_cancelled,
    a_dropped_read_that_was_stopped_asks_no_more,
    a_read_that_has_ended_cancels_nothing,
}

/// A read of the learner's, with the other side of its operation and of its stop.
struct World<S> {
    read: Option<Box<S>>,
    operation: Rc<Once<End>>,
    stop: Rc<Once<()>>,
}

impl<S: Stoppable> World<S> {
    fn new() -> World<S> {
        let (operation, stop) = (Once::new("the operation"), Once::new("the stop"));
        let read = S::new(Operation(Rc::clone(&operation)), Stop(Rc::clone(&stop)));
        World { read: Some(Box::new(read)), operation, stop }
    }

    fn poll(&mut self, waker: &Waker) -> Poll<End> {
        story!("the read is polled");
        let read = self.read.as_mut().expect("it was not dropped");
        let poll = Pin::new(&mut **read).poll(&mut Context::from_waker(waker));
        story!("the read: {poll:?}");
        poll
    }

    /// Polls the read, which has to wait.
    fn begin() -> World<S> {
        let mut world = World::new();
        let poll = world.poll(Waker::noop());
        assert_eq!(poll, Poll::Pending, "nothing has happened yet");
        assert_eq!(world.requests(), 0, "requests to cancel, before the stop");
        world
    }

    /// Begins a read, and stops it.
    fn stopped() -> World<S> {
        let mut world = World::begin();
        world.stop.happens(());
        let poll = world.poll(Waker::noop());
        assert_eq!(poll, Poll::Pending, "the kernel has not said what has happened");
        world
    }

    fn drop_read(&mut self) {
        story!("the read is dropped");
        drop(self.read.take());
    }

    fn requests(&self) -> usize {
        self.operation.requests.get()
    }
}

/// At the end of a case the read is not in flight any more, so that its drop is no part of
/// the case.
impl<S> Drop for World<S> {
    fn drop(&mut self) {
        self.operation.value.set(Some(End::Cancelled));
    }
}

const PAGE: Poll<End> = Poll::Ready(End::Bytes("a page"));

fn bytes_that_arrive_end_the_read<S: Stoppable>() {
    let mut world = World::<S>::new();
    let task = CountingWaker::new("the task");
    assert_eq!(world.poll(&task.waker()), Poll::Pending, "nothing has arrived");
    world.operation.happens(End::Bytes("a page"));
    assert_eq!(task.wakes(), 1, "wakes, after the completion");
    assert_eq!(world.poll(&task.waker()), PAGE, "the operation is done");
}

fn a_stop_wakes_the_task<S: Stoppable>() {
    let mut world = World::<S>::new();
    let task = CountingWaker::new("the task");
    assert_eq!(world.poll(&task.waker()), Poll::Pending, "nothing has arrived");
    world.stop.happens(());
    assert_eq!(task.wakes(), 1, "wakes, after the stop");
}

fn a_stop_asks_the_kernel_to_cancel<S: Stoppable>() {
    let mut world = World::<S>::begin();
    world.stop.happens(());
    let _ = world.poll(Waker::noop());
    assert_eq!(world.requests(), 1, "requests to cancel, after the stop");
}

/// The read is in flight, although nothing has polled it.
fn a_stop_before_the_first_poll_asks_as_well<S: Stoppable>() {
    let (mut world, task) = (World::<S>::new(), CountingWaker::new("the task"));
    world.stop.happens(());
    let poll = world.poll(&task.waker());
    assert_eq!(poll, Poll::Pending, "the kernel has not said what has happened");
    assert_eq!(world.requests(), 1, "requests to cancel, after the stop");
    assert_eq!(task.wakes(), 0, "wakes, although nothing has happened since the poll");
    world.operation.happens(End::Bytes("a page"));
    assert_eq!(world.poll(Waker::noop()), PAGE, "the request was too late");
}

fn a_stop_asks_only_once<S: Stoppable>() {
    let mut world = World::<S>::begin();
    world.stop.happens(());
    for _ in 0..3 {
        let _ = world.poll(Waker::noop());
    }
    assert_eq!(world.requests(), 1, "requests to cancel, after three polls");
}

fn a_read_that_was_asked_to_end_is_still_in_flight<S: Stoppable>() {
    let (mut world, task) = (World::<S>::stopped(), CountingWaker::new("the task"));
    let poll = world.poll(&task.waker());
    assert_eq!(poll, Poll::Pending, "the kernel has not said what has happened");
    assert_eq!(task.wakes(), 0, "wakes, although nothing has happened since the stop");
}

fn a_read_that_was_cancelled_in_time_says_so<S: Stoppable>() {
    let mut world = World::<S>::stopped();
    world.operation.happens(End::Cancelled);
    let poll = world.poll(Waker::noop());
    assert_eq!(poll, Poll::Ready(End::Cancelled), "the completion says so");
}

fn bytes_that_were_read_before_the_request_are_returned<S: Stoppable>() {
    let mut world = World::<S>::stopped();
    world.operation.happens(End::Bytes("a page"));
    assert_eq!(world.poll(Waker::noop()), PAGE, "the request was too late");
}

/// In one turn, before the read is polled.
fn bytes_that_come_with_the_stop_are_returned<S: Stoppable>() {
    let mut world = World::<S>::begin();
    world.stop.happens(());
    world.operation.happens(End::Bytes("a page"));
    assert_eq!(world.poll(Waker::noop()), PAGE, "the operation is done");
    assert_eq!(world.requests(), 0, "requests to cancel what is done");
}

/// By the stop, and after it by the operation.
fn the_task_that_polled_last_is_woken<S: Stoppable>() {
    for is_stopped in [false, true] {
        story::begin();
        let mut world =
            if is_stopped { World::<S>::stopped() } else { World::<S>::begin() };
        let (old, new) =
            (CountingWaker::new("the old task"), CountingWaker::new("the new task"));
        assert_eq!(world.poll(&old.waker()), Poll::Pending);
        assert_eq!(world.poll(&new.waker()), Poll::Pending);
        match is_stopped {
            true => world.operation.happens(End::Cancelled),
            false => world.stop.happens(()),
        }
        let wakes = (old.wakes(), new.wakes());
        assert_eq!(wakes, (0, 1), "wakes of the old task and of the new");
    }
}

/// The same if it was never polled: it is still in flight.
fn a_dropped_read_is_cancelled<S: Stoppable>() {
    for polls in [1, 0] {
        story::begin();
        let mut world = World::<S>::new();
        for _ in 0..polls {
            assert_eq!(world.poll(Waker::noop()), Poll::Pending);
        }
        world.drop_read();
        assert_eq!(world.requests(), 1, "requests to cancel, after the drop");
    }
}

fn a_dropped_read_that_was_stopped_asks_no_more<S: Stoppable>() {
    let mut world = World::<S>::stopped();
    world.drop_read();
    assert_eq!(world.requests(), 1, "requests to cancel, one of them by the stop");
}

fn a_read_that_has_ended_cancels_nothing<S: Stoppable>() {
    for is_stopped in [false, true] {
        story::begin();
        let mut world =
            if is_stopped { World::<S>::stopped() } else { World::<S>::begin() };
        world.operation.happens(End::Bytes("a page"));
        assert_eq!(world.poll(Waker::noop()), PAGE);
        world.drop_read();
        assert_eq!(world.requests(), usize::from(is_stopped), "requests to cancel");
    }
}
