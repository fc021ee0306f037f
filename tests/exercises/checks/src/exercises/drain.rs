//! A callback that reads until the socket has no more. Events are edges.

pub use crate::toy::socket::Socket;
use crate::toy::socket::sent;

use crate::toy::socket::Arrival::{self, Bytes, End, Interrupted, Reset};
use crate::{cases, story};
use std::io::ErrorKind;

/// What a callback leaves behind when it returns to the loop.
pub enum Next<F> {
    /// Call it at the next event of the socket.
    OnEvent(F),
    /// Call it in the next tick, whether or not there is an event.
    CallSoon(F),
    /// The server has closed the connection: this is the page.
    Done(Vec<u8>),
    /// The fetch has failed.
    Failed(ErrorKind),
}

/// A fetcher, which the loop calls for an event of its socket.
pub trait Fetcher: Sized + 'static {
    /// Returns a fetcher that has read nothing yet.
    fn new() -> Self;
    /// Reads what there is, but at most [`READS_A_TURN`] times. What is left, or was
    /// interrupted, waits for the next tick, not for an event.
    fn read_response(self, socket: &mut Socket) -> Next<Self>;
}

/// How often one socket is read before the others get their turn.
pub const READS_A_TURN: usize = 16;

cases! {
    Fetcher:
    data_and_end_with_one_edge,
    a_page_in_three_pieces,
    an_event_with_nothing_to_read,
    a_read_that_is_interrupted,
    a_reset_in_the_middle,
    a_server_that_sends_faster_than_we_read,
    an_empty_page,
    a_read_that_is_interrupted_again_and_again,
}

/// The turns in a row without a read after which the loop panics.
const MOST_IDLE: usize = 20;

/// Plays the loop. The arrivals of one list come together: they are one edge, so one event.
fn play<F: Fetcher>(edges: Vec<Vec<Arrival>>) -> Result<usize, ErrorKind> {
    let (mut socket, mut fetcher) = (Socket::default(), F::new());
    let mut edges = edges.into_iter();
    let (mut needs_event, mut idle) = (true, 0);
    loop {
        if needs_event {
            let unread = socket.unread();
            let Some(edge) = edges.next() else {
                panic!(
                    "it waits for an event, and none will come. Not read: {unread:?}"
                );
            };
            socket.arrive(edge);
            story!("an event: read_response is called");
        } else {
            story!("the next tick: read_response is called");
        }
        let before = socket.reads();
        let next = fetcher.read_response(&mut socket);
        let reads = socket.reads() - before;
        assert!(
            reads <= READS_A_TURN,
            "{reads} reads in one turn, and the limit is {READS_A_TURN}: other sockets wait"
        );
        idle = if reads == 0 { idle + 1 } else { 0 };
        assert!(
            idle < MOST_IDLE,
            "{MOST_IDLE} turns in a row without a read, and the page is not complete"
        );
        (fetcher, needs_event) = match next {
            Next::OnEvent(fetcher) => (fetcher, true),
            Next::CallSoon(fetcher) => (fetcher, false),
            Next::Done(page) => {
                let is_whole = page == sent(page.len());
                assert!(is_whole, "the page differs from what the server sent");
                return Ok(page.len());
            }
            Next::Failed(kind) => return Err(kind),
        };
    }
}

fn data_and_end_with_one_edge<F: Fetcher>() {
    assert_eq!(play::<F>(vec![vec![Bytes(3), End]]), Ok(3), "bytes of the page");
    let long = play::<F>(vec![vec![Bytes(20_000), End]]);
    assert_eq!(long, Ok(20_000), "bytes of the page");
}

fn a_page_in_three_pieces<F: Fetcher>() {
    let edges = vec![vec![Bytes(1)], vec![Bytes(2)], vec![Bytes(3)], vec![End]];
    assert_eq!(play::<F>(edges), Ok(6), "bytes of the page");
}

fn an_event_with_nothing_to_read<F: Fetcher>() {
    let edges = vec![vec![], vec![Bytes(5), End]];
    assert_eq!(
        play::<F>(edges),
        Ok(5),
        "an event is a hint: `WouldBlock` is not a failure"
    );
}

fn a_read_that_is_interrupted<F: Fetcher>() {
    let edges = vec![vec![Bytes(5), Interrupted, Bytes(5), Interrupted, End]];
    assert_eq!(play::<F>(edges), Ok(10), "an interrupted read is tried again");
}

fn a_reset_in_the_middle<F: Fetcher>() {
    let result = play::<F>(vec![vec![Bytes(5), Reset]]);
    assert_eq!(result, Err(ErrorKind::ConnectionReset), "half a page is not a page");
    let kind = ErrorKind::HostUnreachable;
    let result = play::<F>(vec![vec![Bytes(5), Arrival::Failed(kind)]]);
    assert_eq!(result, Err(kind), "half a page is not a page");
}

fn a_server_that_sends_faster_than_we_read<F: Fetcher>() {
    let edges = vec![vec![Bytes(4096 * 100)], vec![End]];
    assert_eq!(play::<F>(edges), Ok(4096 * 100), "bytes of the page");
}

fn an_empty_page<F: Fetcher>() {
    let length = play::<F>(vec![vec![End]]);
    assert_eq!(length, Ok(0), "the server has closed: the page has no bytes");
}

fn a_read_that_is_interrupted_again_and_again<F: Fetcher>() {
    let edges = vec![[vec![Interrupted; 50], vec![Bytes(5), End]].concat()];
    assert_eq!(play::<F>(edges), Ok(5), "a read that was interrupted is a read, too");
}
