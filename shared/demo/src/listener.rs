//! Accepts connections and counts them. It goes on when the system is out of
//! descriptors.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::net::TcpListener;
use tokio::time;

use crate::connection::{Connection, UntilClosed};
use crate::counters::Counters;

/// The pause before the next attempt to accept, when the system has no descriptor left.
const OUT_OF_DESCRIPTORS: Duration = Duration::from_millis(50);

/// A listener whose connections are counted.
pub(crate) struct CountingListener {
    pub(crate) listener: TcpListener,
    pub(crate) counters: Arc<Counters>,
}

impl Listener for CountingListener {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    // If a client closed one connection and then opened this one, it
                    // never had two. So the end of the first, which has arrived, is
                    // counted first.
                    tokio::task::yield_now().await;
                    return (Connection::new(stream, self.counters.clone()), address);
                }
                // The client gave up while it was in the queue; the next may be fine.
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(_) => time::sleep(OUT_OF_DESCRIPTORS).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl Connected<IncomingStream<'_, CountingListener>> for UntilClosed {
    fn connect_info(stream: IncomingStream<'_, CountingListener>) -> Self {
        stream.io().until_closed.clone()
    }
}
