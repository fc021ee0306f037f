//! Connections: made, kept for the next request to the same server, and never too many.

use crate::elsewhere::Resolver;
use crate::tls::{Connector, Stream};
use crate::{Reactor, TcpStream};
use shared::error::is_out_of_sockets;
use shared::{FetchError, Options, Url};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io::{self, ErrorKind::AddrNotAvailable};
use std::rc::Rc;
use std::time::{Duration, Instant};
use url::Origin;

/// All connections of a crawl. A full pool closes the one that has been idle for
/// longest, and waits for nobody: there is one, as long as no more use theirs than
/// `max` allows.
pub(crate) struct Pool {
    /// The longest idle first.
    idle: RefCell<VecDeque<Connection>>,
    open: Rc<Cell<usize>>,
    max: usize,
    resolver: Resolver,
    reactor: Reactor,
    connector: Connector,
}

// ANCHOR: connection
/// A connection that may carry one request after the other.
pub(crate) struct Connection {
    pub(crate) stream: Stream,
    /// Whom it leads to: scheme, host and port.
    origin: Origin,
    _permit: Permit,
}

/// One of the connections that may be open at once.
struct Permit(Rc<Cell<usize>>);

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}
// ANCHOR_END: connection

impl Pool {
    pub(crate) fn new(options: &Options, reactor: &Reactor) -> io::Result<Pool> {
        Ok(Pool {
            idle: RefCell::default(),
            open: Rc::default(),
            max: options.max_tasks as usize,
            resolver: Resolver::new(&options.hosts, reactor),
            reactor: reactor.clone(),
            connector: Connector::new(options.ca_file.as_deref())?,
        })
    }

    /// A connection to the server of this URL that is idle, the latest first. One on
    /// which something came that nobody has asked for, its end mostly, is closed. What
    /// comes once the next request is sent is taken for its answer: HTTP/1.1 has no
    /// numbers.
    pub(crate) async fn take(&self, url: &Url) -> Option<Connection> {
        let origin = url.origin();
        let is_it = |kept: &Connection| kept.origin == origin;
        self.idle.borrow().iter().find(|kept| is_it(kept))?;
        // The reactor looks once more, before we believe that nothing has come.
        let next_tick = Instant::now() + Duration::from_nanos(1);
        self.reactor.sleep_until(next_tick).await;
        loop {
            let mut idle = self.idle.borrow_mut();
            let latest = idle.iter().rposition(is_it)?;
            let kept = idle.remove(latest);
            drop(idle); // before that which is closed here
            if let Some(kept) = kept.filter(|kept| kept.stream.is_quiet()) {
                return Some(kept);
            }
        }
    }

    /// Keeps a connection whose answer was whole, and that may be used again.
    pub(crate) fn put(&self, connection: Connection) {
        self.idle.borrow_mut().push_back(connection);
    }

    /// A new connection; or where this machine has no port for one, and so kept ones
    /// have them all, one of those after all. Was it kept?
    pub(crate) async fn connect_or_take(
        &self,
        url: &Url,
    ) -> Result<(Connection, bool), FetchError> {
        match self.connect(url).await {
            Err(error @ FetchError::Network(AddrNotAvailable)) => {
                self.take(url).await.map(|kept| (kept, true)).ok_or(error)
            }
            connected => connected.map(|fresh| (fresh, false)),
        }
    }

    /// A new connection to the server of this URL: to the first of its addresses that
    /// takes us.
    async fn connect(&self, url: &Url) -> Result<Connection, FetchError> {
        let mut failure = FetchError::Network(AddrNotAvailable);
        let addresses = loop {
            match self.resolver.resolve(url).await {
                Err(FetchError::OutOfSockets) if self.close_one() => {}
                found => break found?,
            }
        };
        for address in addresses {
            let permit = self.permit();
            let connected = loop {
                match TcpStream::connect(address, &self.reactor).await {
                    Err(error) if is_out_of_sockets(&error) && self.close_one() => {}
                    result => break result,
                }
            };
            match connected {
                Ok(stream) => {
                    let stream = self.connector.connect(stream, url).await?;
                    let origin = url.origin();
                    return Ok(Connection { stream, origin, _permit: permit });
                }
                Err(error) => failure = failure.or_later(error.into()),
            }
        }
        Err(failure)
    }

    fn permit(&self) -> Permit {
        while self.open.get() >= self.max && self.close_one() {}
        self.open.set(self.open.get() + 1);
        Permit(Rc::clone(&self.open))
    }

    /// Closes the connection that has been idle for longest. Was there one?
    fn close_one(&self) -> bool {
        let longest = self.idle.borrow_mut().pop_front();
        longest.is_some()
    }
}
