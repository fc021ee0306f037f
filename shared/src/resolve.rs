//! Looks up host names, each on its own thread, and waits for the result until a
//! deadline. Results are cached.

use crate::error::{FetchError, is_out_of_sockets};
use crate::stop::Stop;
use dns_lookup::LookupErrorKind::{NoData, NoName};
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};
use url::Url;

/// Looks up names, on at most one thread for each host. Neither std nor the system's
/// resolver has a look-up that an event loop could wait for: each one blocks its
/// thread. The threads are detached, so the program can end before they do.
#[derive(Debug)]
pub struct Resolver {
    cache: HashMap<String, CacheEntry>,
    /// The look-up function, which blocks.
    look_up: LookupFn,
    negative_ttl: Duration,
}

/// The state of a name in the cache.
#[derive(Debug)]
enum CacheEntry {
    Answer(Answer),
    /// The look-up missed its deadline. The next attempt at the host waits for it
    /// again.
    Pending(PendingLookup),
}

/// A look-up that is running.
#[derive(Debug)]
struct PendingLookup {
    /// When it was started.
    since: Instant,
    /// Receives the result, or the stop of the crawl.
    messages: Receiver<Message>,
    /// Cloned for the callback that reports the stop.
    sender: Sender<Message>,
}

#[derive(Debug)]
enum Message {
    Answer(Answer),
    Stopped,
}

/// The result of a look-up: at least one address, or an error.
pub type LookupResult = Result<Vec<SocketAddr>, FetchError>;

/// A function that looks up a name. It may block.
pub(crate) type LookupFn = fn(&str) -> LookupResult;

/// How long a failed look-up is remembered (negative caching): long enough for URLs of a
/// dead host that are tried together, and shorter than the first pause, so that each retry
/// looks it up again.
pub const NEGATIVE_TTL: Duration = Duration::from_millis(200);

/// The most time for connecting to an address, except for the last one: enough for two
/// SYNs.
const MAX_CONNECT_TIME: Duration = Duration::from_secs(3);

/// The result of a look-up, as stored in the cache.
#[derive(Clone, Debug)]
pub struct Answer {
    result: LookupResult,
    /// When the look-up ended; `None` for addresses from the options.
    ended_at: Option<Instant>,
}

impl Answer {
    /// Creates an answer that never becomes stale, with these addresses.
    pub fn permanent(name: &str, addresses: &[IpAddr]) -> Answer {
        Answer { result: lookup_result(name, addresses), ended_at: None }
    }

    /// Looks up a name. If `look_up` panics, the look-up has failed (the panic hook
    /// has printed a message). Without an answer the attempts at the host would wait
    /// until they time out.
    pub fn look_up(name: String, look_up: impl Fn(&str) -> LookupResult) -> Answer {
        let result = catch_unwind(AssertUnwindSafe(|| look_up(&name)));
        let result = result.unwrap_or(Err(FetchError::NoSuchName(name)));
        Answer { result, ended_at: Some(Instant::now()) }
    }

    /// Returns the addresses with this port. One look-up serves all ports of a host.
    ///
    /// # Errors
    /// The error of the look-up.
    pub fn addresses(&self, port: u16) -> LookupResult {
        let mut addresses = self.result.clone()?;
        addresses.iter_mut().for_each(|address| address.set_port(port));
        Ok(addresses)
    }

    /// Returns whether to look up the name again: after `negative_ttl` if the look-up
    /// failed, and at once if this machine had no socket for it.
    pub fn is_stale(&self, negative_ttl: Duration) -> bool {
        let is_old = |ended: Instant| ended.elapsed() >= negative_ttl;
        match &self.result {
            Ok(_) => false,
            Err(FetchError::OutOfSockets) => true,
            Err(_) => self.ended_at.is_some_and(is_old),
        }
    }
}

/// Returns how long to try the next address of a host. The attempt has the time
/// `left`, and this many addresses to try. An address that swallows packets must leave
/// time for the others; the last one may use all the time that is left.
pub fn time_for_address(left: Duration, addresses_left: usize) -> Duration {
    match u32::try_from(addresses_left) {
        Ok(0 | 1) => left,
        Ok(count) => (left / count).min(MAX_CONNECT_TIME),
        Err(_) => Duration::ZERO,
    }
}

/// The host of a URL, with the port.
pub enum Host<'a> {
    /// An address, which needs no look-up.
    Address(SocketAddr),
    /// A name to look up, and the port.
    Name(&'a str, u16),
}

/// Returns the host of a URL with the scheme http or https.
pub fn host(url: &Url) -> Host<'_> {
    let port = url.port_or_known_default().expect("http and https have a port");
    match url.host().expect("http and https have a host") {
        url::Host::Ipv4(address) => Host::Address((address, port).into()),
        url::Host::Ipv6(address) => Host::Address((address, port).into()),
        url::Host::Domain(name) => Host::Name(name, port),
    }
}

/// Looks up a name. Blocks while the system's resolver works.
///
/// # Errors
/// `NoSuchName`; `LookUpFailed` if no name server answered; `OutOfSockets` if this
/// machine has no descriptor for the look-up.
pub(crate) fn system_lookup(name: &str) -> LookupResult {
    let error = match dns_lookup::lookup_host(name) {
        Ok(addresses) => {
            let addresses: Vec<IpAddr> = addresses.collect();
            return lookup_result(name, &addresses);
        }
        Err(error) => error,
    };
    let is_sure = matches!(error.kind(), NoName | NoData);
    Err(match is_out_of_sockets(&error.into()) || !has_a_socket() {
        true => FetchError::OutOfSockets,
        false if is_sure => FetchError::NoSuchName(name.to_string()),
        false => FetchError::LookUpFailed(name.to_string()),
    })
}

/// Returns the result of a look-up that found these addresses.
pub fn lookup_result(name: &str, addresses: &[IpAddr]) -> LookupResult {
    if addresses.is_empty() {
        return Err(FetchError::NoSuchName(name.to_string()));
    }
    Ok(addresses.iter().map(|address| (*address, 0).into()).collect())
}

/// Returns whether this machine has a socket for a look-up. (The error of the system's
/// resolver does not tell.)
fn has_a_socket() -> bool {
    let bound = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0));
    !bound.is_err_and(|error| is_out_of_sockets(&error))
}

impl Default for Resolver {
    fn default() -> Resolver {
        Resolver {
            cache: HashMap::new(),
            look_up: system_lookup,
            negative_ttl: NEGATIVE_TTL,
        }
    }
}

impl Resolver {
    /// Creates a resolver with an empty cache.
    pub fn new() -> Resolver {
        Resolver::default()
    }

    /// Creates a resolver with known hosts. All others are looked up with `look_up`.
    pub fn with_hosts(hosts: &[(String, Vec<IpAddr>)], look_up: LookupFn) -> Resolver {
        let cache = hosts.iter().map(|(name, addresses)| {
            (name.clone(), CacheEntry::Answer(Answer::permanent(name, addresses)))
        });
        Resolver { cache: cache.collect(), look_up, ..Resolver::default() }
    }

    /// Returns the addresses of a URL's host in the order of connecting, at least one.
    ///
    /// Blocks until the result, the deadline or the stop. Successful results are
    /// cached, failures only for [`NEGATIVE_TTL`]. A look-up that misses the deadline
    /// keeps running, and later attempts can wait for it: until `timeout` after its
    /// start, or their own deadline.
    ///
    /// # Errors
    /// `NoSuchName`, `LookUpFailed`; `TimedOut(timeout)` after the deadline;
    /// `Interrupted` at the stop; `OutOfSockets` if this machine has no descriptor or
    /// thread for the look-up.
    pub fn resolve(
        &mut self,
        url: &Url,
        timeout: Duration,
        deadline: Instant,
        stop: &Stop,
    ) -> Result<Vec<SocketAddr>, FetchError> {
        let (name, port) = match host(url) {
            Host::Address(address) => return Ok(vec![address]),
            Host::Name(name, port) => (name, port),
        };
        if let Some(CacheEntry::Answer(answer)) = self.cache.get(name)
            && !answer.is_stale(self.negative_ttl)
        {
            return answer.addresses(port);
        }
        let look_up = match self.cache.remove(name) {
            Some(CacheEntry::Pending(look_up)) => look_up,
            // Like a lack of sockets, a lack of threads may end when others end.
            _ => start(name.to_string(), self.look_up)
                .map_err(|_| FetchError::OutOfSockets)?,
        };
        let ended = look_up.wait(deadline.min(look_up.since + timeout), stop);
        let (entry, result) = match ended {
            Ok(Message::Answer(answer)) => {
                let addresses = answer.addresses(port);
                (CacheEntry::Answer(answer), addresses)
            }
            Ok(Message::Stopped) => {
                (CacheEntry::Pending(look_up), Err(FetchError::Interrupted))
            }
            Err(_) => {
                (CacheEntry::Pending(look_up), Err(FetchError::TimedOut(timeout)))
            }
        };
        self.cache.insert(name.to_string(), entry);
        result
    }
}

impl PendingLookup {
    fn wait(
        &self,
        deadline: Instant,
        stop: &Stop,
    ) -> Result<Message, RecvTimeoutError> {
        let sender = self.sender.clone();
        let _callback = stop.on_stop(move || drop(sender.send(Message::Stopped)));
        self.messages.recv_timeout(deadline.saturating_duration_since(Instant::now()))
    }
}

/// Starts a look-up on a new thread.
fn start(name: String, look_up: LookupFn) -> io::Result<PendingLookup> {
    let (sender, messages) = channel();
    let results = sender.clone();
    thread::Builder::new().name(format!("look-up {name}")).spawn(move || {
        // Fails if the crawl has ended, and with it the receiver.
        results.send(Message::Answer(Answer::look_up(name, look_up))).ok();
    })?;
    Ok(PendingLookup { since: Instant::now(), messages, sender })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    #[test]
    fn the_last_address_has_all_the_time_that_the_others_leave() {
        let seconds = Duration::from_secs;
        assert_eq!(time_for_address(seconds(30), 1), seconds(30));
        assert_eq!(time_for_address(seconds(30), 2), MAX_CONNECT_TIME);
        assert_eq!(time_for_address(seconds(3), 3), seconds(1));
        assert_eq!(time_for_address(Duration::ZERO, 2), Duration::ZERO);
    }

    /// Counts the look-ups of the test below.
    static CALLS: AtomicUsize = AtomicUsize::new(0);

    fn failing(name: &str) -> LookupResult {
        CALLS.fetch_add(1, SeqCst);
        Err(FetchError::NoSuchName(name.to_string()))
    }

    #[test]
    fn a_failure_is_known_for_a_while_and_then_forgotten() {
        let url = Url::parse("http://no.test/").unwrap();
        let timeout = Duration::from_secs(60);
        for (is_known_for, calls) in [(Duration::MAX, 1), (Duration::ZERO, 3)] {
            CALLS.store(0, SeqCst);
            let mut resolver = Resolver {
                look_up: failing,
                negative_ttl: is_known_for,
                ..Resolver::default()
            };
            for _ in 0..3 {
                let deadline = Instant::now() + timeout;
                let found = resolver.resolve(&url, timeout, deadline, &Stop::new());
                assert_eq!(found, Err(FetchError::NoSuchName("no.test".to_string())));
            }
            assert_eq!(CALLS.load(SeqCst), calls);
        }
    }

    #[test]
    fn a_look_up_that_panics_is_an_error() {
        let url = Url::parse("http://bad.test/").unwrap();
        let mut resolver =
            Resolver { look_up: |_| panic!("on purpose"), ..Resolver::default() };
        let timeout = Duration::from_secs(60);
        let deadline = Instant::now() + timeout;
        let found = resolver.resolve(&url, timeout, deadline, &Stop::new());
        assert_eq!(found, Err(FetchError::NoSuchName("bad.test".to_string())));
    }
}
