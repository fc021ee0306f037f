//! Connections that are counted, and that are closed only after the client has read
//! everything.

use std::any::Any;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{self, Sleep};

use crate::counters::Counters;

/// How long a client may take to close a connection after the server has ended its
/// half.
const PATIENCE: Duration = Duration::from_secs(1);

/// Values that are dropped when their connection has ended. A handler gets the one of
/// the connection that its request came from.
#[derive(Clone, Default)]
pub(crate) struct UntilClosed(Arc<Mutex<Vec<Box<dyn Any + Send>>>>);

impl UntilClosed {
    /// Keeps `value` for as long as the connection is open.
    pub(crate) fn keep(&self, value: impl Any + Send) {
        self.0
            .lock()
            .expect("nothing panics while it holds the list")
            .push(Box::new(value));
    }

    /// Drops all values.
    fn closed(&self) {
        let kept = {
            let mut list =
                self.0.lock().expect("nothing panics while it holds the list");
            std::mem::take(&mut *list)
        };
        drop(kept); // after the lock, since dropping a value may wake a task
    }
}

/// A socket that is counted as open until it is dropped.
pub(crate) struct Connection {
    stream: TcpStream,
    counters: Arc<Counters>,
    pub(crate) until_closed: UntilClosed,
    /// Set when the server ends its half of the connection: then the client has until
    /// this timer is due to end the other half.
    patience: Option<Pin<Box<Sleep>>>,
}

impl Connection {
    pub(crate) fn new(stream: TcpStream, counters: Arc<Counters>) -> Connection {
        // Otherwise a page that is sent byte by byte would arrive in larger pieces.
        // Nothing else depends on this, so an error is ignored.
        let _ = stream.set_nodelay(true);
        counters.connection_opened();
        Connection {
            stream,
            counters,
            until_closed: UntilClosed::default(),
            patience: None,
        }
    }

    /// Discards what the client still sends. Ready when the client has closed its half,
    /// too.
    fn poll_client_closed(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let mut space = [0; 512];
        loop {
            let mut scrap = ReadBuf::new(&mut space);
            match ready!(Pin::new(&mut self.stream).poll_read(cx, &mut scrap)) {
                Ok(()) if !scrap.filled().is_empty() => {}
                Ok(()) | Err(_) => return Poll::Ready(()),
            }
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.counters.connection_closed();
        self.until_closed.closed();
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    /// Ends the server's half and waits until the client ends its own (RFC 9112 §9.6).
    /// To close at once could reset the connection while the client is still reading.
    fn poll_shutdown(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        if self.patience.is_none() {
            ready!(Pin::new(&mut self.stream).poll_shutdown(cx))?;
            self.patience = Some(Box::pin(time::sleep(PATIENCE)));
        }
        if self.poll_client_closed(cx).is_ready() {
            return Poll::Ready(Ok(()));
        }
        let patience = self.patience.as_mut().expect("it was set a few lines above");
        patience.as_mut().poll(cx).map(Ok)
    }
}
