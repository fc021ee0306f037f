//! A server with a limit of its own: it resets each connection above that. No page is lost.

use conformance::{Crawl, STAGES, keeps_connections, run, url, watchdog};
use shared::Options;
use shared::report::{Outcome, Report};
use socket2::SockRef;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, Weak};
use std::thread;
use std::time::Duration;

const PAGES: usize = 60;
const TASKS: u32 = 20;
/// Connections that the server takes at once.
const MOST: usize = 3;
/// Connections that are reset before the server answers for a page. A crawler opens more
/// than twice as many at once above the limit.
const FIRST_RESETS: usize = 8;
/// For them: shorter than the time-out of a crawler.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Serves a root that links to all pages, and the pages. Dropping it closes its port.
struct Crowded {
    address: SocketAddr,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// Connections that are open now, without those that are reset.
    open: AtomicUsize,
    /// Requests that got a response.
    served: AtomicUsize,
    /// Connections that were reset.
    reset: Mutex<usize>,
    /// Notified after each reset.
    was_reset: Condvar,
    /// Whether the server resets every connection from now on: after the root.
    resets_all: AtomicBool,
}

impl Crowded {
    /// `serves_root_only`: whether every connection after the root's is reset.
    fn start(serves_root_only: bool) -> Crowded {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("it is bound");
        let state = Arc::<State>::default();
        let weak = Arc::downgrade(&state);
        thread::spawn(move || accept(&listener, &weak, serves_root_only));
        Crowded { address, state }
    }

    fn crawl(&self, crawl: Crawl, change: impl FnOnce(&mut Options)) -> Report {
        let root = url(&format!("http://{}/", self.address));
        let mut options = Options { max_tasks: TASKS, ..Options::with_roots([root]) };
        change(&mut options);
        run(crawl, &options)
    }
}

impl State {
    fn note_reset(&self) {
        *self.reset.lock().expect(HELD) += 1;
        self.was_reset.notify_all();
    }

    /// Waits until the crawler has met the limit.
    fn wait_for_resets(&self) {
        let reset = self.reset.lock().expect(HELD);
        let is_early = |reset: &mut usize| *reset < FIRST_RESETS;
        let waited = self.was_reset.wait_timeout_while(reset, LONGEST_WAIT, is_early);
        drop(waited.expect(HELD));
    }
}

const HELD: &str = "nothing panics while it counts";

impl Drop for Crowded {
    fn drop(&mut self) {
        self.state = Arc::default();
        TcpStream::connect(self.address).ok(); // wakes the listener, which sees the end
    }
}

fn accept(listener: &TcpListener, state: &Weak<State>, serves_root_only: bool) {
    for stream in listener.incoming() {
        let (Some(state), Ok(stream)) = (state.upgrade(), stream) else { return };
        let is_crowded = state.open.fetch_add(1, SeqCst) >= MOST;
        if is_crowded || state.resets_all.load(SeqCst) {
            state.open.fetch_sub(1, SeqCst);
            SockRef::from(&stream).set_linger(Some(Duration::ZERO)).expect("a socket");
            drop(stream); // a reset
            state.note_reset();
            continue;
        }
        thread::spawn(move || serve(stream, &state, serves_root_only).ok());
    }
}

/// Answers requests until the crawler or its request ends the connection.
fn serve(
    mut stream: TcpStream,
    state: &State,
    serves_root_only: bool,
) -> io::Result<()> {
    let place = Place(&state.open);
    let mut reader = BufReader::new(stream.try_clone()?);
    loop {
        let (mut is_root, mut closes, mut line) = (false, false, String::new());
        while line != "\r\n" {
            line.clear();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            is_root |= line.starts_with("GET / ");
            closes |= line.to_ascii_lowercase().starts_with("connection: close");
        }
        if !is_root {
            state.wait_for_resets();
        }
        let links = (0..PAGES).map(|page| format!("<a href=/{page}>page</a>"));
        let body = if is_root { links.collect() } else { String::from("a page") };
        state.served.fetch_add(1, SeqCst);
        if serves_root_only {
            state.resets_all.store(true, SeqCst);
        }
        let closes = closes || serves_root_only;
        let connection = if closes { "close" } else { "keep-alive" };
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\
             Connection: {connection}\r\n\r\n",
            body.len()
        );
        if closes {
            drop(place); // before the crawler sees the end, and connects again
            return stream.write_all(format!("{head}{body}").as_bytes());
        }
        stream.write_all(format!("{head}{body}").as_bytes())?;
    }
}

/// A place among the connections that the server takes.
struct Place<'a>(&'a AtomicUsize);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

fn for_each_stage(promise: fn(&str, Crawl)) {
    for &(stage, crawl) in STAGES {
        watchdog::guard(stage, move || promise(stage, crawl)).expect("it ends in time");
    }
}

#[test]
fn a_server_that_resets_connections_above_its_limit_loses_no_page() {
    for_each_stage(|stage, crawl| {
        let server = Crowded::start(false);
        let report = server.crawl(crawl, |_| ());
        let lost: Vec<_> =
            report.rows.iter().filter(|row| row.outcome != Outcome::Ok).collect();
        assert!(lost.is_empty(), "{stage}: {lost:#?}");
        assert_eq!(report.summary.ok, PAGES + 1);
        let served = server.state.served.load(SeqCst);
        let reset = *server.state.reset.lock().expect(HELD);
        assert!(reset >= FIRST_RESETS, "{stage} met the limit {reset} times");
        // Each request that was sent, and each connection that failed before one.
        let attempts: u32 = report.rows.iter().map(|row| row.attempts).sum();
        assert_eq!(served, PAGES + 1);
        match keeps_connections(stage) {
            true => assert!(attempts as usize <= served + reset, "{stage}"),
            false => assert_eq!(attempts as usize, served + reset, "{stage}"),
        }
    });
}

#[test]
fn a_server_that_resets_everything_is_given_up_after_max_tries() {
    for_each_stage(|stage, crawl| {
        let server = Crowded::start(true);
        let report = server.crawl(crawl, |options| options.max_tries = 2);
        assert_eq!((report.summary.ok, report.summary.failed), (1, PAGES), "{stage}");
        for row in report.rows.iter().filter(|row| row.outcome != Outcome::Ok) {
            assert_eq!(
                (row.outcome, row.attempts),
                (Outcome::NetworkError, 2),
                "{stage}"
            );
        }
    });
}
