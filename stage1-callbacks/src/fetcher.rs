//! One fetch, callback by callback: first those of `connect.rs`, then `send_request`,
//! then `read_response`. It is a state machine: the state is the fetcher together with
//! the function that is called next.

use crate::connect::Connecting;
use crate::crawler::{Crawler, Loop};
use mio::Token;
use shared::FetchError::{self, Network};
use shared::{Addresses, Attempt, ResponseParser, UrlId};
use std::io::{ErrorKind, ErrorKind::WriteZero, Read, Write};

/// How often a callback reads before other sockets get their turn.
const READS_A_TURN: usize = 16;

// ANCHOR: fetcher
/// What a fetch has to remember from one callback to the next. In a function that could
/// wait, these would be local variables.
pub(crate) struct Fetcher {
    id: UrlId,
    token: Token,
    request: Vec<u8>,
    /// How many bytes of the request have been sent.
    sent: usize,
    parser: ResponseParser,
}
// ANCHOR_END: fetcher

impl Fetcher {
    /// Starts to connect, and sends the request once the connection is established. The
    /// fetcher does not exist before that. Returns the first socket that can be opened. If
    /// its address fails, `connect.rs` opens another one and calls `Crawler::set_token`.
    pub(crate) fn start(
        attempt: Attempt,
        event_loop: &mut Loop,
    ) -> Result<Token, FetchError> {
        let Attempt { id, addresses, request, needs, deadline, .. } = attempt;
        let connecting = Connecting {
            id,
            url: attempt.url.to_string(), // observe
            addresses: Addresses::new(addresses, deadline),
            on_connected: move |token, event_loop: &mut Loop, crawler: &mut Crawler| {
                let parser = ResponseParser::new(needs);
                let fetcher = Fetcher { id, token, request, sent: 0, parser };
                fetcher.send_request(event_loop, crawler)
            },
        };
        connecting.try_next(event_loop)
    }

    /// Stores the fetcher in a callback, for the next event of its socket.
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

    /// Ends the fetch with an error. There is no caller to which `?` could return it.
    fn fail(
        self,
        error: impl Into<FetchError>,
        event_loop: &mut Loop,
        crawler: &mut Crawler,
    ) {
        crawler.finish(self.id, Err(error.into()), event_loop)
    }

    fn send_request(mut self, event_loop: &mut Loop, crawler: &mut Crawler) {
        while self.sent < self.request.len() {
            match event_loop.stream(self.token).write(&self.request[self.sent..]) {
                Ok(0) => return self.fail(Network(WriteZero), event_loop, crawler),
                Ok(count) => self.sent += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    return self.then("send_request", Self::send_request, event_loop);
                }
                Err(error) => return self.fail(error, event_loop, crawler),
            }
        }
        match event_loop.watch_reads_only(self.token) {
            // The response may have arrived already: read before waiting.
            Ok(()) => self.read_response(event_loop, crawler),
            Err(error) => self.fail(error, event_loop, crawler),
        }
    }

    /// Reads and parses what has arrived, and waits for more.
    // ANCHOR: read_response
    fn read_response(mut self, event_loop: &mut Loop, crawler: &mut Crawler) {
        for _ in 0..READS_A_TURN {
            // All bodies together have a budget. May this one grow?
            if !crawler.try_admit(self.id, self.parser.held()) {
                return self.wait_for_room(event_loop);
            }
            let count = match event_loop.stream(self.token).read(&mut crawler.buffer) {
                Ok(count) => count, // 0: the server has closed the connection
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    return self.then("read_response", Self::read_response, event_loop);
                }
                Err(error) => return self.fail(error, event_loop, crawler),
            };
            match self.parser.feed(&crawler.buffer[..count]) {
                Ok(None) => {}
                Ok(Some(response)) => {
                    return crawler.finish(self.id, Ok(response), event_loop);
                }
                Err(error) => return self.fail(error, event_loop, crawler),
            }
        }
        event_loop.call_soon(self.token); // first, so that the trace says "its turn"
        self.then("read_response", Self::read_response, event_loop)
    }
    // ANCHOR_END: read_response

    /// The budget for bodies is used up, and `try_admit` has noted that this fetch
    /// waits. When fetches that end have made room, `Crawler::finish` puts the socket of
    /// this one into the ready list. So it does not matter that this callback waits
    /// before `WouldBlock`. If an event calls it back earlier, it asks for room again.
    #[track_caller] // observe
    fn wait_for_room(self, event_loop: &mut Loop) {
        self.then("wait_for_room", Self::read_response, event_loop);
    }
}
