//! A reactor on a thread of its own, and a socket and a time-out that wait for it.

use mio::{Events, Interest, Poll as Selector, Registry, Token, net};
use shared::Timers;
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::io::{self, ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

// ANCHOR: reactor
/// A handle to the thread that waits for the operating system. Clones are handles to
/// the same thread.
#[derive(Clone)]
pub(crate) struct Reactor(Arc<Inner>);

struct Inner {
    registry: Registry,
    sockets: Mutex<HashMap<Token, Arc<Mutex<Readiness>>>>,
    timers: Mutex<Timers<Waker>>,
    /// Ends the wait of the thread, after a timer was set.
    alarm: mio::Waker,
    latest: AtomicUsize,
}

/// What is known of a socket.
#[derive(Default)]
struct Readiness {
    /// An event has come since this was last cleared.
    has_event: bool,
    waiter: Option<Waker>,
}
// ANCHOR_END: reactor

const ALARM: Token = Token(0);

impl Reactor {
    /// Starts the thread. It runs until the program ends.
    pub(crate) fn start() -> io::Result<Reactor> {
        let selector = Selector::new()?;
        let registry = selector.registry().try_clone()?;
        let alarm = mio::Waker::new(&registry, ALARM)?;
        let (sockets, timers) = (Mutex::default(), Mutex::default());
        let latest = AtomicUsize::new(ALARM.0);
        let inner = Arc::new(Inner { registry, sockets, timers, alarm, latest });
        let of_thread = Arc::clone(&inner);
        thread::spawn(move || of_thread.run(selector));
        Ok(Reactor(inner))
    }

    /// Waits for a future, but no longer than `time`. Returns `None` if it is late.
    pub(crate) async fn timeout<F: Future>(
        &self,
        time: Duration,
        future: F,
    ) -> Option<F::Output> {
        let mut future = pin!(future);
        let when = Instant::now() + time;
        let mut timer = Timer { reactor: self, id: None };
        poll_fn(|cx| {
            if let Poll::Ready(output) = future.as_mut().poll(cx) {
                return Poll::Ready(Some(output));
            }
            if Instant::now() >= when {
                return Poll::Ready(None);
            }
            timer.set(when, cx.waker());
            Poll::Pending
        })
        .await
    }
}

/// However the wait ends, its timer is cleared.
struct Timer<'a> {
    reactor: &'a Reactor,
    id: Option<shared::TimerId>,
}

impl Timer<'_> {
    fn set(&mut self, when: Instant, waker: &Waker) {
        let mut timers = lock(&self.reactor.0.timers);
        let old = self.id.and_then(|id| timers.clear(id));
        let next = timers.next_deadline();
        self.id = Some(timers.set(when, waker.clone()));
        drop(timers);
        drop(old); // with nothing locked
        if next.is_none_or(|next| when < next) {
            self.reactor.0.alarm.wake().expect("the selector is alive");
        }
    }
}

impl Drop for Timer<'_> {
    fn drop(&mut self) {
        let waker = self.id.and_then(|id| lock(&self.reactor.0.timers).clear(id));
        drop(waker); // with nothing locked
    }
}

impl Inner {
    // ANCHOR: run
    /// Waits for events and timers, and wakes tasks, which other threads poll.
    fn run(&self, mut selector: Selector) {
        let mut events = Events::with_capacity(1024);
        loop {
            let next = lock(&self.timers).next_deadline();
            let time = next.map(|when| when.saturating_duration_since(Instant::now()));
            match selector.poll(&mut events, time) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                result => result.expect("the selector works"),
            }
            for event in &events {
                let socket = lock(&self.sockets).get(&event.token()).cloned();
                let waiter = socket.and_then(|socket| {
                    let mut readiness = lock(&socket);
                    readiness.has_event = true;
                    readiness.waiter.take()
                });
                waiter.into_iter().for_each(Waker::wake); // nothing is locked
            }
            self.wake_sleepers();
        }
    }
    // ANCHOR_END: run

    fn wake_sleepers(&self) {
        let now = Instant::now();
        loop {
            let due = lock(&self.timers).take_due(now); // unlocked again
            match due {
                Some(waker) => waker.wake(),
                None => return,
            }
        }
    }
}

/// A socket. Any thread may poll the futures that wait for it.
pub(crate) struct TcpStream {
    socket: net::TcpStream,
    readiness: Arc<Mutex<Readiness>>,
    token: Token,
    reactor: Reactor,
}

impl TcpStream {
    /// Registers a socket, and waits until its connection is established.
    pub(crate) async fn connect(to: SocketAddr, reactor: &Reactor) -> io::Result<Self> {
        let token = Token(reactor.0.latest.fetch_add(1, SeqCst) + 1);
        let readiness = Arc::<Mutex<Readiness>>::default();
        let socket = net::TcpStream::connect(to)?;
        // Before it is registered: an event may come at once.
        lock(&reactor.0.sockets).insert(token, Arc::clone(&readiness));
        let both = Interest::READABLE | Interest::WRITABLE;
        let reactor = reactor.clone();
        // From here on, `Drop` removes the entry, also after an error.
        let mut stream = TcpStream { socket, readiness, token, reactor };
        stream.reactor.0.registry.register(&mut stream.socket, token, both)?;
        stream
            .attempt(|socket| match (socket.take_error()?, socket.peer_addr()) {
                (Some(error), _) => Err(error),
                (None, Err(error)) if error.kind() == ErrorKind::NotConnected => {
                    Err(ErrorKind::WouldBlock.into())
                }
                (None, result) => result.map(drop),
            })
            .await?;
        Ok(stream)
    }

    /// Writes all bytes.
    pub(crate) async fn write_all(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match self.attempt(|socket| socket.write(bytes)).await? {
                0 => return Err(ErrorKind::WriteZero.into()),
                count => bytes = &bytes[count..],
            }
        }
        Ok(())
    }

    /// Waits for bytes, and reads as many as there is room for. Zero: it has ended.
    pub(crate) async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.attempt(|socket| socket.read(buffer)).await
    }

    // ANCHOR: attempt
    /// Tries until the attempt would not block, and waits for an event in between.
    async fn attempt<T>(
        &mut self,
        mut attempt: impl FnMut(&mut net::TcpStream) -> io::Result<T>,
    ) -> io::Result<T> {
        poll_fn(|cx| {
            loop {
                lock(&self.readiness).has_event = false;
                match attempt(&mut self.socket) {
                    Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                    result => return Poll::Ready(result),
                }
                let mut readiness = lock(&self.readiness);
                if !readiness.has_event {
                    readiness.waiter = Some(cx.waker().clone());
                    return Poll::Pending;
                } // otherwise an event came after the attempt: try again
            }
        })
        .await
    }
    // ANCHOR_END: attempt
}

impl Drop for TcpStream {
    fn drop(&mut self) {
        lock(&self.reactor.0.sockets).remove(&self.token);
        // It fails only for a socket that the selector does not know.
        let _ = self.reactor.0.registry.deregister(&mut self.socket);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("nothing panics while it holds this")
}
