//! The event loop: it owns the sockets, and the callbacks that wait for them.

use crate::observe::Observer;
use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token, Waker};
use shared::stop::{Stop, StopCallback};
use shared::trace::Trace;
use shared::{TimerId, Timers};
use std::collections::{BTreeSet, HashMap};
use std::io::{self, ErrorKind};
use std::mem;
use std::net::SocketAddr;
use std::time::Instant;

/// A function that is called once, when an event arrives. It is a `FnOnce`: the call
/// consumes its state, which is dropped or moved into the next callback.
pub type Callback<World> = Box<dyn FnOnce(&mut EventLoop<World>, &mut World)>;

/// Waits for sockets and timers, and calls back. `World` is the state that callbacks
/// share. It is passed to each of them and not stored here.
///
/// ```
/// use shared::{Stop, Trace};
/// use stage1_callbacks::EventLoop;
/// use std::time::Instant;
///
/// let mut event_loop = EventLoop::new(&Stop::new(), Trace::off())?;
/// let now = Instant::now();
/// event_loop.set_timer(now, |_, world: &mut Vec<&str>| world.push("called"));
/// let mut world = Vec::new();
/// event_loop.run(&mut world, None)?;
/// assert_eq!(world, ["called"]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct EventLoop<World> {
    poll: Poll,
    /// The table: each open socket, and the callback that waits for it.
    slots: HashMap<Token, Slot<World>>,
    timers: Timers<Callback<World>>,
    /// The ready list: sockets whose callbacks run in this tick, or in the next. (A
    /// tick is one round of `run`: a wait, then the callbacks that are ready or due.) An
    /// event puts a socket here, and so does `call_soon`. No duplicates.
    ready: BTreeSet<Token>,
    /// The latest token. Tokens are never reused, so a stale event finds no slot.
    latest: usize,
    /// Ends a wait when the crawl is asked to stop.
    stop: StopCallback,
    /// Writes the trace and the stuck report. It decides nothing.
    pub observer: Observer,
}

/// An open socket.
struct Slot<World> {
    stream: TcpStream,
    /// The callback that waits for the next event. `None` before the first is
    /// registered, while it runs, and afterwards until another one is registered.
    callback: Option<Callback<World>>,
}

/// The token of the event that ends a wait after a stop. No socket has it.
const STOP: Token = Token(0);

impl<World> EventLoop<World> {
    /// Creates a loop with nothing to wait for yet. A request to `stop` makes `run`
    /// return. The loop writes events to `trace`.
    pub fn new(stop: &Stop, trace: Trace) -> io::Result<Self> {
        let poll = Poll::new()?;
        let waker = Waker::new(poll.registry(), STOP)?;
        // This fails only if the selector is closed, and then there is no wait to end.
        let stop = stop.on_stop(move || drop(waker.wake()));
        Ok(EventLoop {
            poll,
            slots: HashMap::new(),
            timers: Timers::with_trace(trace.clone()),
            ready: BTreeSet::new(),
            latest: STOP.0,
            stop,
            observer: Observer::new(trace),
        })
    }

    /// Starts to connect. The socket becomes writable once the connection is
    /// established, or has failed. No other event is reported until
    /// [`watch_reads_only`](Self::watch_reads_only) is called.
    pub fn connect(&mut self, address: SocketAddr) -> io::Result<Token> {
        let mut stream = TcpStream::connect(address)?;
        self.latest += 1;
        let token = Token(self.latest);
        self.poll.registry().register(&mut stream, token, Interest::WRITABLE)?;
        self.slots.insert(token, Slot { stream, callback: None });
        Ok(token)
    }

    /// From now on the socket reports that it is readable, and no longer that it is
    /// writable. Without this call no arriving data is reported. The second half
    /// matters on Windows, which has no edges: there mio arms a socket again after each
    /// `WouldBlock`. A socket that is waiting to read is usually writable, so it would
    /// report an event at once, and the loop would never sleep.
    ///
    /// # Panics
    /// The socket has been closed.
    pub fn watch_reads_only(&mut self, token: Token) -> io::Result<()> {
        let slot = self.slots.get_mut(&token).expect("the socket is open");
        self.poll.registry().reregister(&mut slot.stream, token, Interest::READABLE)
    }

    /// Returns the socket of a token.
    ///
    /// # Panics
    /// The socket has been closed.
    pub fn stream(&mut self, token: Token) -> &mut TcpStream {
        &mut self.slot(token).stream
    }

    fn slot(&mut self, token: Token) -> &mut Slot<World> {
        self.slots.get_mut(&token).expect("the socket is open")
    }

    /// Calls back once, at the next event of this socket. Events are edges: before you
    /// wait, read or write until `WouldBlock`, or be sure that a `call_soon` brings it back.
    /// `name` is for traces and the stuck report.
    ///
    /// # Panics
    /// The socket has been closed.
    #[track_caller]
    pub fn on_event(
        &mut self,
        token: Token,
        name: &'static str,
        callback: impl FnOnce(&mut Self, &mut World) + 'static,
    ) {
        self.slot(token).callback = Some(Box::new(callback));
        self.observer.paused(token, name, self.ready.contains(&token)); // observe
    }

    /// Runs the callback of this socket in the next tick, as if an event had arrived.
    /// For a callback that stops before `WouldBlock` to let the others run: no edge is
    /// reported for data that has arrived already. Calls nothing if the socket is
    /// closed by then.
    #[track_caller] // observe
    pub fn call_soon(&mut self, token: Token) {
        self.observer.queued(token, self.ready.contains(&token)); // observe
        self.ready.insert(token);
    }

    /// Closes a socket. The callback that waits for it is dropped, with its
    /// state. Does nothing if the socket is closed already.
    pub fn close(&mut self, token: Token) {
        let Some(mut slot) = self.slots.remove(&token) else { return };
        let result = self.poll.registry().deregister(&mut slot.stream);
        result.expect("a socket in the table is registered");
        self.observer.ended(token); // observe
    }

    /// Calls back at `when`, or as soon as possible after that.
    #[track_caller] // observe
    pub fn set_timer(
        &mut self,
        when: Instant,
        callback: impl FnOnce(&mut Self, &mut World) + 'static,
    ) -> TimerId {
        self.timers.set(when, Box::new(callback))
    }

    /// Clears a timer. Does nothing if it has fired already.
    #[track_caller] // observe
    pub fn clear_timer(&mut self, timer: TimerId) {
        self.timers.clear(timer);
    }

    /// Returns whether a stop was requested. From then on no callback is called.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_requested()
    }

    /// Runs until no socket and no timer is left to wait for, until `deadline` (`None`
    /// for no limit), or until a stop is requested.
    // ANCHOR: run
    pub fn run(
        &mut self,
        world: &mut World,
        deadline: Option<Instant>,
    ) -> io::Result<()> {
        let mut events = Events::with_capacity(1024);
        let mut now = Instant::now();
        while self.can_go_on() && deadline.is_none_or(|deadline| now < deadline) {
            self.wait(&mut events, deadline)?;
            // Events first, then the timers that have expired.
            now = Instant::now();
            for event in &events {
                self.observer.arrived(event); // observe
                self.ready.insert(event.token());
            }
            for token in mem::take(&mut self.ready) {
                self.call_back(token, world);
            }
            while let Some(callback) = self.take_due(now) {
                callback(self, world);
            }
        }
        Ok(())
    }
    // ANCHOR_END: run

    fn can_go_on(&self) -> bool {
        let is_awaited = |slot: &Slot<World>| slot.callback.is_some();
        let can_wake = self.timers.next_deadline().is_some()
            || self.slots.values().any(is_awaited);
        can_wake && !self.is_stopped()
    }

    /// Waits for events until the next timer or the deadline. If a socket is ready,
    /// it does not wait: it only takes the events that are there.
    fn wait(
        &mut self,
        events: &mut Events,
        deadline: Option<Instant>,
    ) -> io::Result<()> {
        // Room for an event of every socket: an event left for the next tick would be
        // handled after timers that expired after it had arrived.
        if events.capacity() < self.slots.len() {
            *events = Events::with_capacity(2 * self.slots.len());
        }
        let until = if self.ready.is_empty() {
            self.timers.next_deadline().into_iter().chain(deadline).min()
        } else {
            Some(Instant::now())
        };
        // `None` waits indefinitely. Zero only checks.
        let time = until.map(|when| when.saturating_duration_since(Instant::now()));
        self.observer.trace.slept(until, time); // observe
        match self.poll.poll(events, time) {
            // A signal or a debugger: the next tick computes the time again.
            Err(error) if error.kind() == ErrorKind::Interrupted => events.clear(),
            result => result?,
        }
        self.observer.trace.woke(events.iter()); // observe
        Ok(())
    }

    /// Calls the callback of a socket, if there is one. A stale event of a closed
    /// socket finds no slot, and an event that no callback waits for is ignored, too.
    fn call_back(&mut self, token: Token, world: &mut World) {
        if self.is_stopped() {
            return;
        }
        let Some(slot) = self.slots.get_mut(&token) else { return };
        let Some(callback) = slot.callback.take() else { return };
        self.observer.resumed(token); // observe
        callback(self, world);
    }

    /// Takes a callback whose timer has expired.
    fn take_due(&mut self, now: Instant) -> Option<Callback<World>> {
        if self.is_stopped() { None } else { self.timers.take_due(now) }
    }
}
