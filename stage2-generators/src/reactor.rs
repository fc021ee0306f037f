//! The reactor: asks the operating system, and resolves the futures that its events
//! name.

use crate::coroutine::{Result, Resume, Step};
use crate::event_loop::Loop;
use crate::futures::{Future, RESOLVED};
use crate::scheduler::TaskId;
use polling::{Event, Events, Poller};
use shared::{Timers, Trace, error::is_in_progress};
use socket2::{Domain, Type};
use std::collections::HashMap;
use std::io::{self, ErrorKind::Interrupted, ErrorKind::WouldBlock};
use std::sync::mpsc::{self, Receiver, Sender};
use std::{cell::Cell, net::SocketAddr, num::NonZeroUsize, sync::Arc, time::Instant};

/// What is called once, when its time has come.
pub type Callback = Box<dyn FnOnce(&mut Loop)>;

/// What a wait asks the selector for: an event with this number. `Event::readable`, or
/// `Event::writable`.
pub type Interest = fn(usize) -> Event;

/// What the loop knows of the world outside: sockets, other threads, and the time.
pub struct Reactor {
    /// The operating system's selector. `notify` ends a wait.
    pub poller: Arc<Poller>,
    /// Futures that something outside of the loop resolves: an event of the operating
    /// system, or another thread. While there are any, it makes sense to wait. With each
    /// goes the task that waits for a socket, if it is one.
    pub external: HashMap<Future, Option<TaskId>>,
    /// What is called when.
    pub timers: Timers<Callback>,
    /// Another thread sends a future here to have it resolved, and calls `notify`.
    pub sender: Sender<Future>,
    mailbox: Receiver<Future>,
    /// When the last wait was over.
    now: Instant,
}

impl Reactor {
    pub(crate) fn new(trace: Trace) -> io::Result<Reactor> {
        let (sender, mailbox) = mpsc::channel();
        Ok(Reactor {
            poller: Arc::new(Poller::new()?),
            external: HashMap::new(),
            timers: Timers::traced(trace),
            sender,
            mailbox,
            now: Instant::now(),
        })
    }
}

/// A socket that does not block, and that a poller knows for as long as it lives.
pub struct Socket {
    socket: socket2::Socket,
    poller: Arc<Poller>,
    /// The future of the last wait: one task at a time waits for a socket.
    waits_for: Cell<Future>,
}

impl Socket {
    /// Makes a socket known to the poller, which is asked for nothing yet. The socket
    /// must be non-blocking.
    pub fn new(socket: socket2::Socket, poller: &Arc<Poller>) -> io::Result<Socket> {
        // SAFETY: the poller must have deleted the socket before that is closed. It
        // stays in the `Socket` made here until that is dropped, and `drop` deletes it
        // first.
        #[allow(unsafe_code)]
        unsafe { poller.add(&socket, Event::none(0)) }?;
        let waits_for = Cell::new(RESOLVED);
        Ok(Socket { socket, poller: Arc::clone(poller), waits_for })
    }

    /// The socket itself, to read from, write to, and ask.
    pub fn inner(&self) -> &socket2::Socket {
        &self.socket
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        // It fails only for a socket that the poller does not know.
        let _ = self.poller.delete(&self.socket);
    }
}

impl Loop {
    /// Makes a socket that has started to connect, and the future that is resolved when
    /// the connection is established, or has failed. (std would wait until then.)
    pub(crate) fn open(&mut self, address: SocketAddr) -> io::Result<(Socket, Future)> {
        let domain = Domain::for_address(address);
        let socket = socket2::Socket::new(domain, Type::STREAM, None)?;
        socket.set_nonblocking(true)?;
        match socket.connect(&address.into()) {
            Err(error) if !is_in_progress(&error) => return Err(error),
            _ => {}
        }
        let socket = Socket::new(socket, &self.reactor.poller)?;
        self.observe.registered(); // observe
        self.arm(&socket, Event::writable).map(|future| (socket, future))
    }

    /// Makes a future that the operating system resolves when the socket is ready: the
    /// event bears the future's number. Events are one-shot, so each wait arms the socket
    /// again.
    fn arm(&mut self, socket: &Socket, interest: Interest) -> io::Result<Future> {
        let is_awaited = self.reactor.external.contains_key(&socket.waits_for.get());
        assert!(!is_awaited, "one task at a time waits for a socket");
        let future = self.new_future();
        let armed = socket.poller.modify(&socket.socket, interest(future.0));
        armed.inspect_err(|_| self.resolve(future))?; // no event will resolve it
        socket.waits_for.set(future);
        self.reactor.external.insert(future, self.scheduler.running);
        Ok(future)
    }

    /// Tries an operation that may have to wait for a socket: here each chain of
    /// coroutines that reads or writes ends. Readiness is only a hint, so the operation
    /// is tried again each time that the task is resumed.
    // ANCHOR: attempt
    pub fn attempt<T>(
        &mut self,
        socket: &Socket,
        interest: Interest,
        resume: Resume,
        operation: impl FnOnce(&socket2::Socket) -> io::Result<T>,
    ) -> Step<Result<T>> {
        if let Resume::Throw(error) = resume {
            self.resolve(socket.waits_for.get()); // the task does not wait any more
            return Step::Return(Err(error));
        }
        // ANCHOR: try_first
        let result = match operation(&socket.socket) {
            Err(error) if matches!(error.kind(), WouldBlock | Interrupted) => {
                self.arm(socket, interest).map(Step::Yield)
            }
            result => result.map(|value| Step::Return(Ok(value))),
        };
        result.unwrap_or_else(|error| Step::Return(Err(error.into())))
        // ANCHOR_END: try_first
    }
    // ANCHOR_END: attempt

    /// Returns whether no task is ready, and no event, no other thread and no timer can
    /// wake one.
    pub fn is_stuck(&self) -> bool {
        let Reactor { external, timers, .. } = &self.reactor;
        let can_wake = !external.is_empty() || timers.next().is_some();
        self.scheduler.ready.is_empty() && !can_wake
    }

    /// Does what was due when the last wait was over, and waits for what happens next:
    /// not at all, if a task is ready.
    pub fn poll_events(&mut self) -> io::Result<()> {
        while let Some(callback) = self.reactor.timers.take_due(self.reactor.now) {
            callback(self);
        }
        let Reactor { poller, external, timers, now, .. } = &mut self.reactor;
        let is_idle = self.scheduler.ready.is_empty();
        let until = if is_idle { timers.next() } else { Some(*now) };
        let time = until.map(|when| when.saturating_duration_since(Instant::now()));
        // Space for an event of each armed socket. An event that is left for the next
        // tick would be seen after a time-out that was due later.
        let most = NonZeroUsize::MIN.saturating_add(external.len());
        let mut events = Events::with_capacity(most);
        self.observe.trace.slept(until, time); // observe
        poller.wait(&mut events, time)?;
        self.observe.trace.woke(events.iter()); // observe
        *now = Instant::now();
        for event in events.iter() {
            // A late event, for a future that was given up, is ignored.
            if let Some(task) = self.reactor.external.get(&Future(event.key)) {
                self.observe.arrived(*task, event.readable, event.writable); // observe
                self.resolve(Future(event.key));
            }
        }
        while let Ok(future) = self.reactor.mailbox.try_recv() {
            self.resolve(future);
        }
        Ok(())
    }
}
