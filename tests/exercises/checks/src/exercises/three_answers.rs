//! A read that can answer "nothing yet" and "nothing more", and a deadline.

use crate::toy::socket::Arrival::{self, Bytes, End, Interrupted, Reset};
use crate::toy::socket::Socket;
use crate::{cases, story};
use std::cell::Cell;
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read};
use std::rc::Rc;

/// Why there is no page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A read has failed.
    Failed(ErrorKind),
    /// It is `give_up` or later, and the page is not complete.
    TimedOut,
}

/// Reads pages from a socket that never blocks.
pub trait Reader {
    /// Reads until the server closes the connection, and returns what has arrived.
    /// Tries an interrupted read again.
    /// Gives up as soon as `now` returns `give_up` or more while the page is incomplete.
    fn read_page(
        socket: &mut dyn Read,
        now: &dyn Fn() -> u64,
        give_up: u64,
    ) -> Result<Vec<u8>, Why>;
}

cases! {
    Reader:
    nothing_more_is_the_end_of_the_page,
    nothing_yet_is_not_the_end_of_the_page,
    an_interrupted_read_and_a_reset,
    a_server_that_is_silent,
    a_server_that_sends_a_byte_now_and_then,
    a_server_that_never_stops_sending,
    an_empty_page,
    a_read_that_is_interrupted_without_end,
    a_page_that_is_complete_when_the_time_is_up,
}

/// A socket and a clock. Each read takes two seconds.
struct Timed {
    socket: Socket,
    clock: Rc<Cell<u64>>,
    /// What has not arrived yet, and how many seconds after the start it will.
    later: VecDeque<(u64, Arrival)>,
}

impl Read for Timed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.clock.set(self.clock.get() + 2);
        let now = self.clock.get();
        assert!(
            now < GIVE_UP + 20,
            "it is {now}, and it still reads: the time to give up was {GIVE_UP}"
        );
        story!("it is {now}");
        let since_start = now - START;
        while let Some(&(when, arrival)) = self.later.front()
            && when <= since_start
        {
            self.later.pop_front();
            self.socket.arrive([arrival]);
        }
        self.socket.read(buffer)
    }
}

/// When all cases begin.
const START: u64 = 1000;

/// When to give up, in all cases.
const GIVE_UP: u64 = 1100;

/// Reads a page. Returns its length, or why there is none, and what time it is then.
fn read<R: Reader>(
    arrivals: impl IntoIterator<Item = (u64, Arrival)>,
) -> (Result<usize, Why>, u64) {
    crate::story::begin();
    let clock = Rc::new(Cell::new(START));
    let later = arrivals.into_iter().collect();
    let mut socket =
        Timed { socket: Socket::default(), clock: Rc::clone(&clock), later };
    let result = R::read_page(&mut socket, &|| clock.get(), GIVE_UP);
    (result.map(|page| page.len()), clock.get())
}

fn must_give_up<R: Reader>(arrivals: impl IntoIterator<Item = (u64, Arrival)>) {
    let (result, now) = read::<R>(arrivals);
    assert_eq!(result, Err(Why::TimedOut), "the page is not complete in time");
    assert_eq!(now, GIVE_UP, "the time at which it gives up");
}

fn nothing_more_is_the_end_of_the_page<R: Reader>() {
    let (result, now) = read::<R>([(1, Bytes(3)), (1, Bytes(4)), (1, End)]);
    assert_eq!(result, Ok(7), "zero bytes: the server has closed the connection");
    assert_eq!(now - START, 6, "the seconds that it takes: three reads are enough");
}

fn nothing_yet_is_not_the_end_of_the_page<R: Reader>() {
    let (result, _) = read::<R>([(3, Bytes(3)), (6, Bytes(4)), (9, End)]);
    assert_eq!(result, Ok(7), "`WouldBlock`: the next bytes are still on their way");
}

fn an_interrupted_read_and_a_reset<R: Reader>() {
    let (result, _) = read::<R>([(1, Bytes(3)), (2, Interrupted), (3, End)]);
    assert_eq!(result, Ok(3), "an interrupted read is tried again");
    let (result, _) = read::<R>([(1, Bytes(3)), (2, Reset)]);
    let reset = Err(Why::Failed(ErrorKind::ConnectionReset));
    assert_eq!(result, reset, "the rest of the page will never arrive");
    let kind = ErrorKind::HostUnreachable;
    let (result, _) = read::<R>([(1, Bytes(3)), (2, Arrival::Failed(kind))]);
    assert_eq!(
        result,
        Err(Why::Failed(kind)),
        "the rest of the page will never arrive"
    );
}

fn a_server_that_is_silent<R: Reader>() {
    must_give_up::<R>([]);
}

fn a_server_that_sends_a_byte_now_and_then<R: Reader>() {
    must_give_up::<R>((1..200).map(|number| (10 * number - 5, Bytes(1))));
}

fn a_server_that_never_stops_sending<R: Reader>() {
    must_give_up::<R>([(1, Bytes(usize::MAX))]);
}

fn an_empty_page<R: Reader>() {
    let (result, _) = read::<R>([(3, End)]);
    assert_eq!(result, Ok(0), "the server has closed: the page has no bytes");
}

fn a_read_that_is_interrupted_without_end<R: Reader>() {
    must_give_up::<R>([(1, Interrupted); 200]);
}

fn a_page_that_is_complete_when_the_time_is_up<R: Reader>() {
    let (result, now) = read::<R>([(1, Bytes(3)), (GIVE_UP - START, End)]);
    assert_eq!(now, GIVE_UP, "the time of the last read");
    assert_eq!(result, Ok(3), "the page is complete");
}
