//! One fetch: connects, sends a request, reads the response. Coroutines that wait for
//! each other, down to a socket.

use crate::coroutine::{Coroutine, Result, Resume, Step};
use crate::event_loop::Loop;
use crate::futures::RESOLVED;
use crate::reactor::Socket;
use crate::yield_from;
use polling::Event;
use shared::trace::WaitReason::{Readable, Turn, Writable}; // observe
use shared::{Addresses, FetchError, Needs, Response, ResponseParser, TimerId};
use std::io::ErrorKind::{NotConnected, TimedOut, WouldBlock};
use std::io::{self, Read as _, Write as _};
use std::{mem, net::SocketAddr, rc::Rc, time::Instant};

// ANCHOR: fetch
/// A variant for each place where a fetch pauses, with the local variables that are
/// alive there: the child that it waits for, and what is needed after that.
// Traces show these names: `observe.rs` has them as text. // observe
#[expect(missing_docs, reason = "fields are local variables")]
pub enum Fetch {
    /// Waits for a connection. Here a fetch begins.
    Connecting { connect: Connect, request: Vec<u8>, needs: Needs },
    /// Waits until the request is sent.
    Sending { send_all: SendAll, needs: Needs },
    /// Waits for the response.
    Reading { read_all: ReadAll },
}
// ANCHOR_END: fetch

impl Coroutine for Fetch {
    type Return = Result<Response>;

    // ANCHOR: fetch_resume
    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        event_loop.observe.set_state(self.name()); // observe
        let next = match self {
            Fetch::Connecting { connect, request, needs } => {
                let connected = yield_from!(connect, event_loop, resume);
                connected.map(|socket| {
                    let bytes = mem::take(request);
                    let send_all = SendAll { socket, bytes, sent: 0 };
                    Fetch::Sending { send_all, needs: *needs }
                })
            }
            Fetch::Sending { send_all, needs } => {
                let sent = yield_from!(send_all, event_loop, resume);
                let read = Read { socket: Rc::clone(&send_all.socket) };
                let parser = ResponseParser::new(*needs);
                sent.map(|()| Fetch::Reading { read_all: ReadAll { read, parser } })
            }
            Fetch::Reading { read_all } => return read_all.resume(event_loop, resume),
        };
        match next {
            Ok(next) => *self = next,
            Err(error) => return Step::Return(Err(error)),
        }
        self.resume(event_loop, Resume::Send)
    }
    // ANCHOR_END: fetch_resume
}

impl Fetch {
    /// The bytes of the response that it holds now.
    pub(crate) fn held(&self) -> usize {
        match self {
            Fetch::Connecting { .. } | Fetch::Sending { .. } => 0,
            Fetch::Reading { read_all } => read_all.parser.held(),
        }
    }
}

/// Connects to the first of several addresses that takes the connection, and returns the
/// socket.
pub struct Connect {
    /// The addresses that were not tried yet.
    addresses: Addresses,
    /// The socket that connects. None: nothing has begun.
    socket: Option<Rc<Socket>>,
    /// Throws when the time of its address is over. None: that is the last address, and
    /// has all the time.
    time_out: Option<TimerId>,
}

impl Connect {
    /// Nothing has begun. The addresses are tried in this order, until `deadline`.
    pub fn to(addresses: Vec<SocketAddr>, deadline: Instant) -> Connect {
        let addresses = Addresses::new(addresses, deadline);
        Connect { addresses, socket: None, time_out: None }
    }
}

impl Coroutine for Connect {
    type Return = Result<Rc<Socket>>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        event_loop.observe.park_at("connect", Writable); // observe
        if let Some(socket) = &self.socket {
            let step =
                event_loop.attempt(socket, Event::writable, resume, is_connected);
            let connected = match step {
                Step::Yield(future) => return Step::Yield(future),
                Step::Return(connected) => connected.map(|()| Rc::clone(socket)),
            };
            if let Some(timer) = self.time_out.take() {
                event_loop.reactor.timers.clear(timer);
            }
            match connected {
                // The server refuses, or the time of this address is over.
                Err(error @ FetchError::Network(_)) => self.addresses.failed(error),
                connected => return Step::Return(connected),
            }
        } else if let Resume::Throw(error) = resume {
            return Step::Return(Err(error));
        }
        self.socket = None; // closes the one that failed, before another one is made
        while let Some((address, time_is_over)) = self.addresses.next_address() {
            match event_loop.open(address) {
                Ok((socket, future)) => {
                    let late = FetchError::Network(TimedOut);
                    let throw = |when| event_loop.throw_at(when, late);
                    self.time_out = time_is_over.map(throw);
                    self.socket = Some(Rc::new(socket));
                    return Step::Yield(future);
                }
                Err(error) => self.addresses.failed(error.into()),
            }
        }
        Step::Return(Err(self.addresses.failure()))
    }
}

/// Returns whether the connection is established, as `WouldBlock` if that is not known
/// yet.
fn is_connected(socket: &socket2::Socket) -> io::Result<()> {
    match (socket.take_error()?, socket.peer_addr()) {
        (Some(error), _) => Err(error),
        (None, Err(error)) if error.kind() == NotConnected => Err(WouldBlock.into()),
        (None, result) => result.map(drop),
    }
}

/// Sends all bytes.
pub struct SendAll {
    /// Where to.
    pub socket: Rc<Socket>,
    /// What is sent.
    pub bytes: Vec<u8>,
    /// How many of the bytes are sent already.
    pub sent: usize,
}

impl Coroutine for SendAll {
    type Return = Result<()>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        event_loop.observe.park_at("send", Writable); // observe
        let SendAll { socket, bytes, sent } = self;
        event_loop.attempt(socket, Event::writable, resume, |mut socket| {
            while *sent < bytes.len() {
                *sent += socket.write(&bytes[*sent..])?;
            }
            Ok(())
        })
    }
}

/// Waits for bytes, and returns exactly those that have arrived. No bytes: the peer has
/// closed the connection.
pub struct Read {
    /// Where from.
    pub socket: Rc<Socket>,
}

impl Coroutine for Read {
    type Return = Result<Vec<u8>>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        event_loop.observe.park_at("read", Readable); // observe
        event_loop.attempt(&self.socket, Event::readable, resume, |mut socket| {
            let mut chunk = [0; 16 * 1024]; // on the stack: no task holds it while waiting
            let count = socket.read(&mut chunk)?;
            Ok(chunk[..count].to_vec())
        })
    }
}

/// Reads until the response is complete, and returns it. After each chunk the other tasks
/// have their turn.
pub struct ReadAll {
    /// The read that it waits for.
    pub read: Read,
    /// What has arrived so far.
    pub parser: ResponseParser,
}

impl Coroutine for ReadAll {
    type Return = Result<Response>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        let chunk = yield_from!(self.read, event_loop, resume);
        let response = chunk.and_then(|chunk| Ok(self.parser.feed(&chunk)?));
        if let Some(response) = response.transpose() {
            return Step::Return(response);
        }
        self.read = Read { socket: Rc::clone(&self.read.socket) };
        event_loop.observe.park_at("read_all", Turn); // observe
        Step::Yield(RESOLVED)
    }
}
