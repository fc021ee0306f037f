//! Connections that are counted. Each is closed only when the client has read
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

/// How long a client may take to close its half of a connection after the server has
/// closed the other half.
const PATIENCE: Duration = Duration::from_secs(1);

/// What pages can reach of their connection.
#[derive(Clone)]
pub(crate) struct ConnectionInfo {
    pub(crate) counters: Arc<Counters>,
    pub(crate) until_closed: UntilClosed,
}

/// Values that a page leaves with its connection, to be dropped when the connection
/// ends.
#[derive(Clone, Default)]
pub(crate) struct UntilClosed(Arc<Mutex<Vec<Box<dyn Any + Send>>>>);

impl UntilClosed {
    /// Stores `value` until the connection ends.
    pub(crate) fn keep(&self, value: impl Any + Send) {
        self.0
            .lock()
            .expect("nothing panics while it holds the list")
            .push(Box::new(value));
    }

    /// Drops all values, since the connection has ended.
    fn closed(&self) {
        let kept = {
            let mut list =
                self.0.lock().expect("nothing panics while it holds the list");
            mem::take(&mut *list)
        };
        drop(kept); // with the list unlocked, since dropping a value may wake a task
    }
}

/// A stream that counts as an open connection from `new` until it is dropped.
pub(crate) struct Connection<S> {
    stream: S,
    pub(crate) info: ConnectionInfo,
    /// Set when the server has closed its half. The client has until this timer to
    /// close the other half.
    patience: Option<Pin<Box<Sleep>>>,
}

impl<S: AsyncRead + Unpin> Connection<S> {
    pub(crate) fn new(stream: S, counters: Arc<Counters>) -> Connection<S> {
        counters.connection_opened();
        let info = ConnectionInfo { counters, until_closed: UntilClosed::default() };
        Connection { stream, info, patience: None }
    }

    /// Discards all bytes that still arrive. Ready when the client has closed its
    /// half.
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

    /// Closes the server's half, and waits until the client closes its own (RFC 9112
    /// §9.6). Closing both at once could reset the connection while the client is
    /// still reading.
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
