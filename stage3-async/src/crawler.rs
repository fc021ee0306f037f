//! The crawler: workers take jobs from a queue, fetch, and put what follows.

use crate::extra::{Bodies, BodyPermit, ThreadPool};
use crate::fetch::Fetcher;
use crate::observe::{self, Leaf, Observer}; // observe
use crate::{
    Either, Executor, JoinError, JoinHandle, Queue, Stuck, TaskDoneGuard, race,
    yield_now,
};
use shared::{
    CrawlEnd, FetchError, FetchResult, Job, Ledger, Options, Pace, Page, Program,
    Report, Response, Stop, Timers, Url,
};
use std::cell::{Cell, RefCell};
use std::future::{pending, poll_fn};
use std::io::{self, Write};
use std::{panic::resume_unwind, rc::Rc, sync::Arc, task::Poll, time::Instant};

/// This program.
pub const PROGRAM: Program = Program {
    name: env!("CARGO_PKG_NAME"),
    version: env!("CARGO_PKG_VERSION"),
    speaks_https: cfg!(feature = "tls"),
};

/// A page of this many bytes is searched on a helper thread: in the loop it would take
/// about a tenth of a millisecond.
const BIG_PAGE: usize = 16 * 1024;
/// The same while the helpers are saturated: half a millisecond.
const HUGE_PAGE: usize = 64 * 1024;
/// A page is settled in so many steps before other tasks run: about half a millisecond.
/// (A turn in which the table of half a million URLs grows takes 17 milliseconds.)
const STEPS_PER_TURN: usize = 512;

static STOP: Leaf = Leaf::named("stopped", "the stop"); // observe

// ANCHOR: run
/// Crawls from `options.roots` until nothing is left to fetch, a stop is requested, or
/// the time of the crawl is over.
///
/// # Errors
/// The selector cannot be made, the trace file cannot be written, or `options.ca_file`
/// cannot be read.
pub fn crawl(options: &Options, stop: &Stop) -> io::Result<Report> {
    let executor = Executor::new()?;
    let trace = options.open_trace(&PROGRAM)?; // observe
    let executor = executor.observed(Observer::new(trace.clone())); // observe
    let (ledger, jobs) = Ledger::open(options, &PROGRAM);
    let crawler = Rc::new(Crawler::new(stop, executor, ledger)?);
    let crawl = race(race(crawler.crawl(jobs), crawler.stopped()), crawler.time_over());
    let end = match crawler.executor.block_on(crawl) {
        Ok(Either::First(Either::First(()))) => CrawlEnd::Done,
        Ok(Either::First(Either::Second(()))) => CrawlEnd::Interrupted,
        Ok(Either::Second(())) => CrawlEnd::OutOfTime,
        // All workers have seen the flag and ended, and only then comes the wake.
        Err(Stuck(_)) if stop.is_requested() => CrawlEnd::Interrupted,
        Err(Stuck(waiting)) => CrawlEnd::Stuck(waiting),
    };
    let crawler = Rc::into_inner(crawler).expect("all tasks that shared it are gone");
    let report = crawler.ledger.into_inner().close(end);
    let report = trace.close(report); // observe
    Ok(report)
}
// ANCHOR_END: run

/// State that the workers share. A `RefCell` in it is borrowed while a task runs, never
/// while one waits.
struct Crawler {
    options: Arc<Options>,
    stop: Stop,
    executor: Executor,
    queue: Rc<Queue<Job>>,
    /// Jobs that pause before another attempt.
    pauses: Queue<(Job, TaskDoneGuard<Job>)>,
    /// Holds jobs whose server was sent a request a moment ago, with `--delay`.
    pace: RefCell<Pace<TaskDoneGuard<Job>>>,
    ledger: RefCell<Ledger>,
    fetcher: Fetcher,
    bodies: Bodies,
    helpers: ThreadPool,
    /// How many workers wait until the ledger has room for their attempts.
    waiting: Cell<usize>,
    /// An item for each of them that may look again.
    free_slots: Queue<()>,
}

impl Crawler {
    fn new(stop: &Stop, executor: Executor, ledger: Ledger) -> io::Result<Crawler> {
        let (options, reactor) = (Arc::clone(ledger.options()), executor.reactor());
        Ok(Crawler {
            stop: stop.clone(),
            queue: Rc::new(Queue::new()),
            pauses: Queue::new(),
            pace: RefCell::new(Pace::new(options.pause_between_requests())),
            ledger: RefCell::new(ledger),
            fetcher: Fetcher::new(&options, reactor)?,
            bodies: Bodies::new(options.max_bodies, options.max_body),
            helpers: ThreadPool::new(options.helper_threads(), reactor),
            waiting: Cell::new(0),
            free_slots: Queue::new(),
            options,
            executor,
        })
    }

    // ANCHOR: crawl
    /// Starts the workers, and waits until all jobs are done: those of `jobs` and all
    /// that follow. Then the workers wait for jobs that never come, so they are
    /// cancelled.
    async fn crawl(self: &Rc<Self>, jobs: Vec<Job>) {
        jobs.into_iter().for_each(|job| self.queue.put(job));
        let worker = |_| self.executor.spawn_named("worker", Rc::clone(self).work());
        let workers: Vec<_> = (0..self.options.max_tasks).map(worker).collect();
        race(self.queue.join(), self.pause_jobs()).await; // the second one has no end
        workers.iter().for_each(JoinHandle::cancel);
        for worker in workers {
            if let Err(JoinError::Panicked(panic)) = worker.await {
                resume_unwind(panic); // a bug of ours must not be silent
            }
        }
    }
    // ANCHOR_END: crawl

    /// Takes one job after the other: makes an attempt, settles it, and puts what
    /// follows.
    async fn work(self: Rc<Self>) {
        loop {
            observe::set_label("worker", None); // observe
            let job = self.queue.get().await;
            let done = self.queue.done_on_drop();
            // Without a name: with one, it would be stored across all awaits below.
            let Some((mut job, done)) =
                self.pace.borrow_mut().take_turn(job, done, Instant::now())
            else {
                continue; // held: see `end_pause`
            };
            self.wait_for_room().await;
            if self.is_over() {
                return self.queue.put(job); // so that the crawl is not done
            }
            // The guard is dropped at the end of this statement: nothing is borrowed
            // while the worker waits.
            let url = self.ledger.borrow_mut().begin(&mut job);
            observe::set_label("worker", Some(url.as_str())); // observe
            let body = self.bodies.permit(job.id());
            let has_turn = Cell::new(true);
            let end_turn = || {
                if has_turn.take() {
                    self.end_turn(&job);
                }
            };
            let response = self.fetcher.fetch_in_time(&url, &job, &body, &end_turn);
            let response = response.await;
            end_turn(); // it may have ended before it could send its request
            if self.is_over() {
                return self.queue.put(job); // others may have arrived with it
            }
            // Boxed, so that a worker that waits for a response is small.
            let page = Box::pin(self.page_of(&url, response, &body)).await;
            let others_wait = self.waiting.get() > 0;
            Box::pin(self.settle(job, page, done)).await;
            drop(body);
            if others_wait {
                yield_now().await; // else this worker's next job would always be first
            }
        }
    }

    /// A request is about to be sent. The pause of its server counts from now.
    fn end_turn(self: &Rc<Self>, job: &Job) {
        let next_turn = self.pace.borrow_mut().has_begun(job, Instant::now());
        if let Some(when) = next_turn {
            self.executor.spawn_named("pause", Rc::clone(self).end_pause(when));
        }
    }

    /// Waits until a held job may begin, and puts it.
    async fn end_pause(self: Rc<Self>, when: Instant) {
        self.executor.reactor().sleep_until(when).await;
        let due = self.pace.borrow_mut().take_due(Instant::now());
        if let Some((job, done)) = due {
            self.queue.put(job);
            drop(done); // only now: `join` must not see that all is done before the put
        }
    }

    /// Waits until the ledger has room for another attempt: there may be less than
    /// `max_tasks` while this machine or a server is short of connections.
    async fn wait_for_room(&self) {
        while !self.ledger.borrow().has_room() {
            self.waiting.set(self.waiting.get() + 1);
            self.free_slots.get().await;
        }
    }

    // ANCHOR: settle
    /// Settles a job, and puts what follows. A page with very many links is settled in
    /// turns, so that it does not stop all tasks.
    async fn settle(&self, job: Job, page: FetchResult, done: TaskDoneGuard<Job>) {
        let mut settling = self.ledger.borrow_mut().begin_settling(job, page);
        self.offer_room();
        loop {
            let next =
                self.ledger.borrow_mut().settle_some(&mut settling, STEPS_PER_TURN);
            next.into_iter().for_each(|job| self.queue.put(job));
            if settling.is_over() {
                break;
            }
            yield_now().await;
        }
        // ANCHOR: paused
        match settling.paused {
            // The job before is not done until the pause is over.
            Some(job) => self.pauses.put((job, done)),
            // Only now: `join` must not see that all is done before the puts.
            None => drop(done),
        }
        // ANCHOR_END: paused
    }
    // ANCHOR_END: settle

    /// Lets as many of the waiting workers look again as there is room for.
    fn offer_room(&self) {
        let ledger = self.ledger.borrow();
        self.fetcher.pool.set_max(ledger.limit());
        let room = ledger.limit().saturating_sub(ledger.in_flight());
        let woken = room.min(self.waiting.get());
        self.waiting.set(self.waiting.get() - woken);
        (0..woken).for_each(|_| self.free_slots.put(()));
    }

    // ANCHOR: pause
    /// Puts each job that pauses when its pause is over. Never ends.
    async fn pause_jobs(&self) {
        let mut pausing = Timers::default();
        loop {
            let begins = self.pauses.get();
            let sleep = |when| self.executor.reactor().sleep_until(when);
            let event = match pausing.next().map(sleep) {
                Some(ends) => race(begins, ends).await,
                None => Either::First(begins.await),
            };
            if let Either::First((job, done)) = event {
                pausing.set(Instant::now() + job.pause, (job, done));
            }
            while let Some((job, done)) = pausing.take_due(Instant::now()) {
                self.queue.put(job);
                drop(done);
            }
        }
    }
    // ANCHOR_END: pause

    // ANCHOR: digest
    /// Finds the links of a page: of a big one on a helper thread, since computation in
    /// the loop stops all tasks. While the helpers are saturated the loop does all but
    /// the huge ones itself. Waits until there is room for what the page may become.
    async fn page_of(
        &self,
        url: &Url,
        response: Result<Response, FetchError>,
        body: &BodyPermit<'_>,
    ) -> FetchResult {
        let response = response?;
        body.wait_for_page(Page::most_bytes(&response)).await;
        let theirs = if self.helpers.is_saturated() { HUGE_PAGE } else { BIG_PAGE };
        if response.body.len() < theirs {
            return Ok(Page::searched(url, response, self.options.search()));
        }
        let (url, what) = (url.clone(), self.options.search());
        Ok(self.helpers.run(move || Page::searched(&url, response, what)).await)
    }
    // ANCHOR_END: digest

    /// Returns whether the crawl is about to end, because of a stop or its time: no job is
    /// begun then, and no page searched, which may take long.
    fn is_over(&self) -> bool {
        self.stop.is_requested() || self.ledger.borrow().is_out_of_time()
    }

    /// Waits until the time of the whole crawl is over: for ever if it has no limit.
    async fn time_over(&self) {
        let deadline = self.ledger.borrow().deadline();
        let Some(deadline) = deadline else { return pending().await };
        self.executor.reactor().sleep_until(deadline).await;
    }

    /// Waits until a stop is requested.
    async fn stopped(&self) {
        let mut callback = None;
        poll_fn(|cx| {
            if self.stop.is_requested() {
                return Poll::Ready(());
            }
            let waker = cx.waker().clone();
            callback = Some(self.stop.on_stop(move || waker.wake_by_ref()));
            STOP.parked(); // observe
            Poll::Pending
        })
        .await;
        if self.options.verbose > 0 {
            let waiting = self.executor.observer().waiters_report();
            // Standard error may be closed.
            writeln!(io::stderr(), "interrupted, while these waited:\n{waiting}").ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::ResponseParser;
    use std::ops::Range;
    use std::time::Duration;

    fn roots<const N: usize>(urls: [&str; N]) -> Options {
        Options::with_roots(urls.map(|root| Url::parse(root).expect("a URL")))
    }

    /// A crawler with a queue of the roots.
    fn crawler(options: &Options, stop: &Stop) -> Rc<Crawler> {
        let (ledger, jobs) = Ledger::open(options, &PROGRAM);
        let executor = Executor::new().expect("a selector");
        let crawler = Crawler::new(stop, executor, ledger).expect("no file is read");
        jobs.into_iter().for_each(|job| crawler.queue.put(job));
        Rc::new(crawler)
    }

    #[test]
    fn a_worker_that_waits_is_small() {
        let crawler = crawler(&roots([]), &Stop::new());
        let size = size_of_val(&Rc::clone(&crawler).work());
        // Ten thousand of them may wait. What runs only for a moment is boxed.
        assert!(size <= 576, "{size} bytes");
    }

    #[test]
    fn after_a_stop_or_out_of_time_no_job_is_begun() {
        let urls = ["http://255.255.255.255/1", "http://255.255.255.255/2"];
        let (stop, late) = (Stop::new(), Some(Duration::from_nanos(1)));
        stop.request();
        for (stop, max_time) in [(stop, None), (Stop::new(), late)] {
            let crawler = crawler(&Options { max_time, ..roots(urls) }, &stop);
            let work = Rc::clone(&crawler).work();
            crawler.executor.block_on(work).expect("the worker ends");
            let crawler = Rc::into_inner(crawler).expect("the worker has ended");
            let report = crawler.ledger.into_inner().close(CrawlEnd::Interrupted);
            assert_eq!((report.rows.len(), report.summary.left), (0, 2));
        }
    }

    /// In how many turns a page with these URLs is settled.
    fn turns_of(options: &Options, urls: Range<usize>) -> usize {
        let crawler = crawler(options, &Stop::new());
        let link = |number| Url::parse(&format!("http://a.test/{number}"));
        let links = urls.map(|number| link(number).expect("a URL")).collect();
        let page = Page { status: 200, links, ..Page::default() };
        let settle = async {
            let mut job = crawler.queue.get().await;
            let done = crawler.queue.done_on_drop();
            crawler.ledger.borrow_mut().begin(&mut job);
            let mut settle = Box::pin(crawler.settle(job, Ok(page), done));
            let mut turns = 0;
            poll_fn(|cx| {
                turns += 1;
                settle.as_mut().poll(cx)
            })
            .await;
            turns
        };
        crawler.executor.block_on(settle).expect("it never waits")
    }

    #[test]
    fn a_page_with_very_many_links_is_settled_in_turns() {
        let mut options = roots(["http://a.test/"]);
        let urls = 0..6 * STEPS_PER_TURN;
        assert_eq!(turns_of(&options, urls.clone()), 6 + 6 + 1, "interned, discovered");
        options.max_pages = Some(1_000_000);
        assert_eq!(turns_of(&options, urls), 6 + 6 + 6 + 6 + 1, "raised, and started");
    }

    /// The response of a page with a long base, and links that are short.
    fn hostile_response() -> Response {
        let links: String =
            (0..300).map(|number| format!("<a href={number}>")).collect();
        let html = format!("<base href=http://b.test/{}/>{links}", "x".repeat(16_000));
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length:";
        let bytes = format!("{head} {}\r\n\r\n{html}", html.len());
        let response = ResponseParser::with_limit(1 << 20).feed(bytes.as_bytes());
        response.expect("it is valid").expect("it is whole")
    }

    #[test]
    fn pages_that_wait_to_be_settled_take_no_more_than_the_limit() {
        const LIMIT: usize = 4 << 20;
        let pages = (0..20).map(|it| Url::parse(&format!("http://a.test/{it}")));
        let options = Options::with_roots(pages.map(|url| url.expect("a URL")));
        let options = Options { max_bodies: LIMIT, helpers: Some(2), ..options };
        let crawler = crawler(&options, &Stop::new());
        let held = Rc::new(Cell::new((0, 0)));
        let make_page = |url: Url| {
            let (crawler, held) = (Rc::clone(&crawler), Rc::clone(&held));
            async move {
                let job = crawler.queue.get().await;
                let body = crawler.bodies.permit(job.id());
                let response = hostile_response();
                body.set_held(response.body.len());
                let page = crawler.page_of(&url, Ok(response), &body).await;
                let links = page.expect("a page").links;
                let bytes: usize = links.iter().map(|link| link.as_str().len()).sum();
                let (before, peak) = held.get();
                held.set((before + bytes, peak.max(before + bytes)));
                for _ in 0..9 {
                    yield_now().await; // as if it had many links
                }
                held.set((held.get().0 - bytes, held.get().1));
                bytes
            }
        };
        let tasks = options.roots.iter().cloned();
        let tasks: Vec<_> =
            tasks.map(|url| crawler.executor.spawn(make_page(url))).collect();
        let all = async {
            let mut sum = 0;
            for task in tasks {
                sum += task.await.expect("it does not panic");
            }
            sum
        };
        let sum = crawler.executor.block_on(all).expect("it is not stuck");
        let peak = held.get().1;
        assert!(peak <= LIMIT && 3 * LIMIT < sum, "{peak} of {sum} bytes at once");
    }
}
