//! Accepts connections and counts them. It keeps running when the system is out of
//! descriptors.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::time;

use crate::connection::Connection;
use crate::counters::Counters;

/// The pause before the next `accept` if the system is out of descriptors.
const OUT_OF_DESCRIPTORS: Duration = Duration::from_millis(50);

/// A listener that counts its connections.
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
                    // A client that closed one connection and then opened this one
                    // never had two. The end of the first has already arrived: yield,
                    // so that it is counted first.
                    tokio::task::yield_now().await;
                    // Without this option a page that is sent byte by byte could
                    // arrive in larger pieces. An error is ignored, because nothing
                    // else depends on the option.
                    let _ = stream.set_nodelay(true);
                    return Connection::new(stream, self.counters.clone());
                }
                // This client gave up while it waited. The next one may be fine.
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(_) => time::sleep(OUT_OF_DESCRIPTORS).await,
            }
        }
    }
}
