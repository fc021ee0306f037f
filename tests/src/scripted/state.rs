//! What all threads of a server share.

use super::{Act, Asked, Seen};
use crate::watchdog;
use rustls::ServerConfig;
use std::collections::HashMap;
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Weak};
use std::time::{Duration, Instant};

pub(super) type Script = dyn Fn(&Asked) -> Vec<Act> + Send + Sync;

/// What happens on a new connection.
pub(super) enum Manner {
    /// Requests are answered.
    Http,
    /// The same, over TLS.
    Https(Arc<ServerConfig>),
    /// These acts are performed, whatever comes.
    Unasked(Vec<Act>),
}

/// What all threads of a server share.
pub(super) struct State {
    /// Where it listens.
    pub(super) address: SocketAddr,
    /// What happens on each new connection.
    pub(super) manner: Manner,
    /// Makes up what is done about each request.
    pub(super) script: Box<Script>,
    /// Whether a request that breaks the contract of the command line is an error.
    pub(super) is_strict: bool,
    /// Held for short times only: never while a connection is read or written.
    pub(super) now: Mutex<Now>,
    /// Notified after each change of `now` for which a thread may wait.
    pub(super) changed: Condvar,
}

/// What changes while it serves.
#[derive(Default)]
pub(super) struct Now {
    /// What the tests ask for.
    pub(super) seen: Seen,
    /// How often each method and target was asked for.
    pub(super) counts: HashMap<(String, String), usize>,
    /// Connections that have come to an `Act::Meet`.
    pub(super) met: usize,
    /// Connections that are served. The drop shuts them down, wherever their threads
    /// wait.
    pub(super) open: Vec<Weak<TcpStream>>,
    /// Set by the drop: all threads end.
    pub(super) is_over: bool,
    /// Why it cannot accept any more.
    pub(super) failure: Option<String>,
}

impl State {
    pub(super) fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().expect("no thread panics with the lock")
    }

    /// Waits as long as `condition` holds, and no longer than `time`.
    pub(super) fn wait_while(
        &self,
        time: Duration,
        condition: impl FnMut(&mut Now) -> bool,
    ) -> MutexGuard<'_, Now> {
        let waited = self.changed.wait_timeout_while(self.now(), time, condition);
        waited.expect("no thread panics with the lock").0
    }

    /// Counts a connection. Returns whether it is to be served: not if the server is
    /// being dropped.
    pub(super) fn admit(&self, stream: &Arc<TcpStream>) -> bool {
        let mut now = self.now();
        if now.is_over {
            return false;
        }
        now.seen.connections += 1;
        now.open.retain(|other| other.strong_count() > 0);
        let others = now.open.iter().filter_map(Weak::upgrade);
        let at_once = others.filter(|other| is_open(other)).count() + 1;
        now.open.push(Arc::downgrade(stream));
        now.seen.most_at_once = now.seen.most_at_once.max(at_once);
        self.changed.notify_all();
        true
    }

    /// Records a request.
    pub(super) fn admit_request(&self, head: &str) -> Asked {
        let mut words = head.split(' ').map(String::from);
        let mut word = || words.next().unwrap_or_default();
        let (method, target) = (word(), word());
        let wants_close = head.to_lowercase().contains("\r\nconnection: close\r\n");
        let mut now = self.now();
        now.seen.requests.push(head.to_string());
        now.seen.times.push(Instant::now());
        let nth = now.counts.entry((method.clone(), target.clone())).or_default();
        *nth += 1;
        let asked = Asked { method, target, nth: *nth, wants_close };
        self.changed.notify_all();
        asked
    }

    pub(super) fn fault(&self, fault: String) {
        self.now().seen.faults.push(fault);
    }

    /// Waits until so many connections have come here.
    pub(super) fn meet(&self, count: usize) {
        self.now().met += 1;
        self.changed.notify_all();
        drop(self.wait_while(watchdog::limit(), |now| now.met < count && !now.is_over));
    }

    /// Waits for this time. Dropping the server ends the wait.
    pub(super) fn pause(&self, time: Duration) {
        drop(self.wait_while(time, |now| !now.is_over));
    }
}

/// Returns whether the crawler has not hung up yet.
#[cfg(target_os = "linux")]
fn is_open(stream: &TcpStream) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    // While our own thread is inside of a write, Linux keeps what arrives for this
    // socket aside, a reset as well. To set an option waits for that thread, and then
    // for those.
    stream.set_nodelay(true).ok();
    let mut polled = [PollFd::new(stream, PollFlags::RDHUP)];
    poll(&mut polled, Some(&Timespec::default())) == Ok(0)
}

/// Returns whether the crawler has not hung up yet: looks at what it sent last, without
/// taking it.
#[cfg(all(unix, not(target_os = "linux")))]
fn is_open(stream: &TcpStream) -> bool {
    let mut byte = [std::mem::MaybeUninit::uninit()];
    let flags = libc::MSG_PEEK | libc::MSG_DONTWAIT;
    match socket2::SockRef::from(stream).recv_with_flags(&mut byte, flags) {
        Ok(count) => count > 0,
        Err(error) => error.kind() == std::io::ErrorKind::WouldBlock,
    }
}

/// Windows cannot look without waiting. There `most_at_once` is never more than one.
#[cfg(not(unix))]
fn is_open(_: &TcpStream) -> bool {
    false
}
