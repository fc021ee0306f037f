//! The thread that serves, and the handle that ends it.

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

/// How many connections may wait to be accepted. A crawler that opens thousands at once
/// should not have to try again a second later.
const BACKLOG: u32 = 4096;

/// How many threads read files. More of them would only wait for the same disk.
const FILE_THREADS: usize = 2;

/// A server that runs on its own thread. Dropping it ends the server, closes its
/// connections, even those that wait, and joins the thread.
pub(crate) struct Running {
    /// Where the server listens, with the port that the system chose.
    pub(crate) address: SocketAddr,
    /// What the server has counted so far; its thread writes it.
    pub(crate) counters: Arc<Counters>,
    /// The server ends when this is dropped. `None` only while `Running` is dropped.
    stop: Option<oneshot::Sender<()>>,
    /// `None` once the thread has been joined.
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// Blocks for as long as the server runs, without asking it to end.
    pub(crate) fn wait(mut self) {
        self.join();
    }

    fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            // If that thread panicked it has printed so itself, and to panic again in
            // `drop` would abort the process.
            let _ = thread.join();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.stop.take());
        self.join();
    }
}

/// Listens on `address`, on a new thread. For each connection a task runs what `serve`
/// returns.
pub(crate) fn start<F>(
    address: SocketAddr,
    serve: impl Fn(Connection<TcpStream>) -> F + Send + 'static,
) -> io::Result<Running>
where
    F: Future<Output = ()> + Send + 'static,
{
    // Raises the limit of descriptors as far as the system allows. If it refuses, fewer
    // connections are open at once, and the others wait in the queue.
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
    Ok(Running { address, counters, stop: Some(stop), thread: Some(thread) })
}

/// Listens before the thread starts, so that an error reaches the caller.
fn listen(runtime: &Runtime, address: SocketAddr) -> io::Result<TcpListener> {
    let _inside = runtime.enter();
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // Lets a site that is restarted have its old port again at once. On Windows the
    // same option would let two programs listen on one port.
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
        // Always an error: nothing is sent, the sender is dropped to end the server.
        let _ = stopped.await;
    });
    // `start` drops the runtime when this returns, and with it every connection.
}
