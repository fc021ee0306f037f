//! A queue with a fixed number of places: `put` waits for a free one.
//!
//! `cargo run -p stage3-async --example ch33_bounded`

#[allow(dead_code, reason = "its `main` is another program")]
#[path = "ch33_broken_unbounded.rs"]
mod unbounded;

use stage3_async::{Either, Executor, Leaf, Queue, race, yield_now};
use std::cell::Cell;
use std::error::Error;
use std::rc::Rc;
use unbounded::{Counts, Page, tick};

static PUT: Leaf = Leaf::named("put", "a free place"); // observe

// ANCHOR: bounded
/// A queue in which a limited number of items can wait.
pub(crate) struct Bounded<T> {
    items: Queue<T>,
    /// An item for each place that is free.
    places: Queue<()>,
}

impl<T> Bounded<T> {
    pub(crate) fn new(bound: usize) -> Bounded<T> {
        assert!(bound > 0, "a queue needs a place");
        let (items, places) = (Queue::new(), Queue::new());
        (0..bound).for_each(|_| places.put(()));
        Bounded { items, places }
    }

    /// Waits for a free place, and puts the item there.
    pub(crate) async fn put(&self, item: T) {
        self.place().await.fill(item);
    }

    pub(crate) async fn get(&self) -> T {
        let item = self.items.get().await;
        self.places.put(());
        item
    }
    // ANCHOR_END: bounded

    /// Waits until there is a free place, and reserves it.
    // ANCHOR: place
    pub(crate) async fn place(&self) -> Place<'_, T> {
        let place = self.places.get();
        let place = named(&PUT, place); // observe
        place.await;
        Place(Some(self))
    }
}

/// A place that is reserved. If it is dropped without an item, it is free again.
pub(crate) struct Place<'a, T>(Option<&'a Bounded<T>>);

impl<T> Place<'_, T> {
    pub(crate) fn fill(mut self, item: T) {
        let queue = self.0.take().expect("a place is filled once");
        queue.items.put(item);
    }
}

impl<T> Drop for Place<'_, T> {
    fn drop(&mut self) {
        if let Some(queue) = self.0 {
            queue.places.put(());
        }
    }
}
// ANCHOR_END: place

/// The same future, under this name in a stuck report.
async fn named<F: Future>(leaf: &'static Leaf, future: F) -> F::Output {
    let mut future = std::pin::pin!(future);
    std::future::poll_fn(|cx| {
        leaf.parked();
        let poll = future.as_mut().poll(cx);
        if poll.is_ready() {
            leaf.passed();
        }
        poll
    })
    .await
}

impl<T> Bounded<T> {
    pub(crate) fn task_done(&self) {
        self.items.task_done();
    }

    pub(crate) async fn join(&self) {
        self.items.join().await;
    }
}

// ANCHOR: tasks
/// Fetches a page in each turn in which the queue has a place for it.
async fn fetch_all(pages: &Bounded<Page>, counts: &Rc<Counts>) {
    for fetched in 1..=1_000 {
        yield_now().await;
        let page = Page::new(counts);
        if fetched % 200 == 0 {
            page.print(fetched);
        }
        pages.put(page).await;
    }
}
// ANCHOR_END: tasks

async fn parse_all(pages: Rc<Bounded<Page>>) {
    loop {
        pages.get().await.parse().await;
        pages.task_done();
    }
}

/// A queue with one place, which is taken. A put that waits for it gives up.
async fn gives_up() {
    let links = Bounded::new(1);
    links.put("/a").await;
    // ANCHOR: gives_up
    let end = race(links.put("/b"), yield_now()).await;
    println!("the put has given up: {}", end == Either::Second(()));
    println!("taken: {}", links.get().await);
    links.put("/c").await;
    println!("taken: {}", links.get().await);
    // ANCHOR_END: gives_up
}

fn main() -> Result<(), Box<dyn Error>> {
    let (pages, counts) = (Rc::new(Bounded::new(10)), Rc::<Counts>::default());
    let (executor, turns) = (Executor::new()?, Rc::new(Cell::new(0)));
    drop(executor.spawn(tick(Rc::clone(&turns))));
    drop(executor.spawn(parse_all(Rc::clone(&pages))));
    executor.block_on(async {
        fetch_all(&pages, &counts).await;
        pages.join().await;
    })?;
    println!("all are parsed after {} turns", turns.get());
    executor.block_on(gives_up())?;
    Ok(())
}
