//! Limits the memory for bodies and pages. A task waits for room before it reads, and
//! before it turns a body into a page.

use crate::observe::Leaf;
use crate::waiters::Waiters;
use shared::BodyBudget;
use std::cell::RefCell;

static ROOM: Leaf = Leaf::named("wait_until", "room for its body or page");

/// The bodies of all attempts in flight.
pub(crate) struct Bodies {
    /// Identifies each body by its number among the waiters, and returns the numbers to
    /// wake.
    budget: RefCell<BodyBudget<u64>>,
    /// The tasks that wait for room. The end of another body wakes them.
    waiters: Waiters,
}

/// The bytes of one attempt. They count as held until this is dropped.
pub(crate) struct BodyPermit<'a> {
    bodies: &'a Bodies,
    number: u64,
}

impl Bodies {
    /// Creates a limit of `limit` bytes for all bodies together. Short bodies and the
    /// oldest ones may exceed it. No body is longer than `max_body`.
    pub(crate) fn new(limit: usize, max_body: u64) -> Bodies {
        let budget = RefCell::new(BodyBudget::new(limit, max_body));
        Bodies { budget, waiters: Waiters::new(&ROOM) }
    }

    /// Returns a permit for another attempt. It holds no bytes yet.
    pub(crate) fn permit(&self) -> BodyPermit<'_> {
        BodyPermit { bodies: self, number: self.waiters.ticket() }
    }
}

impl BodyPermit<'_> {
    /// Records how many bytes of the body the attempt holds now.
    pub(crate) fn set_held(&self, bytes: usize) {
        self.bodies.budget.borrow_mut().set_held(self.number, bytes);
    }

    /// Waits until this attempt may read more: there is room, or its body is one of
    /// the oldest.
    pub(crate) async fn wait_to_read(&self) {
        self.wait_until(|budget| budget.try_admit(self.number)).await;
    }

    /// Waits until there is room for the page, which takes this many bytes. They count
    /// as held until this is dropped.
    pub(crate) async fn wait_for_page(&self, bytes: usize) {
        self.wait_until(|budget| budget.try_admit_page(self.number, bytes)).await;
    }

    async fn wait_until(&self, may: impl Fn(&mut BodyBudget<u64>) -> bool) {
        let look = || may(&mut self.bodies.budget.borrow_mut()).then_some(());
        self.bodies.waiters.wait_with(self.number, look).await;
    }
}

impl Drop for BodyPermit<'_> {
    /// Frees the bytes, so that other attempts may read. If this one was woken, the budget
    /// gives its room to others.
    fn drop(&mut self) {
        let Bodies { budget, waiters } = self.bodies;
        let woken = budget.borrow_mut().end(self.number);
        woken.into_iter().for_each(|number| waiters.wake(number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fetch::Fetcher;
    use crate::frontier::Frontier;
    use crate::{Executor, yield_now};
    use shared::crawl::body_budget::SHORT_BODY;
    use shared::{Options, Stop, Url};
    use std::cell::Cell;
    use std::future::Future;
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::rc::Rc;
    use std::task::{Context, Waker};
    use std::thread;

    const LIMIT: usize = 4 * SHORT_BODY;
    const MAX_BODY: u64 = 100 * LIMIT as u64;

    #[test]
    fn a_body_that_waits_goes_on_when_the_oldest_ends() {
        let (executor, bodies) =
            (Executor::new().expect("a selector"), Bodies::new(LIMIT, MAX_BODY));
        let (oldest, second) = (bodies.permit(), bodies.permit());
        oldest.set_held(LIMIT);
        second.set_held(SHORT_BODY);
        assert_eq!(executor.block_on(oldest.wait_to_read()), Ok(()));
        let mut wait = Box::pin(second.wait_to_read());
        let mut cx = Context::from_waker(Waker::noop());
        assert!(wait.as_mut().poll(&mut cx).is_pending(), "it has to wait");
        assert_eq!(bodies.waiters.len(), 1);
        drop(oldest);
        assert_eq!(bodies.waiters.len(), 0);
        drop(wait);
        assert_eq!(executor.block_on(second.wait_to_read()), Ok(()));
    }

    /// Serves bodies of this length to three requests at once.
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
        let url = |number| Url::parse(&format!("http://{address}/{number}"));
        let roots = (0..3).map(|number| url(number).expect("a URL"));
        let options = Options::with_roots(roots);
        let frontier = Frontier::new(&options, &executor, &Stop::new());
        let fetcher = Fetcher::new(&options, frontier.limit(), executor.reactor());
        let fetcher = Rc::new(fetcher.expect("no file is read"));
        let bodies = Rc::new(Bodies::new(LIMIT, MAX_BODY));
        let left = Rc::new(Cell::new(3));
        for _ in 0..3 {
            let (fetcher, bodies) = (Rc::clone(&fetcher), Rc::clone(&bodies));
            let (frontier, left) = (Rc::clone(&frontier), Rc::clone(&left));
            drop(executor.spawn(async move {
                let attempt = frontier.next().await.expect("no stop is requested");
                let body = bodies.permit();
                let response = fetcher.fetch(&attempt, &body).await;
                assert_eq!(response.map(|it| it.body.len()), Ok(LENGTH));
                yield_now().await; // the peak is recorded before the bytes are freed
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
