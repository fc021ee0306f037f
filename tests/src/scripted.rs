//! A server that follows a script and records what it sees.
//!
//! What it does about a request is a list of acts, which a function of the request
//! makes up; a `Site` is such a function, with a list for each path. Plain std sockets,
//! a thread for each connection; where it has a certificate it speaks TLS.

mod accept;
mod certificates;
mod connection;
mod head;
mod site;
mod state;

pub use certificates::{Authority, Certificate};
pub use site::{Acts, Site, anchors, answer, html};

use crate::watchdog;
use state::{Manner, Now, Script, State};
use std::mem;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// One thing that the server does with a connection. After its list of acts it closes
/// the connection, unless one of them keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Sends these bytes.
    Send(Vec<u8>),
    /// Sends these bytes one by one, with a pause before each.
    Drip(Vec<u8>, Duration),
    /// Sends these bytes again and again until the crawler hangs up.
    Flood(Vec<u8>),
    /// Sends nothing until the crawler hangs up.
    Stall,
    /// Sends nothing until so many connections have come this far.
    Meet(usize),
    /// Resets the connection.
    Reset,
    /// Sends a byte beside the stream, as urgent. It belongs to no response, but a read
    /// ends before it.
    Urgent,
    /// Keeps the connection after this list for the next request, even if the crawler
    /// has asked for a close.
    Keep,
    /// Keeps the connection after this list. Another request on it is an error.
    Listen,
    /// Announces the end of TLS (RFC 8446 §6.1). Nothing may follow it, but acts can.
    CloseNotify,
    /// Sends bytes that are not encrypted, in one piece with what the act before it
    /// sends.
    Bare(Vec<u8>),
}

/// A request, as far as a script needs it.
#[derive(Clone, Debug)]
pub struct Asked {
    /// GET or HEAD.
    pub method: String,
    /// The path with its query.
    pub target: String,
    /// How many requests with this method and target have come, with this one.
    pub nth: usize,
    /// Whether the crawler asks for a close after the response.
    pub wants_close: bool,
}

/// What the server saw.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The head of each request, in the order in which they came.
    pub requests: Vec<String>,
    /// When each of them came.
    pub times: Vec<Instant>,
    /// Connections that were accepted.
    pub connections: usize,
    /// Connections that were open at once, at the most.
    pub most_at_once: usize,
    /// Handshakes of TLS that both sides have finished. There is none if the crawler
    /// refuses the certificate.
    pub handshakes: usize,
    /// Bytes of responses that were sent, as far as the system took them.
    pub sent: usize,
    /// What is wrong with requests: nothing, if the crawler does as it should.
    pub faults: Vec<String>,
}

impl Seen {
    /// What was asked for, in the order of the requests.
    pub fn targets(&self) -> impl Iterator<Item = &str> {
        self.requests.iter().map(|head| head.split(' ').nth(1).unwrap_or_default())
    }
}

/// A running server. Dropping it ends its connections and its threads, and fails the
/// test if it could not accept any more.
pub struct Server {
    state: Arc<State>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts to serve on 127.0.0.1, at any port. Each request has to be what the
    /// contract of the command line says: another one is an error and gets no response.
    pub fn strict(
        script: impl Fn(&Asked) -> Vec<Act> + Send + Sync + 'static,
    ) -> Server {
        Server::start(any_port(), Manner::Http, true, Box::new(script))
    }

    /// Starts to serve, and performs these acts on each connection without waiting for
    /// a request. Its URLs say https: a crawler expects TLS there.
    pub fn unasked(acts: Vec<Act>) -> Server {
        let manner = Manner::Unasked(acts);
        Server::start(any_port(), manner, false, Box::new(|_| Vec::new()))
    }

    fn start(
        listener: TcpListener,
        manner: Manner,
        is_strict: bool,
        script: Box<Script>,
    ) -> Server {
        let address = listener.local_addr().expect("a bound listener has an address");
        let (now, changed) = (Mutex::default(), Condvar::new());
        let state = State { address, manner, script, is_strict, now, changed };
        let state = Arc::new(state);
        let shared = Arc::clone(&state);
        let thread = thread::spawn(move || accept::accept(&listener, &shared));
        Server { state, thread: Some(thread) }
    }

    /// The absolute URL of a path.
    pub fn url(&self, path: &str) -> String {
        let scheme = match self.state.manner {
            Manner::Http => "http",
            Manner::Https(_) | Manner::Unasked(_) => "https",
        };
        format!("{scheme}://{}{path}", self.state.address)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.state.address
    }

    /// What it has seen so far.
    pub fn seen(&self) -> Seen {
        self.state.now().seen.clone()
    }

    /// Returns what it has seen, and forgets it: for the next crawl each request is the
    /// first again.
    pub fn take_seen(&self) -> Seen {
        let mut now = self.state.now();
        (now.counts, now.met) = Default::default();
        mem::take(&mut now.seen)
    }

    /// How often a path was asked for, with GET.
    pub fn count(&self, path: &str) -> usize {
        self.times(path).len()
    }

    /// When a path was asked for, with GET.
    pub fn times(&self, path: &str) -> Vec<Instant> {
        let line = format!("GET {path} HTTP/1.1\r\n");
        let Seen { requests, times, .. } = &self.state.now().seen;
        let all = requests.iter().zip(times);
        let these = all.filter(|(head, _)| head.starts_with(&line));
        these.map(|(_, time)| *time).collect()
    }

    /// Blocks until so many requests have come.
    pub fn wait_for_requests(&self, count: usize) {
        self.wait_for(count, "requests", |seen| seen.requests.len());
    }

    /// Blocks until so many connections were accepted: that may be later than the
    /// crawler has made them.
    pub fn wait_for_connections(&self, count: usize) {
        self.wait_for(count, "connections", |seen| seen.connections);
    }

    fn wait_for(&self, count: usize, what: &str, of: fn(&Seen) -> usize) {
        let few = |now: &mut Now| of(&now.seen) < count;
        let now = self.state.wait_while(watchdog::limit(), few);
        let came = of(&now.seen);
        drop(now);
        if came < count {
            watchdog::hangs(format!("only {came} of {count} {what} came"));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let mut now = self.state.now();
        now.is_over = true;
        let open = mem::take(&mut now.open);
        drop(now);
        self.state.changed.notify_all();
        for stream in open.iter().filter_map(Weak::upgrade) {
            stream.shutdown(Shutdown::Both).ok(); // fails if it has ended by itself
        }
        // Wakes the thread that accepts. If that fails, waiting for it could be for
        // ever.
        let address = self.state.address;
        let woken = TcpStream::connect_timeout(&address, watchdog::limit());
        if let (Ok(_), Some(thread)) = (woken, self.thread.take()) {
            thread.join().ok(); // a panic has been printed, and one more would abort
        }
        let failure = self.state.now().failure.take();
        if let Some(failure) = failure.filter(|_| !thread::panicking()) {
            panic!("{failure}");
        }
    }
}

fn any_port() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").expect("loopback has a free port")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    /// A listener that never blocks. That no connection has come is an error at once.
    fn impatient() -> TcpListener {
        let listener = any_port();
        listener.set_nonblocking(true).expect("a fresh socket");
        listener
    }

    #[test]
    #[should_panic(expected = "cannot accept")]
    fn a_server_that_cannot_accept_fails_its_test() {
        let server = Site::new().serve_on(impatient());
        let still_accepts = |now: &mut Now| now.failure.is_none();
        drop(server.state.wait_while(watchdog::limit(), still_accepts));
    }

    /// All that the server answers, until it closes the connection.
    fn ask(server: &Server, method: &str, path: &str) -> String {
        let mut stream = TcpStream::connect(server.address()).expect("it listens");
        stream.set_read_timeout(Some(watchdog::limit())).expect("it is not zero");
        write!(stream, "{method} {path} HTTP/1.1\r\n\r\n").expect("it reads");
        let mut answered = String::new();
        stream.read_to_string(&mut answered).expect("it closes");
        answered
    }

    #[test]
    fn a_head_request_gets_the_head_alone() {
        let interim = b"HTTP/1.1 100 Continue\r\n\r\n";
        let dripped = vec![
            Act::Send([interim, &html("x")[..10]].concat()),
            Act::Drip(html("x")[10..].to_vec(), Duration::ZERO),
            Act::Send(b"more".to_vec()),
        ];
        let server =
            Site::new().page("/", &["/a"]).acts("/drip", vec![dripped]).serve();
        for path in ["/", "/drip", "/missing"] {
            let whole = ask(&server, "GET", path);
            let head = ask(&server, "HEAD", path);
            assert!(whole.starts_with(&head) && whole.len() > head.len(), "{whole}");
            assert!(head.ends_with("\r\n\r\n"), "{head}");
            assert!(head.contains("\r\nContent-Length: "), "{head}");
            assert_eq!(server.count(path), 1, "{path}: HEAD is counted by itself");
        }
        assert_eq!(server.seen().requests.len(), 6);
    }

    #[test]
    fn a_head_request_for_what_is_not_http_gets_all_of_it() {
        let server = Site::new().raw("/", b"no HTTP\r\n\r\nat all").serve();
        assert_eq!(ask(&server, "HEAD", "/"), ask(&server, "GET", "/"));
    }
}
