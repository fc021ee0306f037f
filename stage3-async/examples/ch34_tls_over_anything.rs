//! TLS over any stream of bytes: over a pipe in memory, and over TLS.
//!
//! `cargo run -p stage3-async --example ch34_tls_over_anything`
//!
//! The certificate and its key were made for this step (`certificate/README.md` has the
//! commands), and are no secret. Never use this key for anything else.
//!
//! It does not run in a page: it uses rustls, which the program with the steps
//! leaves out.

#[allow(dead_code)] // no step needs all of it
#[path = "transport/mod.rs"]
mod transport;

use rustls::crypto::ring::default_provider;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, Connection, RootCertStore};
use rustls::{ServerConfig, ServerConnection};
use shared::Url;
use stage3_async::Executor;
use std::cell::RefCell;
use std::error::Error;
use std::future::poll_fn;
use std::io::{self, ErrorKind, Read, Write};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use transport::pipe::{Pipe, pipe};
use transport::{Transport, fetch, read, write_all};

/// Waiting is the error `WouldBlock`, as it is for a socket.
fn or_would_block<T>(poll: Poll<io::Result<T>>) -> io::Result<T> {
    match poll {
        Poll::Ready(result) => result,
        Poll::Pending => Err(ErrorKind::WouldBlock.into()),
    }
}

impl Write for Lent<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        or_would_block(self.0.as_mut().poll_write(self.1, bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The way back: `WouldBlock` becomes `Pending`.
fn or_pending<T>(result: io::Result<T>) -> Poll<io::Result<T>> {
    match result {
        Err(error) if error.kind() == ErrorKind::WouldBlock => Poll::Pending,
        result => Poll::Ready(result),
    }
}

/// Takes and gives plain bytes, and carries encrypted ones: over any stream.
struct TlsStream<S> {
    stream: S,
    tls: Connection,
}

// ANCHOR: lent
/// A stream, lent for one call to code that reads and writes, and has no waker.
struct Lent<'a, 'b>(Pin<&'a mut dyn Transport>, &'a mut Context<'b>);

impl Read for Lent<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        or_would_block(self.0.as_mut().poll_read(self.1, buffer))
    }
}

impl<S: Transport + Unpin> TlsStream<S> {
    /// Reads once, and decrypts. Returns how many encrypted bytes it has read.
    fn poll_fill(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let stream = Pin::new(&mut self.stream);
        let mut lent = Lent(stream, cx);
        let count = ready!(or_pending(self.tls.read_tls(&mut lent)))?;
        let valid = self.tls.process_new_packets();
        if valid.is_err() {
            let _ = self.poll_flush(cx); // the alert: why we hang up
        }
        Poll::Ready(valid.map(|_| count).map_err(io::Error::other))
    }
    // ANCHOR_END: lent

    /// Sends the encrypted bytes that are ready. What does not fit stays in `tls`.
    fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.tls.wants_write() {
            let stream = Pin::new(&mut self.stream);
            let mut lent = Lent(stream, cx);
            if ready!(or_pending(self.tls.write_tls(&mut lent)))? == 0 {
                return Poll::Ready(Err(ErrorKind::WriteZero.into()));
            }
        }
        Poll::Ready(Ok(()))
    }

    async fn shake_hands(stream: S, tls: impl Into<Connection>) -> io::Result<Self> {
        let mut stream = TlsStream { stream, tls: tls.into() };
        poll_fn(|cx| {
            while stream.tls.is_handshaking() {
                ready!(stream.poll_flush(cx))?;
                if ready!(stream.poll_fill(cx))? == 0 {
                    return Poll::Ready(Err(ErrorKind::UnexpectedEof.into()));
                }
            }
            stream.poll_flush(cx)
        })
        .await?;
        Ok(stream)
    }
}

impl<S: Transport + Unpin> Transport for TlsStream<S> {
    // ANCHOR: poll_read
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        loop {
            let flushed = self.poll_flush(cx); // if it has to wait, reading goes on
            match self.tls.reader().read(buffer) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if self.poll_fill(cx)?.is_pending() {
                        // Only now: a response counts more than its error.
                        let _ = flushed?;
                        return Poll::Pending;
                    }
                }
                result => return Poll::Ready(result),
            }
        }
    }
    // ANCHOR_END: poll_read

    /// The bytes are taken once `tls` has them. They are sent as soon as there is room.
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_flush(cx))?;
        let count = self.tls.writer().write(bytes)?;
        match self.poll_flush(cx) {
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            _ => Poll::Ready(Ok(count)),
        }
    }

    fn poll_close(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        self.tls.send_close_notify(); // only the first call counts
        ready!(self.poll_flush(cx))?;
        Pin::new(&mut self.stream).poll_close(cx)
    }
}

/// Notes what is written through it.
struct Spy {
    pipe: Pipe,
    written: Rc<RefCell<Vec<u8>>>,
}

impl Transport for Spy {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.pipe).poll_read(cx, buffer)
    }

    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let count = ready!(Pin::new(&mut self.pipe).poll_write(cx, bytes))?;
        self.written.borrow_mut().extend(&bytes[..count]);
        Poll::Ready(Ok(count))
    }

    fn poll_close(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.pipe).poll_close(cx)
    }
}

/// Answers one request.
async fn serve(mut stream: Pin<&mut dyn Transport>) -> io::Result<()> {
    let (mut request, mut chunk) = (Vec::new(), [0; 64]);
    while !request.ends_with(b"\r\n\r\n") {
        match read(stream.as_mut(), &mut chunk).await? {
            0 => return Err(ErrorKind::UnexpectedEof.into()),
            count => request.extend(&chunk[..count]),
        }
    }
    let body = "<a href='/a'>a</a> <a href='/b'>b</a>";
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length:";
    let response = format!("{head} {}\r\n\r\n{body}", body.len());
    write_all(stream.as_mut(), response.as_bytes()).await?;
    // It fails if the client has all that it wanted, and hangs up.
    let _ = poll_fn(|cx| stream.as_mut().poll_close(cx)).await;
    Ok(())
}

/// How many times a stream is wrapped in TLS.
type Layers = usize;

/// Fetches a page over a pipe, in this number of TLS layers.
async fn client(stream: Spy, layers: Layers) -> Result<usize, Box<dyn Error>> {
    let url = Url::parse("http://site.test/")?;
    let page = match layers {
        0 => fetch(pin!(stream), &url).await?,
        1 => fetch(pin!(to_server(stream).await?), &url).await?,
        _ => fetch(pin!(to_server(to_server(stream).await?).await?), &url).await?,
    };
    Ok(page.links.len())
}

async fn server(stream: Pipe, layers: Layers) -> io::Result<()> {
    match layers {
        0 => serve(pin!(stream)).await,
        1 => serve(pin!(to_client(stream).await?)).await,
        _ => serve(pin!(to_client(to_client(stream).await?).await?)).await,
    }
}

const CERTIFICATE: &[u8] = include_bytes!("certificate/site.der");
const KEY: &[u8] = include_bytes!("certificate/key.der");

async fn to_server<S: Transport + Unpin>(stream: S) -> io::Result<TlsStream<S>> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from(CERTIFICATE)).map_err(io::Error::other)?;
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("site.test").map_err(io::Error::other)?;
    let tls = ClientConnection::new(Arc::new(config), name);
    TlsStream::shake_hands(stream, tls.map_err(io::Error::other)?).await
}

async fn to_client<S: Transport + Unpin>(stream: S) -> io::Result<TlsStream<S>> {
    let (certificate, key) =
        (CertificateDer::from(CERTIFICATE), PrivatePkcs8KeyDer::from(KEY));
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key.into())
        .map_err(io::Error::other)?;
    let tls = ServerConnection::new(Arc::new(config)).map_err(io::Error::other)?;
    TlsStream::shake_hands(stream, tls).await
}

fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    for (layers, name) in
        ["a pipe", "TLS over a pipe", "TLS over TLS over a pipe"].iter().enumerate()
    {
        let (client_end, server_end) = pipe(100); // so small that both sides often wait
        let written = Rc::<RefCell<Vec<u8>>>::default();
        let spy = Spy { pipe: client_end, written: Rc::clone(&written) };
        let links = executor.block_on(async {
            let server = executor.spawn(server(server_end, layers));
            let links = client(spy, layers).await?;
            server.await??;
            Ok::<usize, Box<dyn Error>>(links)
        })??;
        let is_plain = written.borrow().windows(5).any(|bytes| bytes == b"GET /");
        println!("over {name}: {links} links; the request can be read: {is_plain}");
    }
    Ok(())
}
