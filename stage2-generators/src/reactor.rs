//! The reactor: asks the operating system for events, and resolves the futures that
//! they name.

use crate::{Future, Loop, RESOLVED, Result, Resume, Step};
use polling::{Event, Events, Poller};
use shared::trace::By; // observe
use shared::{FetchError, Timers, Trace, error::is_in_progress};
use socket2::{Domain, Type};
use std::io::{self, ErrorKind::Interrupted, ErrorKind::WouldBlock};
use std::sync::mpsc::{self, Receiver, Sender};
use std::{cell::Cell, net::SocketAddr, num::NonZeroUsize, sync::Arc, time::Instant};

/// The callback of a timer.
pub type Callback = Box<dyn FnOnce(&mut Loop)>;

/// Builds the event to wait for, from a future's number: `Event::readable` or
/// `Event::writable`.
pub type Interest = fn(usize) -> Event;

/// Everything that comes from outside: events of sockets, messages of other threads,
/// and the time.
pub struct Reactor {
    /// The operating system's selector. `notify` ends a wait.
    pub poller: Arc<Poller>,
    /// Callbacks, each with the time at which it is called.
    pub timers: Timers<Callback>,
    /// Another thread sends a future here to have it resolved, and calls `notify`. The
    /// future must be in [`Futures::external`](crate::Futures::external), or the loop
    /// may count as stuck meanwhile. (The crawler needs no other threads.)
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
            timers: Timers::with_trace(trace),
            sender,
            mailbox,
            now: Instant::now(),
        })
    }
}

/// A non-blocking socket, registered with the poller until it is dropped.
pub struct Socket {
    socket: socket2::Socket,
    poller: Arc<Poller>,
    /// The future of the latest wait, pending or not. Only one task at a time waits for
    /// a socket.
    latest_wait: Cell<Future>,
}

impl Socket {
    /// Registers a socket with the poller, without interest in any event yet. The
    /// socket must be non-blocking.
    pub fn new(socket: socket2::Socket, poller: &Arc<Poller>) -> io::Result<Socket> {
        // SAFETY: the socket must be removed from the poller before it is closed. The
        // `Socket` created here owns it until it is dropped, and `drop` first removes
        // it from the poller.
        #[allow(unsafe_code)]
        unsafe { poller.add(&socket, Event::none(0)) }?;
        Ok(Socket { socket, poller: poller.clone(), latest_wait: Cell::new(RESOLVED) })
    }

    /// Returns the socket itself, to read from it and write to it.
    pub fn inner(&self) -> &socket2::Socket {
        &self.socket
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        // This fails only for a socket that is not registered.
        let _ = self.poller.delete(&self.socket);
    }
}

impl Loop {
    /// Opens a socket that starts to connect. Returns it with the future that is
    /// resolved when the connection is established or has failed. (`TcpStream::connect`
    /// of std would block.)
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

    /// Asks the poller for one event of the socket, and returns the future that this
    /// event resolves: it carries the future's number. Events are one-shot, so each
    /// wait arms the socket again, with a new future unless the last is still pending.
    fn arm(&mut self, socket: &Socket, interest: Interest) -> io::Result<Future> {
        let (latest, running) = (socket.latest_wait.get(), self.scheduler.running);
        let future = match self.futures.external.get(&latest) {
            Some(waiter) if *waiter == running => latest, // resumed too early
            Some(_) => panic!("one task at a time waits for a socket"),
            None => self.new_future(),
        };
        let armed = socket.poller.modify(&socket.socket, interest(future.0));
        armed.inspect_err(|_| drop(self.forget(future)))?; // no event will resolve it
        socket.latest_wait.set(future);
        self.futures.external.insert(future, running);
        Ok(future)
    }

    /// Tries an operation that may have to wait for a socket. Each chain of coroutines
    /// that reads or writes ends here. Readiness is only a hint, so the operation is
    /// tried again each time that the task is resumed.
    ///
    /// # Panics
    /// Another task waits for this socket.
    // ANCHOR: attempt
    pub fn attempt<T>(
        &mut self,
        socket: &Socket,
        interest: Interest,
        resume: Resume,
        operation: impl FnOnce(&socket2::Socket) -> io::Result<T>,
    ) -> Step<Result<T>> {
        if let Resume::Throw(error) = resume {
            self.forget(socket.latest_wait.get()); // the wait is given up
            return Step::Return(Err(error));
        }
        // ANCHOR: try_first
        match operation(&socket.socket) {
            Err(error) if matches!(error.kind(), WouldBlock | Interrupted) => {}
            result => return Step::Return(result.map_err(FetchError::from)),
        }
        match self.arm(socket, interest) {
            Ok(future) => Step::Yield(future),
            Err(error) => Step::Return(Err(error.into())),
        }
        // ANCHOR_END: try_first
    }
    // ANCHOR_END: attempt

    /// Returns whether no task is ready, and no event, no other thread and no timer can
    /// wake one.
    pub fn is_stuck(&self) -> bool {
        let has_timer = self.reactor.timers.next_deadline().is_some();
        let can_wake = has_timer || !self.futures.external.is_empty();
        self.scheduler.ready.is_empty() && !can_wake
    }

    /// Runs the timers that had expired at the end of the last wait, then waits for
    /// events. If a task is ready, it only checks for them. The timers run only now,
    /// after the tasks that the events of that wait woke: an answer that arrives
    /// together with its deadline is in time.
    pub fn poll_events(&mut self) -> io::Result<()> {
        while let Some(callback) = self.reactor.timers.take_due(self.reactor.now) {
            callback(self);
        }
        if self.is_stuck() {
            return Ok(()); // those timers were the last, and have woken no task
        }
        let Reactor { poller, timers, now, .. } = &mut self.reactor;
        let is_idle = self.scheduler.ready.is_empty();
        let until = if is_idle { timers.next_deadline() } else { Some(*now) };
        let time = until.map(|when| when.saturating_duration_since(Instant::now()));
        // Room for an event of every armed socket and for the poller's own two: an event
        // left for the next wait would be handled after timers that expired after it
        // had arrived.
        let most = NonZeroUsize::MIN.saturating_add(1 + self.futures.external.len());
        let mut events = Events::with_capacity(most);
        self.observe.trace.slept(until, time); // observe
        poller.wait(&mut events, time)?;
        self.observe.trace.woke(events.iter()); // observe
        *now = Instant::now();
        for event in events.iter() {
            let task = self.futures.external.get(&Future(event.key)).copied(); // observe
            self.observe.arrived(task.flatten(), &event); // observe
            // A stale event names a wait that was given up, and resolves nothing.
            self.resolve(Future(event.key));
        }
        while let Ok(future) = self.reactor.mailbox.try_recv() {
            self.observe.trace.set_caller(By::Thread); // observe
            self.resolve(future);
        }
        Ok(())
    }
}
