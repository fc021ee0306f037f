//! Connecting: to one address of a host after the other, until one accepts.

use crate::crawler::{Crawler, Loop};
use mio::Token;
use mio::net::TcpStream;
use shared::{Addresses, FetchError, TimerId, UrlId};
use std::io::{self, ErrorKind};
use std::time::Instant;

/// A fetch that has no connection yet.
pub(crate) struct Connecting<F> {
    /// Identifies the fetch for the crawler.
    pub(crate) id: UrlId,
    pub(crate) url: String, // observe
    /// The addresses that are left to try.
    pub(crate) addresses: Addresses,
    /// Called once, with the socket, when a connection is established.
    pub(crate) on_connected: F,
}

/// A fetch that waits for a connection to one address. Each address gets a new socket.
struct Trying<F> {
    token: Token,
    /// Calls back when the address has used up its share of the time. `None` for the
    /// last address, which may use all the time that is left.
    timer: Option<TimerId>,
    /// Used to try the next address if this one fails.
    connecting: Connecting<F>,
}

impl<F> Connecting<F>
where
    F: FnOnce(Token, &mut Loop, &mut Crawler) + 'static,
{
    /// Starts to connect to the next address for which a socket can be opened. Returns
    /// the socket.
    pub(crate) fn try_next(
        mut self,
        event_loop: &mut Loop,
    ) -> Result<Token, FetchError> {
        while let Some((address, ends)) = self.addresses.next_address() {
            match event_loop.connect(address) {
                Ok(token) => {
                    event_loop.observer.created(token, &self.url); // observe
                    let timer = ends.map(|when| {
                        event_loop.set_timer(when, move |it, _| it.call_soon(token))
                    });
                    Trying { token, timer, connecting: self }.then(event_loop);
                    return Ok(token);
                }
                Err(error) => self.addresses.on_failure(error.into()),
            }
        }
        Err(self.addresses.failure())
    }
}

impl<F> Trying<F>
where
    F: FnOnce(Token, &mut Loop, &mut Crawler) + 'static,
{
    /// Stores this in a callback, for the next event of the socket.
    #[track_caller] // observe
    fn then(self, event_loop: &mut Loop) {
        event_loop.on_event(self.token, "connected", move |event_loop, crawler| {
            self.connected(event_loop, crawler)
        });
    }

    /// Called when the connection is established or has failed, when the timer has
    /// expired, and after an event that means none of these: so it asks the socket.
    fn connected(self, event_loop: &mut Loop, crawler: &mut Crawler) {
        let is_late = self.timer.is_some_and(|timer| timer.when() <= Instant::now());
        let result = match is_connected(event_loop.stream(self.token)) {
            Ok(false) if is_late => Err(ErrorKind::TimedOut.into()),
            Ok(false) => return self.then(event_loop),
            Ok(true) => Ok(()),
            Err(error) => Err(error),
        };
        if let Some(timer) = self.timer {
            event_loop.clear_timer(timer);
        }
        match result {
            Ok(()) => (self.connecting.on_connected)(self.token, event_loop, crawler),
            Err(error) => self.failed(error, event_loop, crawler),
        }
    }

    /// Closes the socket, and tries the next address.
    fn failed(self, error: io::Error, event_loop: &mut Loop, crawler: &mut Crawler) {
        let Trying { token, mut connecting, .. } = self;
        event_loop.close(token);
        connecting.addresses.on_failure(error.into());
        let id = connecting.id;
        match connecting.try_next(event_loop) {
            Ok(token) => crawler.set_token(id, token),
            Err(error) => crawler.finish(id, Err(error), event_loop),
        }
    }
}

/// Returns whether the connection is established, or why it failed.
fn is_connected(stream: &TcpStream) -> io::Result<bool> {
    if let Some(error) = stream.take_error()? {
        return Err(error);
    }
    match stream.peer_addr() {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotConnected => Ok(false),
        Err(error) => Err(error),
    }
}
