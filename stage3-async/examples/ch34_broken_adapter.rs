//! Broken on purpose: `poll_read` makes a new future at each call, and drops it.
//!
//! `cargo run -p stage3-async --example ch34_broken_adapter`

#[allow(dead_code)] // no step needs all of it
#[path = "transport/mod.rs"]
mod transport;

use shared::Url;
use shared::demo_site::DemoSite;
use stage3_async::{Executor, TcpStream};
use std::error::Error;
use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use transport::{Transport, fetch};

/// Stage 3's socket, which has only async functions.
struct Adapter(TcpStream);

// ANCHOR: adapter
impl Transport for Adapter {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let copy = |bytes: &[u8]| {
            let count = bytes.len().min(buffer.len());
            buffer[..count].copy_from_slice(&bytes[..count]);
            count // (a complete adapter would keep the rest of these bytes)
        };
        pin!(self.0.read_with(copy)).poll(cx)
    }
    // ANCHOR_END: adapter

    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(pin!(self.0.write_all(bytes)).poll(cx))?;
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let site = DemoSite::start()?;
    let url = Url::parse(&site.url("/"))?;
    let address = *url.socket_addrs(|| None)?.first().ok_or("it has an address")?;
    let executor = Executor::new()?;
    let reactor = executor.reactor().clone();
    let fetched = executor.block_on(async {
        let stream = pin!(Adapter(TcpStream::connect(address, &reactor).await?));
        fetch(stream, &url).await
    });
    match fetched {
        Ok(page) => println!("status {}", page?.status),
        Err(stuck) => println!("{stuck}"),
    }
    Ok(())
}
