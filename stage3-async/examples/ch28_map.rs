//! What Tokio's macros and free functions stand for: a program with and without them.
//!
//! `cargo run -p stage3-async --example ch28_map`
//!
//! It does not run in a page: it uses Tokio's sockets.

use shared::demo_site::DemoSite;
use std::error::Error;
use std::future::{Future, poll_fn};
use std::net::SocketAddr;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Handle};
use tokio::time::sleep;

const PATIENCE: Duration = Duration::from_secs(10);

// ANCHOR: fetch
async fn fetch(site: SocketAddr) -> std::io::Result<usize> {
    let mut stream = TcpStream::connect(site).await?;
    stream.write_all(b"GET /wiki/ HTTP/1.0\r\n\r\n").await?;
    let mut page = Vec::new();
    stream.read_to_end(&mut page).await
}

fn count(to: u64) -> u64 {
    (1..=to).filter(|number| number % 7 == 0).count() as u64
}
// ANCHOR_END: fetch

// ANCHOR: usual
#[tokio::main]
async fn usual(site: SocketAddr) -> Result<(), Box<dyn Error>> {
    let page = tokio::spawn(fetch(site));
    let sevens = tokio::task::spawn_blocking(|| count(1_000_000));
    tokio::select! {
        size = page => println!("{} bytes", size??),
        _ = sleep(PATIENCE) => println!("too late"),
    }
    println!("{} numbers", sevens.await?);
    Ok(())
}
// ANCHOR_END: usual

// ANCHOR: by_hand
fn by_hand(site: SocketAddr) -> Result<(), Box<dyn Error>> {
    let runtime = Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let handle = Handle::current();
        let page = handle.spawn(fetch(site));
        let sevens = handle.spawn_blocking(|| count(1_000_000));
        let first = {
            let (mut page, mut late) = (pin!(page), pin!(sleep(PATIENCE)));
            poll_fn(|cx| {
                if let Poll::Ready(size) = page.as_mut().poll(cx) {
                    return Poll::Ready(Some(size));
                }
                late.as_mut().poll(cx).map(|()| None)
            })
            .await
        }; // Both futures are dropped here, the loser too.
        match first {
            Some(size) => println!("{} bytes", size??),
            None => println!("too late"),
        }
        println!("{} numbers", sevens.await?);
        Ok(())
    })
}
// ANCHOR_END: by_hand

// ANCHOR: current
fn where_is_it() -> Result<(), Box<dyn Error>> {
    let found = |place| match Handle::try_current() {
        Ok(_) => println!("{place}: a handle"),
        Err(why) => println!("{place}: {why}"),
    };
    found("before");
    let runtime = Builder::new_current_thread().build()?;
    runtime.block_on(async { found("inside") });
    found("after");
    let _guard = runtime.enter();
    found("entered");
    Ok(())
}
// ANCHOR_END: current

fn main() -> Result<(), Box<dyn Error>> {
    let site = DemoSite::start()?;
    usual(site.address())?;
    by_hand(site.address())?;
    where_is_it()
}
