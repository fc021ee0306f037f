//! One fetch, callback by callback: connected, send_request, read_response.

use crate::crawler::{Crawler, Loop};
use mio::Token;
use shared::{Addresses, Attempt, FetchError, ResponseParser, TimerId, UrlId};
use std::io::{self, ErrorKind, Read, Write};
use std::time::Instant;

/// Reads of one socket before the others get their turn.
const READS_A_TURN: usize = 16;

// ANCHOR: fetcher
/// All that a fetch has to remember from one callback to the next: what would be the
/// local variables of a function, if a function could wait.
pub(crate) struct Fetcher {
    id: UrlId,
    url: String, // observe
    /// The socket; before the first connection begins, a token of none.
    token: Token,
    addresses: Addresses,
    /// Until the connection is established: calls the fetcher when the time of this
    /// address is over. None: it is the last one, and has all the time.
    time_out: Option<TimerId>,
    request: Vec<u8>,
    sent: usize,
    parser: ResponseParser,
}
// ANCHOR_END: fetcher

impl Fetcher {
    /// Starts a connection, and a fetch on it. Returns its socket.
    pub(crate) fn start(
        next: Attempt,
        event_loop: &mut Loop,
    ) -> Result<Token, FetchError> {
        let fetcher = Fetcher {
            id: next.id,
            url: next.url.to_string(), // observe
            token: Token(usize::MAX),
            addresses: Addresses::new(next.addresses, next.deadline),
            time_out: None,
            request: next.request,
            sent: 0,
            parser: ResponseParser::new(next.needs),
        };
        fetcher.connect(event_loop)
    }

    /// Starts a connection to the next address that takes one. Returns its socket.
    fn connect(mut self, event_loop: &mut Loop) -> Result<Token, FetchError> {
        while let Some((address, time_is_over)) = self.addresses.next_address() {
            match event_loop.connect(address) {
                Ok(token) => {
                    self.token = token;
                    self.time_out = time_is_over.map(|when| {
                        event_loop.set_timer(when, move |event_loop, _| {
                            event_loop.wake(token)
                        })
                    });
                    event_loop.observer.created(token, &self.url); // observe
                    self.then("connected", Self::connected, event_loop);
                    return Ok(token);
                }
                Err(error) => self.addresses.failed(error.into()),
            }
        }
        Err(self.addresses.failure())
    }

    /// Saves the fetcher, and what is to be done with it, for the socket's next event.
    #[track_caller] // observe
    fn then(
        self,
        name: &'static str,
        callback: fn(Fetcher, &mut Loop, &mut Crawler),
        event_loop: &mut Loop,
    ) {
        event_loop.on_event(self.token, name, move |event_loop, crawler| {
            callback(self, event_loop, crawler)
        });
    }

    /// There is no `?` that leaves a chain of callbacks: each needs an arm that ends
    /// here.
    fn fail(
        self,
        error: impl Into<FetchError>,
        event_loop: &mut Loop,
        crawler: &mut Crawler,
    ) {
        crawler.finish(self.id, Err(error.into()), event_loop)
    }

    /// The socket is writable: the connection is established, or it failed. Or the time
    /// of this address is over.
    fn connected(mut self, event_loop: &mut Loop, crawler: &mut Crawler) {
        let stream = event_loop.stream(self.token);
        let result = match stream.take_error() {
            Ok(None) => stream.peer_addr(),
            Ok(Some(error)) | Err(error) => Err(error),
        };
        let is_late = self.time_out.is_some_and(|timer| timer.when() <= Instant::now());
        let error = match result {
            Ok(_) => {
                self.clear_time_out(event_loop);
                return self.send_request(event_loop, crawler);
            }
            Err(error) if error.kind() != ErrorKind::NotConnected => error,
            Err(_) if is_late => ErrorKind::TimedOut.into(),
            Err(_) => return self.then("connected", Self::connected, event_loop),
        };
        self.try_next_address(error, event_loop, crawler)
    }

    fn try_next_address(
        mut self,
        error: io::Error,
        event_loop: &mut Loop,
        crawler: &mut Crawler,
    ) {
        self.clear_time_out(event_loop);
        event_loop.close(self.token);
        self.addresses.failed(error.into());
        let id = self.id;
        match self.connect(event_loop) {
            Ok(token) => crawler.set_token(token, id),
            Err(error) => crawler.finish(id, Err(error), event_loop),
        }
    }

    fn clear_time_out(&mut self, event_loop: &mut Loop) {
        if let Some(timer) = self.time_out.take() {
            event_loop.clear_timer(timer);
        }
    }

    fn send_request(mut self, event_loop: &mut Loop, crawler: &mut Crawler) {
        while self.sent < self.request.len() {
            match event_loop.stream(self.token).write(&self.request[self.sent..]) {
                Ok(count) => self.sent += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    return self.then("send_request", Self::send_request, event_loop);
                }
                Err(error) => return self.fail(error, event_loop, crawler),
            }
        }
        match event_loop.watch_reads_only(self.token) {
            // The response may be here already: read before waiting.
            Ok(()) => self.read_response(event_loop, crawler),
            Err(error) => self.fail(error, event_loop, crawler),
        }
    }

    /// Reads and parses what has arrived. If there is no memory for more, the end of
    /// another fetch has this one called again.
    // ANCHOR: read_response
    fn read_response(mut self, event_loop: &mut Loop, crawler: &mut Crawler) {
        for _ in 0..READS_A_TURN {
            if !crawler.bodies.may_read(self.id) {
                return self.then("read_response", Self::read_response, event_loop);
            }
            let count = match event_loop.stream(self.token).read(&mut crawler.buffer) {
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    return self.then("read_response", Self::read_response, event_loop);
                }
                Err(error) => return self.fail(error, event_loop, crawler),
            };
            match self.parser.feed(&crawler.buffer[..count]) {
                Ok(None) => crawler.bodies.holds(self.id, self.parser.held()),
                Ok(Some(response)) => {
                    return crawler.finish(self.id, Ok(response), event_loop);
                }
                Err(error) => return self.fail(error, event_loop, crawler),
            }
        }
        event_loop.on_next_tick(self.token, "read_response", |event_loop, crawler| {
            self.read_response(event_loop, crawler)
        });
    }
    // ANCHOR_END: read_response
}
