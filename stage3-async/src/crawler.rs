//! The crawler: workers take jobs from a queue, fetch, and put what follows.

use crate::pool::{Connection, Pool};
use crate::{Done, Either, Executor, JoinError, Queue, Stuck, race, timeout};
use crate::{elsewhere::Helpers, reactor::Reactor};
use shared::watch::{Leaf, Waiting};
use shared::{
    Answer, Ending, FetchError, HttpError, Job, Ledger, Options, Report, Response,
    ResponseParser, Room, Stage, Stop, Url, Watch, digest, http, request,
};
use std::cell::RefCell;
use std::io::Write;
use std::{
    future::poll_fn, io, panic::resume_unwind, rc::Rc, task::Poll, time::Instant,
};

/// This program.
pub const STAGE: Stage = Stage {
    name: env!("CARGO_PKG_NAME"),
    version: env!("CARGO_PKG_VERSION"),
    speaks_https: cfg!(feature = "tls"),
};

/// Bytes of a page whose links are not found in the loop: about a tenth of a
/// millisecond.
const BIG_PAGE: usize = 16 * 1024;
/// The same while the helpers have enough to do: half a millisecond.
const HUGE_PAGE: usize = 64 * 1024;

static STOP: Leaf = Leaf::new(file!(), "stopped", Waiting::Named("the stop"));

// ANCHOR: run
/// Crawls from `options.roots` until nothing is left to fetch, or until `stop` is
/// pulled.
///
/// # Errors
/// The selector cannot be made, the trace file cannot be written, or `options.ca_file`
/// cannot be read.
pub fn crawl(options: &Options, stop: &Stop) -> io::Result<Report> {
    let watch = Watch::open(options.trace.as_deref(), STAGE.name)?;
    let executor = Executor::watched(watch.clone())?;
    let (ledger, jobs) = Ledger::open(options, &STAGE);
    let crawler = Rc::new(Crawler::new(options, executor, ledger)?);
    let stopped = crawler.stopped(stop);
    let ended = crawler.executor.block_on(race(crawler.crawl(jobs), stopped));
    let ending = match ended {
        Ok(Either::First(())) => Ending::Done,
        Ok(Either::Second(())) => Ending::Interrupted,
        Err(Stuck(who_waits)) => Ending::Stuck(who_waits),
    };
    let crawler = Rc::into_inner(crawler).expect("the tasks are gone, who shared it");
    Ok(watch.close(crawler.ledger.into_inner().close(ending)))
}
// ANCHOR_END: run

/// What the workers share. What is in a `RefCell` is borrowed while one runs, never
/// while it waits.
struct Crawler {
    options: Options,
    user_agent: String,
    executor: Executor,
    queue: Rc<Queue<Job>>,
    ledger: RefCell<Ledger>,
    pool: Pool,
    helpers: Helpers,
    /// How many workers may be under way.
    room: RefCell<Room>,
    /// A turn for a worker who waits for room.
    turns: Queue<()>,
}

impl Crawler {
    fn new(
        options: &Options,
        executor: Executor,
        ledger: Ledger,
    ) -> io::Result<Crawler> {
        let (reactor, says) = (executor.reactor().clone(), executor.reactor().says());
        Ok(Crawler {
            options: options.clone(),
            user_agent: options.user_agent(&STAGE),
            queue: Rc::new(Queue::new(says)),
            ledger: RefCell::new(ledger),
            pool: Pool::new(options, &reactor)?,
            helpers: Helpers::new(options.helpers, &reactor),
            room: RefCell::new(Room::new(options.max_tasks as usize)),
            turns: Queue::new(says),
            executor,
        })
    }

    // ANCHOR: crawl
    /// Starts the workers, and waits until all jobs are done: also those that come
    /// meanwhile. Then the workers wait for jobs that never come, so they are
    /// cancelled.
    async fn crawl(self: &Rc<Self>, jobs: Vec<Job>) {
        jobs.into_iter().for_each(|job| self.queue.put(job));
        let worker = |_| self.executor.spawn_named("worker", Rc::clone(self).work());
        let workers: Vec<_> = (0..self.options.max_tasks).map(worker).collect();
        self.queue.join().await;
        for worker in workers {
            worker.cancel();
            if let Err(JoinError::Panicked(panic)) = worker.await {
                resume_unwind(panic); // a bug of ours is not to be silent
            }
        }
    }
    // ANCHOR_END: crawl

    /// Takes one job after the other: makes a try, has the answer booked, and puts what
    /// follows.
    async fn work(self: Rc<Self>) {
        loop {
            self.reactor().says().works_for("");
            let mut job = self.queue.get().await;
            let done = self.queue.done_at_end();
            self.reactor().says().works_for(job.url.as_str());
            self.ledger.borrow_mut().begin(&mut job);
            let answer = self.answer(&job).await;
            // The guard dies on its line: nothing is borrowed while we wait.
            let puts_back = self.ledger.borrow_mut().puts_back(&mut job, &answer);
            if puts_back {
                self.queue.put(job);
                drop(done);
                self.wait_for_room().await;
            } else {
                let answer = self.digest(&job.url, answer).await;
                self.settle(job, answer, done);
            }
        }
    }

    /// This machine has no socket, or no port, until others have ended: waits for
    /// those.
    async fn wait_for_room(&self) {
        self.reactor().says().works_for("");
        let others = self.room.borrow().now() - 1;
        self.room.borrow_mut().shrink(others);
        self.turns.get().await;
    }

    // ANCHOR: settle
    /// Has an answer booked, and puts what follows: before this one is done.
    fn settle(self: &Rc<Self>, job: Job, answer: Answer, done: Done<Job>) {
        if self.room.borrow_mut().grow() {
            self.turns.put(());
        }
        let mut next = self.ledger.borrow_mut().settle(job, answer);
        if let Some(job) = next.pop_if(|job| !job.pause.is_zero()) {
            let pause = Rc::clone(self).pause(job, done);
            return drop(self.executor.spawn_named("pause", pause)); // nobody joins it
        }
        next.into_iter().for_each(|job| self.queue.put(job));
        drop(done); // only now: were nothing left, `join` would end
    }

    /// Puts a job when its pause is over. Until then the one before is not done.
    async fn pause(self: Rc<Self>, job: Job, done: Done<Job>) {
        self.reactor().says().works_for(job.url.as_str());
        self.reactor().sleep_until(Instant::now() + job.pause).await;
        self.queue.put(job);
        drop(done);
    }
    // ANCHOR_END: settle

    /// A whole answer within the time-out, or why there is none. What is late is
    /// dropped where it waits.
    async fn answer(&self, job: &Job) -> Result<Response, FetchError> {
        let limit = self.options.timeout;
        // In a box, so that a worker who waits for a job is small.
        let fetch = Box::pin(self.fetch(&job.url, job.is_first_try()));
        let answer = timeout(limit, fetch, self.reactor()).await;
        answer.unwrap_or(Err(FetchError::TimedOut(limit)))
    }

    /// Asks on a connection that was kept, if there is one; and on a fresh one, if that
    /// has ended, or what came on it is no answer to this. Another try gets a fresh
    /// one, if there is a port for it.
    async fn fetch(&self, url: &Url, is_first: bool) -> Result<Response, FetchError> {
        let mut kept = if is_first { self.pool.take(url).await } else { None };
        loop {
            let (mut connection, is_kept) = match kept.take() {
                Some(kept) => (kept, true),
                None => self.pool.connect_or_take(url).await?,
            };
            let mut parser = ResponseParser::new(self.options.max_body);
            let mut answer = self.exchange(url, &mut connection, &mut parser).await;
            if answer == Err(HttpError::Truncated.into()) && !parser.has_begun() {
                answer = Err(HttpError::NoAnswer.into()); // TLS cannot tell
            }
            let is_stale = match &answer {
                Err(FetchError::Http(HttpError::Malformed(_))) => true,
                Err(_) => !parser.has_begun(),
                // The server's farewell to an idle connection (RFC 9110 §15.5.9).
                Ok(response) => response.status == 408,
            };
            if is_kept && is_stale {
                continue;
            }
            if answer.as_ref().is_ok_and(|response| response.reusable) {
                self.pool.put(connection);
            }
            return answer;
        }
    }

    /// Sends the request, and reads until the answer is whole.
    async fn exchange(
        &self,
        url: &Url,
        Connection { stream, .. }: &mut Connection,
        parser: &mut ResponseParser,
    ) -> Result<Response, FetchError> {
        let keep = http::Connection::KeepAlive;
        stream.write_all(&request(url, &self.user_agent, keep)).await?;
        loop {
            let fed = stream.read_with(|bytes| parser.feed(bytes)).await??;
            if let Some(response) = fed {
                return Ok(response);
            }
        }
    }

    // ANCHOR: digest
    /// Finds the links of a page: a big one's on a helper thread, since whoever
    /// computes in the loop stops all tasks. While the helpers have enough to do, they
    /// leave what is not that big to the loop.
    async fn digest(&self, url: &Url, answer: Result<Response, FetchError>) -> Answer {
        let page = answer?;
        let theirs = if self.helpers.have_enough() { HUGE_PAGE } else { BIG_PAGE };
        if page.body.len() < theirs {
            return Ok(digest(url, page));
        }
        let url = url.clone();
        Ok(self.helpers.run(move || digest(&url, page)).await)
    }
    // ANCHOR_END: digest

    /// Waits until somebody pulls the stop.
    async fn stopped(&self, stop: &Stop) {
        let mut bell = None;
        poll_fn(|cx| {
            if stop.is_pulled() {
                return Poll::Ready(());
            }
            let waker = cx.waker().clone();
            bell = Some(stop.hang(move || waker.wake_by_ref()));
            self.reactor().says().polled(&STOP, Poll::Pending)
        })
        .await;
        if self.options.verbose > 0 {
            let who = self.executor.who_waits();
            // Nobody may be there to read it.
            writeln!(io::stderr(), "interrupted, while these waited:\n{who}").ok();
        }
    }

    fn reactor(&self) -> &Reactor {
        self.executor.reactor()
    }
}
