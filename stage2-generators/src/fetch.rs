//! One fetch: connects, sends a request, reads the answer. Coroutines that wait for
//! each other, down to a socket.

use crate::{Coroutine, Futures, RESOLVED, Result, Resume, Socket, Step, yield_from};
use shared::watch::Waiting::{self, Readable, Writable};
use shared::{FetchError::Network, Response, ResponseParser};
use std::io::ErrorKind::{AddrNotAvailable, NotConnected, WouldBlock};
use std::io::{self, Read as _, Write as _};
use std::{mem, net::SocketAddr, rc::Rc, vec};

// ANCHOR: fetch
/// A variant for each place where a fetch pauses, with the local variables that are
/// alive there: the child that it waits for, and what is needed after that.
#[derive(strum::IntoStaticStr)]
pub enum Fetch {
    /// Waits for a socket. After that it needs the request, and how many bytes the
    /// answer's body may have. Here it begins, with a `Connect` that has not begun.
    Connecting(Connect, Vec<u8>, u64),
    /// Waits until the request is sent. After that it needs the socket, where the
    /// answer comes, and how many bytes its body may have.
    Sending(SendAll, Rc<Socket>, u64),
    /// Waits for the answer.
    Reading(ReadAll),
}
// ANCHOR_END: fetch

impl Coroutine for Fetch {
    type Return = Result<Response>;

    // ANCHOR: fetch_resume
    fn resume(&mut self, futures: &mut Futures, how: Resume) -> Step<Self::Return> {
        futures.lives.enters((&*self).into());
        let next = match self {
            Fetch::Connecting(connect, request, max_body) => {
                let connected = yield_from!(connect, futures, how);
                connected.map(|socket| {
                    let send = SendAll(Rc::clone(&socket), mem::take(request), 0);
                    Fetch::Sending(send, socket, *max_body)
                })
            }
            Fetch::Sending(send, socket, max_body) => {
                let sent = yield_from!(send, futures, how);
                let parser = ResponseParser::new(*max_body);
                sent.map(|()| Fetch::Reading(ReadAll(Read(Rc::clone(socket)), parser)))
            }
            Fetch::Reading(read_all) => return read_all.resume(futures, how),
        };
        match next {
            Ok(next) => *self = next,
            Err(error) => return Step::Return(Err(error)),
        }
        self.resume(futures, Resume::Send)
    }
    // ANCHOR_END: fetch_resume
}

/// Connects to the first of several addresses that takes us, and returns the socket.
pub enum Connect {
    /// To these, in this order. Nothing has begun.
    To(vec::IntoIter<SocketAddr>),
    /// Waits until the connection is made. There are others, if it fails.
    Connecting(Rc<Socket>, vec::IntoIter<SocketAddr>),
}

impl Coroutine for Connect {
    type Return = Result<Rc<Socket>>;

    fn resume(&mut self, futures: &mut Futures, how: Resume) -> Step<Self::Return> {
        if let Resume::Throw(error) = how {
            return Step::Return(Err(error));
        }
        let (mut failure, mut others) = match self {
            Connect::To(all) => (Network(AddrNotAvailable), mem::take(all)),
            Connect::Connecting(socket, others) => {
                match futures.attempt(socket, ("connect", Writable), how, is_connected)
                {
                    Step::Yield(future) => return Step::Yield(future),
                    Step::Return(Ok(())) => return Step::Return(Ok(Rc::clone(socket))),
                    Step::Return(Err(error)) => (error, mem::take(others)),
                }
            }
        };
        *self = Connect::To(vec::IntoIter::default()); // closes the socket that failed
        while let Some(address) = others.next() {
            match futures.open(address) {
                Ok((socket, future)) => {
                    futures.lives.will_pause("connect", Writable);
                    *self = Connect::Connecting(Rc::new(socket), others);
                    return Step::Yield(future);
                }
                Err(error) => failure = failure.or_later(error.into()),
            }
        }
        Step::Return(Err(failure))
    }
}

/// The connection stands, or it failed, or neither has happened yet.
fn is_connected(socket: &socket2::Socket) -> io::Result<()> {
    match (socket.take_error()?, socket.peer_addr()) {
        (Some(error), _) => Err(error),
        (None, Err(error)) if error.kind() == NotConnected => Err(WouldBlock.into()),
        (None, result) => result.map(drop),
    }
}

/// Sends all bytes: to which socket, which bytes, and how many of them are sent.
pub struct SendAll(pub Rc<Socket>, pub Vec<u8>, pub usize);

impl Coroutine for SendAll {
    type Return = Result<()>;

    fn resume(&mut self, futures: &mut Futures, how: Resume) -> Step<Self::Return> {
        let SendAll(socket, bytes, sent) = self;
        futures.attempt(socket, ("send", Writable), how, |mut socket| {
            while *sent < bytes.len() {
                *sent += socket.write(&bytes[*sent..])?;
            }
            Ok(())
        })
    }
}

/// Returns exactly the bytes that have come. No bytes: the peer has closed.
pub struct Read(pub Rc<Socket>);

impl Coroutine for Read {
    type Return = Result<Vec<u8>>;

    fn resume(&mut self, futures: &mut Futures, how: Resume) -> Step<Self::Return> {
        futures.attempt(&self.0, ("read", Readable), how, |mut socket| {
            let mut chunk = [0; 16 * 1024]; // on the stack: nobody holds it while waiting
            let count = socket.read(&mut chunk)?;
            Ok(chunk[..count].to_vec())
        })
    }
}

/// Reads until the answer is whole, and returns it: the read that it waits for, and
/// what has come so far. After each chunk the others have their turn.
pub struct ReadAll(pub Read, pub ResponseParser);

impl Coroutine for ReadAll {
    type Return = Result<Response>;

    fn resume(&mut self, futures: &mut Futures, how: Resume) -> Step<Self::Return> {
        let ReadAll(read, parser) = self;
        let chunk = yield_from!(read, futures, how);
        let answer = chunk.and_then(|chunk| Ok(parser.feed(&chunk)?));
        if let Some(answer) = answer.transpose() {
            return Step::Return(answer);
        }
        *read = Read(Rc::clone(&read.0));
        futures.lives.will_pause("read_all", Waiting::Turn);
        Step::Yield(RESOLVED)
    }
}
