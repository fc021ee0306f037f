//! A leaf that reads: events are one-shot, so it arms the socket for each wait.

pub use crate::toy::coroutines::{
    Coroutine, FetchError, Loop, RESOLVED, Result, Resume, Step,
};
use crate::toy::coroutines::{Future, Join};
use crate::{cases, story};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::rc::Rc;

/// Reads until the server closes the connection, and returns all bytes. Bytes that have
/// arrived are read without a wait. Returns an error, and no bytes, if the connection is
/// lost (`FetchError::Reset`), or if an error is thrown in.
pub trait ReadAll: Coroutine<Return = Result<Vec<u8>>> + 'static {
    /// Returns a coroutine that has read nothing yet.
    fn new(socket: Rc<Socket>) -> Self;
}

/// What a socket is armed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interest {
    /// There is something to read.
    Readable,
    /// There is space to write to.
    Writable,
}

/// A non-blocking socket that is registered with a selector.
#[derive(Default)]
pub struct Socket {
    arrived: RefCell<VecDeque<Vec<u8>>>,
    is_closed: Cell<bool>,
    is_reset: Cell<bool>,
    /// The future that the next event resolves. Then the socket is not armed any more.
    armed: Cell<Option<Future>>,
    reads: Cell<usize>,
    arms: Cell<usize>,
}

/// The reads after which a socket panics: the solution reads without end.
const MOST_READS: usize = 100;

impl Socket {
    /// Returns the bytes that have arrived, or no bytes if the server has closed the
    /// connection. `WouldBlock` means that nothing has arrived, and any other error that
    /// the connection is lost.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        self.reads.set(self.reads.get() + 1);
        assert!(
            self.reads.get() <= MOST_READS,
            "{MOST_READS} reads, and there is little to read: it spins"
        );
        let chunk = self.arrived.borrow_mut().pop_front();
        let result = match chunk {
            None if self.is_reset.get() => Err(ErrorKind::ConnectionReset),
            None if !self.is_closed.get() => Err(ErrorKind::WouldBlock),
            chunk => Ok(chunk.unwrap_or_default()),
        };
        story!("  read: {:?}", result.as_ref().map(Vec::len));
        result.map_err(io::Error::from)
    }

    /// Makes a future that the next event of this kind resolves. Events are one-shot, so
    /// later events resolve nothing.
    pub fn arm(&self, event_loop: &mut Loop, interest: Interest) -> Future {
        let future = event_loop.new_future();
        story!("  the socket is armed: {interest:?} resolves {future:?}");
        self.arms.set(self.arms.get() + 1);
        match interest {
            Interest::Writable => event_loop.resolve(future), // there always is space
            Interest::Readable => self.armed.set(Some(future)),
        }
        future
    }
}

cases! {
    ReadAll:
    what_is_there_is_read_without_a_wait,
    it_waits_until_it_can_read,
    bytes_that_come_later_wake_it,
    three_chunks_that_come_one_by_one_need_three_waits,
    two_chunks_that_come_with_one_event_are_read,
    an_event_without_bytes_is_only_a_hint,
    a_reset_in_the_middle_is_an_error,
    what_is_thrown_in_is_returned,
}

/// A task that reads, and its socket.
struct Play {
    event_loop: Loop,
    socket: Rc<Socket>,
    task: Join<Vec<u8>>,
}

impl Play {
    /// Starts the task. These chunks are there already.
    fn new<R: ReadAll>(chunks: &[&str], is_closed: bool) -> Play {
        let socket = Rc::new(Socket::default());
        socket
            .arrived
            .borrow_mut()
            .extend(chunks.iter().map(|it| it.as_bytes().to_vec()));
        socket.is_closed.set(is_closed);
        let mut event_loop = Loop::default();
        let task = event_loop.spawn(R::new(Rc::clone(&socket)));
        event_loop.run_ready();
        Play { event_loop, socket, task }
    }

    /// Delivers an event, if the socket is armed.
    fn event(&mut self) {
        let armed = self.socket.armed.take();
        if let Some(future) = armed {
            story!("an event resolves {future:?}");
            self.event_loop.resolve(future);
        }
        self.event_loop.run_ready();
    }

    /// A chunk arrives; an empty one: the server closes the connection.
    #[track_caller]
    fn arrive(&mut self, chunk: &str) {
        let reads = self.socket.reads.get();
        match chunk {
            "" => self.socket.is_closed.set(true),
            _ => self.socket.arrived.borrow_mut().push_back(chunk.into()),
        }
        let is_armed = self.socket.armed.get().is_some();
        assert!(
            is_armed,
            "{} no event, because the socket is not armed: the task does not wait for it",
            if chunk.is_empty() {
                "the end of the page makes".into()
            } else {
                format!("{chunk:?} arrives, and makes")
            }
        );
        self.event();
        let has_read = self.socket.reads.get() > reads;
        assert!(
            has_read,
            "{chunk:?} has arrived, and the task waits for another future"
        );
    }

    /// Returns what the task has returned.
    fn result(mut self) -> Option<Result<String>> {
        match self.task.resume(&mut self.event_loop, Resume::Send) {
            Step::Return(result) => {
                Some(result.map(|it| String::from_utf8_lossy(&it).into_owned()))
            }
            Step::Yield(_) => None,
        }
    }
}

fn what_is_there_is_read_without_a_wait<R: ReadAll>() {
    let play = Play::new::<R>(&["hello, ", "world"], true);
    assert_eq!(play.socket.arms.get(), 0, "how many times the socket is armed");
    assert_eq!(play.result(), Some(Ok("hello, world".into())), "the server has closed");
    let play = Play::new::<R>(&[], true);
    assert_eq!(play.result(), Some(Ok("".into())), "the server has sent no bytes");
}

fn it_waits_until_it_can_read<R: ReadAll>() {
    let play = Play::new::<R>(&[], false);
    assert_eq!(play.socket.reads.get(), 1, "reads, and nothing has arrived");
    assert_eq!(play.result(), None, "nothing has arrived");
}

fn bytes_that_come_later_wake_it<R: ReadAll>() {
    let mut play = Play::new::<R>(&[], false);
    play.arrive("hello");
}

fn three_chunks_that_come_one_by_one_need_three_waits<R: ReadAll>() {
    let mut play = Play::new::<R>(&[], false);
    for chunk in ["one ", "two ", "three", ""] {
        play.arrive(chunk);
    }
    let arms = play.socket.arms.get();
    assert_eq!(
        arms, 4,
        "how many times the socket is armed: once for each chunk, and for the end"
    );
    let all = Some(Ok("one two three".into()));
    assert_eq!(play.result(), all, "the bytes of all chunks");
}

fn two_chunks_that_come_with_one_event_are_read<R: ReadAll>() {
    let mut play = Play::new::<R>(&[], false);
    story!("two chunks arrive");
    let chunks = ["one ", "two"].map(|chunk| chunk.as_bytes().to_vec());
    play.socket.arrived.borrow_mut().extend(chunks);
    play.event();
    let left = play.socket.arrived.borrow().len();
    assert_eq!(
        left, 0,
        "chunks that have arrived but are read only after another wait"
    );
}

fn an_event_without_bytes_is_only_a_hint<R: ReadAll>() {
    let mut play = Play::new::<R>(&["one "], false);
    play.event();
    play.event();
    for chunk in ["two", ""] {
        play.arrive(chunk);
    }
    let all = Some(Ok("one two".into()));
    assert_eq!(play.result(), all, "the bytes of all chunks");
}

fn a_reset_in_the_middle_is_an_error<R: ReadAll>() {
    let mut play = Play::new::<R>(&["one "], false);
    story!("the connection is lost");
    play.socket.is_reset.set(true);
    play.event();
    let reset = Some(Err(FetchError::Reset));
    assert_eq!(play.result(), reset, "half a page is not a page");
}

fn what_is_thrown_in_is_returned<R: ReadAll>() {
    let mut play = Play::new::<R>(&["one "], false);
    story!("the rest of the page is there, and the time is over");
    play.socket.is_closed.set(true);
    let late = FetchError::TimedOut(5);
    play.event_loop.throw(play.task.task, late.clone());
    play.event_loop.run_ready();
    assert_eq!(play.result(), Some(Err(late)), "a wait that fails ends the task");
}
