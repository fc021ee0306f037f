//! Decides when an attempt may begin, with `--delay` or `--rate`. There is a pause
//! between the beginnings of two requests to one server. Other servers are not
//! affected. The stage does the waiting.

use crate::crawl::job::Job;
use crate::crawl::servers::ServerId;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::time::{Duration, Instant};

/// A permit for each server, which is a host and a port. `T` is a value that a stage stores
/// with a held job.
///
/// A job [takes the permit](Self::take_permit) of its server, or is held. The permit is
/// [released](Self::release_permit) when the attempt begins, which may be later. The pause
/// counts from that time. When it is over, one held job of the server is due.
#[derive(Debug)]
pub struct Pace<T> {
    /// The pause between two attempts at a server. `None` if no job is ever held.
    pause: Option<Duration>,
    servers: HashMap<ServerId, Server<T>>,
    /// The servers with held jobs, each with the time at which the next one may begin.
    /// A server is not listed while one of its jobs has the permit.
    due: BTreeSet<(Instant, ServerId)>,
}

#[derive(Debug)]
struct Server<T> {
    /// When the next attempt may begin; `None` while a job has the permit.
    next: Option<Instant>,
    /// The held jobs of this server, first come, first served.
    held: VecDeque<(Job, T)>,
}

impl<T> Pace<T> {
    /// Creates a pace with this pause. `None` never holds a job.
    pub fn new(pause: Option<Duration>) -> Pace<T> {
        Pace { pause, servers: HashMap::new(), due: BTreeSet::new() }
    }

    /// Returns the job if it gets the permit: its attempt must begin now. Otherwise the
    /// job is held until [`take_due`](Self::take_due) returns it.
    pub fn take_permit(
        &mut self,
        mut job: Job,
        with: T,
        now: Instant,
    ) -> Option<(Job, T)> {
        if self.pause.is_none() || job.has_permit {
            return Some((job, with));
        }
        let free = || Server { next: Some(now), held: VecDeque::new() };
        let server = self.servers.entry(job.server).or_insert_with(free);
        if server.held.is_empty() {
            match server.next {
                Some(next) if next <= now => {
                    server.next = None;
                    job.has_permit = true;
                    return Some((job, with));
                }
                Some(next) => _ = self.due.insert((next, job.server)),
                None => {}
            }
        }
        server.held.push_back((job, with));
        None
    }

    /// Releases the permit of this server: the attempt of a job began at `now`. A second
    /// call moves that time, as long as no other job has taken the permit in between.
    /// Returns when the next job of the server may begin; `None` without a pause.
    pub fn release_permit(&mut self, id: ServerId, now: Instant) -> Option<Instant> {
        let next = now + self.pause?;
        let server = self.servers.get_mut(&id)?;
        let before = server.next.replace(next);
        if !server.held.is_empty() {
            if let Some(before) = before {
                self.due.remove(&(before, id));
            }
            self.due.insert((next, id));
        }
        Some(next)
    }

    /// Returns a held job that is due. It has the permit.
    pub fn take_due(&mut self, now: Instant) -> Option<(Job, T)> {
        self.next_deadline().filter(|when| *when <= now)?;
        let (_, id) = self.due.pop_first()?;
        let server = self.servers.get_mut(&id).expect("servers are never removed");
        server.next = None;
        let (mut job, with) = server.held.pop_front().expect("it holds a job");
        job.has_permit = true;
        Some((job, with))
    }

    /// Returns when the first held job is due; `None` if no job is held, or if each
    /// held job waits for a permit.
    pub fn next_deadline(&self) -> Option<Instant> {
        self.due.first().map(|(when, _)| *when)
    }

    /// Returns the jobs that are held.
    pub fn held(&self) -> impl Iterator<Item = &Job> {
        self.servers.values().flat_map(|server| &server.held).map(|(job, _)| job)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crawl::ledger::Ledger;
    use crate::options::{Options, Program};
    use url::Url;

    const PAUSE: Duration = Duration::from_secs(10);

    const PROGRAM: Program =
        Program { name: "a-test", version: "1", speaks_https: true };

    /// Makes jobs for these URLs, in this order.
    fn jobs<const N: usize>(urls: [&str; N]) -> [Job; N] {
        let urls = urls.map(|url| Url::parse(url).expect("a URL"));
        let options = Options::with_roots(urls);
        let (_, jobs) = Ledger::open(&options, &PROGRAM);
        jobs.try_into().expect("a job for each root")
    }

    fn url<T>(taken: Option<(Job, T)>) -> Option<String> {
        taken.map(|(job, _)| job.url.to_string())
    }

    #[test]
    fn without_a_pause_no_job_is_held() {
        let (mut pace, now) = (Pace::new(None), Instant::now());
        for job in jobs(["http://a.test/1", "http://a.test/2"]) {
            assert!(pace.take_permit(job, (), now).is_some());
            let [job] = jobs(["http://a.test/"]);
            assert_eq!(pace.release_permit(job.server, now), None);
        }
        assert_eq!(pace.next_deadline(), None);
    }

    #[test]
    fn one_server_has_a_pause_and_the_others_go_on() {
        let [first, second, third, other] = jobs([
            "http://a.test/1",
            "http://a.test/2",
            "http://a.test/3",
            "http://a.test:81/",
        ]);
        let (mut pace, now) = (Pace::new(Some(PAUSE)), Instant::now());
        let (first, ()) = pace.take_permit(first, (), now).expect("it is free");
        assert!(pace.take_permit(second, (), now).is_none());
        assert_eq!(pace.next_deadline(), None, "the first one has not begun");
        assert!(pace.take_permit(other, (), now).is_some(), "another port");
        // The pause counts from the beginning of the attempt, which may be late.
        let begun = now + PAUSE;
        assert_eq!(pace.release_permit(first.server, begun), Some(begun + PAUSE));
        assert!(
            pace.take_permit(third, (), begun + PAUSE).is_none(),
            "after the second"
        );
        assert_eq!(pace.next_deadline(), Some(begun + PAUSE));
        assert!(pace.take_due(begun + PAUSE - Duration::from_nanos(1)).is_none());
        let (mut second, ()) = pace.take_due(begun + PAUSE).expect("it is due");
        assert_eq!(&*second.url, "http://a.test/2");
        assert!(pace.take_due(begun + 9 * PAUSE).is_none(), "the second has it");
        // The job was queued in between, and has kept its permit.
        second = pace.take_permit(second, (), begun + PAUSE).expect("it has it").0;
        pace.release_permit(second.server, begun + 2 * PAUSE);
        pace.release_permit(second.server, begun + 3 * PAUSE); // the look-up took so long
        assert!(pace.take_due(begun + 4 * PAUSE - Duration::from_nanos(1)).is_none());
        let third = pace.take_due(begun + 4 * PAUSE);
        assert_eq!(url(third).as_deref(), Some("http://a.test/3"));
        assert_eq!((pace.next_deadline(), pace.held().count()), (None, 0));
    }

    #[test]
    fn the_ports_of_http_and_https_are_two_servers() {
        let [http, https] = jobs(["http://a.test/", "https://a.test/"]);
        let (mut pace, now) = (Pace::new(Some(PAUSE)), Instant::now());
        assert!(pace.take_permit(http, (), now).is_some());
        assert!(pace.take_permit(https, (), now).is_some());
    }

    #[test]
    fn a_job_that_comes_again_needs_a_permit_again() {
        let [job] = jobs(["http://a.test/1"]);
        let (mut pace, now) = (Pace::new(Some(PAUSE)), Instant::now());
        let (mut job, ()) = pace.take_permit(job, (), now).expect("it is free");
        pace.release_permit(job.server, now);
        job.has_permit = false; // as in `Ledger::begin`
        assert!(pace.take_permit(job, (), now).is_none());
        assert_eq!(pace.held().count(), 1);
        assert!(pace.take_due(now + PAUSE).is_some());
    }
}
