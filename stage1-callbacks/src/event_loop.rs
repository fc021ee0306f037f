//! The event loop: it owns the sockets, and the callbacks that wait for them.

use crate::observe::Observer;
use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token, Waker};
use shared::stop::{Stop, StopCallback};
use shared::trace::{Event, Trace};
use shared::{TimerId, Timers};
use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::mem;
use std::net::SocketAddr;
use std::time::Instant;

/// What is called once when something has happened. Unless it saves itself for the next
/// event, its state is gone: that is what `FnOnce` says.
pub type Callback<World> = Box<dyn FnOnce(&mut EventLoop<World>, &mut World)>;

/// Waits for sockets and timers, and calls back. `World` is what the callbacks share; the
/// loop passes it to each of them and keeps nothing of it.
pub struct EventLoop<World> {
    poll: Poll,
    /// The table: each open socket, and the callback that waits for it.
    slots: HashMap<Token, Slot<World>>,
    timers: Timers<Callback<World>>,
    /// Sockets whose callbacks are called in the next tick, without an event: mostly since
    /// they stopped reading before `WouldBlock`, and no new edge will come for what is
    /// there already. Each is in here at most once.
    not_drained: Vec<Token>,
    /// The token of the socket that was made last. None is used twice, so that a late
    /// event finds no slot.
    latest: usize,
    /// Ends a wait when the crawl is asked to stop.
    stop: StopCallback,
    /// Set by `end`: `run` returns after this callback.
    is_over: bool,
    /// Writes the trace and the stuck report. It decides nothing.
    pub observer: Observer,
}

/// An open socket.
struct Slot<World> {
    stream: TcpStream,
    /// The callback that waits for the next event. None while it runs, and after that
    /// unless it saves itself again.
    callback: Option<Callback<World>>,
    /// Whether the socket is in `not_drained`.
    is_not_drained: bool,
}

const STOP: Token = Token(0);
const OPEN: &str = "a fetcher closes its socket only once";

impl<World> EventLoop<World> {
    /// A loop with nothing to wait for yet. A request to `stop` makes `run` return; what
    /// the loop does is written to the trace.
    pub fn new(stop: &Stop, trace: Trace) -> io::Result<Self> {
        let poll = Poll::new()?;
        let waker = Waker::new(poll.registry(), STOP)?;
        // A waker fails only where the selector is gone, and then nothing waits.
        let stop = stop.on_stop(move || drop(waker.wake()));
        Ok(EventLoop {
            poll,
            slots: HashMap::new(),
            timers: Timers::traced(trace.clone()),
            not_drained: Vec::new(),
            latest: STOP.0,
            stop,
            is_over: false,
            observer: Observer::new(trace),
        })
    }

    /// Starts to connect. The socket becomes writable once the connection is established,
    /// or has failed. Until [`watch_reads_only`](Self::watch_reads_only) only that is an
    /// event.
    pub fn connect(&mut self, address: SocketAddr) -> io::Result<Token> {
        let mut stream = TcpStream::connect(address)?;
        self.latest += 1;
        let token = Token(self.latest);
        self.poll.registry().register(&mut stream, token, Interest::WRITABLE)?;
        self.slots
            .insert(token, Slot { stream, callback: None, is_not_drained: false });
        Ok(token)
    }

    /// From now on the socket's events are about reading only. On systems without edges
    /// mio asks again after each `WouldBlock`: a socket that waits to read, and can be
    /// written, would have an event at once, again and again.
    pub fn watch_reads_only(&mut self, token: Token) -> io::Result<()> {
        let slot = self.slots.get_mut(&token).expect(OPEN);
        self.poll.registry().reregister(&mut slot.stream, token, Interest::READABLE)
    }

    /// The socket of a token that is not closed yet.
    pub fn stream(&mut self, token: Token) -> &mut TcpStream {
        &mut self.slots.get_mut(&token).expect(OPEN).stream
    }

    /// Calls back once, at the next event of this socket. Events are edges: before you
    /// wait, read or write until `WouldBlock`. `name` is for traces and the stuck report.
    #[track_caller]
    pub fn on_event(
        &mut self,
        token: Token,
        name: &'static str,
        callback: impl FnOnce(&mut Self, &mut World) + 'static,
    ) {
        let slot = self.slots.get_mut(&token).expect(OPEN);
        slot.callback = Some(Box::new(callback));
        self.observer.paused(token, name, slot.is_not_drained); // observe
    }

    /// Calls back once, in the next tick: for a callback that stops before `WouldBlock`,
    /// so that others have their turn.
    #[track_caller]
    pub fn on_next_tick(
        &mut self,
        token: Token,
        name: &'static str,
        callback: impl FnOnce(&mut Self, &mut World) + 'static,
    ) {
        self.call_in_next_tick(token);
        self.on_event(token, name, callback);
    }

    /// Has the callback that waits for this socket called in the next tick, without an
    /// event. A socket that is closed by then is ignored.
    pub fn wake(&mut self, token: Token) {
        if self.slots.contains_key(&token) {
            self.call_in_next_tick(token);
        }
    }

    fn call_in_next_tick(&mut self, token: Token) {
        let slot = self.slots.get_mut(&token).expect(OPEN);
        if !mem::replace(&mut slot.is_not_drained, true) {
            self.not_drained.push(token);
            self.observer.trace.record(token.0 as u64, Event::Queued); // observe
        }
    }

    /// Closes a socket. What waits for it is dropped: the callback, and the fetcher in
    /// it.
    pub fn close(&mut self, token: Token) {
        let Some(mut slot) = self.slots.remove(&token) else { return };
        let result = self.poll.registry().deregister(&mut slot.stream);
        result.expect("a socket in the table is registered");
        self.observer.ended(token); // observe
    }

    /// Calls back at `when`, or as soon after it as the loop comes to it.
    #[track_caller] // observe
    pub fn set_timer(
        &mut self,
        when: Instant,
        callback: impl FnOnce(&mut Self, &mut World) + 'static,
    ) -> TimerId {
        self.timers.set(when, Box::new(callback))
    }

    /// Forgets a timer; a timer that has fired already is ignored.
    #[track_caller] // observe
    pub fn clear_timer(&mut self, timer: TimerId) {
        self.timers.clear(timer);
    }

    /// Makes `run` return: no other callback is called.
    pub fn end(&mut self) {
        self.is_over = true;
    }

    /// Returns whether `run` is about to return, because of the stop or of `end`.
    pub fn is_over(&self) -> bool {
        self.is_over || self.stop.is_requested()
    }

    /// Waits and calls back until nothing can happen any more, or the stop is requested.
    // ANCHOR: run
    pub fn run(&mut self, world: &mut World) -> io::Result<()> {
        let mut events = Events::with_capacity(1024);
        while self.can_go_on() && !self.is_over() {
            let not_drained = mem::take(&mut self.not_drained);
            // Space for an event of each socket. An event that is left for the next
            // tick would be seen after a time-out that was due later.
            if events.capacity() < self.slots.len() {
                events = Events::with_capacity(2 * self.slots.len());
            }
            self.wait(&mut events, !not_drained.is_empty())?;
            // What has happened by now is served before what is due by now.
            let now = Instant::now();
            for event in &events {
                self.observer.arrived(event); // observe
                self.call_back(event.token(), false, world);
            }
            for token in not_drained {
                self.call_back(token, true, world);
            }
            while let Some(callback) = self.next_due(now) {
                callback(self, world);
            }
        }
        Ok(())
    }
    // ANCHOR_END: run

    fn can_go_on(&self) -> bool {
        let is_awaited = |slot: &Slot<World>| slot.callback.is_some();
        self.timers.next().is_some() || self.slots.values().any(is_awaited)
    }

    fn wait(&mut self, events: &mut Events, is_urgent: bool) -> io::Result<()> {
        let until = if is_urgent { Some(Instant::now()) } else { self.timers.next() };
        // `None` waits without a limit; a time that is over only looks.
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

    /// Calls the callback that waits for a socket. A late event for a closed socket finds
    /// no slot, and an event that nothing waits for finds no callback: both are ignored.
    /// So is an event for a socket in `not_drained`: its callback has its turn anyway, and
    /// only one each tick.
    fn call_back(&mut self, token: Token, is_its_turn: bool, world: &mut World) {
        if self.is_over() {
            return;
        }
        let Some(slot) = self.slots.get_mut(&token) else { return };
        if slot.is_not_drained != is_its_turn {
            return;
        }
        slot.is_not_drained = false;
        let Some(callback) = slot.callback.take() else { return };
        self.observer.resumed(token); // observe
        callback(self, world);
    }

    fn next_due(&mut self, now: Instant) -> Option<Callback<World>> {
        if self.is_over() { None } else { self.timers.take_due(now) }
    }
}
