//! The reactor: asks the operating system and the clock, and wakes who waits for them.

use mio::event::{Event, Source};
use mio::{Events, Interest, Poll, Token, Waker as Alarm};
use shared::watch::{Leaf, Says, Waiting};
use shared::{TimerId, Timers};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::task::{self, Context, Waker};
use std::time::{Duration, Instant};
use std::{future::Future, io, iter, pin::Pin, rc::Rc};

static SLEEP: Leaf = Leaf::new(file!(), "sleep", Waiting::Timer);

/// What sockets and timers are made of. Clones are handles on the same one.
#[derive(Clone)]
pub struct Reactor(Rc<Inner>);

struct Inner {
    selector: RefCell<(Poll, Events)>,
    sockets: RefCell<HashMap<Token, Rc<Readiness>>>,
    /// The latest token. None is used twice, so a stale event finds nobody.
    latest: Cell<usize>,
    timers: RefCell<Timers<Waker>>,
    /// When the last wait was over: what is due then is due.
    now: Cell<Instant>,
    /// How many outside are at work, and will wake somebody.
    outside: Cell<usize>,
    /// One for all reads: borrowed when there is something to read, never while
    /// waiting.
    buffer: RefCell<Vec<u8>>,
    says: Says,
}

/// To read, or to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Read,
    Write,
}

/// What is known of a socket. An edge is told once, so it is remembered here until a
/// try finds that it is over.
pub(crate) struct Readiness {
    pub(crate) token: Token,
    is_ready: [Cell<bool>; 2],
    /// A read may end before the bytes do: the peer has closed, or has sent urgent
    /// bytes, before which each read ends. That is told once, so from then on a short
    /// read says nothing.
    ends_early: Cell<bool>,
    /// The one who waits: for what, the number of the task, and how it is woken.
    waiter: RefCell<Option<(Direction, u64, Waker)>>,
}

/// Somebody outside is at work, another thread mostly, and will wake one of our tasks:
/// as long as this lives, to wait for it is not to be stuck.
pub struct Outside(Reactor);

/// Bytes that one read takes at the most.
const BUFFER: usize = 256 * 1024;
const ALARM: Token = Token(0);

impl Reactor {
    /// A reactor, and what ends its wait from any thread.
    pub(crate) fn new(says: Says) -> io::Result<(Reactor, Alarm)> {
        let selector = Poll::new()?;
        let alarm = Alarm::new(selector.registry(), ALARM)?;
        let inner = Inner {
            selector: RefCell::new((selector, Events::with_capacity(1024))),
            sockets: RefCell::default(),
            latest: Cell::new(ALARM.0),
            timers: RefCell::default(),
            now: Cell::new(Instant::now()),
            outside: Cell::new(0),
            buffer: RefCell::new(vec![0; BUFFER]),
            says,
        };
        Ok((Reactor(Rc::new(inner)), alarm))
    }

    /// To whom tasks and their leaves tell what they wait for.
    pub fn says(&self) -> &Says {
        &self.0.says
    }

    /// Makes a socket known to the operating system's selector, once, for all of its
    /// events.
    pub(crate) fn register(
        &self,
        socket: &mut impl Source,
        interest: Interest,
    ) -> io::Result<Rc<Readiness>> {
        let token = Token(self.0.latest.get() + 1);
        self.0.latest.set(token.0);
        self.0.selector.borrow().0.registry().register(socket, token, interest)?;
        self.0.says.registered();
        let (is_ready, ends_early, waiter) = Default::default();
        let readiness = Rc::new(Readiness { token, is_ready, ends_early, waiter });
        self.0.sockets.borrow_mut().insert(token, Rc::clone(&readiness));
        Ok(readiness)
    }

    /// Forgets a socket. An event of it that comes late finds nobody.
    pub(crate) fn deregister(&self, token: Token, socket: &mut impl Source) {
        self.0.sockets.borrow_mut().remove(&token);
        // It fails only for what the selector does not know.
        let _ = self.0.selector.borrow().0.registry().deregister(socket);
    }

    /// The read buffer of all sockets, for as long as `read` runs.
    pub(crate) fn with_buffer<T>(&self, read: impl FnOnce(&mut [u8]) -> T) -> T {
        read(&mut self.0.buffer.borrow_mut())
    }

    /// Can anything happen that wakes somebody?
    pub(crate) fn expects_anything(&self) -> bool {
        self.0.outside.get() > 0
            || self.0.timers.borrow().next().is_some()
            || self.0.sockets.borrow().values().any(|it| it.waiter.borrow().is_some())
    }

    /// Waits for the next event or timer, the longest; or only looks.
    pub(crate) fn wait(&self, may_sleep: bool) -> io::Result<()> {
        let next = self.0.timers.borrow().next();
        let time = match may_sleep {
            true => next.map(|when| when.saturating_duration_since(Instant::now())),
            false => Some(Duration::ZERO),
        };
        let (selector, events) = &mut *self.0.selector.borrow_mut();
        // Room for an event of each socket (kqueue: of each direction). One that is
        // left for the next tick would be seen after a time-out that was due later.
        let most = 2 * self.0.sockets.borrow().len();
        if events.capacity() < most {
            *events = Events::with_capacity(2 * most); // and for some to come
        }
        match selector.poll(events, time) {
            // A signal or a debugger: the next tick computes the time anew.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => events.clear(),
            result => result?,
        }
        self.0.now.set(Instant::now());
        Ok(())
    }

    /// Wakes who waited for what has happened: first for sockets, then for the clock.
    pub(crate) fn wake_who_waited(&self) {
        // Collected under the borrow, and woken after it.
        for waker in self.arrived() {
            waker.wake();
        }
        let due = || self.0.timers.borrow_mut().take_due(self.0.now.get());
        iter::from_fn(due).for_each(Waker::wake);
    }

    /// Remembers what has happened, and returns who waited for it.
    fn arrived(&self) -> Vec<Waker> {
        let (selector, sockets) = (self.0.selector.borrow(), self.0.sockets.borrow());
        let news = selector.1.iter().filter_map(|event| {
            sockets.get(&event.token())?.arrived(event, &self.0.says)
        });
        news.collect()
    }

    /// From now on somebody outside is at work for us.
    pub fn outside(&self) -> Outside {
        self.0.outside.set(self.0.outside.get() + 1);
        Outside(self.clone())
    }

    /// A future that is ready when the loop has waited until `when`, or longer; not
    /// before it has looked for events once.
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

impl Readiness {
    // ANCHOR: poll_ready
    /// May the socket be worth a try? Else the task that polls is woken when it may.
    pub(crate) fn poll_ready(
        &self,
        direction: Direction,
        says: &Says,
        cx: &mut Context<'_>,
    ) -> task::Poll<()> {
        if self.is_ready(direction) {
            return task::Poll::Ready(());
        }
        // The latest waker counts: whoever polls may be another one each time.
        self.waiter.replace(Some((direction, says.running(), cx.waker().clone())));
        task::Poll::Pending
    }

    pub(crate) fn is_ready(&self, direction: Direction) -> bool {
        self.is_ready[direction as usize].get()
    }

    /// A try has found that it would block: it is ready again after the next edge.
    pub(crate) fn clear(&self, direction: Direction) {
        self.is_ready[direction as usize].set(false);
    }
    // ANCHOR_END: poll_ready

    /// A read has brought fewer bytes than there was room for.
    pub(crate) fn clear_after_short_read(&self) {
        // Then epoll and kqueue have no more, and tell of what comes later: one call is
        // spared. But that the peer has closed is told once, with the bytes before it.
        // Elsewhere only a read that would block arms the next event.
        const IS_EDGE: bool = cfg!(any(
            target_os = "linux",
            target_os = "freebsd",
            target_vendor = "apple"
        ));
        if IS_EDGE && !self.ends_early.get() {
            self.clear(Direction::Read);
        }
    }

    /// Nobody waits for it any more.
    pub(crate) fn forget_waiter(&self) {
        self.waiter.take();
    }

    /// Remembers an event, and returns who waited for it.
    fn arrived(&self, event: &Event, says: &Says) -> Option<Waker> {
        let ends_early =
            event.is_read_closed() || event.is_error() || event.is_priority();
        let readable = event.is_readable() || ends_early;
        let writable =
            event.is_writable() || event.is_write_closed() || event.is_error();
        for (is_ready, now) in self.is_ready.iter().zip([readable, writable]) {
            is_ready.set(is_ready.get() || now);
        }
        self.ends_early.set(self.ends_early.get() || ends_early);
        let is_it = |waiter: &mut (Direction, _, _)| self.is_ready(waiter.0);
        let (_, task, waker) = self.waiter.borrow_mut().take_if(is_it)?;
        says.arrived(task, readable, writable);
        Some(waker)
    }
}

/// Waits for a time.
pub struct Sleep {
    reactor: Reactor,
    when: Instant,
    /// The one that is set, and whom it wakes.
    timer: Option<(TimerId, Waker)>,
}

impl Future for Sleep {
    type Output = ();

    // ANCHOR: sleep
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> task::Poll<()> {
        let inner = Rc::clone(&self.reactor.0);
        if self.when <= inner.now.get() {
            return inner.says.polled(&SLEEP, task::Poll::Ready(()));
        }
        let is_set =
            self.timer.as_ref().is_some_and(|(_, it)| it.will_wake(cx.waker()));
        if !is_set {
            self.clear();
            let timer = inner.timers.borrow_mut().set(self.when, cx.waker().clone());
            self.timer = Some((timer, cx.waker().clone()));
        }
        inner.says.polled(&SLEEP, task::Poll::Pending)
    }
    // ANCHOR_END: sleep
}

impl Sleep {
    fn clear(&mut self) {
        if let Some((timer, _)) = self.timer.take() {
            // Bound first: nothing is borrowed while its waker is dropped.
            let cleared = self.reactor.0.timers.borrow_mut().clear(timer);
            drop(cleared);
        }
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        self.clear();
    }
}
