//! The crawler: which fetches are in flight, and what happens to their results.

use crate::event_loop::EventLoop;
use crate::fetcher::Fetcher;
use mio::Token;
use shared::{
    Attempt, BodyBudget, FetchError, Frontier, Options, Program, Report, Response,
    Stop, TimerId, UrlId,
};
use std::collections::BTreeMap;
use std::io;

/// This program.
pub const PROGRAM: Program =
    Program::http_only(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));

/// The size of the read buffer.
const BUFFER: usize = 64 * 1024;

/// The loop, with the crawler as its world.
pub(crate) type Loop = EventLoop<Crawler>;

/// What callbacks share.
pub(crate) struct Crawler {
    /// Which URLs are left to fetch, and the results of the others.
    frontier: Frontier,
    in_flight: BTreeMap<UrlId, InFlight>,
    /// Decides which fetches may read while many bodies are in flight.
    bodies: BodyBudget<UrlId>,
    /// All fetches read into this buffer, because none keeps bytes in it while it
    /// waits.
    pub(crate) buffer: Vec<u8>,
}

/// An attempt that has begun and is not settled.
struct InFlight {
    token: Token,
    /// Ends the attempt at its deadline.
    timer: TimerId,
}

/// Crawls from `options.roots` until nothing is left to fetch, a stop is requested, or
/// the time of the crawl is over.
///
/// # Errors
/// Fails if the selector cannot be created, a wait fails, or the trace file cannot be
/// created.
pub fn crawl(options: &Options, stop: &Stop) -> io::Result<Report> {
    let trace = options.open_trace(&PROGRAM)?;
    let mut event_loop = EventLoop::new(stop, trace.clone())?;
    let mut crawler = Crawler {
        frontier: Frontier::new(options, &PROGRAM, stop),
        in_flight: BTreeMap::new(),
        bodies: BodyBudget::new(options.max_bodies, options.max_body),
        buffer: vec![0; BUFFER],
    };
    crawler.start(&mut event_loop);
    let deadline = crawler.frontier.deadline();
    event_loop.run(&mut crawler, deadline)?;
    let report = crawler.frontier.close(|| event_loop.observer.waiters_report());
    // The trace gets the end of each fetch that was cut off.
    crawler.in_flight.values().for_each(|fetch| event_loop.close(fetch.token));
    Ok(trace.close(report))
}

impl Crawler {
    // ANCHOR: start
    /// Starts fetches until enough are in flight, or nothing is left to start.
    fn start(&mut self, event_loop: &mut Loop) {
        // Looks up names, which blocks: the whole loop stops for at most one time-out
        // per name.
        let mut attempts = self.frontier.begin_attempts();
        while !attempts.is_empty() {
            for attempt in attempts {
                if event_loop.is_stopped() {
                    return;
                }
                self.fetch(attempt, event_loop);
            }
            // A fetch that could not start is over, and no callback follows it: another
            // fetch may start in its place.
            attempts = self.frontier.begin_attempts();
        }
        // Some attempts may begin only later: a timer for each of these times.
        for when in self.frontier.take_wakeups() {
            event_loop.set_timer(when, |event_loop, crawler: &mut Crawler| {
                crawler.start(event_loop)
            });
        }
    }
    // ANCHOR_END: start

    /// Starts a fetch, and a timer that ends it at its deadline.
    fn fetch(&mut self, attempt: Attempt, event_loop: &mut Loop) {
        let (id, deadline) = (attempt.id, attempt.deadline);
        let timeout_error = attempt.timeout_error.clone();
        let token = match Fetcher::start(attempt, event_loop) {
            Ok(token) => token,
            Err(error) => return self.frontier.settle(id, Err(error)),
        };
        let timer = event_loop.set_timer(deadline, move |event_loop, crawler| {
            crawler.finish(id, Err(timeout_error), event_loop)
        });
        self.in_flight.insert(id, InFlight { token, timer });
    }

    /// Records the socket of a fetch that has moved on to the next address.
    pub(crate) fn set_token(&mut self, id: UrlId, token: Token) {
        self.in_flight.get_mut(&id).expect("it is in flight").token = token;
    }

    /// Returns whether a fetch that holds `held` bytes may read on. If not, the
    /// budget is used up, and this fetch is called back when another one ends.
    pub(crate) fn try_admit(&mut self, id: UrlId, held: usize) -> bool {
        self.bodies.set_held(id, held);
        self.bodies.try_admit(id)
    }

    /// Ends a fetch, whatever it was waiting for, and starts others in its place.
    pub(crate) fn finish(
        &mut self,
        id: UrlId,
        result: Result<Response, FetchError>,
        event_loop: &mut Loop,
    ) {
        let fetch = self.in_flight.remove(&id).expect("a fetch ends once");
        event_loop.clear_timer(fetch.timer);
        event_loop.close(fetch.token);
        self.frontier.settle(id, result);
        // Its body is gone, so there may be room for fetches that were paused.
        for paused in self.bodies.end(id) {
            let fetch =
                self.in_flight.get(&paused).expect("a paused fetch is in flight");
            event_loop.call_soon(fetch.token);
        }
        self.start(event_loop);
    }
}
