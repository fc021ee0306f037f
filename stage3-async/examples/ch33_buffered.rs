//! The fetches of a crawl as one stream, three at a time.
//!
//! `cargo run -p stage3-async --example ch33_buffered`

#[allow(dead_code, reason = "its `main` is another program")]
#[path = "ch33_stream.rs"]
mod stream;

use stage3_async::{Executor, yield_now};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::error::Error;
use std::future::Future;
use std::iter;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use stream::{Stream, next};

// ANCHOR: unordered
/// Runs at most `limit` futures of `source` at once. The first that ends comes first.
struct BufferUnordered<I, F> {
    source: I,
    limit: usize,
    running: Vec<Pin<Box<F>>>,
}

impl<F: Future, I: Iterator<Item = F> + Unpin> Stream for BufferUnordered<I, F> {
    type Item = F::Output;
    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<F::Output>> {
        let BufferUnordered { source, limit, running } = &mut *self;
        let room = *limit - running.len();
        running.extend(source.take(room).map(Box::pin));
        for place in 0..running.len() {
            if let Poll::Ready(output) = running[place].as_mut().poll(cx) {
                drop(running.remove(place));
                return Poll::Ready(Some(output));
            }
        }
        if running.is_empty() { Poll::Ready(None) } else { Poll::Pending }
    }
}
// ANCHOR_END: unordered

// ANCHOR: buffered
/// The same, but the outputs come in the order of the source.
struct Buffered<I, F: Future> {
    source: I,
    limit: usize,
    begun: VecDeque<Begun<F>>,
}

enum Begun<F: Future> {
    Running(Pin<Box<F>>),
    Ended(F::Output),
}
// ANCHOR_END: buffered

impl<F: Future, I: Iterator<Item = F> + Unpin> Stream for Buffered<I, F>
where
    F::Output: Unpin,
{
    type Item = F::Output;

    // ANCHOR: in_order
    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<F::Output>> {
        let Buffered { source, limit, begun } = &mut *self;
        let room = *limit - begun.len();
        begun.extend(source.take(room).map(|future| Begun::Running(Box::pin(future))));
        for slot in begun.iter_mut() {
            if let Begun::Running(future) = slot
                && let Poll::Ready(output) = future.as_mut().poll(cx)
            {
                *slot = Begun::Ended(output);
            }
        }
        match begun.pop_front() {
            Some(Begun::Ended(output)) => Poll::Ready(Some(output)),
            Some(running) => {
                begun.push_front(running);
                Poll::Pending
            }
            None => Poll::Ready(None),
        }
    }
    // ANCHOR_END: in_order
}

// ANCHOR: crawl
type Page = (&'static str, &'static [&'static str]);

/// Crawls without workers, without a queue, and without a `join`.
async fn crawl() {
    let frontier = RefCell::new(VecDeque::from(["/"]));
    let source = iter::from_fn(|| frontier.borrow_mut().pop_front().map(fetch));
    let mut pages = BufferUnordered { source, limit: 3, running: Vec::new() };
    while let Some((path, links)) = next(&mut pages).await {
        println!("  {path} has the links {links:?}");
        frontier.borrow_mut().extend(links);
    }
}
// ANCHOR_END: crawl

/// Takes as many turns as this small site needs for the page.
async fn fetch(path: &'static str) -> Page {
    let (turns, links): (u32, &[&str]) = match path {
        "/" => (1, &["/slow", "/b", "/c", "/d"]),
        "/slow" => (9, &[]),
        "/b" => (2, &["/e"]),
        _ => (2, &[]),
    };
    println!("  {path} is requested");
    for _ in 0..turns {
        yield_now().await;
    }
    (path, links)
}

type Turns = Rc<Cell<u32>>;

// ANCHOR: fetches
/// Six fetches. The first one takes nine turns, and each of the others one.
fn fetches(clock: &Turns) -> impl Iterator<Item = impl Future<Output = u32>> {
    iter::zip(1.., [9, 1, 1, 1, 1, 1]).map(|(number, turns)| wait(number, turns, clock))
}

async fn wait(number: u32, turns: u32, clock: &Turns) -> u32 {
    let end = clock.get() + turns; // counted from its first poll
    while clock.get() < end {
        yield_now().await;
    }
    number
}
// ANCHOR_END: fetches

/// Prints the number of each fetch, and the turn in which the stream had it.
async fn collect(mut stream: impl Stream<Item = u32> + Unpin, clock: &Turns) {
    let begins = clock.get();
    let mut ends = Vec::new();
    while let Some(number) = next(&mut stream).await {
        ends.push((number, clock.get() - begins));
    }
    println!(", fetch and turn: {ends:?}");
}

async fn tick(clock: Turns) {
    loop {
        yield_now().await;
        clock.set(clock.get() + 1);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    println!("a crawl:");
    executor.block_on(crawl())?;
    let clock = Turns::default();
    drop(executor.spawn(tick(Rc::clone(&clock))));
    executor.block_on(async {
        print!("buffer_unordered");
        let source = fetches(&clock);
        let running = Vec::new();
        collect(BufferUnordered { source, limit: 3, running }, &clock).await;
        print!("buffered");
        let source = fetches(&clock);
        let begun = VecDeque::new();
        collect(Buffered { source, limit: 3, begun }, &clock).await;
    })?;
    Ok(())
}
