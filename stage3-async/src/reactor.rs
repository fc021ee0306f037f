//! The reactor: asks the operating system and the clock, and wakes who waits for them.

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token, Waker as Alarm};
use shared::{TimerId, Timers};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::future::Future;
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{self, Context, Waker};
use std::time::{Duration, Instant};

/// What sockets and timers are made of. Clones are handles on the same one.
#[derive(Clone)]
pub struct Reactor(Rc<Inner>);

struct Inner {
    selector: RefCell<(Poll, Events)>,
    sockets: RefCell<HashMap<Token, Sides>>,
    timers: RefCell<Timers<Waker>>,
    /// How many outside are at work, and will wake somebody.
    outside: Cell<usize>,
    /// The latest token. None is used twice, so that a stale event finds nobody.
    latest: Cell<usize>,
    /// One for all reads: borrowed when there is something to read, never while waiting.
    buffer: RefCell<Vec<u8>>,
}

/// What is known of a socket: its two directions.
#[derive(Default)]
struct Sides([Side; 2]);

/// One direction. An edge is told once, so it is remembered until somebody finds that it
/// is over.
#[derive(Default)]
struct Side {
    is_ready: bool,
    waiter: Option<Waker>,
}

/// To read, or to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Read,
    Write,
}

/// Somebody outside is at work, another thread mostly, and will wake one of our tasks: as
/// long as this lives, to wait for it is not to be stuck.
pub struct Outside(Reactor);

/// Bytes that one read takes at the most.
const BUFFER: usize = 64 * 1024;
const ALARM: Token = Token(0);

impl Reactor {
    /// A reactor, and what ends its wait from any thread.
    pub(crate) fn new() -> io::Result<(Reactor, Alarm)> {
        let selector = Poll::new()?;
        let alarm = Alarm::new(selector.registry(), ALARM)?;
        let inner = Inner {
            selector: RefCell::new((selector, Events::with_capacity(1024))),
            sockets: RefCell::default(),
            timers: RefCell::default(),
            outside: Cell::new(0),
            latest: Cell::new(ALARM.0),
            buffer: RefCell::new(vec![0; BUFFER]),
        };
        Ok((Reactor(Rc::new(inner)), alarm))
    }

    /// Makes a socket known to the operating system's selector, once, for all of its
    /// events.
    pub(crate) fn register(&self, socket: &mut TcpStream) -> io::Result<Token> {
        let token = Token(self.0.latest.get() + 1);
        self.0.latest.set(token.0);
        let both = Interest::READABLE | Interest::WRITABLE;
        self.0.selector.borrow().0.registry().register(socket, token, both)?;
        self.0.sockets.borrow_mut().insert(token, Sides::default());
        Ok(token)
    }

    /// Forgets a socket. An event of it that comes late finds nobody.
    pub(crate) fn deregister(&self, token: Token, socket: &mut TcpStream) {
        self.0.sockets.borrow_mut().remove(&token);
        // It fails only for what the selector does not know.
        let _ = self.0.selector.borrow().0.registry().deregister(socket);
    }

    /// May the socket be worth a try? Else the task that polls is woken when it may.
    pub(crate) fn poll_ready(
        &self,
        token: Token,
        direction: Direction,
        cx: &mut Context<'_>,
    ) -> task::Poll<()> {
        self.with_side(token, direction, |side| match side.is_ready {
            true => task::Poll::Ready(()),
            false => {
                side.waiter = Some(cx.waker().clone()); // the latest one counts
                task::Poll::Pending
            }
        })
    }

    /// A try has found that it would block: it is ready again after the next edge.
    pub(crate) fn clear_ready(&self, token: Token, direction: Direction) {
        self.with_side(token, direction, |side| side.is_ready = false);
    }

    /// Nobody waits for this any more.
    pub(crate) fn forget_waiter(&self, token: Token, direction: Direction) {
        // Bound first: nothing is borrowed while it is dropped.
        let waiter = self.with_side(token, direction, |side| side.waiter.take());
        drop(waiter);
    }

    /// The read buffer of all sockets, for as long as `read` runs.
    pub(crate) fn with_buffer<T>(&self, read: impl FnOnce(&mut [u8]) -> T) -> T {
        read(&mut self.0.buffer.borrow_mut())
    }

    fn with_side<T>(
        &self,
        token: Token,
        direction: Direction,
        with: impl FnOnce(&mut Side) -> T,
    ) -> T {
        let mut sockets = self.0.sockets.borrow_mut();
        let sides =
            sockets.get_mut(&token).expect("a socket is registered while it lives");
        with(&mut sides.0[direction as usize])
    }

    /// Can anything happen that wakes somebody?
    pub(crate) fn expects_anything(&self) -> bool {
        let awaited = |sides: &Sides| sides.0.iter().any(|side| side.waiter.is_some());
        self.0.timers.borrow().next().is_some()
            || self.0.outside.get() > 0
            || self.0.sockets.borrow().values().any(awaited)
    }

    /// Waits until something happens, `most` at the longest, and wakes who waits for it.
    /// `awake` is called between the two.
    pub(crate) fn turn(
        &self,
        most: Option<Duration>,
        awake: impl FnOnce(),
    ) -> io::Result<()> {
        let next = self.0.timers.borrow().next();
        let until = next.map(|when| when.saturating_duration_since(Instant::now()));
        let time = [most, until].into_iter().flatten().min();
        let polled = self.poll(time);
        awake();
        polled?;
        let now = Instant::now();
        // Collected under the borrow, and woken after it.
        for waker in self.take_woken() {
            waker.wake();
        }
        self.fire(now);
        Ok(())
    }

    /// Remembers what has happened, and returns who waits for it.
    fn take_woken(&self) -> Vec<Waker> {
        let (selector, mut sockets) =
            (self.0.selector.borrow(), self.0.sockets.borrow_mut());
        let mut woken = Vec::new();
        for event in &selector.1 {
            let Some(sides) = sockets.get_mut(&event.token()) else { continue };
            let can_read =
                event.is_readable() || event.is_read_closed() || event.is_error();
            let can_write =
                event.is_writable() || event.is_write_closed() || event.is_error();
            for (side, can) in sides.0.iter_mut().zip([can_read, can_write]) {
                if can {
                    side.is_ready = true;
                    woken.extend(side.waiter.take());
                }
            }
        }
        woken
    }

    fn poll(&self, time: Option<Duration>) -> io::Result<()> {
        let (selector, events) = &mut *self.0.selector.borrow_mut();
        // Room for an event of each socket. One that is left for the next turn would be
        // seen after a time-out that was due later.
        let most = self.0.sockets.borrow().len();
        if events.capacity() < most {
            *events = Events::with_capacity(2 * most);
        }
        match selector.poll(events, time) {
            // A signal or a debugger: the next turn computes the time anew.
            Err(error) if error.kind() == ErrorKind::Interrupted => events.clear(),
            result => result?,
        }
        Ok(())
    }

    fn fire(&self, now: Instant) {
        loop {
            // Bound first: nothing is borrowed while it is called.
            let due = self.0.timers.borrow_mut().take_due(now);
            let Some(waker) = due else { return };
            waker.wake();
        }
    }

    /// From now on somebody outside is at work for us.
    pub fn outside(&self) -> Outside {
        self.0.outside.set(self.0.outside.get() + 1);
        Outside(self.clone())
    }

    /// A future that is ready at `when`, or as soon after it as the loop comes to it.
    pub fn sleep_until(&self, when: Instant) -> Sleep {
        Sleep { reactor: self.clone(), when, timer: None }
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        let inner = &self.0.0;
        inner.outside.set(inner.outside.get() - 1);
    }
}

/// Waits for a time.
pub struct Sleep {
    reactor: Reactor,
    when: Instant,
    /// Who is woken then.
    timer: Option<TimerId>,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> task::Poll<()> {
        self.clear();
        if self.when <= Instant::now() {
            return task::Poll::Ready(());
        }
        let waker = cx.waker().clone(); // the latest one counts
        let timer = self.reactor.0.timers.borrow_mut().set(self.when, waker);
        self.timer = Some(timer);
        task::Poll::Pending
    }
}

impl Sleep {
    fn clear(&mut self) {
        if let Some(timer) = self.timer.take() {
            self.reactor.0.timers.borrow_mut().clear(timer);
        }
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        self.clear();
    }
}
