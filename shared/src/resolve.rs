//! Host names to addresses: looked up on a thread of their own, waited for no longer
//! than a deadline, and remembered.

use crate::error::{FetchError, is_out_of_sockets};
use crate::stop::Stop;
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs, UdpSocket};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};
use url::{Host, Url};

/// Looks names up, one thread for each host at most. std (like the system's resolver)
/// has no look-up that can be waited for in a loop, so the look-up itself blocks; here
/// it blocks its own thread, which nobody waits for at the end.
#[derive(Debug, Default)]
pub struct Resolver {
    known: HashMap<String, Vec<SocketAddr>>,
    pending: HashMap<String, LookUp>,
}

/// A look-up that runs: how it is heard of, and how a stop interrupts the hearing.
#[derive(Debug)]
struct LookUp {
    since: Instant,
    news: Receiver<News>,
    newsroom: Sender<News>,
}

#[derive(Debug)]
enum News {
    Found(Found),
    Stopped,
}

/// What a look-up ends with: at least one address, without a port; or why there is
/// none.
pub type Found = Result<Vec<SocketAddr>, FetchError>;

/// A host as a URL has it.
pub enum HostOf<'a> {
    /// An address: nobody has to be asked.
    Address(SocketAddr),
    /// A name to be looked up, and the port.
    Name(&'a str, u16),
}

/// The host of a URL with the scheme http or https.
pub fn host_of(url: &Url) -> HostOf<'_> {
    let port = url.port_or_known_default().expect("http and https have a port");
    match url.host().expect("http and https have a host") {
        Host::Ipv4(address) => HostOf::Address((address, port).into()),
        Host::Ipv6(address) => HostOf::Address((address, port).into()),
        Host::Domain(name) => HostOf::Name(name, port),
    }
}

/// Looks a name up, and blocks for as long as the system's resolver likes.
///
/// # Errors
/// `NoSuchName`; `OutOfSockets` where this machine has no descriptor for it.
pub fn look_up(name: &str) -> Found {
    match (name, 0).to_socket_addrs().map(Vec::from_iter) {
        Ok(addresses) if !addresses.is_empty() => Ok(addresses),
        Err(error) if is_out_of_sockets(&error) || !has_a_socket() => {
            Err(FetchError::OutOfSockets)
        }
        _ => Err(FetchError::NoSuchName(name.to_string())),
    }
}

/// Is there a socket to ask with? (The system's resolver does not say when there is
/// none.)
fn has_a_socket() -> bool {
    let bound = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0));
    !bound.is_err_and(|error| is_out_of_sockets(&error))
}

impl Resolver {
    /// A resolver that knows nothing yet.
    pub fn new() -> Resolver {
        Resolver::default()
    }

    /// A resolver that knows these hosts, and asks for all others.
    pub fn with_hosts(hosts: &[(String, Vec<IpAddr>)]) -> Resolver {
        let known = hosts.iter().map(|(name, addresses)| {
            let addresses = addresses.iter().map(|address| (*address, 0).into());
            (name.clone(), addresses.collect())
        });
        Resolver { known: known.collect(), pending: HashMap::new() }
    }

    /// The addresses of a URL's host, in the order in which they are to be tried: at
    /// least one. Blocks until the answer, the deadline or the stop, whichever is
    /// first. Only successes are remembered. A look-up that is late goes on and may
    /// serve a later try, which does not wait for it once more.
    ///
    /// # Errors
    /// `NoSuchName`; `TimedOut(timeout)` after the deadline; `Interrupted` by the stop;
    /// `OutOfSockets` where this machine has no descriptor or thread for the look-up.
    pub fn resolve(
        &mut self,
        url: &Url,
        timeout: Duration,
        deadline: Instant,
        stop: &Stop,
    ) -> Result<Vec<SocketAddr>, FetchError> {
        let (name, port) = match host_of(url) {
            HostOf::Address(address) => return Ok(vec![address]),
            HostOf::Name(name, port) => (name, port),
        };
        if let Some(addresses) = self.known.get(name) {
            return Ok(with_port(addresses, port));
        }
        let look_up = match self.pending.remove(name) {
            Some(look_up) => look_up,
            // A machine without room for a thread is short of sockets, too.
            None => start(name.to_string()).map_err(|_| FetchError::OutOfSockets)?,
        };
        match look_up.wait(deadline.min(look_up.since + timeout), stop) {
            Ok(News::Found(Ok(addresses))) => {
                let found = with_port(&addresses, port);
                self.known.insert(name.to_string(), addresses);
                Ok(found)
            }
            Ok(News::Found(Err(error))) => Err(error),
            late => {
                self.pending.insert(name.to_string(), look_up);
                Err(match late {
                    Ok(_) => FetchError::Interrupted,
                    Err(_) => FetchError::TimedOut(timeout),
                })
            }
        }
    }
}

impl LookUp {
    fn wait(&self, deadline: Instant, stop: &Stop) -> Result<News, RecvTimeoutError> {
        let newsroom = self.newsroom.clone();
        let _bell = stop.hang(move || drop(newsroom.send(News::Stopped)));
        self.news.recv_timeout(deadline.saturating_duration_since(Instant::now()))
    }
}

/// Ports have nothing to do with names: a host is looked up once for all of them.
pub fn with_port(addresses: &[SocketAddr], port: u16) -> Vec<SocketAddr> {
    let mut addresses = addresses.to_vec();
    addresses.iter_mut().for_each(|address| address.set_port(port));
    addresses
}

fn start(name: String) -> io::Result<LookUp> {
    let (newsroom, news) = channel();
    let answer = newsroom.clone();
    thread::Builder::new().name(format!("look-up {name}")).spawn(move || {
        // Nobody listens any more if the crawl has ended meanwhile.
        answer.send(News::Found(look_up(&name))).ok();
    })?;
    Ok(LookUp { since: Instant::now(), news, newsroom })
}
