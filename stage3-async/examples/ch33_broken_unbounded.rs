//! Broken on purpose: pages arrive more quickly than they are parsed, and the queue
//! between has no limit.
//!
//! `cargo run -p stage3-async --example ch33_broken_unbounded`

use stage3_async::{Executor, Queue, yield_now};
use std::cell::Cell;
use std::error::Error;
use std::rc::Rc;

// ANCHOR: page
/// What is counted: pages in memory, and pages that were parsed.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) held: Cell<usize>,
    pub(crate) parsed: Cell<usize>,
}

/// A page in memory. As long as it is there, it is counted.
pub(crate) struct Page {
    html: Vec<u8>,
    counts: Rc<Counts>,
}
// ANCHOR_END: page

impl Page {
    pub(crate) fn new(counts: &Rc<Counts>) -> Page {
        counts.held.set(counts.held.get() + 1);
        Page { html: vec![b' '; 10_000], counts: Rc::clone(counts) }
    }

    /// Parses the page, which takes four turns.
    pub(crate) async fn parse(self) {
        for _ in 0..4 {
            yield_now().await;
        }
        self.counts.parsed.set(self.counts.parsed.get() + 1);
    }

    /// Prints what has become of the `fetched` pages.
    pub(crate) fn print(&self, fetched: usize) {
        let Counts { held, parsed } = &*self.counts;
        let (held, bytes) = (held.get(), held.get() * self.html.len());
        let parsed = parsed.get();
        println!(
            "fetched {fetched:4}, parsed {parsed:3}, held {held:3}: {bytes:7} bytes"
        );
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.counts.held.set(self.counts.held.get() - 1);
    }
}

// ANCHOR: tasks
const PAGES: usize = 1_000;

/// Fetches a page in each turn, and puts it into the queue.
async fn fetch_all(pages: &Queue<Page>, counts: &Rc<Counts>) {
    for fetched in 1..=PAGES {
        yield_now().await;
        let page = Page::new(counts);
        if fetched % 200 == 0 {
            page.print(fetched);
        }
        pages.put(page);
    }
}

/// Takes one page after the other, and parses it.
async fn parse_all(pages: Rc<Queue<Page>>) {
    loop {
        pages.get().await.parse().await;
        pages.task_done();
    }
}
// ANCHOR_END: tasks

/// Counts turns: one in each round of the tasks that are ready.
pub(crate) async fn tick(turns: Rc<Cell<u32>>) {
    loop {
        turns.set(turns.get() + 1);
        yield_now().await;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (pages, counts) = (Rc::new(Queue::new()), Rc::<Counts>::default());
    let (executor, turns) = (Executor::new()?, Rc::new(Cell::new(0)));
    drop(executor.spawn(tick(Rc::clone(&turns))));
    drop(executor.spawn(parse_all(Rc::clone(&pages))));
    executor.block_on(async {
        fetch_all(&pages, &counts).await;
        pages.join().await;
    })?;
    println!("all are parsed after {} turns", turns.get());
    Ok(())
}
