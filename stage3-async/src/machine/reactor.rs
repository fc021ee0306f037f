//! The reactor: asks the operating system and the clock, and wakes the tasks that wait for
//! them.

// ANCHOR: uses
use crate::observe::arrived; // observe
use mio::{Events, Interest, Poll, Token, Waker as Alarm, event::Event, event::Source};
use shared::Timers;
use std::cell::{Cell, RefCell};
use std::io::{self, ErrorKind};
use std::task::{self, Context, Waker};
use std::{collections::HashMap, iter, rc::Rc, time::Instant};
// ANCHOR_END: uses

/// Asks the operating system about events, and the clock about the time, for all sockets
/// and timers that are made with it. Clones are handles to the same reactor.
// ANCHOR: inner
#[derive(Clone)]
pub struct Reactor(pub(crate) Rc<Inner>);

pub(crate) struct Inner {
    /// The operating system's selector.
    selector: RefCell<Poll>,
    /// The events that the last call of `poll` has returned.
    events: RefCell<Events>,
    /// The sockets that are registered. A socket leaves this table when it is dropped.
    sockets: RefCell<HashMap<Token, Rc<Readiness>>>,
    /// The latest token. No token is used twice, so a stale event finds no socket.
    latest: Cell<usize>,
    /// The wakers of the tasks that sleep. (`time.rs` sets and clears timers.)
    pub(crate) timers: RefCell<Timers<Waker>>,
    /// When the last look ended. Timers are compared with this and not with the clock,
    /// so that all see the same time after one look.
    pub(crate) now: Cell<Instant>,
    /// The read buffer, 64 KiB. It is borrowed only during a read, so all tasks can
    /// share it.
    pub(crate) buffer: RefCell<Vec<u8>>,
    /// Each [`WorkGuard`] has a clone.
    work: Rc<()>,
    pub(crate) trace: crate::observe::ReactorTrace, // observe
}
// ANCHOR_END: inner

/// To read, or to write.
// ANCHOR: readiness
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Read,
    Write,
}

/// What is known of a socket. An edge is reported only once, perhaps while no task
/// waits, so it is recorded here.
#[derive(Default)]
pub(crate) struct Readiness {
    /// For each direction: set by an event, cleared by an attempt that would block.
    is_ready: [Cell<bool>; 2],
    /// Set when the peer closes its side, the socket fails, or (on Linux) urgent data
    /// arrives, and never cleared. From then on a short read does not prove that
    /// nothing is left, and no further edge may come.
    ends_early: Cell<bool>,
    /// Set by an attempt that has to wait, taken by an event or by the attempt's end.
    waiter: RefCell<Option<Waiter>>,
    pub(crate) leaf: Cell<&'static crate::observe::Leaf>, // observe
}

/// A task that waits for a socket.
struct Waiter {
    direction: Direction,
    waker: Waker,
}
// ANCHOR_END: readiness

/// Outstanding work outside of the reactor, usually on another thread, which will wake
/// a task. While a guard exists the executor is not stuck: it waits for that wake. Keep
/// it on the executor's thread until the wake has come. (Its field is only counted.)
pub struct WorkGuard(#[allow(dead_code)] Rc<()>);

const ALARM: Token = Token(0);

impl Reactor {
    // ANCHOR: new
    /// Makes a reactor, and an alarm that ends its wait from any thread.
    pub(crate) fn new() -> io::Result<(Reactor, Alarm)> {
        let selector = Poll::new()?;
        let alarm = Alarm::new(selector.registry(), ALARM)?;
        let inner = Inner {
            selector: RefCell::new(selector),
            events: RefCell::new(Events::with_capacity(1024)),
            sockets: RefCell::default(),
            latest: Cell::new(ALARM.0),
            timers: RefCell::default(),
            trace: RefCell::default(), // observe
            now: Cell::new(Instant::now()),
            buffer: RefCell::new(vec![0; 64 * 1024]),
            work: Rc::new(()),
        };
        Ok((Reactor(Rc::new(inner)), alarm))
    }
    // ANCHOR_END: new

    /// Announces work outside of the reactor, until the guard is dropped.
    pub fn work_guard(&self) -> WorkGuard {
        WorkGuard(Rc::clone(&self.0.work))
    }

    // ANCHOR: register
    /// Registers a socket with the selector, once, for all of its events. If it is
    /// ready already, the selector reports that as an edge, too.
    pub(crate) fn register(
        &self,
        socket: &mut impl Source,
        interest: Interest,
    ) -> io::Result<(Token, Rc<Readiness>)> {
        let token = Token(self.0.latest.get() + 1);
        self.0.latest.set(token.0);
        self.0.selector.borrow().registry().register(socket, token, interest)?;
        self.0.trace.borrow().registered(token.0 as u64); // observe
        let readiness = Rc::<Readiness>::default();
        self.0.sockets.borrow_mut().insert(token, Rc::clone(&readiness));
        Ok((token, readiness))
    }

    /// Forgets a socket. From now on a stale event of it is ignored.
    pub(crate) fn deregister(&self, token: Token, socket: &mut impl Source) {
        self.0.sockets.borrow_mut().remove(&token);
        // This fails only for a socket that is not registered.
        let _ = self.0.selector.borrow().registry().deregister(socket);
    }
    // ANCHOR_END: register

    // ANCHOR: can_wake
    /// Returns whether a socket, a timer or other work can wake a task.
    pub(crate) fn can_wake(&self) -> bool {
        // A socket without a waiter, such as an idle connection, wakes no task.
        Rc::strong_count(&self.0.work) > 1
            || self.0.timers.borrow().next_deadline().is_some()
            || self.0.sockets.borrow().values().any(|it| it.waiter.borrow().is_some())
    }
    // ANCHOR_END: can_wake

    // ANCHOR: wait
    /// Waits for the next event or timer. If it may not sleep, it only checks for
    /// events.
    pub(crate) fn wait(&self, may_sleep: bool) -> io::Result<()> {
        let next = self.0.timers.borrow().next_deadline();
        let until = if may_sleep { next } else { Some(self.0.now.get()) };
        // `None` waits indefinitely. Zero only checks.
        let time = until.map(|when| when.saturating_duration_since(Instant::now()));
        let events = &mut *self.0.events.borrow_mut();
        // Room for the alarm and for two events per socket (kqueue reports each
        // direction). An event left for the next look would be handled after timers
        // that expired later.
        let most = 1 + 2 * self.0.sockets.borrow().len();
        if events.capacity() < most {
            *events = Events::with_capacity(2 * most);
        }
        self.0.trace.borrow().slept(until, time); // observe
        match self.0.selector.borrow_mut().poll(events, time) {
            // Interrupted by a signal or a debugger. The next look computes the time
            // again.
            Err(error) if error.kind() == ErrorKind::Interrupted => events.clear(),
            result => result?,
        }
        self.0.trace.borrow().woke(events.iter()); // observe
        self.0.now.set(Instant::now());
        Ok(())
    }
    // ANCHOR_END: wait

    // ANCHOR: wake_waiters
    /// Wakes the tasks whose events have happened: first those that wait for sockets,
    /// then those whose timers have expired.
    pub(crate) fn wake_waiters(&self) {
        // Collect first, then wake: nothing is borrowed while a waker runs.
        let woken: Vec<Waker> = {
            let sockets = self.0.sockets.borrow();
            let waker = |event: &Event| sockets.get(&event.token())?.record(event);
            let waker = |it: &Event| waker(it).inspect(|_| arrived(&self.0.trace, it)); // observe
            self.0.events.borrow().iter().filter_map(waker).collect()
        };
        woken.into_iter().for_each(Waker::wake);
        let take_due = || self.0.timers.borrow_mut().take_due(self.0.now.get());
        iter::from_fn(take_due).for_each(Waker::wake);
    }
    // ANCHOR_END: wake_waiters
}

impl Readiness {
    /// Ready if an attempt may succeed; otherwise registers the task to be woken.
    // ANCHOR: poll_ready
    pub(crate) fn poll_ready(
        &self,
        direction: Direction,
        cx: &mut Context<'_>,
    ) -> task::Poll<()> {
        if self.is_ready(direction) {
            return task::Poll::Ready(());
        }
        // The latest waker counts: each poll may come from another task.
        self.waiter.replace(Some(Waiter { direction, waker: cx.waker().clone() }));
        task::Poll::Pending
    }

    /// Returns whether an attempt may succeed.
    pub(crate) fn is_ready(&self, direction: Direction) -> bool {
        self.is_ready[direction as usize].get()
    }

    /// Records that an attempt would have blocked. The next edge makes the socket
    /// ready again.
    pub(crate) fn clear(&self, direction: Direction) {
        self.is_ready[direction as usize].set(false);
    }
    // ANCHOR_END: poll_ready

    // ANCHOR: short_read
    /// Records a read that returned fewer bytes than there was room for. With epoll
    /// this means that the socket is drained, so the read that would return
    /// `WouldBlock` can be skipped. (With kqueue, too, but macOS does not report
    /// urgent data, which also ends a read early.)
    pub(crate) fn clear_after_short_read(&self) {
        const SEES_ALL: bool = cfg!(any(target_os = "linux", target_os = "android"));
        if SEES_ALL && !self.ends_early.get() {
            self.clear(Direction::Read);
        }
    }
    // ANCHOR_END: short_read

    // ANCHOR: record
    /// Records an event, and returns the waker of the task that waited for it.
    fn record(&self, event: &Event) -> Option<Waker> {
        let has_failed = event.is_error();
        let ends_early = event.is_read_closed() || event.is_priority() || has_failed;
        let readable = event.is_readable() || ends_early;
        let writable = event.is_writable() || event.is_write_closed() || has_failed;
        self.ends_early.set(self.ends_early.get() || ends_early);
        for (is_ready, now) in self.is_ready.iter().zip([readable, writable]) {
            is_ready.set(is_ready.get() || now);
        }
        let mut waiter = self.waiter.borrow_mut();
        Some(waiter.take_if(|waiter| self.is_ready(waiter.direction))?.waker)
    }
    // ANCHOR_END: record
}

// ANCHOR: waits
/// Removes the waiter of an attempt, however the attempt ends.
pub(crate) struct Waits<'a>(pub(crate) &'a Readiness);

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.waiter.take();
    }
}
// ANCHOR_END: waits
