//! Chooses the next attempts from the jobs that are queued or whose pause has ended,
//! and limits how many are in flight. It reads the clock, and blocks only while it
//! looks up names.

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

/// An attempt at a URL, ready for a stage to run.
#[derive(Debug)]
pub struct Attempt {
    /// Identifies the attempt; passed to [`Frontier::settle`].
    pub id: UrlId,
    /// The URL to request.
    pub url: Url,
    /// The addresses of the host in the order of connecting, at least one.
    pub addresses: Vec<SocketAddr>,
    /// The bytes of the request, which asks the server to close the connection.
    pub request: Vec<u8>,
    /// How much of the response is needed.
    pub needs: Needs,
    /// The time at which the attempt times out.
    pub deadline: Instant,
    /// The error to report at the deadline.
    pub timeout_error: FetchError,
}

/// An attempt that is in flight.
#[derive(Debug)]
struct InFlight {
    job: Job,
    url: Url,
    /// The frontier's `blocked` when the time of the attempt began to count; `None`
    /// before.
    blocked: Option<Duration>,
}

/// All open jobs of a crawl, and the ledger.
#[derive(Debug)]
pub struct Frontier {
    options: Arc<Options>,
    requests: Requests,
    stop: Stop,
    resolver: Resolver,
    ledger: Ledger,
    /// Jobs that may begin when there is room.
    queued: VecDeque<Job>,
    /// With `--delay`: jobs whose server received a request a moment ago.
    pace: Pace<()>,
    /// Jobs that pause, ordered by the end of the pause.
    pausing: BTreeMap<(Instant, UrlId), Job>,
    /// Jobs whose attempts have begun and are not settled.
    in_flight: BTreeMap<UrlId, InFlight>,
    /// How long all look-ups so far have blocked.
    blocked: Duration,
    /// The ends of pauses that [`take_wakeups`](Self::take_wakeups) has still to return.
    pauses: Vec<Instant>,
    /// The latest time that was added to `pauses` for a job in `pace`; `None` if no
    /// job in `pace` waits.
    held_until: Option<Instant>,
}

impl Frontier {
    /// Creates a frontier that begins with the roots. No attempt begins after the stop
    /// or after `--max-time`.
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

    /// Begins as many attempts as there is room for, and returns them. Each is in
    /// flight until it is settled.
    ///
    /// This looks up host names, and blocks meanwhile: for each new name until the
    /// attempt times out, the crawl is stopped, or `--max-time` is over. Failed
    /// look-ups are settled here.
    ///
    /// The time of the new attempts counts from the end of all look-ups. The time of
    /// the attempts in flight goes on during the look-ups. If one of them times
    /// out because of that, this does not count against `--max-tries`.
    pub fn begin_attempts(&mut self) -> Vec<Attempt> {
        let mut attempts = Vec::new();
        // The same time for all of them: with `--delay`, no two may be for one server.
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
                // The time of the crawl is over, not the time of this attempt.
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
            self.pace.release_permit(begun.job.server(), begins);
        }
        // A job that is due but has no room needs no timer: when another attempt ends,
        // the stage calls `begin_attempts` again.
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
        self.pace.release_permit(job.server(), now);
        let id = job.id();
        let begun = InFlight { job, url: url.clone(), blocked: None };
        self.in_flight.insert(id, begun);
        Some((id, url))
    }

    /// Returns the next job that may begin: one from `pace` that is due, or the first
    /// in the queue that `pace` does not hold.
    fn next_job(&mut self, now: Instant) -> Option<Job> {
        if let Some((job, ())) = self.pace.take_due(now) {
            return Some(job);
        }
        loop {
            let job = self.queued.pop_front()?;
            if let Some((job, ())) = self.pace.take_permit(job, (), now) {
                return Some(job);
            }
        }
    }

    /// Records the result of an attempt in flight. Call
    /// [`begin_attempts`](Self::begin_attempts) afterwards. A response that arrives
    /// after the stop or after `--max-time` is not recorded.
    pub fn settle(&mut self, id: UrlId, result: Result<Response, FetchError>) {
        let ended = self.in_flight.remove(&id).expect("an attempt ends once");
        let InFlight { mut job, url, blocked } = ended;
        let was_blocked = blocked.is_some_and(|before| before < self.blocked);
        if was_blocked && matches!(result, Err(FetchError::TimedOut(_))) {
            job.excuse();
        }
        let extract = self.options.extract();
        let result = match result {
            // The search may take long, and more pages may have arrived at the same
            // time.
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
                true => self.queued.push_front(job), // it was the first before
                false => self.queued.push_back(job),
            }
        }
    }

    /// Returns times at which to call [`begin_attempts`](Self::begin_attempts) again.
    /// Each time is returned once, so the stage has to set a timer for it.
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

    /// Closes the ledger when the loop of the crawl has ended. `waits` describes what
    /// each task waits for, and is called only if the crawl is stuck. Then the report
    /// also lists the jobs that never began.
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

    /// Settles a page with two links, after `end` was called.
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
