//! Runs the demo site beside the simulated system, on the system's clock.

use crate::connection::Connection;
use crate::counters::Counters;
use crate::http;
use crate::site::DemoPages;
use simulated_os::{Act, Answers, Plan, Site};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{self, AsyncReadExt, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;
use tokio::task::yield_now;
use tokio::time::{Instant, sleep_until};

/// Bytes that are on the way in each direction at the most.
const ON_THE_WAY: usize = 64 * 1024;
/// How often the site's tasks have their turn before it is certain that none is ready.
const TURNS: usize = 64;
/// A site that does nothing for this long does nothing any more.
const EVER: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The demo site, at one address or at all.
pub struct Demo {
    /// None: at each address.
    address: Option<SocketAddr>,
    /// How long a connection takes.
    latency: Duration,
    runtime: Runtime,
    /// The runtime's clock when the world began.
    began: Instant,
    pages: Arc<DemoPages>,
    counters: Arc<Counters>,
    /// The clients' ends of the connections, to write to.
    connections: BTreeMap<usize, WriteHalf<DuplexStream>>,
    acts: mpsc::UnboundedReceiver<(usize, Act)>,
    sender: mpsc::UnboundedSender<(usize, Act)>,
}

/// What the site has counted so far.
#[derive(Clone)]
pub struct Counts(Arc<Counters>);

impl Demo {
    /// The site, each page in the state in which a first crawl finds it. A connection
    /// takes `latency`.
    ///
    /// # Panics
    /// There is no memory for its runtime.
    pub fn new(address: Option<SocketAddr>, latency: Duration) -> Demo {
        let mut runtime = Builder::new_current_thread();
        let runtime = runtime.enable_time().start_paused(true).build();
        let runtime = runtime.expect("it needs nothing of the system");
        let began = runtime.block_on(async { Instant::now() });
        let (sender, acts) = mpsc::unbounded_channel();
        Demo {
            address,
            latency,
            runtime,
            began,
            pages: Arc::default(),
            counters: Arc::default(),
            connections: BTreeMap::new(),
            acts,
            sender,
        }
    }

    /// What it counts, also while it is in a world.
    pub fn counts(&self) -> Counts {
        Counts(Arc::clone(&self.counters))
    }

    /// Moves the runtime's clock to the world's.
    fn set_clock(&mut self, now: Duration) {
        let now = self.began + now;
        self.runtime.block_on(async {
            if let Some(ahead) = now.checked_duration_since(Instant::now()) {
                tokio::time::advance(ahead).await;
            }
        });
    }

    /// Starts the server's side of a connection.
    fn serve(&self, connection: usize) -> WriteHalf<DuplexStream> {
        let (theirs, ours) = io::duplex(ON_THE_WAY);
        let (reader, writer) = io::split(theirs);
        let ours = Connection::new(ours, Arc::clone(&self.counters));
        let _inside = self.runtime.enter();
        tokio::spawn(http::serve(ours.info.clone(), ours, Arc::clone(&self.pages)));
        tokio::spawn(forward(reader, connection, self.sender.clone()));
        writer
    }
}

/// Hands on what the server sends.
async fn forward(
    mut reader: ReadHalf<DuplexStream>,
    connection: usize,
    to: mpsc::UnboundedSender<(usize, Act)>,
) {
    let mut buffer = vec![0; ON_THE_WAY];
    loop {
        let act = match reader.read(&mut buffer).await {
            Ok(0) | Err(_) => Act::Close,
            Ok(count) => Act::Send(buffer[..count].to_vec()),
        };
        let is_last = act == Act::Close;
        // The world is gone if it fails.
        drop(to.send((connection, act)));
        if is_last {
            return;
        }
    }
}

impl Site for Demo {
    fn connect(
        &mut self,
        connection: usize,
        to: SocketAddr,
        now: Duration,
    ) -> (Duration, Answers) {
        if self.address.is_some_and(|address| address != to) {
            return (self.latency, Answers::Refuses);
        }
        self.set_clock(now);
        let client = self.serve(connection);
        self.connections.insert(connection, client);
        (self.latency, Answers::Accepts)
    }

    fn receive(&mut self, connection: usize, bytes: &[u8], now: Duration) -> Plan {
        self.set_clock(now);
        if let Some(client) = self.connections.get_mut(&connection) {
            // It fails after the server has hung up.
            drop(self.runtime.block_on(client.write_all(bytes)));
        }
        Plan::new()
    }

    fn hung_up(&mut self, connection: usize, now: Duration) {
        self.set_clock(now);
        if let Some(mut client) = self.connections.remove(&connection) {
            drop(self.runtime.block_on(client.shutdown()));
        }
    }

    fn next(&mut self, until: Duration) -> Option<(Duration, usize, Act)> {
        let Demo { runtime, acts, began, .. } = self;
        runtime.block_on(async {
            for _ in 0..TURNS {
                if let Ok((connection, act)) = acts.try_recv() {
                    return Some((Instant::now() - *began, connection, act));
                }
                yield_now().await;
            }
            let most = Instant::now() + EVER;
            let until = began.checked_add(until).map_or(most, |it| it.min(most));
            if until <= Instant::now() {
                return None;
            }
            // No task is ready, so the clock goes to the next timer: the site's, or this.
            tokio::select! {
                biased;
                Some((connection, act)) = acts.recv() => {
                    Some((Instant::now() - *began, connection, act))
                }
                () = sleep_until(until) => None,
            }
        })
    }
}

impl Counts {
    /// How many requests for this path have arrived.
    pub fn requests(&self, path: &str) -> usize {
        self.0.requests(path)
    }

    /// How many requests have arrived.
    pub fn all_requests(&self) -> usize {
        self.0.all_requests()
    }

    /// How many connections were accepted.
    pub fn connections(&self) -> usize {
        self.0.connections()
    }

    /// The largest number of connections that were open at once.
    pub fn most_connections_at_once(&self) -> usize {
        self.0.most_connections_at_once()
    }
}
