//! Which attempt is next: what is queued, what pauses before another attempt, and how
//! many are in flight. It looks at the clock, and blocks only while it looks names up.

use crate::crawl::job::Job;
use crate::crawl::ledger::{CrawlEnd, Ledger};
use crate::crawl::pace::Pace;
use crate::crawl::requests::Requests;
use crate::crawl::settling::FollowUps;
use crate::crawl::url_id::UrlId;
use crate::error::FetchError;
use crate::http::{ConnectionOption, Needs, Response};
use crate::options::{Options, Program};
use crate::page::Page;
use crate::report::Report;
use crate::resolve::{Host, Resolver, host};
use crate::stop::Stop;
use std::collections::{BTreeMap, VecDeque};
use std::mem;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use url::Url;

/// One attempt at a URL: what to do, and by when.
#[derive(Debug)]
pub struct Attempt {
    /// Identifies the attempt for [`Frontier::settle`].
    pub id: UrlId,
    /// The URL that is requested.
    pub url: Url,
    /// The addresses of its host, in the order in which to connect: at least one.
    pub addresses: Vec<SocketAddr>,
    /// The bytes of the request. It asks the server to close the connection.
    pub request: Vec<u8>,
    /// How much of the response is needed.
    pub needs: Needs,
    /// When the time for this attempt is over.
    pub deadline: Instant,
    /// The error with which it fails at the deadline.
    pub timeout_error: FetchError,
}

/// An attempt that has begun.
#[derive(Debug)]
struct InFlight {
    job: Job,
    url: Url,
    /// How long look-ups had blocked when its time began to count; `None` before that.
    blocked: Option<Duration>,
}

/// All jobs of a crawl that are not settled, and the ledger.
#[derive(Debug)]
pub struct Frontier {
    options: Arc<Options>,
    requests: Requests,
    stop: Stop,
    resolver: Resolver,
    ledger: Ledger,
    /// Jobs that may begin as soon as there is room.
    queued: VecDeque<Job>,
    /// Holds jobs whose server was sent a request a moment ago, with `--delay`.
    pace: Pace<()>,
    /// Jobs that pause, in the order in which their pauses end.
    pausing: BTreeMap<(Instant, UrlId), Job>,
    /// Jobs whose attempts were returned and not settled.
    in_flight: BTreeMap<UrlId, InFlight>,
    /// How long all look-ups together have blocked.
    blocked: Duration,
    /// The ends of pauses that [`take_wakeups`](Self::take_wakeups) has not returned yet.
    pauses: Vec<Instant>,
    /// The latest of these for a job that the pace holds.
    held_until: Option<Instant>,
}

impl Frontier {
    /// Creates a frontier with the roots. After the stop, or after `--max-time`, no
    /// attempt begins.
    pub fn new(options: &Options, program: &Program, stop: &Stop) -> Frontier {
        let (ledger, jobs) = Ledger::open(options, program);
        Frontier {
            options: Arc::clone(ledger.options()),
            requests: Requests::new(options, program),
            stop: stop.clone(),
            resolver: Resolver::with_hosts(&options.hosts, options.look_up),
            pace: Pace::new(options.pause_between_requests()),
            held_until: None,
            ledger,
            queued: jobs.into(),
            pausing: BTreeMap::new(),
            in_flight: BTreeMap::new(),
            blocked: Duration::ZERO,
            pauses: Vec::new(),
        }
    }

    /// Begins attempts, as many as there is room for, and returns them. Each is in flight
    /// until it is settled.
    ///
    /// This looks names up, and blocks for it: each time no longer than the time-out of
    /// one attempt, or until the stop or the end of `--max-time`; not at all for a name
    /// that was found before. What fails here is settled here. The time that an attempt
    /// has left counts from the end of all look-ups. That of the attempts in flight goes
    /// on meanwhile: if one is late then, that does not count against `--max-tries`.
    pub fn begin_attempts(&mut self) -> Vec<Attempt> {
        let mut attempts = Vec::new();
        // A single time for all of them, so that with `--delay` no two are for one
        // server.
        let now = Instant::now();
        while let Some((id, url)) = self.begin(now) {
            let (began, timeout) = (Instant::now(), self.options.timeout);
            let deadline = began + timeout;
            let end = self.deadline().map_or(deadline, |end| end.min(deadline));
            let found = self.resolver.resolve(&url, timeout, end, &self.stop);
            let left = timeout.saturating_sub(began.elapsed());
            if !matches!(host(&url), Host::Address(_)) {
                self.blocked += began.elapsed();
            }
            match found {
                Ok(addresses) => {
                    attempts.push((left, self.make_attempt(id, url, addresses)))
                }
                // The crawl's time is over, not that of the attempt.
                Err(FetchError::TimedOut(_)) if self.ledger.is_out_of_time() => {
                    self.settle(id, Err(FetchError::Interrupted))
                }
                Err(error) => self.settle(id, Err(error)),
            }
        }
        let begins = Instant::now();
        for (_, next) in &attempts {
            let begun = self.in_flight.get_mut(&next.id).expect("it has begun");
            begun.blocked = Some(self.blocked);
            self.pace.end_turn(begun.job.server(), begins);
        }
        // A job that is due but has no room needs no timer: the end of another attempt
        // calls `begin_attempts`.
        let held_until = self.pace.next_deadline().filter(|when| *when > now);
        if held_until != self.held_until {
            self.pauses.extend(held_until);
            self.held_until = held_until;
        }
        let begun = |(left, next)| Attempt { deadline: begins + left, ..next };
        attempts.into_iter().map(begun).collect()
    }

    fn make_attempt(&self, id: UrlId, url: Url, addresses: Vec<SocketAddr>) -> Attempt {
        let Options { timeout, .. } = *self.options;
        let needs = self.in_flight[&id].job.needs();
        let request = needs.request(self.requests.bytes(&url, ConnectionOption::Close));
        let timeout_error = FetchError::TimedOut(timeout);
        let deadline = Instant::now();
        Attempt { id, url, addresses, request, needs, deadline, timeout_error }
    }

    fn begin(&mut self, now: Instant) -> Option<(UrlId, Url)> {
        while let Some(entry) = self.pausing.first_entry()
            && entry.key().0 <= Instant::now()
        {
            self.queued.push_back(entry.remove());
        }
        if self.is_over() || !self.ledger.has_room() {
            return None;
        }
        let mut job = self.next_job(now)?;
        let url = self.ledger.begin(&mut job);
        self.pace.end_turn(job.server(), now);
        let id = job.id();
        let begun = InFlight { job, url: url.clone(), blocked: None };
        self.in_flight.insert(id, begun);
        Some((id, url))
    }

    /// Returns the next job that may begin: one that the pace has held, or the first in
    /// the queue that the pace does not hold.
    fn next_job(&mut self, now: Instant) -> Option<Job> {
        if let Some((job, ())) = self.pace.take_due(now) {
            return Some(job);
        }
        loop {
            let job = self.queued.pop_front()?;
            if let Some((job, ())) = self.pace.take_turn(job, (), now) {
                return Some(job);
            }
        }
    }

    /// Records the result of an attempt that was in flight. Other attempts may be due
    /// then: see [`begin_attempts`](Self::begin_attempts). A response that arrives after
    /// the stop, or after `--max-time`, is not recorded.
    pub fn settle(&mut self, id: UrlId, result: Result<Response, FetchError>) {
        let ended = self.in_flight.remove(&id).expect("an attempt ends once");
        let InFlight { mut job, url, blocked } = ended;
        let was_blocked = blocked.is_some_and(|before| before < self.blocked);
        if was_blocked && matches!(result, Err(FetchError::TimedOut(_))) {
            job.excuse();
        }
        let extract = self.options.extract();
        let result = match result {
            // To search a page may take long, and others may have arrived with it.
            Ok(_) if self.is_over() => Err(FetchError::Interrupted),
            result => result.map(|response| Page::parse(&url, response, extract)),
        };
        let FollowUps { jobs, paused } = self.ledger.settle(job, result);
        if let Some(job) = paused {
            let when = Instant::now() + job.pause;
            self.pauses.push(when);
            self.pausing.insert((when, job.id()), job);
        }
        for job in jobs {
            match job.id() == id {
                true => self.queued.push_front(job), // its turn had come
                false => self.queued.push_back(job),
            }
        }
    }

    /// Returns the times at which to call [`begin_attempts`](Self::begin_attempts) again:
    /// each time once, so set a timer for each.
    pub fn take_wakeups(&mut self) -> Vec<Instant> {
        mem::take(&mut self.pauses)
    }

    /// Returns when the time of the whole crawl is over; `None` without `--max-time`.
    pub fn deadline(&self) -> Option<Instant> {
        self.ledger.deadline()
    }

    fn is_over(&self) -> bool {
        self.stop.is_requested() || self.ledger.is_out_of_time()
    }

    /// Returns whether nothing is queued, pausing or in flight: the crawl is over.
    pub fn is_done(&self) -> bool {
        self.ledger.is_done()
    }

    /// Closes the ledger, after the loop of the crawl has ended. `waits` describes what
    /// each task waits for, and is called only if the crawl is stuck. Then the report
    /// also names the jobs that were never begun.
    pub fn close(self, waits: impl FnOnce() -> String) -> Report {
        let end = match self.ledger.end(&self.stop, waits) {
            CrawlEnd::Stuck(waits) => CrawlEnd::Stuck(self.with_queued(waits)),
            end => end,
        };
        self.ledger.close(end)
    }

    fn with_queued(&self, waits: String) -> String {
        let line = |job: &Job| format!("{}: queued, and nothing starts it", job.url);
        let held = self.ledger.waiting_for_port().iter().chain(self.pace.held());
        let queued = self.queued.iter().chain(held).map(line);
        let others = Some(waits).filter(|lines| !lines.is_empty());
        others.into_iter().chain(queued).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::ResponseParser;

    /// Settles a page with two links, after this was done to the crawl.
    fn settled_after(end: impl FnOnce(&mut Frontier)) -> Report {
        let root = Url::parse("http://127.0.0.1/").unwrap();
        let (options, program) =
            (Options::with_roots([root]), Program::http_only("p", "1"));
        let mut frontier = Frontier::new(&options, &program, &Stop::new());
        let attempt = frontier.begin_attempts().remove(0);
        let links = "<a href=1>1</a><a href=2>2</a>";
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
        let wire = format!("{head}Content-Length: {}\r\n\r\n{links}", links.len());
        let page =
            ResponseParser::with_limit(100).feed(wire.as_bytes()).unwrap().unwrap();
        end(&mut frontier);
        frontier.settle(attempt.id, Ok(page));
        frontier.close(|| "a test".to_string())
    }

    #[test]
    fn a_page_that_comes_after_the_end_is_not_searched() {
        let counts = |report: &Report| (report.rows.len(), report.summary.left);
        assert_eq!(counts(&settled_after(|_| ())), (1, 2));
        let stopped = settled_after(|frontier| frontier.stop.request());
        assert!(stopped.interrupted);
        assert_eq!(counts(&stopped), (0, 1));
        let late = settled_after(|Frontier { ledger, .. }| {
            Arc::make_mut(&mut ledger.options).max_time = Some(Duration::ZERO);
        });
        assert!(late.out_of_time);
        assert_eq!(counts(&late), (0, 1));
    }
}
