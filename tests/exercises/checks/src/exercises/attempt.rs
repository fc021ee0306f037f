//! A socket that remembers its events. Reads are tried only while its flag is up.

use crate::toy::socket::{Arrival, Socket};
use crate::{CountingWaker, cases, story, waker_that};
use std::cell::Cell;
use std::io::{self, ErrorKind, Read};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// What the reactor remembers about a socket: a flag, and the task that waits.
pub trait Readiness: 'static {
    /// Makes a lowered flag without a task that waits.
    fn new() -> Self;
    /// Records an event, and wakes the task that waits for it.
    fn record(&self);
    /// Tries the operation while the flag is up. An operation that would block lowers
    /// the flag; one that was interrupted is tried again. Pending if the flag is down.
    fn attempt(
        &self,
        operation: &mut dyn FnMut() -> io::Result<usize>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<usize>>;
}

cases! {
    Readiness:
    nothing_is_tried_before_an_event,
    an_event_is_remembered_if_no_task_waits,
    one_event_is_enough_for_two_reads,
    an_attempt_that_would_block_waits_for_the_next_event,
    two_events_raise_the_flag_once,
    an_interrupted_attempt_is_made_again,
    errors_and_the_end_of_the_stream_are_returned,
    the_flag_is_up_when_the_waker_is_called,
    the_task_that_polled_last_is_woken,
}

/// A socket, what is remembered about it, and a task that reads.
struct World<R> {
    readiness: R,
    socket: Socket,
    task: Arc<CountingWaker>,
}

fn world<R: Readiness>() -> World<R> {
    let (readiness, socket) = (R::new(), Socket::default());
    World { readiness, socket, task: CountingWaker::new("the task") }
}

impl<R: Readiness> World<R> {
    fn arrive(&mut self, arrivals: impl IntoIterator<Item = Arrival>) {
        story!("bytes arrive, and the event is recorded");
        self.socket.arrive(arrivals);
        self.readiness.record();
    }

    fn read(&mut self) -> Poll<Result<usize, ErrorKind>> {
        story!("the task is polled");
        let waker = self.task.waker();
        let mut cx = Context::from_waker(&waker);
        let mut operation = || self.socket.read(&mut [0; 8]);
        let poll = self.readiness.attempt(&mut operation, &mut cx);
        let poll = poll.map_err(|error| error.kind());
        story!("the task: {poll:?}");
        poll
    }
}

fn nothing_is_tried_before_an_event<R: Readiness>() {
    let mut world = world::<R>();
    assert_eq!(world.read(), Poll::Pending);
    assert_eq!(world.socket.reads(), 0, "reads before the first event");
    world.arrive([Arrival::Bytes(5)]);
    assert_eq!(world.task.wakes(), 1, "wakes of the task, after the event");
    assert_eq!(world.read(), Poll::Ready(Ok(5)));
}

fn an_event_is_remembered_if_no_task_waits<R: Readiness>() {
    let mut world = world::<R>();
    world.arrive([Arrival::Bytes(5)]);
    assert_eq!(world.read(), Poll::Ready(Ok(5)), "the event was before the poll");
    assert_eq!(
        world.task.held(),
        0,
        "wakers that are held, although the task does not wait"
    );
}

fn one_event_is_enough_for_two_reads<R: Readiness>() {
    let mut world = world::<R>();
    world.arrive([Arrival::Bytes(12)]);
    assert_eq!(world.read(), Poll::Ready(Ok(8)), "there is room for 8 bytes");
    assert_eq!(world.read(), Poll::Ready(Ok(4)), "no other event will come for these");
}

fn an_attempt_that_would_block_waits_for_the_next_event<R: Readiness>() {
    let mut world = world::<R>();
    world.arrive([]); // an event need not mean much
    assert_eq!(world.read(), Poll::Pending);
    assert_eq!(world.task.wakes(), 0, "wakes of the task, and nothing has happened");
    assert_eq!(world.task.held(), 1, "wakers that a waiting task's leaf holds");
    assert_eq!(world.read(), Poll::Pending, "no event has come since");
    assert_eq!(world.socket.reads(), 1, "reads for one event without bytes");
    world.arrive([Arrival::Bytes(5)]);
    assert_eq!(world.task.wakes(), 1, "wakes of the task, after the next event");
    assert_eq!(world.read(), Poll::Ready(Ok(5)));
}

fn two_events_raise_the_flag_once<R: Readiness>() {
    let mut world = world::<R>();
    world.arrive([]);
    world.arrive([]);
    assert_eq!(world.read(), Poll::Pending);
    assert_eq!(world.socket.reads(), 1, "reads for two events without bytes");
}

fn an_interrupted_attempt_is_made_again<R: Readiness>() {
    let mut world = world::<R>();
    world.arrive([Arrival::Interrupted, Arrival::Bytes(5)]);
    let poll = world.read();
    assert_eq!(poll, Poll::Ready(Ok(5)), "a signal came in between, so try once more");
    world.arrive([Arrival::Interrupted; 5]);
    world.arrive([Arrival::Bytes(5)]);
    let poll = world.read();
    assert_eq!(poll, Poll::Ready(Ok(5)), "five signals came in between");
}

fn errors_and_the_end_of_the_stream_are_returned<R: Readiness>() {
    let mut world = world::<R>();
    world.arrive([Arrival::Reset, Arrival::Bytes(5)]);
    let end = Poll::Ready(Err(ErrorKind::ConnectionReset));
    assert_eq!(world.read(), end, "other errors are results");
    assert_eq!(world.read(), Poll::Ready(Ok(5)), "only `WouldBlock` lowers the flag");
    for kind in [ErrorKind::HostUnreachable, ErrorKind::NotConnected] {
        world.arrive([Arrival::Failed(kind)]);
        assert_eq!(world.read(), Poll::Ready(Err(kind)), "other errors are results");
    }
    world.arrive([Arrival::End]);
    assert_eq!(world.read(), Poll::Ready(Ok(0)), "0 bytes are the end, and a result");
    assert_eq!(world.read(), Poll::Ready(Ok(0)), "no event comes after the end");
}

/// A waker may run any code: this one polls.
fn the_flag_is_up_when_the_waker_is_called<R: Readiness>() {
    let (readiness, attempts) = (Rc::new(R::new()), Rc::new(Cell::new(0)));
    let (readiness_of_waker, attempts_of_waker) =
        (Rc::clone(&readiness), Rc::clone(&attempts));
    let waker = waker_that(move || {
        story!("the waker polls at once");
        let mut cx = Context::from_waker(Waker::noop());
        let mut operation = || {
            attempts_of_waker.update(|it| it + 1);
            Err(ErrorKind::WouldBlock.into())
        };
        let poll = readiness_of_waker.attempt(&mut operation, &mut cx);
        assert!(poll.is_pending(), "the operation would block");
    });
    let mut cx = Context::from_waker(&waker);
    assert!(readiness.attempt(&mut || Ok(5), &mut cx).is_pending());
    story!("an event is recorded");
    readiness.record();
    assert_eq!(attempts.get(), 1, "attempts that the waker has made");
    let poll = readiness.attempt(&mut || Ok(5), &mut cx);
    assert!(poll.is_pending(), "the waker has found out that it would block");
}

fn the_task_that_polled_last_is_woken<R: Readiness>() {
    let (readiness, mut socket) = (R::new(), Socket::default());
    let (one, two) = (CountingWaker::new("task 1"), CountingWaker::new("task 2"));
    for task in [&one, &two] {
        let waker = task.waker();
        let mut operation = || socket.read(&mut [0; 8]);
        let mut cx = Context::from_waker(&waker);
        assert!(readiness.attempt(&mut operation, &mut cx).is_pending());
    }
    readiness.record();
    assert_eq!((one.wakes(), two.wakes()), (0, 1), "wakes of (task 1, task 2)");
}
