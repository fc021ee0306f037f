//! One fetch over three kinds of stream: our socket, Tokio's, and a pipe
//! in memory.
//!
//! `cargo run -p stage3-async --example ch34_poll_read`
//!
//! It does not run in a page: it uses Tokio's sockets.

#[path = "transport/socket.rs"]
mod socket;
#[allow(dead_code)] // no step needs all of it
#[path = "transport/mod.rs"]
mod transport;

use shared::demo_site::DemoSite;
use shared::{Page, Url};
use socket::{Reactor, Socket};
use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use transport::pipe::pipe;
use transport::{Transport, fetch, read, write_all};

// ANCHOR: tokio
impl Transport for TcpStream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let mut buffer = ReadBuf::new(buffer);
        ready!(AsyncRead::poll_read(self, cx, &mut buffer))?;
        Poll::Ready(Ok(buffer.filled().len()))
    }
    // ANCHOR_END: tokio

    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        AsyncWrite::poll_write(self, cx, bytes)
    }

    fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        AsyncWrite::poll_shutdown(self, cx)
    }
}

fn print(over: &str, page: &Page) {
    println!("over {over}: status {}, {} links", page.status, page.links.len());
}

fn main() -> Result<(), Box<dyn Error>> {
    let site = DemoSite::start()?;
    let url = Url::parse(&site.url("/"))?;
    let address = *url.socket_addrs(|| None)?.first().ok_or("it has an address")?;
    print("our socket", &over_our_socket(address, &url)?);
    print("Tokio's socket", &over_tokio(address, &url)?);
    over_a_pipe()
}

fn over_our_socket(address: SocketAddr, url: &Url) -> Result<Page, Box<dyn Error>> {
    let reactor = Reactor::new()?;
    let stream = pin!(Socket::connect(address, &reactor)?);
    Ok(socket::block_on(fetch(stream, url), &reactor)??)
}

fn over_tokio(address: SocketAddr, url: &Url) -> Result<Page, Box<dyn Error>> {
    let (runtime, url) =
        (Builder::new_current_thread().enable_io().build()?, url.clone());
    // `spawn` accepts it only because it is `Send`: on a runtime with several threads,
    // it could be moved.
    let task = runtime.spawn(async move {
        let stream = pin!(TcpStream::connect(address).await?);
        fetch(stream, &url).await
    });
    Ok(runtime.block_on(task)??)
}

const RESPONSE: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\
    Content-Length: 32\r\n\r\n<a href='/a'>a</a><a href='/b'>b";

/// A test by hand: no network, no reactor, no executor, and no clock.
fn over_a_pipe() -> Result<(), Box<dyn Error>> {
    let (client, server) = pipe(4096);
    let (client, mut server) = (pin!(client), pin!(server));
    let url = Url::parse("http://site.test/")?;
    let mut page = pin!(fetch(client, &url));
    let mut context = Context::from_waker(Waker::noop());
    for part in [&RESPONSE[..10], &RESPONSE[10..50], &RESPONSE[50..]] {
        assert!(page.as_mut().poll(&mut context).is_pending());
        println!("the fetch waits, and {} bytes arrive", part.len());
        now(write_all(server.as_mut(), part.as_bytes()))?;
    }
    let Poll::Ready(page) = page.poll(&mut context) else { panic!("all has arrived") };
    print("a pipe", &page?);
    let mut chunk = [0; 512];
    let count = now(read(server, &mut chunk))?;
    let request = String::from_utf8_lossy(&chunk[..count]);
    println!("it has sent {:?}", request.lines().next().unwrap_or_default());
    Ok(())
}

/// Returns the output of a future that does not have to wait.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("it has to wait"),
    }
}
