//! Which job is next: what is queued, what pauses before another try, and how many may be
//! under way. It looks at the clock and waits for nothing but names.

use crate::error::FetchError;
use crate::http::{Connection, Response, request};
use crate::ledger::{Ending, Job, Ledger, UrlId};
use crate::options::{Options, Stage};
use crate::page::digest;
use crate::report::Report;
use crate::resolve::Resolver;
use crate::stop::Stop;
use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use url::Url;

/// One try at a URL: what is to be done, and by when.
#[derive(Debug)]
pub struct Try {
    /// With what it is settled.
    pub id: UrlId,
    /// What is asked for.
    pub url: Url,
    /// What is sent: a request, for a connection of its own.
    pub request: Vec<u8>,
    /// How many bytes the answer's body may have.
    pub max_body: u64,
    /// How long it may take: name, connection, request and answer together.
    pub timeout: Duration,
    /// When that time is over.
    pub deadline: Instant,
}

impl Try {
    /// The error that ends it at its deadline.
    pub fn late(&self) -> FetchError {
        FetchError::TimedOut(self.timeout)
    }
}

/// All jobs of a crawl that are not settled, and the books of the others.
#[derive(Debug)]
pub struct Todo {
    options: Options,
    user_agent: String,
    stop: Stop,
    resolver: Resolver,
    ledger: Ledger,
    queued: VecDeque<Job>,
    /// In the order of the time when the pause is over.
    pausing: BTreeMap<(Instant, UrlId), Job>,
    in_flight: BTreeMap<UrlId, Job>,
    /// How many may be in flight: fewer than `max_tasks` while this machine is out of sockets.
    room: usize,
    /// Tries that were settled since `room` was set: after as many as that, one more is
    /// tried.
    settled: usize,
    /// When jobs end their pauses: what nobody was told yet.
    pauses: Vec<Instant>,
}

impl Todo {
    /// Begins with the roots, and ends when the stop is pulled.
    pub fn new(options: &Options, stage: &Stage, stop: &Stop) -> Todo {
        let (ledger, jobs) = Ledger::open(options, stage);
        Todo {
            options: options.clone(),
            user_agent: options.user_agent(stage),
            stop: stop.clone(),
            resolver: Resolver::with_hosts(&options.hosts),
            ledger,
            queued: jobs.into(),
            pausing: BTreeMap::new(),
            in_flight: BTreeMap::new(),
            room: options.max_tasks as usize,
            settled: 0,
            pauses: Vec::new(),
        }
    }

    /// The next try, if there is anything to do, and room for it, and no stop. It is in
    /// flight from now on, until it is settled.
    pub fn next_try(&mut self) -> Option<Try> {
        let now = Instant::now();
        while let Some(entry) = self.pausing.first_entry()
            && entry.key().0 <= now
        {
            self.queued.push_back(entry.remove());
        }
        if self.in_flight.len() >= self.room || self.stop.is_pulled() {
            return None;
        }
        let mut job = self.queued.pop_front()?;
        self.ledger.begin(&mut job);
        let (max_body, timeout) = (self.options.max_body, self.options.timeout);
        let (id, url, deadline) = (job.id(), job.url.clone(), now + timeout);
        let request = request(&url, &self.user_agent, Connection::Close);
        self.in_flight.insert(id, job);
        Some(Try { id, url, request, max_body, timeout, deadline })
    }

    /// The addresses to try, in order: at least one. While a name is looked up this blocks,
    /// once for each host, until the try's deadline or the stop at the latest.
    ///
    /// # Errors
    /// As [`Resolver::resolve`] has them: they are the answer to this try.
    pub fn look_up(&mut self, next: &Try) -> Result<Vec<SocketAddr>, FetchError> {
        self.resolver.resolve(&next.url, next.timeout, next.deadline, &self.stop)
    }

    /// Books the answer to what is in flight; more may be to do then.
    ///
    /// `OutOfSockets` is no answer while others are in flight: one of those will end, and
    /// until then no more are begun than this machine has sockets for.
    pub fn settle(&mut self, id: UrlId, answer: Result<Response, FetchError>) {
        let mut job = self.in_flight.remove(&id).expect("a try ends once");
        let is_full = matches!(answer, Err(FetchError::OutOfSockets));
        if is_full && !self.in_flight.is_empty() {
            (self.room, self.settled) = (self.in_flight.len(), 0);
            self.ledger.put_back(&mut job);
            return self.queued.push_front(job);
        }
        self.grow_room();
        let answer = answer.map(|response| digest(&job.url, response));
        for job in self.ledger.settle(job, answer) {
            if job.pause.is_zero() {
                self.queued.push_back(job);
                continue;
            }
            let when = Instant::now() + job.pause;
            self.pauses.push(when);
            self.pausing.insert((when, job.id()), job);
        }
    }

    fn grow_room(&mut self) {
        self.settled += 1;
        if self.settled >= self.room && self.room < self.options.max_tasks as usize {
            (self.room, self.settled) = (self.room + 1, 0);
        }
    }

    /// When a pause that began since this was last called is over: then
    /// [`next_try`](Self::next_try) may have another try.
    pub fn new_pause(&mut self) -> Option<Instant> {
        self.pauses.pop()
    }

    /// Is nothing queued, pausing or in flight? Then the crawl is over.
    pub fn is_done(&self) -> bool {
        self.ledger.is_done()
    }

    /// Jobs that are queued, a line each: for the stuck report.
    pub fn who_waits(&self) -> Vec<String> {
        let line = |job: &Job| format!("{}: queued, and nobody starts it", job.url);
        self.queued.iter().map(line).collect()
    }

    /// Closes the books.
    pub fn close(self, ending: Ending) -> Report {
        self.ledger.close(ending)
    }
}
