//! Connections: opened, kept for later requests to the same server, and limited in
//! number.

use super::resolver::Resolver;
use super::tls::{Connector, Stream};
use crate::machine::reactor::Direction;
use crate::{Reactor, TcpStream, timeout};
use shared::resolve::time_for_address;
use shared::{FetchError, Options, Url};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, ErrorKind};
use std::rc::Rc;
use std::time::{Duration, Instant};
use url::Origin;

/// The error of an attempt if this machine may have no free local port.
const NO_LOCAL_PORT: FetchError = FetchError::Network(ErrorKind::AddrNotAvailable);

/// All connections of a crawl. When the pool is full, it closes the connection that
/// has been idle longest. It never has to wait: fewer than `max` connections are in
/// use when another is made, so a full pool has an idle one.
pub(crate) struct Pool {
    idle: RefCell<Idle>,
    /// How many connections are open, in use or idle: one for each [`Permit`].
    open: Rc<Cell<usize>>,
    /// The limit of `open`: the number of attempts that may be in flight.
    max: Rc<Cell<usize>>,
    resolver: Resolver,
    reactor: Reactor,
    connector: Connector,
}

// ANCHOR: connection
/// A connection that can carry several requests, one after the other.
pub(crate) struct Connection {
    pub(crate) stream: Stream,
    /// Whether the connection has carried a request before, so that it may be stale.
    pub(crate) is_kept: bool,
    /// The server of the connection: scheme, host and port.
    origin: Origin,
    _permit: Permit,
}

/// Counts one open connection, until it is dropped.
struct Permit(Rc<Cell<usize>>);

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}
// ANCHOR_END: connection

/// Idle connections, which wait for a request.
#[derive(Default)]
struct Idle {
    /// By an ascending number, so the first has been idle longest.
    by_age: BTreeMap<u64, Connection>,
    /// The numbers of each server's connections. A server without one has no entry.
    by_origin: HashMap<Origin, BTreeSet<u64>>,
    latest: u64,
}

impl Idle {
    fn put(&mut self, connection: Connection) {
        self.latest += 1;
        let numbers = self.by_origin.entry(connection.origin.clone()).or_default();
        numbers.insert(self.latest);
        self.by_age.insert(self.latest, connection);
    }

    /// Takes the server's connection that was used last.
    fn take_latest(&mut self, origin: &Origin) -> Option<Connection> {
        let latest = *self.by_origin.get(origin)?.last()?;
        self.take(latest)
    }

    /// Takes the connection that has been idle longest.
    fn take_oldest(&mut self) -> Option<Connection> {
        let oldest = *self.by_age.first_key_value()?.0;
        self.take(oldest)
    }

    fn take(&mut self, number: u64) -> Option<Connection> {
        let connection = self.by_age.remove(&number)?;
        let numbers = self.by_origin.get_mut(&connection.origin)?;
        numbers.remove(&number);
        if numbers.is_empty() {
            self.by_origin.remove(&connection.origin);
        }
        Some(connection)
    }
}

impl Pool {
    /// Creates an empty pool of at most `max` connections, idle ones included.
    pub(crate) fn new(
        options: &Options,
        max: Rc<Cell<usize>>,
        reactor: &Reactor,
    ) -> io::Result<Pool> {
        Ok(Pool {
            idle: RefCell::default(),
            open: Rc::default(),
            max,
            resolver: Resolver::new(options, reactor),
            reactor: reactor.clone(),
            connector: Connector::new(options)?,
        })
    }

    /// Keeps a connection for the next request. Its response must be complete and
    /// reusable.
    pub(crate) fn keep(&self, connection: Connection) {
        self.idle.borrow_mut().put(Connection { is_kept: true, ..connection });
        while self.open.get() > self.max.get() && self.evict_oldest() {}
    }

    /// Returns an idle connection to the server of this URL, if there is one. Closes
    /// connections on which anything has arrived since the last response, usually the
    /// end of the stream. HTTP/1.1 has no request ids, so other bytes would be read as
    /// the next response.
    pub(crate) async fn reuse(&self, url: &Url) -> Option<Connection> {
        let origin = url.origin();
        self.idle.borrow().by_origin.get(&origin)?;
        self.look_for_events().await;
        loop {
            let latest = self.idle.borrow_mut().take_latest(&origin)?;
            if latest.stream.is_unused() {
                return Some(latest);
            }
        }
    }

    /// Waits until the reactor has asked the system for events once more. A timer of
    /// one nanosecond is enough, because the reactor asks before it compares timers
    /// with the clock. `yield_now` is not enough, because many polls may run between
    /// two looks.
    async fn look_for_events(&self) {
        self.reactor.sleep_until(Instant::now() + Duration::from_nanos(1)).await;
    }

    /// Returns a new connection to the server of this URL. If necessary it closes idle
    /// ones first. If this machine has no free local port, it returns an idle
    /// connection instead.
    pub(crate) async fn connect(
        &self,
        url: &Url,
        deadline: Instant,
    ) -> Result<Connection, FetchError> {
        loop {
            match self.connect_once(url, deadline).await {
                Err(FetchError::OutOfSockets) if self.evict_oldest() => {}
                Err(error) if error == NO_LOCAL_PORT => {
                    // Idle connections may be using all local ports. Closing one frees
                    // its port only later, for a later attempt.
                    let kept = self.reuse(url).await;
                    let _ = kept.is_some() || self.evict_oldest();
                    return kept.ok_or(error);
                }
                result => return result,
            }
        }
    }

    /// Connects to the first address that accepts within its share of the time.
    async fn connect_once(
        &self,
        url: &Url,
        deadline: Instant,
    ) -> Result<Connection, FetchError> {
        let mut addresses = self.resolver.resolve(url).await?.into_iter();
        let permit = self.permit();
        let mut failure = NO_LOCAL_PORT;
        while let Some(address) = addresses.next() {
            let left = deadline.saturating_duration_since(Instant::now());
            let connecting = TcpStream::connect(address, &self.reactor);
            let connected = match addresses.len() {
                0 => Ok(connecting.await), // limited by the attempt's time-out
                others => {
                    let time = time_for_address(left, 1 + others);
                    // Boxed, so that a server with one address needs no memory for it.
                    Box::pin(timeout(time, connecting, &self.reactor)).await
                }
            };
            match connected.unwrap_or(Err(ErrorKind::TimedOut.into())) {
                Ok(stream) => {
                    let stream = self.connector.connect(stream, url).await?;
                    let (is_kept, origin) = (false, url.origin());
                    return Ok(Connection { stream, is_kept, origin, _permit: permit });
                }
                Err(error) => failure = failure.more_telling(error.into()),
            }
        }
        Err(failure)
    }

    /// Makes room for one more connection.
    fn permit(&self) -> Permit {
        while self.open.get() >= self.max.get() && self.evict_oldest() {}
        self.open.set(self.open.get() + 1);
        Permit(Rc::clone(&self.open))
    }

    /// Closes the connection that has been idle longest. Returns whether there was
    /// one.
    fn evict_oldest(&self) -> bool {
        let oldest = self.idle.borrow_mut().take_oldest();
        oldest.is_some()
    }
}

impl TcpStream {
    /// Returns whether nothing has arrived since the last read, not even the end of
    /// the connection, as far as the reactor knows.
    pub fn is_unused(&self) -> bool {
        let is_empty = |peeked: io::Result<usize>| {
            peeked.is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
        };
        !self.0.readiness.is_ready(Direction::Read)
            || is_empty(self.0.socket.peek(&mut [0; 1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Executor;
    use std::net::{Ipv4Addr, TcpListener};

    #[test]
    fn a_server_without_idle_connections_takes_no_memory() {
        const SERVERS: usize = 20;
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        let host = |number| format!("{number}.test");
        let address = vec![Ipv4Addr::LOCALHOST.into()];
        let hosts = (0..SERVERS).map(|number| (host(number), address.clone()));
        let options = Options { hosts: hosts.collect(), ..Options::default() };
        let executor = Executor::new().expect("a selector");
        let max = Rc::new(Cell::new(SERVERS));
        let pool = Pool::new(&options, max, executor.reactor());
        let pool = pool.expect("no file is read");
        let kept = async {
            let deadline = Instant::now() + Duration::from_secs(60);
            let mut kept = Vec::new();
            for number in 0..SERVERS {
                let url = format!("http://{}:{port}/", host(number));
                let url = Url::parse(&url).expect("a URL");
                let connection =
                    pool.connect(&url, deadline).await.expect("it listens");
                pool.keep(connection);
                if number % 2 == 0 {
                    kept.extend(pool.reuse(&url).await);
                }
            }
            kept.len()
        };
        assert_eq!(executor.block_on(kept), Ok(SERVERS / 2));
        let lists = || pool.idle.borrow().by_origin.len();
        assert_eq!(lists(), SERVERS / 2, "of those that were taken no list is left");
        while pool.evict_oldest() {}
        assert_eq!(lists(), 0);
    }
}
