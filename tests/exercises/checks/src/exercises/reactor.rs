//! A reactor: it maps tokens to wakers, and wakes the tasks for which there is news.

use crate::toy::socket::{Arrival, Socket as ToySocket};
use crate::{CountingWaker, cases, story, waker_that};
use std::cell::Cell;
use std::io::{self, ErrorKind};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// A socket that does not block: `read` is `WouldBlock` if there is nothing.
pub type Socket = ToySocket;

/// A reactor, and the leaf that leaves its waker there. The OS reports edges.
pub trait Reactor: 'static {
    /// Makes a reactor without wakers.
    fn new() -> Self;
    /// Reads from the socket with this token. If that would block, keeps the waker and
    /// returns `Pending`.
    fn poll_read(
        &self,
        token: usize,
        socket: &mut Socket,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<usize>>;
    /// Wakes the tasks for whose sockets the OS has reported an event.
    fn tick(&self, events: &[usize]);
    /// Forgets the task that waits for this socket, which no longer exists.
    fn forget(&self, token: usize);
}

cases! {
    Reactor:
    what_is_there_is_read_at_once,
    a_task_that_would_block_is_woken_by_its_event,
    an_error_is_returned,
    the_end_of_the_stream_is_returned,
    the_task_that_polled_last_is_woken,
    an_event_for_which_no_task_waits_is_ignored,
    a_waker_may_use_the_reactor,
    a_socket_that_is_forgotten_leaves_no_waker,
}

type Read = Poll<Result<usize, ErrorKind>>;

fn read<R: Reactor>(
    reactor: &R,
    token: usize,
    socket: &mut Socket,
    waker: &Waker,
) -> Read {
    story!("the task of socket {token} is polled");
    let mut cx = Context::from_waker(waker);
    let poll = reactor.poll_read(token, socket, &mut cx);
    let poll = poll.map_err(|error| error.kind());
    story!("  {poll:?}");
    poll
}

fn tick<R: Reactor>(reactor: &R, events: &[usize]) {
    story!("the OS reports events of the sockets {events:?}");
    reactor.tick(events);
}

fn what_is_there_is_read_at_once<R: Reactor>() {
    let (reactor, task) = (R::new(), CountingWaker::new("the task"));
    let mut socket = Socket::default();
    story!("5 bytes are there, and their event was reported before");
    socket.arrive([Arrival::Bytes(5)]);
    let poll = read(&reactor, 1, &mut socket, &task.waker());
    assert_eq!(poll, Poll::Ready(Ok(5)), "an edge is not reported twice: try first");
    assert_eq!(task.held(), 0, "wakers that are held, although the task does not wait");
}

fn a_task_that_would_block_is_woken_by_its_event<R: Reactor>() {
    let (reactor, task) = (R::new(), CountingWaker::new("the task"));
    let mut socket = Socket::default();
    assert_eq!(read(&reactor, 1, &mut socket, &task.waker()), Poll::Pending);
    assert_eq!(task.wakes(), 0, "wakes of the task, although nothing has happened");
    assert_eq!(task.held(), 1, "wakers that a waiting task's leaf holds");
    socket.arrive([Arrival::Bytes(5)]);
    tick(&reactor, &[1]);
    assert_eq!(task.wakes(), 1, "wakes of the task, after the event of its socket");
    assert_eq!(read(&reactor, 1, &mut socket, &task.waker()), Poll::Ready(Ok(5)));
}

fn an_error_is_returned<R: Reactor>() {
    let (reactor, mut socket) = (R::new(), Socket::default());
    let task = CountingWaker::new("the task");
    socket.arrive([Arrival::Reset]);
    let poll = read(&reactor, 1, &mut socket, &task.waker());
    let end = Poll::Ready(Err(ErrorKind::ConnectionReset));
    assert_eq!(poll, end, "only `WouldBlock` means that the task has to wait");
    assert_eq!(task.held(), 0, "wakers that are held, although the task does not wait");
    socket.arrive([Arrival::Failed(ErrorKind::HostUnreachable)]);
    let poll = read(&reactor, 1, &mut socket, Waker::noop());
    let end = Poll::Ready(Err(ErrorKind::HostUnreachable));
    assert_eq!(poll, end, "only `WouldBlock` means that the task has to wait");
}

fn the_end_of_the_stream_is_returned<R: Reactor>() {
    let (reactor, mut socket) = (R::new(), Socket::default());
    socket.arrive([Arrival::End]);
    let poll = read(&reactor, 1, &mut socket, Waker::noop());
    assert_eq!(
        poll,
        Poll::Ready(Ok(0)),
        "0 bytes are the end: no event comes after it"
    );
}

fn the_task_that_polled_last_is_woken<R: Reactor>() {
    let (reactor, mut socket) = (R::new(), Socket::default());
    let (one, two) = (CountingWaker::new("task 1"), CountingWaker::new("task 2"));
    assert!(read(&reactor, 1, &mut socket, &one.waker()).is_pending());
    assert!(read(&reactor, 1, &mut socket, &two.waker()).is_pending());
    tick(&reactor, &[1]);
    assert_eq!((one.wakes(), two.wakes()), (0, 1), "wakes of (task 1, task 2)");
}

fn an_event_for_which_no_task_waits_is_ignored<R: Reactor>() {
    let reactor = R::new();
    let (one, two) = (CountingWaker::new("task 1"), CountingWaker::new("task 2"));
    let mut sockets = [Socket::default(), Socket::default()];
    assert!(read(&reactor, 1, &mut sockets[0], &one.waker()).is_pending());
    assert!(read(&reactor, 2, &mut sockets[1], &two.waker()).is_pending());
    tick(&reactor, &[9]);
    assert_eq!((one.wakes(), two.wakes()), (0, 0), "wakes of (task 1, task 2)");
    tick(&reactor, &[9, 2, 1]);
    assert_eq!((one.wakes(), two.wakes()), (1, 1), "wakes of (task 1, task 2)");
}

/// A waker may run any code: this one polls.
fn a_waker_may_use_the_reactor<R: Reactor>() {
    let (reactor, found) = (Rc::new(R::new()), Rc::new(Cell::new(None)));
    let task = CountingWaker::new("the task");
    let next = task.waker();
    let (reactor_of_waker, found_by_waker) = (Rc::clone(&reactor), Rc::clone(&found));
    let waker = waker_that(move || {
        story!("the waker polls at once");
        let mut socket = Socket::default();
        let poll = read(&*reactor_of_waker, 1, &mut socket, &next);
        found_by_waker.set(Some(poll));
    });
    assert!(read(&*reactor, 1, &mut Socket::default(), &waker).is_pending());
    tick(&*reactor, &[1]);
    assert_eq!(found.take(), Some(Poll::Pending), "what the waker has found");
    tick(&*reactor, &[1]);
    assert_eq!(
        task.wakes(),
        1,
        "wakes of the task: its waker has polled, and waits for the next event"
    );
}

fn a_socket_that_is_forgotten_leaves_no_waker<R: Reactor>() {
    let (reactor, task) = (R::new(), CountingWaker::new("the task"));
    assert!(read(&reactor, 1, &mut Socket::default(), &task.waker()).is_pending());
    story!("socket 1 is dropped");
    reactor.forget(1);
    assert_eq!((task.held(), task.wakes()), (0, 0), "(wakers held, wakes) of the task");
    assert!(read(&reactor, 2, &mut Socket::default(), &task.waker()).is_pending());
    story!("socket 1 is dropped");
    reactor.forget(1);
    tick(&reactor, &[2]);
    assert_eq!(task.wakes(), 1, "wakes of the task, which waits for socket 2");
}
