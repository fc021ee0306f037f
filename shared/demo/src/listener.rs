//! Accepts connections and counts them. It goes on when the system is out of
//! descriptors.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::time;

use crate::connection::Connection;
use crate::counters::Counters;

/// The pause before the next attempt to accept, when the system has no descriptor left.
const OUT_OF_DESCRIPTORS: Duration = Duration::from_millis(50);

/// A listener whose connections are counted.
pub(crate) struct CountingListener {
    pub(crate) listener: TcpListener,
    pub(crate) counters: Arc<Counters>,
}

impl CountingListener {
    /// Waits for the next connection.
    pub(crate) async fn accept(&self) -> Connection<TcpStream> {
        loop {
            match self.listener.accept().await {
                Ok((stream, _)) => {
                    // If a client closed one connection and then opened this one, it
                    // never had two. So the end of the first, which has arrived, is
                    // counted first.
                    tokio::task::yield_now().await;
                    // Otherwise a page that is sent byte by byte would arrive in
                    // larger pieces. Nothing else depends on this, so an error is
                    // ignored.
                    let _ = stream.set_nodelay(true);
                    return Connection::new(stream, self.counters.clone());
                }
                // The client gave up while it was in the queue; the next may be fine.
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(_) => time::sleep(OUT_OF_DESCRIPTORS).await,
            }
        }
    }
}
