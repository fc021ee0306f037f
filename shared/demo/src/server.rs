//! Starts and stops the server's thread.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::{self, Runtime};
use tokio::sync::oneshot;

use crate::connection::Connection;
use crate::counters::Counters;
use crate::listener::CountingListener;

/// How many connections may wait to be accepted. With a shorter queue, a crawler that
/// opens thousands at once would have to retry some after a second.
const BACKLOG: u32 = 4096;

/// How many threads read files. More threads would only wait for the same disk.
const FILE_THREADS: usize = 2;

/// A server on its own thread. Dropping it stops the server, closes all connections,
/// even those in use, and joins the thread.
pub(crate) struct Server {
    /// The address of the listener, with the port that the system chose.
    pub(crate) address: SocketAddr,
    /// The counters of the server, updated by its thread.
    pub(crate) counters: Arc<Counters>,
    /// Dropping this stops the server. `Some` until the drop.
    stop: Option<oneshot::Sender<()>>,
    /// `None` when the thread has been joined.
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Blocks while the server runs, without stopping it.
    pub(crate) fn wait(mut self) {
        self.join();
    }

    fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            // If the thread panicked, it has printed a message already. Another panic
            // here, inside a drop, would abort the process.
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        self.join();
    }
}

/// Starts a thread that listens on `address`. For each connection it spawns the future
/// that `serve` returns.
pub(crate) fn start<F>(
    address: SocketAddr,
    serve: impl Fn(Connection<TcpStream>) -> F + Send + 'static,
) -> io::Result<Server>
where
    F: Future<Output = ()> + Send + 'static,
{
    // Raises the limit of descriptors as far as possible. If that fails, fewer
    // connections are open at once and the others wait in the queue.
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    let runtime = runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(FILE_THREADS)
        .build()?;
    let listener = listen(&runtime, address)?;
    let address = listener.local_addr()?;
    let counters = Arc::new(Counters::default());
    let listener = CountingListener { listener, counters: counters.clone() };
    let (stop, stopped) = oneshot::channel();
    let thread = thread::Builder::new()
        .name("demo-site".to_owned())
        .spawn(move || run(&runtime, listener, serve, stopped))?;
    Ok(Server { address, counters, stop: Some(stop), thread: Some(thread) })
}

/// Listens before the thread starts, so that an error can be returned.
fn listen(runtime: &Runtime, address: SocketAddr) -> io::Result<TcpListener> {
    let _inside = runtime.enter();
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // Lets a restarted site use its old port at once. On Windows this option would let
    // two programs listen on the same port.
    #[cfg(not(windows))]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

fn run<F>(
    runtime: &Runtime,
    listener: CountingListener,
    serve: impl Fn(Connection<TcpStream>) -> F + Send + 'static,
    stopped: oneshot::Receiver<()>,
) where
    F: Future<Output = ()> + Send + 'static,
{
    runtime.block_on(async {
        tokio::spawn(async move {
            loop {
                let connection = listener.accept().await;
                tokio::spawn(serve(connection));
            }
        });
        // Waits for the sender to be dropped. The result is always an error, since
        // nothing is sent.
        let _ = stopped.await;
    });
    // When this future returns, `start` drops the runtime and all connections with it.
}
