//! Limits how many bytes of bodies and pages are held at once. A task waits for room
//! before it reads, and before it makes a page of a body.

use crate::observe::Leaf; // observe
use shared::{BodyBudget, UrlId};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::future::poll_fn;
use std::task::{Poll, Waker};

static ROOM: Leaf = Leaf::named("wait_until", "room for its body or page"); // observe

/// The bodies of all attempts in flight.
pub(crate) struct Bodies {
    budget: RefCell<BodyBudget<UrlId>>,
    /// The wakers of the tasks that wait for room. The end of another body wakes
    /// them.
    paused: RefCell<BTreeMap<UrlId, Waker>>,
}

/// Lets one attempt hold a body. Its bytes count as held until this is dropped.
pub(crate) struct BodyPermit<'a> {
    bodies: &'a Bodies,
    id: UrlId,
}

impl Bodies {
    /// `limit` is how many bytes all bodies hold together; each task may exceed it by
    /// one read. `max_body` is the length of the longest body that the crawl accepts.
    pub(crate) fn new(limit: usize, max_body: u64) -> Bodies {
        let budget = RefCell::new(BodyBudget::new(limit, max_body));
        Bodies { budget, paused: RefCell::default() }
    }

    /// Returns a permit for an attempt at this URL. It holds no bytes yet.
    pub(crate) fn permit(&self, id: UrlId) -> BodyPermit<'_> {
        BodyPermit { bodies: self, id }
    }
}

impl BodyPermit<'_> {
    /// Records how many bytes of the body the attempt holds now.
    pub(crate) fn set_held(&self, bytes: usize) {
        self.bodies.budget.borrow_mut().set_held(self.id, bytes);
    }

    /// Waits until this attempt may read on: there is room, or its body is one of the
    /// oldest.
    pub(crate) async fn wait_to_read(&self) {
        self.wait_until(|budget| budget.try_admit(self.id)).await;
    }

    /// Waits until there is room for a page of this many bytes, which is made of the
    /// body. The page counts as held, too, until this is dropped.
    pub(crate) async fn wait_for_page(&self, bytes: usize) {
        self.wait_until(|budget| budget.try_admit_page(self.id, bytes)).await;
    }

    async fn wait_until(&self, may: impl Fn(&mut BodyBudget<UrlId>) -> bool) {
        poll_fn(|cx| {
            if may(&mut self.bodies.budget.borrow_mut()) {
                ROOM.passed(); // observe
                return Poll::Ready(());
            }
            let waker = cx.waker().clone();
            let replaced = self.bodies.paused.borrow_mut().insert(self.id, waker);
            drop(replaced); // with nothing borrowed
            ROOM.parked(); // observe
            Poll::Pending
        })
        .await;
    }
}

impl Drop for BodyPermit<'_> {
    /// The bytes are freed, so other attempts may read on.
    fn drop(&mut self) {
        let Bodies { budget, paused } = self.bodies;
        drop(paused.borrow_mut().remove(&self.id));
        let woken = budget.borrow_mut().end(self.id);
        for id in woken {
            let waker = paused.borrow_mut().remove(&id);
            waker.into_iter().for_each(Waker::wake);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fetch::Fetcher;
    use crate::{Executor, PROGRAM, yield_now};
    use shared::crawl::body_budget::SHORT_BODY;
    use shared::{Job, Ledger, Options, Url};
    use std::cell::Cell;
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::rc::Rc;
    use std::thread;

    const LIMIT: usize = 4 * SHORT_BODY;
    const MAX_BODY: u64 = 100 * LIMIT as u64;

    /// Three URLs of one crawl, and their jobs.
    fn urls(server: &str) -> Vec<(Url, Job)> {
        let url = |number| Url::parse(&format!("http://{server}/{number}"));
        let roots: Vec<Url> =
            (0..3).map(|number| url(number).expect("a URL")).collect();
        let options = Options::with_roots(roots.clone());
        let (_, jobs) = Ledger::open(&options, &PROGRAM);
        roots.into_iter().zip(jobs).collect()
    }

    #[test]
    fn a_body_that_waits_goes_on_when_the_oldest_ends() {
        let (executor, bodies) =
            (Executor::new().expect("a selector"), Bodies::new(LIMIT, MAX_BODY));
        let jobs = urls("a.test");
        let ids: Vec<UrlId> = jobs.iter().map(|(_, job)| job.id()).collect();
        let (oldest, second) = (bodies.permit(ids[0]), bodies.permit(ids[1]));
        oldest.set_held(LIMIT);
        second.set_held(SHORT_BODY);
        let ends = async {
            oldest.wait_to_read().await;
            crate::time::race(second.wait_to_read(), yield_now()).await
        };
        let first = executor.block_on(ends);
        assert_eq!(first, Ok(crate::Either::Second(())), "it has to wait");
        assert_eq!(bodies.paused.borrow().len(), 1);
        drop(oldest);
        assert_eq!(bodies.paused.borrow().len(), 0);
        assert_eq!(executor.block_on(second.wait_to_read()), Ok(()));
    }

    /// Serves bodies of this length to three requests, all at once.
    fn serve(length: usize) -> (String, thread::JoinHandle<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it is bound").to_string();
        let answer = move |mut stream: std::net::TcpStream| {
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n");
            let _ = stream.read(&mut [0; 4096]).expect("a request");
            let sent = stream.write_all(head.as_bytes());
            sent.and_then(|()| stream.write_all(&vec![b'x'; length])).expect("sent");
        };
        let server = thread::spawn(move || {
            let streams: Vec<_> = listener.incoming().take(3).collect();
            let threads = streams.into_iter().map(|stream| {
                thread::spawn(move || answer(stream.expect("a connection")))
            });
            let threads: Vec<_> = threads.collect();
            threads.into_iter().for_each(|it| it.join().expect("it serves"));
        });
        (address, server)
    }

    #[test]
    fn bodies_are_read_one_after_the_other_when_they_are_too_large_together() {
        const LENGTH: usize = 1 << 20;
        const READ: usize = 64 << 10; // see machine/reactor.rs
        let executor = Executor::new().expect("a selector");
        let (address, server) = serve(LENGTH);
        let options = Options::default();
        let fetcher = Fetcher::new(&options, executor.reactor());
        let fetcher = Rc::new(fetcher.expect("no file is read"));
        let bodies = Rc::new(Bodies::new(LIMIT, MAX_BODY));
        let left = Rc::new(Cell::new(3));
        for (url, job) in urls(&address) {
            let (fetcher, bodies) = (Rc::clone(&fetcher), Rc::clone(&bodies));
            let left = Rc::clone(&left);
            drop(executor.spawn(async move {
                let body = bodies.permit(job.id());
                let response = fetcher.fetch_in_time(&url, &job, &body, &|| ()).await;
                assert_eq!(response.map(|it| it.body.len()), Ok(LENGTH));
                yield_now().await; // the peak is seen before these bytes go
                left.set(left.get() - 1);
            }));
        }
        let peak = executor.block_on(async {
            let mut peak = 0;
            while left.get() > 0 {
                peak = peak.max(bodies.budget.borrow().held());
                yield_now().await;
            }
            peak
        });
        let peak = peak.expect("it is not stuck");
        server.join().expect("it serves");
        let most = LENGTH + LIMIT + 2 * READ; // the oldest, and a read of each other one
        assert!((LENGTH..=most).contains(&peak), "{peak} bytes at once");
    }
}
