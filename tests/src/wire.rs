//! A server that is a function from a request to an answer: what it says is made up when
//! it is asked, and nothing is stored. A thread for each connection.

use crate::request::{self, Request};
use crate::server::next_connection;
use socket2::SockRef;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

/// A crawler that says nothing for so long has forgotten its connection.
const SILENCE: Duration = Duration::from_secs(300);

/// What the server does about one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// What it sends, each piece by itself.
    pub pieces: Vec<Vec<u8>>,
    /// And then.
    pub then: Then,
}

/// What comes after the last byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// The next request, unless the crawler has asked for a close.
    Keep,
    /// The crawler's hang-up: another request on this connection would be a fault.
    Listen,
    /// The end of the connection.
    Close,
    /// A reset.
    Reset,
    /// Nothing, until the crawler hangs up.
    Stall,
}

/// What the server saw.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// What was asked for, in the order of the requests.
    pub targets: Vec<String>,
    /// What is wrong with requests: nothing, if the crawler does as it should. Or with the
    /// server.
    pub faults: Vec<String>,
}

/// A running server. Dropping it closes its port.
pub struct Wire {
    address: SocketAddr,
    state: Arc<State>,
}

type Answer = dyn Fn(&str) -> Reply + Send + Sync;

struct State {
    address: SocketAddr,
    /// From a path with its query.
    answer: Box<Answer>,
    seen: Mutex<Seen>,
    is_over: Mutex<bool>,
}

impl Wire {
    /// Starts to serve on 127.0.0.1, at any port.
    pub fn serve(answer: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Wire {
        let listener =
            TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let (seen, is_over) = (Mutex::default(), Mutex::default());
        let state = State { address, answer: Box::new(answer), seen, is_over };
        let state = Arc::new(state);
        let shared = Arc::clone(&state);
        thread::spawn(move || accept(&listener, &shared));
        Wire { address, state }
    }

    /// The absolute URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// What it has seen since it was last asked.
    pub fn take_seen(&self) -> Seen {
        std::mem::take(&mut *self.state.seen())
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        *self.state.is_over.lock().expect("nobody panics with the lock") = true;
        // Wakes the thread that accepts; if that fails nobody is waiting.
        TcpStream::connect(self.address).ok();
    }
}

impl State {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().expect("no connection panics with the lock")
    }

    fn is_over(&self) -> bool {
        *self.is_over.lock().expect("nobody panics with the lock")
    }
}

fn accept(listener: &TcpListener, state: &Arc<State>) {
    loop {
        let stream = next_connection(listener);
        if state.is_over() {
            return;
        }
        let stream = match stream {
            Ok(stream) => stream,
            Err(fault) => return state.seen().faults.push(fault),
        };
        let state = Arc::clone(state);
        thread::spawn(move || {
            // A crawler that hangs up in the middle is no error of the server.
            converse(&stream, &state).ok();
        });
    }
}

/// Answers one request after the other.
fn converse(mut stream: &TcpStream, state: &State) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(SILENCE))?;
    stream.set_write_timeout(Some(SILENCE))?;
    while let Some(head) = read_head(stream)? {
        let Request { target, wants_close } = match request::check(&head, state.address)
        {
            Ok(request) => request,
            Err(fault) => {
                state.seen().faults.push(fault);
                return Ok(());
            }
        };
        let reply = (state.answer)(&target);
        state.seen().targets.push(target);
        reply.pieces.iter().try_for_each(|piece| stream.write_all(piece))?;
        match reply.then {
            Then::Keep if !wants_close => {}
            Then::Listen if !wants_close => return listen(stream, state),
            Then::Keep | Then::Listen | Then::Close => {
                stream.shutdown(Shutdown::Write)?;
                return wait_for_hang_up(stream);
            }
            Then::Stall => return wait_for_hang_up(stream),
            Then::Reset => {
                return SockRef::from(stream).set_linger(Some(Duration::ZERO));
            }
        }
    }
    Ok(())
}

/// All that comes up to a blank line, and what came with it.
fn read_head(mut stream: &TcpStream) -> io::Result<Option<Vec<u8>>> {
    let (mut head, mut buffer) = (Vec::new(), [0; 4096]);
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut buffer)? {
            0 => return Ok(None),
            count => head.extend_from_slice(&buffer[..count]),
        }
    }
    Ok(Some(head))
}

/// Nothing more may come on this connection.
fn listen(stream: &TcpStream, state: &State) -> io::Result<()> {
    if let Some(head) = read_head(stream)? {
        let head = head.escape_ascii();
        state.seen().faults.push(format!("on a connection that was over: {head}"));
    }
    Ok(())
}

fn wait_for_hang_up(mut stream: &TcpStream) -> io::Result<()> {
    while stream.read(&mut [0; 1024])? > 0 {}
    Ok(())
}
