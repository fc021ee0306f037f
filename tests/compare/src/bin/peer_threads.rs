//! The peer: this crawler without any loop. As many threads as connections, and sockets
//! that block; all else is shared with our three.

use shared::http::ConnectionOption;
use shared::{
    CrawlEnd, FetchError, FetchResult, Job, Ledger, Options, Page, Program, Report,
    Resolver, Response, ResponseParser, Stop, Url, program, request,
};
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::ExitCode;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use std::{mem, thread};

const PROGRAM: Program = Program::http_only("peer_threads", env!("CARGO_PKG_VERSION"));

/// Bytes that one read takes at the most: each thread has its own buffer.
const BUFFER: usize = 8 * 1024;

fn main() -> ExitCode {
    program::run(&PROGRAM, crawl)
}

fn crawl(options: &Options, stop: &Stop) -> io::Result<Report> {
    let (ledger, jobs) = Ledger::open(options, &PROGRAM);
    let user_agent = options.user_agent(&PROGRAM);
    let (books, news) =
        (Mutex::new(Books { ledger, queue: jobs.into() }), Condvar::new());
    let stopped = Arc::<(Mutex<()>, Condvar)>::default();
    let ends_pauses = Arc::clone(&stopped);
    let callback = stop.on_stop(move || {
        // Under the lock: a thread that saw no stop waits by now, and is notified.
        let _guard = ends_pauses.0.lock().expect(HELD);
        ends_pauses.1.notify_all();
    });
    let crawl = Crawl { options, user_agent, stop, books, news, stopped };
    thread::scope(|scope| {
        for number in 1..=options.max_tasks {
            let started = thread::Builder::new().spawn_scoped(scope, || crawl.work());
            // Where there is no room for so many threads, fewer do it.
            match started {
                Err(error) if number == 1 => return Err(error),
                Err(_) => break,
                Ok(_) => {}
            }
        }
        Ok(())
    })?;
    drop(callback);
    let ledger = crawl.books.into_inner().expect(HELD).ledger;
    let is_done = ledger.is_done();
    Ok(ledger.close(if is_done { CrawlEnd::Done } else { CrawlEnd::Interrupted }))
}

/// What the threads share.
struct Crawl<'a> {
    options: &'a Options,
    user_agent: String,
    stop: &'a Stop,
    books: Mutex<Books>,
    /// There is a job more, or there will be none.
    news: Condvar,
    /// The stop was requested. Pauses end then.
    stopped: Arc<(Mutex<()>, Condvar)>,
}

struct Books {
    ledger: Ledger,
    queue: VecDeque<Job>,
}

const HELD: &str = "nothing panics while it holds a lock";

impl Crawl<'_> {
    /// What each thread does, until there is nothing more to do.
    fn work(&self) {
        let mut kept = None;
        while let Some((job, url)) = self.next_job() {
            let answer = self.fetch(&job, &url, &mut kept);
            let answer = answer.map(|response| Page::from_response(&url, response));
            self.settle(job, answer);
        }
        self.news.notify_all(); // nothing is left for the other threads either
    }

    fn next_job(&self) -> Option<(Job, Url)> {
        let waits = |books: &mut Books| {
            let may_begin = !books.queue.is_empty() && books.ledger.has_room();
            !may_begin && !books.ledger.is_done() && !self.stop.is_requested()
        };
        loop {
            let mut books = self.news.wait_while(self.books(), waits).expect(HELD);
            let mut job =
                books.queue.pop_front().filter(|_| !self.stop.is_requested())?;
            if job.pause.is_zero() {
                let url = books.ledger.begin(&mut job);
                return Some((job, url));
            }
            self.news.notify_one(); // the room that this thread does not use
            drop(books);
            self.wait(mem::take(&mut job.pause));
            self.books().queue.push_front(job);
        }
    }

    /// Waits for the end of a pause, or until the stop is requested.
    fn wait(&self, pause: Duration) {
        let (lock, stopped) = &*self.stopped;
        let goes_on = |(): &mut ()| !self.stop.is_requested();
        let guard = lock.lock().expect(HELD);
        drop(stopped.wait_timeout_while(guard, pause, goes_on).expect(HELD));
    }

    fn settle(&self, job: Job, answer: FetchResult) {
        let mut books = self.books();
        let next: Vec<Job> = books.ledger.settle(job, answer).into_iter().collect();
        // One more may begin in place of this one.
        (0..=next.len()).for_each(|_| self.news.notify_one());
        books.queue.extend(next);
        if books.ledger.is_done() || self.stop.is_requested() {
            self.news.notify_all();
        }
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().expect(HELD)
    }

    /// Asks on the connection that was kept, and if that has ended on a fresh one.
    fn fetch(
        &self,
        job: &Job,
        url: &Url,
        kept: &mut Option<TcpStream>,
    ) -> Result<Response, FetchError> {
        let deadline = Instant::now() + self.options.timeout;
        let mut parser = ResponseParser::with_limit(self.options.max_body);
        if let Some(stream) = kept.take().filter(|_| job.may_reuse_connection()) {
            let answer = self.exchange(url, stream, &mut parser, deadline, kept);
            if answer.is_ok() || parser.has_begun() {
                return answer;
            }
        }
        let Options { hosts, look_up, .. } = self.options;
        let mut resolver = Resolver::with_hosts(hosts, *look_up);
        let timeout = self.options.timeout;
        let addresses = resolver.resolve(url, timeout, deadline, self.stop)?;
        let mut failure = FetchError::Network(ErrorKind::AddrNotAvailable);
        for address in addresses {
            match TcpStream::connect_timeout(&address, self.left(deadline)?) {
                Ok(stream) => {
                    let mut parser = ResponseParser::with_limit(self.options.max_body);
                    return self.exchange(url, stream, &mut parser, deadline, kept);
                }
                Err(error) => failure = failure.more_telling(error.into()),
            }
        }
        Err(failure)
    }

    /// Sends the request, and reads until the answer is whole. The calls on the socket
    /// wait, and the thread waits with them.
    fn exchange(
        &self,
        url: &Url,
        mut stream: TcpStream,
        parser: &mut ResponseParser,
        deadline: Instant,
        kept: &mut Option<TcpStream>,
    ) -> Result<Response, FetchError> {
        stream.write_all(&request(
            url,
            &self.user_agent,
            ConnectionOption::KeepAlive,
        ))?;
        let mut buffer = [0; BUFFER];
        loop {
            stream.set_read_timeout(Some(self.left(deadline)?))?;
            let count = match stream.read(&mut buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if is_late(&error) => return Err(self.late()),
                result => result?,
            };
            if let Some(response) = parser.feed(&buffer[..count])? {
                *kept = Some(stream).filter(|_| response.reusable);
                return Ok(response);
            }
        }
    }

    fn left(&self, deadline: Instant) -> Result<Duration, FetchError> {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(self.late()) } else { Ok(left) }
    }

    fn late(&self) -> FetchError {
        FetchError::TimedOut(self.options.timeout)
    }
}

fn is_late(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}
