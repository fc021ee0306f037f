//! Connections that are counted, and that are closed only after the client has read
//! everything.

use std::any::Any;
use std::io::{self, IoSlice};
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{self, Sleep};

use crate::counters::Counters;

/// How long a client may take to close a connection after the server has ended its
/// half.
const PATIENCE: Duration = Duration::from_secs(1);

/// What pages and counters know of a connection.
#[derive(Clone)]
pub(crate) struct ConnectionInfo {
    pub(crate) counters: Arc<Counters>,
    pub(crate) until_closed: UntilClosed,
}

/// Values that are dropped when their connection has ended.
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
            mem::take(&mut *list)
        };
        drop(kept); // after the lock, since dropping a value may wake a task
    }
}

/// A stream that is counted as an open connection until it is dropped.
pub(crate) struct Connection<S> {
    stream: S,
    pub(crate) info: ConnectionInfo,
    /// Set when the server ends its half of the connection: then the client has until
    /// this timer is due to end the other half.
    patience: Option<Pin<Box<Sleep>>>,
}

impl<S: AsyncRead + Unpin> Connection<S> {
    pub(crate) fn new(stream: S, counters: Arc<Counters>) -> Connection<S> {
        counters.connection_opened();
        let info = ConnectionInfo { counters, until_closed: UntilClosed::default() };
        Connection { stream, info, patience: None }
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

impl<S> Drop for Connection<S> {
    fn drop(&mut self) {
        self.info.counters.connection_closed();
        self.info.until_closed.closed();
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Connection<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Connection<S> {
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
