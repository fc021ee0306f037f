//! Which job is next: what is queued, what pauses before another try, and how many may
//! be under way. It looks at the clock and waits for nothing but names.

use crate::error::FetchError;
use crate::http::{Connection, Response, request};
use crate::ledger::{Ending, Job, Ledger, UrlId};
use crate::options::{Options, Stage};
use crate::page::digest;
use crate::report::Report;
use crate::resolve::Resolver;
use crate::room::Room;
use crate::stop::Stop;
use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::time::Instant;
use url::Url;

/// One try at a URL: what is to be done, and by when.
#[derive(Debug)]
pub struct Try {
    /// With what it is settled.
    pub id: UrlId,
    /// What is asked for.
    pub url: Url,
    /// Whom to ask, in this order: at least one.
    pub addresses: Vec<SocketAddr>,
    /// What is sent: a request, for a connection of its own.
    pub request: Vec<u8>,
    /// How many bytes the answer's body may have.
    pub max_body: u64,
    /// When its time is over.
    pub deadline: Instant,
    /// The error that it has failed with then.
    pub late: FetchError,
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
    /// There may be no local port for these: another try must end before they are queued.
    portless: Vec<Job>,
    /// How many may be in flight.
    room: Room,
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
            portless: Vec::new(),
            room: Room::new(options.max_tasks as usize),
            pauses: Vec::new(),
        }
    }

    /// The next tries: as many as there is room for. They are in flight from now on,
    /// until each is settled. After the stop there are none.
    ///
    /// This looks names up, and blocks for it: each time no longer than the time-out of
    /// one try, or until the stop; not at all for a name that was found before. What
    /// fails here is settled here. The time that a try has left counts from the end of
    /// all look-ups.
    pub fn next_tries(&mut self) -> Vec<Try> {
        let mut tries = Vec::new();
        while let Some((id, url)) = self.begin() {
            let (began, timeout) = (Instant::now(), self.options.timeout);
            let found =
                self.resolver.resolve(&url, timeout, began + timeout, &self.stop);
            let left = timeout.saturating_sub(began.elapsed());
            match found {
                Ok(addresses) => tries.push((left, self.make_try(id, url, addresses))),
                Err(error) => self.settle(id, Err(error)),
            }
        }
        let now = Instant::now();
        let begun = |(left, next)| Try { deadline: now + left, ..next };
        tries.into_iter().map(begun).collect()
    }

    fn make_try(&self, id: UrlId, url: Url, addresses: Vec<SocketAddr>) -> Try {
        let Options { max_body, timeout, .. } = self.options;
        let request = request(&url, &self.user_agent, Connection::Close);
        let (deadline, late) = (Instant::now(), FetchError::TimedOut(timeout));
        Try { id, url, addresses, request, max_body, deadline, late }
    }

    fn begin(&mut self) -> Option<(UrlId, Url)> {
        while let Some(entry) = self.pausing.first_entry()
            && entry.key().0 <= Instant::now()
        {
            self.queued.push_back(entry.remove());
        }
        if self.in_flight.len() >= self.room.now() || self.stop.is_pulled() {
            return None;
        }
        let mut job = self.queued.pop_front()?;
        self.ledger.begin(&mut job);
        let (id, url) = (job.id(), job.url.clone());
        self.in_flight.insert(id, job);
        Some((id, url))
    }

    /// Books the answer to what is in flight; more may be to do then.
    ///
    /// While this machine is out of sockets no more are begun than it has sockets for.
    /// The same goes for local ports, where the host has answered before. Where not, this
    /// machine may have no address of that kind: then only that job waits until another
    /// try has ended, and holds nobody up.
    pub fn settle(&mut self, id: UrlId, answer: Result<Response, FetchError>) {
        let mut job = self.in_flight.remove(&id).expect("a try ends once");
        if self.ledger.puts_back(&mut job, &answer) {
            if !self.ledger.is_short_of_sockets(&job, &answer) {
                return self.portless.push(job);
            }
            self.room.shrink(self.in_flight.len());
            return self.queued.push_front(job);
        }
        self.room.grow();
        self.queued.extend(self.portless.drain(..));
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

    /// When a pause that began since this was last called is over: then
    /// [`next_tries`](Self::next_tries) may have another one.
    pub fn new_pause(&mut self) -> Option<Instant> {
        self.pauses.pop()
    }

    /// Is nothing queued, pausing or in flight? Then the crawl is over.
    pub fn is_done(&self) -> bool {
        self.ledger.is_done()
    }

    /// Closes the books. Who is stuck is told of the jobs, too, that nobody has begun.
    pub fn close(self, ending: Ending) -> Report {
        let ending = match ending {
            Ending::Stuck(who_waits) => Ending::Stuck(self.with_queued(who_waits)),
            ending => ending,
        };
        self.ledger.close(ending)
    }

    fn with_queued(&self, who_waits: String) -> String {
        let line = |job: &Job| format!("{}: queued, and nobody starts it", job.url);
        let queued = self.queued.iter().chain(&self.portless).map(line);
        let others = Some(who_waits).filter(|lines| !lines.is_empty());
        others.into_iter().chain(queued).collect::<Vec<_>>().join("\n")
    }
}
