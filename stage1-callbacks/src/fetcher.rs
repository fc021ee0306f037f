//! One fetch, callback by callback: connected, send_request, read_response.

use crate::crawler::{Crawler, Loop};
use mio::Token;
use shared::ledger::UrlId;
use shared::{FetchError, ResponseParser, Try};
use std::io::{self, ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::vec;

/// Reads of one socket before the others get their turn.
const READS_A_TURN: usize = 16;

// ANCHOR: fetcher
/// All that a fetch has to remember from one callback to the next: what would be the
/// local variables of a function, if a function could wait.
pub(crate) struct Fetcher {
    id: UrlId,
    url: String,
    token: Token,
    request: Vec<u8>,
    sent: usize,
    parser: ResponseParser,
    other_addresses: vec::IntoIter<SocketAddr>,
}
// ANCHOR_END: fetcher

impl Fetcher {
    /// Starts a connection to the first address that takes one, and a fetch on it.
    pub(crate) fn start(
        Try { id, url, addresses, request, max_body, .. }: Try,
        event_loop: &mut Loop,
    ) -> Result<Token, FetchError> {
        let (url, parser) = (url.to_string(), ResponseParser::new(max_body));
        let mut other_addresses = addresses.into_iter();
        let token = connect(&mut other_addresses, &url, event_loop)?;
        let fetcher =
            Fetcher { id, url, token, request, sent: 0, parser, other_addresses };
        fetcher.then("connected", Self::connected, event_loop);
        Ok(token)
    }

    /// Saves the fetcher, and what is to be done with it, for the socket's next event.
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

    /// The socket is writable: the connection stands, or it failed.
    fn connected(self, event_loop: &mut Loop, crawler: &mut Crawler) {
        let stream = event_loop.stream(self.token);
        let result = match stream.take_error() {
            Ok(None) => stream.peer_addr(),
            Ok(Some(error)) | Err(error) => Err(error),
        };
        match result {
            Ok(_) => self.send_request(event_loop, crawler),
            Err(error) if error.kind() == ErrorKind::NotConnected => {
                self.then("connected", Self::connected, event_loop)
            }
            Err(error) => self.try_next_address(error, event_loop, crawler),
        }
    }

    fn try_next_address(
        mut self,
        error: io::Error,
        event_loop: &mut Loop,
        crawler: &mut Crawler,
    ) {
        event_loop.close(self.token);
        match connect(&mut self.other_addresses, &self.url, event_loop) {
            Ok(token) => {
                crawler.moved_to(token, self.id);
                Fetcher { token, ..self }.then("connected", Self::connected, event_loop)
            }
            Err(later) => {
                self.fail(FetchError::from(error).or_later(later), event_loop, crawler)
            }
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
        match event_loop.only_reads(self.token) {
            // The answer may be here already: read before waiting.
            Ok(()) => self.read_response(event_loop, crawler),
            Err(error) => self.fail(error, event_loop, crawler),
        }
    }

    // ANCHOR: read_response
    fn read_response(mut self, event_loop: &mut Loop, crawler: &mut Crawler) {
        for _ in 0..READS_A_TURN {
            let count = match event_loop.stream(self.token).read(&mut crawler.buffer) {
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    return self.then("read_response", Self::read_response, event_loop);
                }
                Err(error) => return self.fail(error, event_loop, crawler),
            };
            match self.parser.feed(&crawler.buffer[..count]) {
                Ok(None) => {}
                Ok(Some(answer)) => {
                    return crawler.finish(self.id, Ok(answer), event_loop);
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

fn connect(
    addresses: &mut vec::IntoIter<SocketAddr>,
    url: &str,
    event_loop: &mut Loop,
) -> Result<Token, FetchError> {
    let mut failure = FetchError::Network(ErrorKind::AddrNotAvailable);
    for address in addresses {
        match event_loop.connect(address, url) {
            Ok(token) => return Ok(token),
            Err(error) => failure = failure.or_later(error.into()),
        }
    }
    Err(failure)
}
