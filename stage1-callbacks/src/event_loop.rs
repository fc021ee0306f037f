//! The event loop: it owns the sockets, and the callbacks that wait for them.

use mio::event::Event as Readiness;
use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token, Waker};
use shared::stop::{Bell, Stop};
use shared::watch::{Event, Place, Waiting, Watch};
use shared::{TimerId, Timers};
use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::mem;
use std::net::SocketAddr;
use std::panic::Location;
use std::time::{Duration, Instant};

/// What is called once when something has happened. Unless it saves itself for the next
/// event, its state is gone: that is what `FnOnce` says.
pub type Callback<World> = Box<dyn FnOnce(&mut EventLoop<World>, &mut World)>;

/// Waits for sockets and timers, and calls back. `World` is what callbacks share; the
/// loop passes it to each and keeps nothing of it.
pub struct EventLoop<World> {
    poll: Poll,
    /// The slab: each socket, and the callback that waits for it.
    slots: HashMap<Token, Slot<World>>,
    timers: Timers<Callback<World>>,
    /// Sockets whose callback stopped early, to be fair. No new edge will come for
    /// them.
    again: Vec<Token>,
    /// The latest token. None is used twice, so that a late event finds nobody.
    next: usize,
    stop: Stop,
    _bell: Bell,
    watch: Watch,
}

/// A socket, and who waits for it.
struct Slot<World> {
    stream: TcpStream,
    purpose: String,
    waiting: Option<Waiter<World>>,
}

struct Waiter<World> {
    at: Place,
    callback: Callback<World>,
}

const STOP: Token = Token(0);
const OPEN: &str = "a fetcher closes its socket only once";

impl<World> EventLoop<World> {
    /// A loop with nothing to wait for yet. Pulling `stop` makes `run` return; what the
    /// loop does is told to `watch`.
    pub fn new(stop: &Stop, watch: Watch) -> io::Result<Self> {
        let poll = Poll::new()?;
        let waker = Waker::new(poll.registry(), STOP)?;
        // A waker fails only where the selector is gone, and then nobody waits.
        let bell = stop.hang(move || drop(waker.wake()));
        Ok(EventLoop {
            poll,
            slots: HashMap::new(),
            timers: Timers::default(),
            again: Vec::new(),
            next: STOP.0,
            stop: stop.clone(),
            _bell: bell,
            watch,
        })
    }

    /// Starts to connect; the socket is writable when that has succeeded, or failed.
    /// Until [`only_reads`](Self::only_reads) it is watched for that alone.
    /// `purpose` is for the person who reads a trace or a stuck report.
    pub fn connect(&mut self, address: SocketAddr, purpose: &str) -> io::Result<Token> {
        let mut stream = TcpStream::connect(address)?;
        self.next += 1;
        let token = Token(self.next);
        self.poll.registry().register(&mut stream, token, Interest::WRITABLE)?;
        self.note(token, Event::Created { purpose });
        self.note(token, Event::Registered);
        let slot = Slot { stream, purpose: purpose.to_string(), waiting: None };
        self.slots.insert(token, slot);
        Ok(token)
    }

    /// Watches a socket for what can be read, from now on. On systems without edges mio
    /// asks again after each `WouldBlock`: who waits to read, and can write, would be
    /// woken at once, for ever.
    pub fn only_reads(&mut self, token: Token) -> io::Result<()> {
        let slot = self.slots.get_mut(&token).expect(OPEN);
        self.poll.registry().reregister(&mut slot.stream, token, Interest::READABLE)
    }

    /// The socket of a token that is not closed yet.
    pub fn stream(&mut self, token: Token) -> &mut TcpStream {
        &mut self.slots.get_mut(&token).expect(OPEN).stream
    }

    /// Calls back once, at the next event of this socket. Events are edges: before you
    /// wait, read or write until `WouldBlock`.
    #[track_caller]
    pub fn on_event(
        &mut self,
        token: Token,
        name: &'static str,
        callback: impl FnOnce(&mut Self, &mut World) + 'static,
    ) {
        let at = Place { file: Location::caller().file(), name };
        let is_next = self.again.contains(&token);
        let waits = if is_next { Waiting::Turn } else { Waiting::Socket };
        self.note(token, Event::Paused { state: name, waits, at });
        let waiter = Waiter { at, callback: Box::new(callback) };
        self.slots.get_mut(&token).expect(OPEN).waiting = Some(waiter);
    }

    /// Calls back once, in the next tick: for a callback that stops before
    /// `WouldBlock`, so that others have their turn. No edge would come for what is
    /// there already.
    #[track_caller]
    pub fn on_next_tick(
        &mut self,
        token: Token,
        name: &'static str,
        callback: impl FnOnce(&mut Self, &mut World) + 'static,
    ) {
        self.again.push(token);
        self.on_event(token, name, callback);
    }

    /// Closes a socket. Whatever waits for it is dropped: the callback, and the fetcher
    /// in it.
    pub fn close(&mut self, token: Token) {
        let Some(mut slot) = self.slots.remove(&token) else { return };
        self.poll
            .registry()
            .deregister(&mut slot.stream)
            .expect("a socket in the slab is registered");
        let is_cancelled = slot.waiting.is_some();
        let end = if is_cancelled { Event::Cancelled } else { Event::Finished };
        self.note(token, end);
    }

    /// Calls back at `when`, or as soon after it as the loop comes to it.
    pub fn set_timer(
        &mut self,
        when: Instant,
        callback: impl FnOnce(&mut Self, &mut World) + 'static,
    ) -> TimerId {
        self.timers.set(when, Box::new(callback))
    }

    /// Forgets a timer; one that has fired already is no error.
    pub fn clear_timer(&mut self, timer: TimerId) {
        self.timers.clear(timer);
    }

    /// Waits and calls back until nothing can happen any more, or the stop is pulled.
    // ANCHOR: run
    pub fn run(&mut self, world: &mut World) -> io::Result<()> {
        let mut events = Events::with_capacity(1024);
        while self.can_go_on() && !self.stop.is_pulled() {
            let again = mem::take(&mut self.again);
            // Room for an event of each socket. One that is left for the next tick
            // would be seen after a time-out that was due later.
            if events.capacity() < self.slots.len() {
                events = Events::with_capacity(2 * self.slots.len());
            }
            self.wait(&mut events, !again.is_empty())?;
            // What has happened by now is served before what is due by now.
            let now = Instant::now();
            for event in &events {
                self.tell_of(event);
                self.call_back(event.token(), world);
            }
            for token in again {
                self.call_back(token, world);
            }
            while let Some(callback) = self.next_due(now) {
                callback(self, world);
            }
        }
        Ok(())
    }
    // ANCHOR_END: run

    /// Who waits for what, a line each: for the stuck report.
    pub fn who_waits(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (token, Slot { purpose, waiting, .. }) in &self.slots {
            lines.push(match waiting {
                Some(Waiter { at, .. }) => {
                    format!("{purpose}: {} waits for socket {}", at.name, token.0)
                }
                None => format!("{purpose}: nobody waits for socket {}", token.0),
            });
        }
        lines.sort();
        lines
    }

    fn can_go_on(&self) -> bool {
        let is_awaited = |slot: &Slot<World>| slot.waiting.is_some();
        self.timers.next().is_some() || self.slots.values().any(is_awaited)
    }

    fn wait(&mut self, events: &mut Events, is_urgent: bool) -> io::Result<()> {
        let time = match self.timers.next() {
            _ if is_urgent => Some(Duration::ZERO),
            Some(when) => Some(when.saturating_duration_since(Instant::now())),
            None => None,
        };
        match self.poll.poll(events, time) {
            // A signal or a debugger: the next tick computes the time anew.
            Err(error) if error.kind() == ErrorKind::Interrupted => {
                events.clear();
                Ok(())
            }
            result => result,
        }
    }

    /// A late event for a closed socket finds no slot, one that nobody waits for no
    /// callback: both are nothing.
    fn call_back(&mut self, token: Token, world: &mut World) {
        if self.stop.is_pulled() {
            return;
        }
        let Some(slot) = self.slots.get_mut(&token) else { return };
        let Some(Waiter { at, callback }) = slot.waiting.take() else { return };
        let purpose = slot.purpose.as_str();
        let resumed = Event::Resumed { state: at.name, purpose, at };
        self.watch.note(token.0 as u64, resumed);
        callback(self, world);
    }

    fn next_due(&mut self, now: Instant) -> Option<Callback<World>> {
        if self.stop.is_pulled() { None } else { self.timers.take_due(now) }
    }

    fn tell_of(&self, event: &Readiness) {
        if event.token() != STOP {
            let (readable, writable) = (event.is_readable(), event.is_writable());
            self.note(event.token(), Event::Arrived { readable, writable });
        }
    }

    fn note(&self, token: Token, event: Event<'_>) {
        self.watch.note(token.0 as u64, event);
    }
}
