//! The reactor: asks the operating system, and resolves the futures that its events
//! name.

use crate::{Future, Futures, RESOLVED, Result, Resume, Step};
use polling::{Event, Events, Poller};
use shared::{error::is_under_way, watch::Waiting};
use socket2::{Domain, Type};
use std::io::{self, ErrorKind::Interrupted, ErrorKind::WouldBlock};
use std::{cell::Cell, net::SocketAddr, num::NonZeroUsize, sync::Arc, time::Instant};

/// A socket that does not block, and that a poller knows for as long as it lives.
pub struct Socket {
    socket: socket2::Socket,
    poller: Arc<Poller>,
    /// What was waited for last: one task at a time waits for a socket.
    awaits: Cell<Future>,
}

impl Socket {
    /// Makes a socket known to the poller, which is asked for nothing yet. It must not
    /// block.
    pub fn new(socket: socket2::Socket, poller: &Arc<Poller>) -> io::Result<Socket> {
        // SAFETY: the poller must have deleted the socket before that is closed. It
        // stays in the `Socket` made here until that is dropped, and `drop` deletes it
        // first.
        #[allow(unsafe_code)]
        unsafe { poller.add(&socket, Event::none(0)) }?;
        Ok(Socket { socket, poller: Arc::clone(poller), awaits: Cell::new(RESOLVED) })
    }

    /// What is read, written, and asked.
    pub fn inner(&self) -> &socket2::Socket {
        &self.socket
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        // It fails only for what the poller does not know.
        let _ = self.poller.delete(&self.socket);
    }
}

impl Futures {
    /// A socket that has started to connect, and the future that is resolved when that
    /// has succeeded, or failed. (std would wait for the end of it.)
    pub(crate) fn open(&mut self, address: SocketAddr) -> io::Result<(Socket, Future)> {
        let domain = Domain::for_address(address);
        let socket = socket2::Socket::new(domain, Type::STREAM, None)?;
        socket.set_nonblocking(true)?;
        match socket.connect(&address.into()) {
            Err(error) if !is_under_way(&error) => return Err(error),
            _ => {}
        }
        let socket = Socket::new(socket, &self.poller)?;
        self.lives.registered();
        self.arm(&socket, Waiting::Writable).map(|future| (socket, future))
    }

    /// A future that the operating system resolves, when the socket is `Writable`, or
    /// else readable: the event bears its number. Events are oneshot, so each wait arms
    /// the socket anew.
    fn arm(&mut self, socket: &Socket, waits: Waiting) -> io::Result<Future> {
        let (future, is_write) = (self.new_future(), waits == Waiting::Writable);
        let is_awaited = self.armed.contains_key(&socket.awaits.replace(future));
        assert!(!is_awaited, "one task at a time waits for a socket");
        let event = Event::new(future.0, !is_write, is_write);
        socket.poller.modify(&socket.socket, event)?;
        self.armed.insert(future, self.lives.running());
        Ok(future)
    }

    /// Tries what may have to wait for a socket: here each chain that reads or writes
    /// ends. Readiness is only a hint, so it is tried anew each time that we are
    /// resumed.
    #[track_caller]
    // ANCHOR: attempt
    pub fn attempt<T>(
        &mut self,
        socket: &Socket,
        (name, waits): (&'static str, Waiting<'static>),
        how: Resume,
        operation: impl FnOnce(&socket2::Socket) -> io::Result<T>,
    ) -> Step<Result<T>> {
        if let Resume::Throw(error) = how {
            return Step::Return(Err(error));
        }
        let result = match operation(&socket.socket) {
            Err(error) if matches!(error.kind(), WouldBlock | Interrupted) => {
                self.lives.will_pause(name, waits);
                self.arm(socket, waits).map(Step::Yield)
            }
            result => result.map(|value| Step::Return(Ok(value))),
        };
        result.unwrap_or_else(|error| Step::Return(Err(error.into())))
    }
    // ANCHOR_END: attempt

    /// Is nobody ready, and can no event and no timer make anybody so?
    pub fn is_stuck(&self) -> bool {
        self.ready.is_empty() && self.armed.is_empty() && self.timers.next().is_none()
    }

    /// Does what was due when the last wait was over, and waits for what happens next:
    /// not at all, if somebody is ready.
    pub fn turn(&mut self) -> io::Result<()> {
        while let Some(callback) = self.timers.take_due(self.now) {
            callback(self);
        }
        let next =
            if self.ready.is_empty() { self.timers.next() } else { Some(self.now) };
        let time = next.map(|when| when.saturating_duration_since(Instant::now()));
        // Room for an event of each armed socket. One that is left for the next tick
        // would be seen after a time-out that was due later.
        let most = NonZeroUsize::MIN.saturating_add(self.armed.len());
        let mut events = Events::with_capacity(most);
        self.poller.wait(&mut events, time)?;
        self.now = Instant::now();
        for event in events.iter() {
            // A late event finds nobody.
            if let Some(task) = self.armed.get(&Future(event.key)) {
                self.lives.arrived(*task, event.readable, event.writable);
                self.resolve(Future(event.key));
            }
        }
        while let Ok(future) = self.woken.1.try_recv() {
            self.resolve(future);
        }
        Ok(())
    }
}
