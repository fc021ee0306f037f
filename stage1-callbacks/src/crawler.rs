//! The crawler: which fetches are in flight, and what becomes of them.

use crate::event_loop::EventLoop;
use crate::fetcher::Fetcher;
use mio::Token;
use shared::{
    Attempt, BodyBudget, FetchError, Frontier, Options, Program, Report, Response,
    Stop, TimerId, Trace, UrlId,
};
use std::collections::BTreeMap;
use std::io;

/// This program.
pub const PROGRAM: Program =
    Program::http_only(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));

/// Bytes that one read takes at the most. One buffer serves all: no fetcher holds it
/// while it waits.
const BUFFER: usize = 64 * 1024;

/// The loop, with the crawler as its world.
pub(crate) type Loop = EventLoop<Crawler>;

/// What callbacks share.
pub(crate) struct Crawler {
    frontier: Frontier,
    in_flight: BTreeMap<UrlId, InFlight>,
    /// Ends the crawl when its time is over. None: it has no limit.
    max_time: Option<TimerId>,
    /// Decides which fetch may read, while many bodies are in flight.
    pub(crate) bodies: BodyBudget<UrlId>,
    pub(crate) buffer: Vec<u8>,
}

/// An attempt that has begun, and is not settled.
struct InFlight {
    token: Token,
    time_out: TimerId,
}

/// Crawls from `options.roots` until nothing is left to fetch, or until the stop is
/// requested.
///
/// # Errors
/// The selector cannot be made or waited for, or the trace file cannot be written.
pub fn crawl(options: &Options, stop: &Stop) -> io::Result<Report> {
    let trace = Trace::of_crawl(options, PROGRAM.name)?;
    let mut event_loop = EventLoop::new(stop, trace.clone())?;
    let frontier = Frontier::new(options, &PROGRAM, stop);
    let end = |event_loop: &mut Loop, _: &mut Crawler| event_loop.end();
    let mut crawler = Crawler {
        max_time: frontier.deadline().map(|when| event_loop.set_timer(when, end)),
        frontier,
        in_flight: BTreeMap::new(),
        bodies: BodyBudget::new(options.max_bodies, options.max_body),
        buffer: vec![0; BUFFER],
    };
    crawler.start(&mut event_loop);
    event_loop.run(&mut crawler)?;
    Ok(trace.close(crawler.close(&mut event_loop)))
}

impl Crawler {
    // ANCHOR: start
    /// Starts fetches until there are enough of them, or nothing is left to do.
    fn start(&mut self, event_loop: &mut Loop) {
        // While names are looked up in here the whole loop is blocked: blocking work
        // stops every fetch, for no longer than one time-out each.
        let mut attempts = self.frontier.next_attempts();
        while !attempts.is_empty() {
            for next in attempts {
                if event_loop.is_over() {
                    return;
                }
                let id = next.id;
                match Crawler::fetch(next, event_loop) {
                    Ok(fetch) => _ = self.in_flight.insert(id, fetch),
                    Err(error) => self.frontier.settle(id, Err(error)),
                }
            }
            // A failure leaves room at once, and no callback will ask for others.
            attempts = self.frontier.next_attempts();
        }
        while let Some(when) = self.frontier.next_wakeup() {
            event_loop.set_timer(when, |event_loop, crawler: &mut Crawler| {
                crawler.start(event_loop)
            });
        }
        // ANCHOR_END: start
        if self.frontier.is_done() {
            // The last timer: without it the loop has nothing more to wait for.
            self.max_time.take().into_iter().for_each(|it| event_loop.clear_timer(it));
        }
    }

    fn fetch(next: Attempt, event_loop: &mut Loop) -> Result<InFlight, FetchError> {
        let id = next.id;
        let deadline = next.deadline;
        let late = next.late.clone();
        let token = Fetcher::start(next, event_loop)?;
        let time_out = event_loop.set_timer(deadline, move |event_loop, crawler| {
            crawler.finish(id, Err(late), event_loop)
        });
        Ok(InFlight { token, time_out })
    }

    /// Ends a fetch, whatever it was waiting for, and starts others in its place.
    pub(crate) fn finish(
        &mut self,
        id: UrlId,
        result: Result<Response, FetchError>,
        event_loop: &mut Loop,
    ) {
        let fetch = self.in_flight.remove(&id).expect("a fetch ends once");
        event_loop.clear_timer(fetch.time_out);
        event_loop.close(fetch.token);
        self.frontier.settle(id, result);
        // Its body is gone: fetches that were not allowed to read may be now.
        for paused in self.bodies.end(id) {
            let fetch =
                self.in_flight.get(&paused).expect("a paused fetch is in flight");
            event_loop.wake(fetch.token);
        }
        self.start(event_loop);
    }

    /// The connection to one address failed, and the fetch goes on with another.
    pub(crate) fn set_token(&mut self, token: Token, id: UrlId) {
        self.in_flight.get_mut(&id).expect("a fetch ends once").token = token;
    }

    fn close(self, event_loop: &mut Loop) -> Report {
        let end = self.frontier.end(|| event_loop.observer.who_waits());
        self.in_flight.values().for_each(|fetch| event_loop.close(fetch.token));
        self.frontier.close(end)
    }
}
