//! The crawler: what is to be fetched, what is in flight, and the books.

use crate::event_loop::{EventLoop, TimerId};
use crate::fetcher::Fetcher;
use mio::Token;
use shared::http::Connection;
use shared::ledger::UrlId;
use shared::{
    Answer, Ending, FetchError, Job, Ledger, Options, Report, Resolver, Response,
    ResponseParser, Stage, Stop, Watch, digest, request,
};
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::time::Instant;

/// This program.
pub const STAGE: Stage = Stage {
    name: env!("CARGO_PKG_NAME"),
    version: env!("CARGO_PKG_VERSION"),
    speaks_https: false,
};

/// Bytes that one read takes at the most. One buffer serves all: nobody holds it while
/// waiting.
const BUFFER: usize = 64 * 1024;

/// The loop, with the crawler as its world.
pub(crate) type Loop = EventLoop<Crawler>;

/// What callbacks share.
pub(crate) struct Crawler {
    options: Options,
    user_agent: String,
    stop: Stop,
    ledger: Ledger,
    resolver: Resolver,
    todo: VecDeque<Job>,
    in_flight: BTreeMap<UrlId, InFlight>,
    pub(crate) buffer: Vec<u8>,
}

/// A job that is being fetched.
struct InFlight {
    job: Job,
    token: Token,
    time_out: TimerId,
}

/// Crawls from `options.roots` until nothing is left to fetch, or until `stop` is pulled.
///
/// # Errors
/// The selector cannot be made or waited for, or the trace file cannot be written.
pub fn crawl(options: &Options, stop: &Stop) -> io::Result<Report> {
    let watch = Watch::open(options.trace.as_deref(), STAGE.name)?;
    let mut event_loop = EventLoop::new(stop, watch.clone())?;
    let mut crawler = Crawler::new(options, stop);
    crawler.start(&mut event_loop);
    event_loop.run(&mut crawler)?;
    let mut report = crawler.close(&mut event_loop);
    if let Err(error) = watch.finish() {
        report.warnings.push(format!("the trace is not whole: {error}"));
    }
    Ok(report)
}

impl Crawler {
    fn new(options: &Options, stop: &Stop) -> Crawler {
        let (ledger, jobs) = Ledger::open(options, &STAGE);
        Crawler {
            options: options.clone(),
            user_agent: options.user_agent(&STAGE),
            stop: stop.clone(),
            ledger,
            resolver: Resolver::with_hosts(&options.hosts),
            todo: jobs.into(),
            in_flight: BTreeMap::new(),
            buffer: vec![0; BUFFER],
        }
    }

    /// Starts fetches until there are enough of them, or nothing is to do.
    fn start(&mut self, event_loop: &mut Loop) {
        while !self.stop.is_pulled()
            && self.in_flight.len() < self.options.max_tasks as usize
            && let Some(mut job) = self.todo.pop_front()
        {
            self.ledger.begin(&mut job);
            match self.fetch(&job, event_loop) {
                Ok((token, time_out)) => {
                    self.in_flight.insert(job.id(), InFlight { job, token, time_out });
                }
                Err(FetchError::OutOfSockets) if !self.in_flight.is_empty() => {
                    // One of ours will end, and call us again.
                    self.ledger.put_back(&mut job);
                    return self.todo.push_front(job);
                }
                Err(error) => self.settle(job, Err(error), event_loop),
            }
        }
    }

    fn fetch(
        &mut self,
        job: &Job,
        event_loop: &mut Loop,
    ) -> Result<(Token, TimerId), FetchError> {
        let deadline = Instant::now() + self.options.timeout;
        // While a name is looked up the whole loop stands still: blocking work stops
        // every fetch. (Once for each host, and no longer than one time-out.)
        let addresses = self.resolver.resolve(
            &job.url,
            self.options.timeout,
            deadline,
            &self.stop,
        )?;
        let id = job.id();
        let request = request(&job.url, &self.user_agent, Connection::Close);
        let parser = ResponseParser::new(self.options.max_body);
        let token = Fetcher::start(job, request, parser, addresses, event_loop)?;
        let error = FetchError::TimedOut(self.options.timeout);
        let time_out = event_loop.set_timer(deadline, move |event_loop, crawler| {
            crawler.finish(id, Err(error), event_loop)
        });
        Ok((token, time_out))
    }

    /// The answer is whole.
    pub(crate) fn answered(
        &mut self,
        id: UrlId,
        response: Response,
        event_loop: &mut Loop,
    ) {
        let page = digest(&self.in_flight[&id].job.url, response);
        self.finish(id, Ok(page), event_loop);
    }

    /// Ends a fetch, whatever it was waiting for, and starts others in its place.
    pub(crate) fn finish(&mut self, id: UrlId, answer: Answer, event_loop: &mut Loop) {
        let InFlight { job, token, time_out } =
            self.in_flight.remove(&id).expect("a fetch ends once");
        event_loop.clear_timer(time_out);
        event_loop.close(token);
        self.settle(job, answer, event_loop);
        self.start(event_loop);
    }

    fn settle(&mut self, job: Job, answer: Answer, event_loop: &mut Loop) {
        for next in self.ledger.settle(job, answer) {
            if next.pause.is_zero() {
                self.todo.push_back(next);
                continue;
            }
            let when = Instant::now() + next.pause;
            event_loop.set_timer(when, move |event_loop, crawler: &mut Crawler| {
                crawler.todo.push_back(next);
                crawler.start(event_loop);
            });
        }
    }

    /// The connection to one address failed, and the fetch goes on with another.
    pub(crate) fn moved_to(&mut self, token: Token, id: UrlId) {
        self.in_flight.get_mut(&id).expect("a fetch ends once").token = token;
    }

    fn close(self, event_loop: &mut Loop) -> Report {
        let ending = match self.ledger.is_done() {
            true => Ending::Done,
            false if self.stop.is_pulled() => Ending::Interrupted,
            false => Ending::Stuck(self.who_waits(event_loop)),
        };
        for fetch in self.in_flight.values() {
            event_loop.close(fetch.token);
        }
        self.ledger.close(ending)
    }

    fn who_waits(&self, event_loop: &Loop) -> String {
        let mut lines = event_loop.who_waits();
        for job in &self.todo {
            lines.push(format!("{}: queued, and nobody starts it", job.url));
        }
        lines.join("\n")
    }
}
