//! Which attempt is next. The ledger decides, and tasks wait: for a job, for a permit of
//! its server, for room, and until a pause is over. A *job* is a URL to fetch, with one
//! or more attempts.
//!
//! In stages 1 and 2 `shared::Frontier` does this, since their loops have no tasks to
//! wait.

use crate::extra::TaskGroup;
use crate::observe; // observe
use crate::observe::Leaf;
use crate::waiters::Waiters;
use crate::{Executor, PROGRAM, Queue, Reactor, TaskDoneGuard, yield_now};
use shared::{FetchResult, Job, Ledger, Options, Pace, Report, ServerId, Stop, Url};
use std::cell::{Cell, RefCell};
use std::{rc::Rc, thread, time::Instant};

/// A page is settled in slices of this many steps, between which other tasks run. They
/// take about half a millisecond, or 17 ms if a table of half a million URLs has to grow.
const STEPS_PER_SLICE: usize = 512;

static ROOM: Leaf = Leaf::named("next", "room for another attempt");

/// All open jobs of a crawl, and the ledger. The cells are borrowed only while a task
/// runs, never across an await.
pub(crate) struct Frontier {
    reactor: Reactor,
    /// The workers and the pauses: if one of them panicked unnoticed, the crawl might
    /// never end.
    pub(crate) tasks: Rc<TaskGroup>,
    stop: Stop,
    ledger: RefCell<Ledger>,
    queue: Rc<Queue<Job>>,
    /// With `--delay`: jobs whose server received a request a moment ago.
    pace: RefCell<Pace<TaskDoneGuard<Job>>>,
    /// Workers that have a job, and wait for room for its attempt.
    waiting: Waiters,
    /// How many attempts may be in flight now.
    limit: Rc<Cell<usize>>,
}

/// An attempt at a URL. Each one is settled, or dropped if its worker is cancelled.
pub(crate) struct Attempt {
    pub(crate) url: Url,
    pub(crate) job: Job,
    /// Set until the request is about to be sent.
    permit: Cell<Option<ServerPermit>>,
    /// Until this is dropped, the queue does not count the job as done.
    done: TaskDoneGuard<Job>,
}

/// With `--delay`, the permit of one job to send a request to its server. The pause before
/// the next request there begins when this is dropped. Without `--delay`, it does nothing.
struct ServerPermit {
    frontier: Rc<Frontier>,
    server: ServerId,
}

impl Frontier {
    /// Creates a frontier that begins with the roots. No attempt begins after the stop
    /// or after `--max-time`.
    pub(crate) fn new(
        options: &Options,
        executor: &Executor,
        stop: &Stop,
    ) -> Rc<Frontier> {
        let (ledger, jobs) = Ledger::open(options, &PROGRAM);
        let queue = Rc::new(Queue::new());
        jobs.into_iter().for_each(|job| queue.put(job));
        Rc::new(Frontier {
            reactor: executor.reactor().clone(),
            tasks: TaskGroup::new(executor),
            stop: stop.clone(),
            limit: Rc::new(Cell::new(ledger.limit())),
            ledger: RefCell::new(ledger),
            queue,
            pace: RefCell::new(Pace::new(options.pause_between_requests())),
            waiting: Waiters::new(&ROOM),
        })
    }

    // ANCHOR: next
    /// Waits until an attempt may begin, and begins it. `None` if the crawl is over.
    ///
    /// The attempt is boxed, so that a waiting worker is small.
    pub(crate) async fn next(self: &Rc<Self>) -> Option<Box<Attempt>> {
        observe::set_label("worker", None); // observe
        let (mut job, done, permit) = self.next_job().await;
        self.wait_for_room().await;
        if self.is_over() {
            // Still open: otherwise `join` would return, as if all jobs were done.
            self.queue.put(job);
            return None;
        }
        let url = self.ledger.borrow_mut().begin(&mut job);
        observe::set_label("worker", Some(url.as_str())); // observe
        let permit = Cell::new(Some(permit));
        Some(Box::new(Attempt { url, job, permit, done }))
    }
    // ANCHOR_END: next

    /// Waits for a job whose server has had its pause, and returns it.
    async fn next_job(self: &Rc<Self>) -> (Job, TaskDoneGuard<Job>, ServerPermit) {
        loop {
            let job = self.queue.get().await;
            let done = self.queue.done_on_drop();
            let now = Instant::now();
            let permitted = self.pace.borrow_mut().take_permit(job, done, now);
            if let Some((job, done)) = permitted {
                let (frontier, server) = (Rc::clone(self), job.server());
                return (job, done, ServerPermit { frontier, server });
            } // else it is held, until a `put_held` queues it: each permit spawns one
        }
    }

    /// Waits until the ledger has room for another attempt. The limit is below
    /// `max_tasks` while this machine or a server is short of connections.
    async fn wait_for_room(&self) {
        let has_room = || self.ledger.borrow().has_room().then_some(());
        self.waiting.wait_until(has_room).await;
    }

    // ANCHOR: settle
    /// Settles an attempt, and queues the jobs that follow. A page with very many links
    /// is settled in slices, so that it does not stop all tasks.
    pub(crate) async fn settle(
        self: &Rc<Self>,
        attempt: Box<Attempt>,
        page: FetchResult,
    ) {
        attempt.release_permit(); // it may have ended before it could send its request
        let Attempt { job, done, .. } = *attempt;
        let mut settling = self.ledger.borrow_mut().begin_settling(job, page);
        let others_wait = self.waiting.len() > 0;
        self.update_limit();
        loop {
            let next =
                self.ledger.borrow_mut().settle_some(&mut settling, STEPS_PER_SLICE);
            next.into_iter().for_each(|job| self.queue.put(job));
            if settling.is_over() {
                break;
            }
            yield_now().await;
        }
        match settling.paused {
            Some(job) => self.pause(job, done),
            // Only after the puts: before them, `join` could see that all is done. (A job
            // that waits for a port is in the ledger, until another one is settled.
            // Another attempt is in flight then, and its guard keeps `join` waiting.)
            None => drop(done),
        }
        if others_wait {
            // The workers that were waiting for room run first: this one would take it
            // from them.
            yield_now().await;
        }
    }
    // ANCHOR_END: settle

    /// Sets the pool's limit to the ledger's, and wakes as many workers as there is room
    /// for.
    fn update_limit(&self) {
        let ledger = self.ledger.borrow();
        self.limit.set(ledger.limit());
        let room = ledger.limit().saturating_sub(ledger.in_flight());
        drop(ledger);
        self.waiting.top_up(room);
    }

    // ANCHOR: pause
    /// Queues a job when its pause is over. A pause is a separate task, so that no
    /// worker waits for it.
    fn pause(self: &Rc<Self>, job: Job, done: TaskDoneGuard<Job>) {
        let frontier = Rc::clone(self);
        self.tasks.spawn("pause", async move {
            frontier.reactor.sleep(job.pause).await;
            frontier.queue.put(job);
            drop(done); // `join` must not return before the put
        });
    }
    // ANCHOR_END: pause

    /// Waits until a held job may begin, and queues it.
    async fn put_held(self: Rc<Self>, when: Instant) {
        self.reactor.sleep_until(when).await;
        // Perhaps of another server: there is a `put_held` for each entry that is due.
        let due = self.pace.borrow_mut().take_due(Instant::now());
        if let Some((job, done)) = due {
            self.queue.put(job);
            drop(done); // `join` must not return before the put
        }
    }

    /// Waits until all jobs are done: the roots, and all jobs that follow.
    ///
    /// # Errors
    /// A worker or a pause has panicked.
    pub(crate) async fn join(&self) -> thread::Result<()> {
        self.tasks.unless_panicked(self.queue.join()).await
    }

    /// Returns whether the crawl is over: no attempt begins and no page is searched
    /// any more.
    pub(crate) fn is_over(&self) -> bool {
        self.stop.is_requested() || self.ledger.borrow().is_out_of_time()
    }

    /// Returns when the time of the whole crawl is over; `None` without `--max-time`.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.ledger.borrow().deadline()
    }

    /// Returns how many attempts may be in flight, in a cell because the number
    /// changes.
    pub(crate) fn limit(&self) -> Rc<Cell<usize>> {
        Rc::clone(&self.limit)
    }

    /// Closes the ledger. `waits` describes what each task waits for, if the crawl is
    /// stuck.
    pub(crate) fn close(self: Rc<Self>, waits: String) -> Report {
        let frontier = Rc::into_inner(self).expect("all tasks that shared it are gone");
        let ledger = frontier.ledger.into_inner();
        let end = ledger.end(&frontier.stop, || waits);
        ledger.close(end)
    }
}

impl Attempt {
    /// Gives the server's permit back: the request is about to be sent.
    pub(crate) fn release_permit(&self) {
        drop(self.permit.take());
    }
}

impl Drop for ServerPermit {
    fn drop(&mut self) {
        let now = Instant::now();
        let next = self.frontier.pace.borrow_mut().release_permit(self.server, now);
        if let Some(when) = next {
            let held = Rc::clone(&self.frontier).put_held(when);
            self.frontier.tasks.spawn("pause", held);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::Page;
    use std::future::{Future, poll_fn};
    use std::ops::Range;
    use std::sync::Arc;
    use std::task::{Context, Wake, Waker};
    use std::time::Duration;

    /// In how many slices a page with these URLs is settled.
    fn slices_of(options: &Options, urls: Range<usize>) -> usize {
        let executor = Executor::new().expect("a selector");
        let frontier = Frontier::new(options, &executor, &Stop::new());
        let link = |number| Url::parse(&format!("http://a.test/{number}"));
        let links = urls.map(|number| link(number).expect("a URL")).collect();
        let page = Page { status: 200, links, ..Page::default() };
        let settle = async {
            let attempt = frontier.next().await.expect("no stop is requested");
            let mut settle = Box::pin(frontier.settle(attempt, Ok(page)));
            let mut slices = 0;
            poll_fn(|cx| {
                slices += 1;
                settle.as_mut().poll(cx)
            })
            .await;
            slices
        };
        executor.block_on(settle).expect("it never waits")
    }

    #[test]
    fn a_page_with_very_many_links_is_settled_in_slices() {
        let root = Url::parse("http://a.test/").expect("a URL");
        let mut options = Options::with_roots([root]);
        let urls = 0..6 * STEPS_PER_SLICE;
        assert_eq!(
            slices_of(&options, urls.clone()),
            6 + 6 + 1,
            "interned, discovered"
        );
        options.max_pages = Some(1_000_000);
        assert_eq!(slices_of(&options, urls), 6 + 6 + 6 + 6 + 1, "raised, and started");
    }

    /// A waker that panics.
    struct Bomb;

    impl Wake for Bomb {
        fn wake(self: Arc<Self>) {
            panic!("on purpose");
        }
    }

    #[test]
    fn a_panic_of_a_pause_is_reported_though_it_ends_the_last_job() {
        let options =
            Options::with_roots([Url::parse("http://a.test/").expect("a URL")]);
        let executor = Executor::new().expect("a selector");
        let frontier = Frontier::new(&options, &executor, &Stop::new());
        let join = async {
            let attempt = frontier.next().await.expect("no stop is requested");
            let Attempt { job, done, .. } = *attempt;
            // When the pause is over, it wakes this `next`, which has waited longest.
            let mut next = Box::pin(frontier.next());
            let waker = Waker::from(Arc::new(Bomb));
            assert!(next.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
            frontier.pause(job, done);
            frontier
                .join()
                .await
                .map_err(|panic| *panic.downcast::<&str>().expect("it"))
        };
        assert_eq!(executor.block_on(join), Ok(Err("on purpose")));
    }

    /// With a pause between requests, one worker has the permit of a server and waits
    /// for room. When it is dropped, the next job of this server is due.
    #[test]
    fn a_worker_that_is_dropped_before_its_attempt_releases_the_permit() {
        let urls = ["http://a.test/", "http://b.test/1", "http://b.test/2"];
        let options = Options::with_roots(urls.map(|url| Url::parse(url).expect("it")));
        let delay = Some(Duration::from_secs(1));
        let options = Options { max_tasks: 1, delay, ..options };
        let executor = Executor::new().expect("a selector");
        let frontier = Frontier::new(&options, &executor, &Stop::new());
        let mut workers = urls.map(|_| Some(Box::pin(frontier.next())));
        let begun = workers.each_mut().map(|worker| {
            let worker = worker.as_mut().expect("it is not dropped").as_mut();
            worker.poll(&mut Context::from_waker(Waker::noop())).is_ready()
        });
        assert_eq!(begun, [true, false, false]);
        let is_due = || frontier.pace.borrow().next_deadline().is_some();
        assert!(!is_due(), "a job waits until the permit is released");
        workers[1] = None;
        assert!(is_due());
    }

    /// Ten attempts are in flight, and a hundred workers wait for room, when all ten are
    /// settled in one batch.
    #[test]
    fn attempts_that_are_settled_together_wake_a_worker_each() {
        const ROOM: usize = 10;
        const WORKERS: usize = 110;
        let root = |number| Url::parse(&format!("http://a.test/{number}"));
        let roots = (0..WORKERS).map(|number| root(number).expect("a URL"));
        let options = Options { max_tasks: ROOM as u32, ..Options::with_roots(roots) };
        let executor = Executor::new().expect("a selector");
        let frontier = Frontier::new(&options, &executor, &Stop::new());
        let (polls, begun) = (Rc::new(Cell::new(0)), Rc::new(RefCell::new(Vec::new())));
        for _ in 0..WORKERS {
            let (frontier, polls, begun) =
                (Rc::clone(&frontier), Rc::clone(&polls), Rc::clone(&begun));
            executor.spawn(async move {
                let mut next = Box::pin(frontier.next());
                let next = poll_fn(|cx| {
                    polls.set(polls.get() + 1);
                    next.as_mut().poll(cx)
                });
                let attempt = next.await;
                begun.borrow_mut().extend(attempt);
            });
        }
        let settle_all = async {
            yield_now().await;
            let first = begun.take();
            assert_eq!((first.len(), polls.replace(0)), (ROOM, WORKERS));
            for attempt in first {
                let frontier = Rc::clone(&frontier);
                executor.spawn(async move {
                    frontier.settle(attempt, Ok(Page::default())).await;
                });
            }
            for _ in 0..3 {
                yield_now().await;
            }
            assert_eq!((begun.take().len(), polls.get()), (ROOM, ROOM));
        };
        executor.block_on(settle_all).expect("it never waits");
    }
}
