//! A socket of our own, with a reactor and a loop for one task.

use super::Transport;
use mio::{Events, Interest, Poll, Token};
use std::cell::RefCell;
use std::future::Future;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::task::{self, Context, Wake, Waker};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(10);

/// Asks the operating system for events of one socket.
pub(crate) struct Reactor {
    selector: RefCell<Poll>,
    waiter: RefCell<Option<Waker>>,
}

/// A socket that does not block, and its reactor.
pub(crate) struct Socket(mio::net::TcpStream, Rc<Reactor>);

impl Reactor {
    pub(crate) fn new() -> io::Result<Rc<Reactor>> {
        let (selector, waiter) = (RefCell::new(Poll::new()?), RefCell::default());
        Ok(Rc::new(Reactor { selector, waiter }))
    }

    /// Keeps the waker for the next event.
    fn park<T>(&self, cx: &Context<'_>) -> task::Poll<T> {
        let old = self.waiter.replace(Some(cx.waker().clone()));
        drop(old);
        task::Poll::Pending
    }

    /// Sleeps until an event, and wakes the task that waits.
    fn wait(&self) -> io::Result<()> {
        let mut events = Events::with_capacity(8);
        self.selector.borrow_mut().poll(&mut events, Some(PATIENCE))?;
        if events.is_empty() {
            return Err(ErrorKind::TimedOut.into());
        }
        let waiter = self.waiter.take();
        waiter.into_iter().for_each(Waker::wake);
        Ok(())
    }
}

impl Socket {
    /// Connects, which still blocks here.
    pub(crate) fn connect(
        address: SocketAddr,
        reactor: &Rc<Reactor>,
    ) -> io::Result<Socket> {
        let socket = std::net::TcpStream::connect_timeout(&address, PATIENCE)?;
        socket.set_nonblocking(true)?;
        let mut socket = mio::net::TcpStream::from_std(socket);
        let interest = Interest::READABLE | Interest::WRITABLE;
        reactor.selector.borrow().registry().register(
            &mut socket,
            Token(1),
            interest,
        )?;
        Ok(Socket(socket, Rc::clone(reactor)))
    }
}

impl Transport for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> task::Poll<io::Result<usize>> {
        match self.0.read(buffer) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => self.1.park(cx),
            result => task::Poll::Ready(result),
        }
    }

    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> task::Poll<io::Result<usize>> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => self.1.park(cx),
            result => task::Poll::Ready(result),
        }
    }

    fn poll_close(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> task::Poll<io::Result<()>> {
        task::Poll::Ready(self.0.shutdown(Shutdown::Write))
    }
}

struct Flag(AtomicBool);

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, SeqCst);
    }
}

/// Runs one task. Between its polls, the reactor waits.
pub(crate) fn block_on<F: Future>(
    future: F,
    reactor: &Reactor,
) -> io::Result<F::Output> {
    let (mut future, flag) = (pin!(future), Arc::new(Flag(AtomicBool::new(false))));
    let waker = Waker::from(Arc::clone(&flag));
    loop {
        let poll = future.as_mut().poll(&mut Context::from_waker(&waker));
        if let task::Poll::Ready(output) = poll {
            return Ok(output);
        }
        while !flag.0.swap(false, SeqCst) {
            reactor.wait()?;
        }
    }
}
