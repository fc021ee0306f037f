//! A server that answers what a test wants, well or badly, and tells what it saw. Plain
//! std sockets, a thread for each connection.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// A crawler that says nothing for so long has forgotten its connection.
const SILENCE: Duration = Duration::from_secs(300);

/// One thing that the server does with a connection, after a request has come.
#[derive(Clone, Debug)]
pub enum Act {
    /// Sends these bytes.
    Send(Vec<u8>),
    /// Sends these bytes one by one, with a pause before each.
    Drip(Vec<u8>, Duration),
    /// Sends these bytes again and again until the crawler hangs up.
    Flood(Vec<u8>),
    /// Says nothing until the crawler hangs up.
    Stall,
    /// Says nothing until so many connections have come this far.
    Meet(usize),
    /// Ends with a reset instead of a close.
    Reset,
    /// Sends a byte beside the stream, as urgent: it belongs to no answer, but a read ends
    /// before it.
    Urgent,
    /// Does not close the connection after this list, and answers the next request.
    Keep,
}

/// What the server answers for one path: the first list at the first request, and so on;
/// the last one for ever. After a list the connection is closed,
/// unless it is to be kept.
pub type Acts = Vec<Vec<Act>>;

/// A running server. Dropping it closes its port, and fails the test if nobody listened
/// there any more.
pub struct Server {
    address: SocketAddr,
    state: Arc<State>,
}

struct State {
    pages: HashMap<String, Acts>,
    seen: Mutex<Seen>,
    changed: Condvar,
}

/// What the server saw.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The head of every request, in the order of their coming.
    pub requests: Vec<String>,
    /// When each of them came.
    times: Vec<Instant>,
    /// Connections that were accepted.
    pub connections: usize,
    /// Connections that were open at once, at the most.
    pub most_at_once: usize,
    /// Bytes that were sent, as far as the system took them.
    pub sent: usize,
    /// Why it does not serve any more, if so. Then dropping it panics.
    pub fault: Option<String>,
    met: usize,
    is_over: bool,
}

/// A site under construction.
#[derive(Default)]
pub struct Site(HashMap<String, Acts>);

impl Site {
    /// A site without pages: 404 for everything.
    pub fn new() -> Site {
        Site::default()
    }

    /// A page with these links.
    pub fn page(self, path: &str, links: &[&str]) -> Site {
        self.raw(path, &html(&anchors(links)))
    }

    /// A redirect.
    pub fn redirect(self, path: &str, location: &str) -> Site {
        let head = format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\n");
        self.raw(path, format!("{head}Content-Length: 0\r\n\r\n").as_bytes())
    }

    /// These bytes, then a close.
    pub fn raw(self, path: &str, bytes: &[u8]) -> Site {
        self.acts(path, vec![vec![Act::Send(bytes.to_vec())]])
    }

    /// Anything.
    pub fn acts(mut self, path: &str, acts: Acts) -> Site {
        self.0.insert(path.to_string(), acts);
        self
    }

    /// Starts to serve on 127.0.0.1, at any port.
    pub fn serve(self) -> Server {
        let listener =
            TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        self.serve_on(listener)
    }

    /// Starts to serve on a listener.
    pub fn serve_on(self, listener: TcpListener) -> Server {
        let address = listener.local_addr().expect("a bound listener has an address");
        let state = Arc::new(State {
            pages: self.0,
            seen: Mutex::default(),
            changed: Condvar::new(),
        });
        let shared = state.clone();
        thread::spawn(move || accept(&listener, &shared));
        Server { address, state }
    }
}

impl Server {
    /// The absolute URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What it has seen so far.
    pub fn seen(&self) -> Seen {
        self.state.seen().clone()
    }

    /// Forgets what it has seen: for the next crawl each request is the first again.
    pub fn forget(&self) {
        *self.state.seen() = Seen::default();
    }

    /// How often a path was asked for.
    pub fn count(&self, path: &str) -> usize {
        self.times(path).len()
    }

    /// When a path was asked for.
    pub fn times(&self, path: &str) -> Vec<Instant> {
        let line = format!("GET {path} HTTP/1.1");
        let Seen { requests, times, .. } = self.seen();
        let all = requests.iter().zip(times);
        all.filter(|(head, _)| head.lines().next() == Some(&line))
            .map(|(_, time)| time)
            .collect()
    }

    /// Blocks until so many requests have come.
    pub fn wait_for_requests(&self, count: usize) {
        let seen = self.state.seen();
        let waited = self
            .state
            .changed
            .wait_timeout_while(seen, SILENCE, |seen| seen.requests.len() < count);
        let (seen, time_out) = waited.expect("no test panics with the lock");
        let came = seen.requests.len();
        drop(seen);
        assert!(!time_out.timed_out(), "only {came} requests came");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.state.seen().is_over = true;
        self.state.changed.notify_all();
        // Wakes the thread that accepts; if that fails nobody is waiting.
        TcpStream::connect(self.address).ok();
        let fault = self.state.seen().fault.take();
        if let Some(fault) = fault.filter(|_| !thread::panicking()) {
            panic!("{fault}");
        }
    }
}

impl State {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().expect("no connection panics with the lock")
    }

    /// What to do at this request for a path: its first, second, …
    fn acts(&self, path: &str, nth: usize) -> Vec<Act> {
        match self.pages.get(path) {
            Some(acts) => acts[nth.min(acts.len()) - 1].clone(),
            None => vec![Act::Send(answer("404 Not Found", "", b"nothing here"))],
        }
    }

    fn meet(&self, count: usize) {
        let mut seen = self.seen();
        seen.met += 1;
        self.changed.notify_all();
        let waited = self.changed.wait_timeout_while(seen, SILENCE, |seen| {
            seen.met < count && !seen.is_over
        });
        drop(waited.expect("no connection panics with the lock"));
    }
}

/// The next connection. Who has hung up before we came to it is none.
///
/// # Errors
/// Nobody can be accepted any more: there is no descriptor left, mostly.
pub(crate) fn next_connection(listener: &TcpListener) -> Result<TcpStream, String> {
    use io::ErrorKind::{ConnectionAborted, ConnectionReset, Interrupted};
    loop {
        match listener.accept() {
            Ok((stream, _)) => return Ok(stream),
            Err(error) => match error.kind() {
                ConnectionAborted | ConnectionReset | Interrupted => {}
                _ => return Err(format!("the server cannot accept: {error}")),
            },
        }
    }
}

fn accept(listener: &TcpListener, state: &Arc<State>) {
    let mut others: Vec<Weak<TcpStream>> = Vec::new();
    loop {
        let stream = next_connection(listener);
        let mut seen = state.seen();
        if seen.is_over {
            return;
        }
        let stream = match stream {
            Ok(stream) => stream,
            Err(fault) => {
                seen.fault = Some(fault);
                return;
            }
        };
        seen.connections += 1;
        others.retain(|other| other.upgrade().is_some_and(|other| is_open(&other)));
        seen.most_at_once = seen.most_at_once.max(others.len() + 1);
        drop(seen);
        let stream = Arc::new(stream);
        others.push(Arc::downgrade(&stream));
        let state = state.clone();
        thread::spawn(move || {
            // A crawler that hangs up in the middle is no error of the server.
            answer_one(&mut &*stream, &state).ok();
        });
    }
}

/// Has the crawler not hung up yet?
#[cfg(target_os = "linux")]
fn is_open(stream: &TcpStream) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    // While our own thread is inside of a write, Linux keeps what arrives for this socket
    // aside, a reset as well. To set an option waits for that thread, and then for those.
    stream.set_nodelay(true).ok();
    let mut polled = [PollFd::new(stream, PollFlags::RDHUP)];
    poll(&mut polled, Some(&Timespec::default())) == Ok(0)
}

/// Has the crawler not hung up yet? Looks at what it sent last, without taking it.
#[cfg(all(unix, not(target_os = "linux")))]
fn is_open(stream: &TcpStream) -> bool {
    let mut byte = [std::mem::MaybeUninit::uninit()];
    let flags = libc::MSG_PEEK | libc::MSG_DONTWAIT;
    match socket2::SockRef::from(stream).recv_with_flags(&mut byte, flags) {
        Ok(count) => count > 0,
        Err(error) => error.kind() == io::ErrorKind::WouldBlock,
    }
}

/// Windows cannot look without waiting: there nobody is counted twice, nor at all.
#[cfg(not(unix))]
fn is_open(_: &TcpStream) -> bool {
    false
}

fn answer_one(stream: &mut &TcpStream, state: &State) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(SILENCE))?;
    stream.set_write_timeout(Some(SILENCE))?;
    while answer_next(stream, state)? {}
    stream.shutdown(Shutdown::Write)?;
    wait_for_hang_up(stream)
}

/// Answers a request, if one comes. Is another one to be answered?
fn answer_next(stream: &mut &TcpStream, state: &State) -> io::Result<bool> {
    let Some(head) = read_head(stream)? else { return Ok(false) };
    let path = head.split(' ').nth(1).unwrap_or_default().to_string();
    let nth = {
        let mut seen = state.seen();
        seen.requests.push(head);
        seen.times.push(Instant::now());
        let line = format!("GET {path} ");
        seen.requests.iter().filter(|head| head.starts_with(&line)).count()
    };
    state.changed.notify_all();
    let acts = state.acts(&path, nth);
    let is_kept = acts.iter().any(|act| matches!(act, Act::Keep));
    acts.into_iter().try_for_each(|act| perform(act, stream, state))?;
    Ok(is_kept)
}

fn perform(act: Act, stream: &mut &TcpStream, state: &State) -> io::Result<()> {
    match act {
        Act::Send(bytes) => send(stream, state, &bytes),
        Act::Drip(bytes, pause) => bytes.iter().try_for_each(|byte| {
            thread::sleep(pause); // the drip itself: no test waits for it
            send(stream, state, &[*byte])
        }),
        Act::Flood(bytes) => loop {
            send(stream, state, &bytes)?;
        },
        Act::Stall => wait_for_hang_up(stream),
        Act::Keep => Ok(()),
        Act::Urgent => {
            socket2::SockRef::from(*stream).send_out_of_band(b"!").map(|_| ())
        }
        Act::Meet(count) => {
            state.meet(count);
            Ok(())
        }
        Act::Reset => {
            socket2::SockRef::from(*stream).set_linger(Some(Duration::ZERO))?;
            Err(io::ErrorKind::ConnectionReset.into())
        }
    }
}

fn send(stream: &mut &TcpStream, state: &State, bytes: &[u8]) -> io::Result<()> {
    stream.write_all(bytes)?;
    state.seen().sent += bytes.len();
    Ok(())
}

fn wait_for_hang_up(stream: &mut &TcpStream) -> io::Result<()> {
    while stream.read(&mut [0; 1024])? > 0 {}
    Ok(())
}

fn read_head(stream: &mut &TcpStream) -> io::Result<Option<String>> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte)? == 0 {
            return Ok(None);
        }
        head.push(byte[0]);
    }
    Ok(Some(String::from_utf8_lossy(&head).into_owned()))
}

/// An answer with a status, header lines (each with its CR LF) and a body.
pub fn answer(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\n\r\n");
    [head.as_bytes(), body].concat()
}

/// A page of HTML.
pub fn html(body: &str) -> Vec<u8> {
    answer("200 OK", "Content-Type: text/html\r\n", body.as_bytes())
}

/// Links, as HTML.
pub fn anchors(links: &[&str]) -> String {
    links.iter().map(|link| format!("<a href=\"{link}\">link</a>\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It says at once that nobody is there, which is an error.
    fn impatient() -> TcpListener {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        listener.set_nonblocking(true).expect("a fresh socket");
        listener
    }

    #[test]
    #[should_panic(expected = "cannot accept")]
    fn a_server_that_cannot_accept_fails_its_test() {
        let (server, began) = (Site::new().serve_on(impatient()), Instant::now());
        while server.seen().fault.is_none() && began.elapsed() < SILENCE {
            thread::yield_now();
        }
    }
}
