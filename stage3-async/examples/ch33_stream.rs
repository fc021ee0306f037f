//! A stream: a future that may be ready many times.
//!
//! `cargo run -p stage3-async --example ch33_stream`

use stage3_async::{Executor, yield_now};
use std::error::Error;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::vec;

// ANCHOR: stream
/// Values that arrive one after the other.
pub(crate) trait Stream {
    type Item;

    /// Ready with the next value, or with `None` at the end.
    fn poll_next(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Self::Item>>;
}

/// Waits for the next value of a stream.
pub(crate) async fn next<S: Stream + Unpin>(stream: &mut S) -> Option<S::Item> {
    poll_fn(|cx| Pin::new(&mut *stream).poll_next(cx)).await
}
// ANCHOR_END: stream

// ANCHOR: pages
/// Fetches one page after the other.
struct Pages<F> {
    paths: vec::IntoIter<&'static str>,
    fetch: fn(&'static str) -> F,
    /// The fetch that is on its way.
    current: Option<Pin<Box<F>>>,
}

impl<F: Future> Stream for Pages<F> {
    type Item = F::Output;

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<F::Output>> {
        if self.current.is_none() {
            let next = self.paths.next();
            self.current = next.map(|path| Box::pin((self.fetch)(path)));
        }
        let Some(fetch) = &mut self.current else { return Poll::Ready(None) };
        let page = ready!(fetch.as_mut().poll(cx));
        self.current = None;
        Poll::Ready(Some(page))
    }
}
// ANCHOR_END: pages

/// Stands in for a request and its response.
async fn fetch(path: &'static str) -> &'static str {
    println!("  {path} is requested");
    yield_now().await;
    path
}

async fn parse(path: &str) {
    for _ in 0..4 {
        yield_now().await;
    }
    println!("  {path} is parsed");
}

fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    executor.block_on(async {
        // ANCHOR: main
        let paths = vec!["/a", "/b", "/c", "/d"].into_iter();
        let mut pages = Pages { paths, fetch, current: None };
        println!("there is a stream");
        while let Some(path) = next(&mut pages).await {
            parse(path).await;
            if path == "/b" {
                break;
            }
        }
        // ANCHOR_END: main
        println!("left: {:?}", pages.paths.as_slice());
    })?;
    Ok(())
}
