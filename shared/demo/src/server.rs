//! The thread that serves.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;

use axum::Router;
use axum::extract::connect_info::Connected;
use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::serve::{IncomingStream, Listener};
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::{self, Runtime};
use tokio::sync::oneshot;

use crate::connection::UntilClosed;
use crate::counters::Counters;
use crate::demo_site::{DemoSite, Running};
use crate::listener::CountingListener;

/// Connections that may stand in the queue before they are accepted: a crawler that
/// opens thousands at once should not be told to come back a second later.
const BACKLOG: u32 = 4096;

/// Threads that read files. More would only wait for the same disk.
const FILE_THREADS: usize = 2;

/// Serves `router` on `address`, on a thread of its own. There `wrap` may put something
/// between the connections and HTTP.
pub(crate) fn serve<L>(
    router: Router,
    address: SocketAddr,
    wrap: impl FnOnce(CountingListener) -> L + Send + 'static,
) -> io::Result<DemoSite>
where
    L: Listener<Addr = SocketAddr>,
    UntilClosed: for<'a> Connected<IncomingStream<'a, L>>,
{
    // As many descriptors as the system lets us have. If it refuses there are fewer
    // connections at once, and the others wait in the queue.
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    let runtime = runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(FILE_THREADS)
        .build()?;
    let listener = listen(&runtime, address)?;
    let address = listener.local_addr()?;
    let counters = Arc::new(Counters::default());
    let listener = CountingListener { listener, counters: counters.clone() };
    let router = router.layer(middleware::from_fn_with_state(counters.clone(), count));
    let (stop, stopped) = oneshot::channel();
    let thread = thread::Builder::new()
        .name("demo-site".to_owned())
        .spawn(move || run(&runtime, || wrap(listener), router, stopped))?;
    let running = Some(Running { stop, thread });
    Ok(DemoSite { address, ca_pem: None, counters, running })
}

/// Listens before the thread begins, so that the caller learns what went wrong.
fn listen(runtime: &Runtime, address: SocketAddr) -> io::Result<TcpListener> {
    let _inside = runtime.enter();
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // A site that starts again may have its old port back at once. On Windows the same
    // option would let two programs listen on one port.
    #[cfg(not(windows))]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

fn run<L>(
    runtime: &Runtime,
    listener: impl FnOnce() -> L,
    router: Router,
    stopped: oneshot::Receiver<()>,
) where
    L: Listener<Addr = SocketAddr>,
    UntilClosed: for<'a> Connected<IncomingStream<'a, L>>,
{
    let service = router.into_make_service_with_connect_info::<UntilClosed>();
    runtime.block_on(async {
        let listener = listener();
        tokio::spawn(async move { axum::serve(listener, service).await });
        // Always an error: the other end is dropped, which is how it says so.
        let _ = stopped.await;
    });
    // Leaving drops the runtime, and with it every connection.
}

async fn count(
    State(counters): State<Arc<Counters>>,
    request: Request,
    next: Next,
) -> Response {
    counters.request_arrived(request.uri().path());
    next.run(request).await
}
