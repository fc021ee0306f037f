//! Connecting: to one address of a host after the other, until one accepts.

use crate::crawler::{Crawler, Loop};
use mio::Token;
use mio::net::TcpStream;
use shared::{Addresses, FetchError, TimerId, UrlId};
use std::io::{self, ErrorKind};
use std::time::Instant;

/// A fetch that has no connection yet.
pub(crate) struct Connecting<Then> {
    /// Identifies the fetch for the crawler.
    pub(crate) id: UrlId,
    pub(crate) url: String, // observe
    /// The addresses that are left to try.
    pub(crate) addresses: Addresses,
    /// Called once, with the socket, when a connection is established.
    pub(crate) then: Then,
}

impl<Then> Connecting<Then>
where
    Then: FnOnce(Token, &mut Loop, &mut Crawler) + 'static,
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
                    // The last address has no timer: it may use all the time that is
                    // left.
                    let timer = ends.map(|when| {
                        event_loop.set_timer(when, move |it, _| it.call_soon(token))
                    });
                    self.wait(token, timer, event_loop);
                    return Ok(token);
                }
                Err(error) => self.addresses.failed(error.into()),
            }
        }
        Err(self.addresses.failure())
    }

    #[track_caller] // observe
    fn wait(self, token: Token, timer: Option<TimerId>, event_loop: &mut Loop) {
        event_loop.on_event(token, "connected", move |event_loop, crawler| {
            self.connected(token, timer, event_loop, crawler)
        });
    }

    /// Called when the connection is established or has failed, or when this address
    /// has used up its share of the time.
    fn connected(
        self,
        token: Token,
        timer: Option<TimerId>,
        event_loop: &mut Loop,
        crawler: &mut Crawler,
    ) {
        let is_late = timer.is_some_and(|timer| timer.when() <= Instant::now());
        let result = match is_connected(event_loop.stream(token)) {
            Ok(false) if is_late => Err(ErrorKind::TimedOut.into()),
            Ok(false) => return self.wait(token, timer, event_loop),
            Ok(true) => Ok(()),
            Err(error) => Err(error),
        };
        if let Some(timer) = timer {
            event_loop.clear_timer(timer);
        }
        match result {
            Ok(()) => (self.then)(token, event_loop, crawler),
            Err(error) => self.failed(token, error, event_loop, crawler),
        }
    }

    fn failed(
        mut self,
        token: Token,
        error: io::Error,
        event_loop: &mut Loop,
        crawler: &mut Crawler,
    ) {
        event_loop.close(token);
        self.addresses.failed(error.into());
        let id = self.id;
        match self.try_next(event_loop) {
            Ok(token) => crawler.set_token(id, token),
            Err(error) => crawler.finish(id, Err(error), event_loop),
        }
    }
}

/// Returns whether the connection is established, or why the attempt failed.
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
