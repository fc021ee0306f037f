//! One fetch: connects, sends a request, reads the response. It is a state machine: an
//! enum with a variant for each wait, which `resume` moves from one variant to the
//! next. Each variant holds another coroutine, and so on down to a socket.

use crate::{
    Connect, Coroutine, Loop, RESOLVED, Result, Resume, Socket, Step, yield_from,
};
use polling::Event;
use shared::trace::WaitReason::{Readable, Turn, Writable}; // observe
use shared::{Needs, Response, ResponseParser};
use std::io::ErrorKind::{NotConnected, WouldBlock, WriteZero};
use std::io::{self, Read as _, Write as _};
use std::{mem, net::SocketAddr, rc::Rc};

// ANCHOR: fetch
/// A variant for each place where a fetch pauses, with the local variables that are
/// alive there: the child that it waits for, and what is needed after that.
// Traces show these names: `observe.rs` has them as text. // observe
#[expect(missing_docs, reason = "fields are local variables")]
pub enum Fetch {
    /// Waits for a connection. A fetch begins here.
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
    /// Returns how many bytes of the response it holds now.
    pub(crate) fn held(&self) -> usize {
        match self {
            Fetch::Connecting { .. } | Fetch::Sending { .. } => 0,
            Fetch::Reading { read_all } => read_all.parser.held(),
        }
    }
}

/// Connects to one address, and returns the socket. (`connect.rs` tries several.)
pub enum ConnectOne {
    /// Nothing has begun.
    Start(SocketAddr),
    /// Waits until the connection is established.
    Waiting(Rc<Socket>),
}

impl Coroutine for ConnectOne {
    type Return = Result<Rc<Socket>>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        event_loop.observe.park_at("connect", Writable); // observe
        match (&mut *self, resume) {
            (Self::Start(_), Resume::Throw(error)) => Step::Return(Err(error)),
            (Self::Start(address), Resume::Send) => match event_loop.open(*address) {
                Ok((socket, future)) => {
                    *self = Self::Waiting(Rc::new(socket));
                    Step::Yield(future)
                }
                Err(error) => Step::Return(Err(error.into())),
            },
            (Self::Waiting(socket), resume) => {
                event_loop.attempt(socket, Event::writable, resume, |inner| {
                    is_connected(inner).map(|()| Rc::clone(socket))
                })
            }
        }
    }
}

/// Succeeds if the connection is established. `WouldBlock`: it is not known yet.
fn is_connected(socket: &socket2::Socket) -> io::Result<()> {
    match (socket.take_error()?, socket.peer_addr()) {
        (Some(error), _) => Err(error),
        (None, Err(error)) if error.kind() == NotConnected => Err(WouldBlock.into()),
        (None, result) => result.map(drop),
    }
}

/// Sends all bytes.
pub struct SendAll {
    /// The socket to send to.
    pub socket: Rc<Socket>,
    /// The bytes to send.
    pub bytes: Vec<u8>,
    /// How many of the bytes have been sent.
    pub sent: usize,
}

impl Coroutine for SendAll {
    type Return = Result<()>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        event_loop.observe.park_at("send", Writable); // observe
        let SendAll { socket, bytes, sent } = self;
        event_loop.attempt(socket, Event::writable, resume, |mut socket| {
            while *sent < bytes.len() {
                match socket.write(&bytes[*sent..])? {
                    0 => return Err(WriteZero.into()),
                    count => *sent += count,
                }
            }
            Ok(())
        })
    }
}

/// Waits for bytes, and returns those that have arrived, at most 16 KiB of them.
/// Returns no bytes if the peer has closed the connection.
pub struct Read {
    /// The socket to read from.
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

/// Reads until the response is complete, and returns it. After each chunk the other
/// tasks get their turn.
pub struct ReadAll {
    /// The read that it waits for.
    pub read: Read,
    /// Parses what has arrived so far.
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
        // The last read has ended, and a coroutine is not resumed after its end.
        self.read = Read { socket: Rc::clone(&self.read.socket) };
        event_loop.observe.park_at("read_all", Turn); // observe
        Step::Yield(RESOLVED)
    }
}
