//! The crawler: workers take attempts from the frontier, fetch, and settle.

use crate::PROGRAM; // observe
use crate::extra::{Bodies, BodyPermit, ThreadPool};
use crate::fetch::Fetcher;
use crate::frontier::{Attempt, Frontier};
use crate::observe::{Leaf, Observer}; // observe
use crate::{Executor, JoinError, JoinHandle, Stuck, race, timeout};
use shared::{FetchError, FetchResult, Options, Page, Report};
use shared::{Response, Stop};
use std::future::{pending, poll_fn};
use std::io::{self, Write};
use std::{panic::resume_unwind, rc::Rc, task::Poll};

/// A page of this many bytes is searched on a helper thread: in the loop it would take
/// about a tenth of a millisecond.
const BIG_PAGE: usize = 16 * 1024;
/// The limit while the helpers are saturated: such a page takes half a millisecond.
const HUGE_PAGE: usize = 64 * 1024;

static STOP: Leaf = Leaf::named("stopped", "the stop"); // observe

// ANCHOR: run
/// Crawls from `options.roots` until nothing is left to fetch, a stop is requested, or
/// the time of the crawl is over.
///
/// # Errors
/// Fails if the selector or the trace file cannot be created, or `options.ca_file`
/// cannot be read.
pub fn crawl(options: &Options, stop: &Stop) -> io::Result<Report> {
    let executor = Executor::new()?;
    let trace = options.open_trace(&PROGRAM)?; // observe
    let executor = executor.observed(Observer::new(trace.clone())); // observe
    let crawler = Rc::new(Crawler::new(options, stop, executor)?);
    let crawl = race(race(crawler.crawl(), crawler.stopped()), crawler.time_over());
    let waits = match crawler.executor.block_on(crawl) {
        Ok(_) => String::new(), // `close` finds out whether it was done or stopped
        Err(Stuck(waits)) => waits,
    };
    let crawler = Rc::into_inner(crawler).expect("all tasks that shared it are gone");
    let report = crawler.frontier.close(waits);
    let report = trace.close(report); // observe
    Ok(report)
}
// ANCHOR_END: run

/// What the workers share.
struct Crawler {
    options: Options,
    stop: Stop,
    executor: Executor,
    frontier: Rc<Frontier>,
    fetcher: Fetcher,
    bodies: Bodies,
    helpers: ThreadPool,
}

impl Crawler {
    fn new(options: &Options, stop: &Stop, executor: Executor) -> io::Result<Crawler> {
        let (frontier, reactor) =
            (Frontier::new(options, &executor, stop), executor.reactor());
        Ok(Crawler {
            options: options.clone(),
            stop: stop.clone(),
            fetcher: Fetcher::new(options, frontier.limit(), reactor)?,
            frontier,
            bodies: Bodies::new(options.max_bodies, options.max_body),
            helpers: ThreadPool::new(options.helper_threads(), reactor),
            executor,
        })
    }

    // ANCHOR: crawl
    /// Starts the workers, and waits until all jobs are done. Then the workers wait for
    /// jobs that never come, so they are cancelled. If a task panics, so does this: a
    /// bug must not be silent.
    async fn crawl(self: &Rc<Self>) {
        let worker = |_| self.frontier.tasks.spawn("worker", Rc::clone(self).work());
        let workers: Vec<_> = (0..self.options.max_tasks).map(worker).collect();
        self.frontier.join().await.unwrap_or_else(|panic| resume_unwind(panic));
        workers.iter().for_each(JoinHandle::cancel);
        for worker in workers {
            if let Err(JoinError::Panicked(panic)) = worker.await {
                resume_unwind(panic); // from a destructor
            }
        }
    }
    // ANCHOR_END: crawl

    // ANCHOR: work
    /// Makes one attempt after the other. What a worker needs only while it has a job is
    /// boxed, here and below, so that a worker that waits for a job is small.
    async fn work(self: Rc<Self>) {
        while let Some(attempt) = self.frontier.next().await {
            let body = self.bodies.permit(); // counts until its page is settled
            let page = self.fetch(&attempt, &body).await;
            Box::pin(self.frontier.settle(attempt, page)).await;
        }
    }

    /// Fetches a page within the time-out. A fetch that is late is dropped where it
    /// waits, and its connection with it.
    async fn fetch(&self, attempt: &Attempt, body: &BodyPermit<'_>) -> FetchResult {
        let (time, reactor) = (self.options.timeout, self.executor.reactor());
        let fetch = Box::pin(self.fetcher.fetch(attempt, body));
        let response = timeout(time, fetch, reactor).await;
        let response = response.unwrap_or(Err(FetchError::TimedOut(time)))?;
        Box::pin(self.page_of(attempt, response, body)).await
    }
    // ANCHOR_END: work

    // ANCHOR: digest
    /// Finds the links of a page. A big page is searched on a helper thread, because
    /// computation in the loop stops all tasks. While the helpers are saturated, they
    /// get only huge pages. Waits until there is room for the links.
    async fn page_of(
        &self,
        Attempt { url, .. }: &Attempt,
        response: Response,
        body: &BodyPermit<'_>,
    ) -> FetchResult {
        if self.frontier.is_over() {
            return Err(FetchError::Interrupted); // many pages may have arrived at once
        }
        body.wait_for_page(Page::most_bytes(&response)).await;
        let least = if self.helpers.is_saturated() { HUGE_PAGE } else { BIG_PAGE };
        if response.body.len() < least {
            return Ok(Page::parse(url, response, self.options.extract()));
        }
        let (url, extract) = (url.clone(), self.options.extract());
        Ok(self.helpers.run(move || Page::parse(&url, response, extract)).await)
    }
    // ANCHOR_END: digest

    /// Waits until the time of the whole crawl is over: forever if it has no limit.
    async fn time_over(&self) {
        match self.frontier.deadline() {
            Some(deadline) => self.executor.reactor().sleep_until(deadline).await,
            None => pending().await,
        }
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
    use crate::yield_now;
    use shared::{ResponseParser, Url};
    use std::cell::Cell;
    use std::future::Future;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::Duration;

    fn roots<const N: usize>(urls: [&str; N]) -> Options {
        Options::with_roots(urls.map(|root| Url::parse(root).expect("a URL")))
    }

    fn crawler(options: &Options, stop: &Stop) -> Rc<Crawler> {
        let executor = Executor::new().expect("a selector");
        Rc::new(Crawler::new(options, stop, executor).expect("no file is read"))
    }

    #[test]
    fn a_worker_that_waits_is_small() {
        let crawler = crawler(&roots([]), &Stop::new());
        let size = size_of_val(&Rc::clone(&crawler).work());
        // Ten thousand workers may wait for jobs.
        assert!(size <= 352, "{size} bytes");
    }

    /// Crawls these roots with a worker that takes a job, and then does `act`, which
    /// panics. Another worker waits: for room if a job is left, otherwise for a job.
    /// Returns the message of the panic of the crawl.
    fn message_after<const N: usize, F: Future<Output = ()>>(
        urls: [&str; N],
        act: impl FnOnce(Rc<Crawler>, Box<Attempt>) -> F + 'static,
    ) -> &'static str {
        let options = Options { max_tasks: 1, ..roots(urls) };
        let crawler = crawler(&options, &Stop::new());
        let worker = Rc::clone(&crawler);
        let work = async move {
            let attempt = worker.frontier.next().await.expect("no stop is requested");
            act(worker, attempt).await;
        };
        drop(crawler.frontier.tasks.spawn("worker", work));
        let crawl = || crawler.executor.block_on(crawler.crawl());
        let panic = catch_unwind(AssertUnwindSafe(crawl)).expect_err("it panics");
        panic.downcast_ref::<&str>().expect("a text")
    }

    #[test]
    fn a_panic_of_a_worker_is_reported_though_jobs_are_left() {
        let urls = ["http://a.test/1", "http://a.test/2"];
        let message = message_after(urls, async |_, attempt| {
            let _attempt = attempt; // with the guard of its job
            panic!("on purpose");
        });
        assert_eq!(message, "on purpose");
    }

    #[test]
    fn a_panic_of_a_worker_is_reported_though_it_ends_the_last_job() {
        let message = message_after(["http://a.test/"], async |_, attempt| {
            let _attempt = attempt;
            panic!("on purpose");
        });
        assert_eq!(message, "on purpose");
    }

    #[test]
    fn a_panic_of_a_worker_without_a_job_is_reported() {
        let urls = ["http://a.test/1"];
        let message = message_after(urls, async |crawler, attempt| {
            // Another task has the job and never settles it, so `join` never ends.
            crawler.executor.spawn(async { drop((attempt, pending::<()>().await)) });
            panic!("on purpose");
        });
        assert_eq!(message, "on purpose");
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
            let report = crawler.frontier.close(String::new());
            assert_eq!((report.rows.len(), report.summary.left), (0, 2));
        }
    }

    /// The response of a page with a long base and short links.
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
        let options = Options { max_tasks: 20, max_bodies: LIMIT, ..options };
        let options = Options { helpers: Some(2), ..options };
        let crawler = crawler(&options, &Stop::new());
        let held = Rc::new(Cell::new((0, 0)));
        let make_page = || {
            let (crawler, held) = (Rc::clone(&crawler), Rc::clone(&held));
            async move {
                let attempt =
                    crawler.frontier.next().await.expect("no stop is requested");
                let body = crawler.bodies.permit();
                let response = hostile_response();
                body.set_held(response.body.len());
                let page = crawler.page_of(&attempt, response, &body).await;
                let links = page.expect("a page").links;
                let bytes: usize = links.iter().map(|link| link.as_str().len()).sum();
                let (before, peak) = held.get();
                held.set((before + bytes, peak.max(before + bytes)));
                for _ in 0..9 {
                    yield_now().await; // as for a page with many links
                }
                held.set((held.get().0 - bytes, held.get().1));
                bytes
            }
        };
        let tasks = options.roots.iter();
        let tasks: Vec<_> =
            tasks.map(|_| crawler.executor.spawn(make_page())).collect();
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
