//! A producer and three workers with threads: the queue needs locks, and a way to end.
//!
//! `cargo run -p stage3-async --example ch22_threads`
//!
//! It does not run in a page: it uses threads.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

const WORKERS: usize = 3;
const PATIENCE: Duration = Duration::from_secs(10);
const NOT_POISONED: &str = "nothing panics while it holds the books";

// ANCHOR: books
/// What all workers share. A thread may be interrupted anywhere, so it holds the lock
/// while it reads or changes the state, and gives it back while it waits.
#[derive(Default)]
struct Books {
    state: Mutex<State>,
    /// An item was put, or the queue is closed: `get` looks again.
    has_news: Condvar,
    /// All items are done: `join` looks again.
    is_done: Condvar,
}

#[derive(Default)]
struct State {
    items: VecDeque<u32>,
    unfinished: usize,
    is_closed: bool,
    begun: u32,
    done: u32,
}
// ANCHOR_END: books

impl Books {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect(NOT_POISONED)
    }

    // ANCHOR: get
    /// Waits for an item, and takes it. A thread cannot be cancelled while it waits,
    /// so this returns `None` once the queue is closed.
    fn get(&self) -> Option<u32> {
        let waits = |state: &mut State| state.items.is_empty() && !state.is_closed;
        let mut state =
            self.has_news.wait_while(self.lock(), waits).expect(NOT_POISONED);
        let item = state.items.pop_front()?;
        state.begun += 1;
        Some(item)
    }

    fn close(&self) {
        self.lock().is_closed = true;
        self.has_news.notify_all();
    }
    // ANCHOR_END: get

    // ANCHOR: put
    /// The caller holds the lock already, so this call and what the caller does before
    /// and after it are one step.
    fn put(&self, state: &mut State, item: u32) {
        state.items.push_back(item);
        state.unfinished += 1;
        self.has_news.notify_one();
    }

    fn task_done(&self, state: &mut State) {
        state.unfinished -= 1;
        if state.unfinished == 0 {
            self.is_done.notify_all();
        }
    }

    /// Waits until as many items are done as were put, but not forever: a worker that
    /// died never reports its item.
    fn join(&self) -> MutexGuard<'_, State> {
        let waits = |state: &mut State| state.unfinished > 0;
        self.is_done
            .wait_timeout_while(self.lock(), PATIENCE, waits)
            .expect(NOT_POISONED)
            .0
    }
    // ANCHOR_END: put
}

// ANCHOR: worker
/// Takes items until the queue is closed.
fn work(books: &Books) -> &'static str {
    while let Some(item) = books.get() {
        thread::sleep(Duration::from_millis(10));
        let mut state = books.lock(); // after the sleep, so that others can work
        // New items are put before this one is reported as done, so the count cannot
        // reach zero in between.
        if item > 0 {
            books.put(&mut state, item - 1);
        }
        state.done += 1;
        books.task_done(&mut state);
    }
    "the queue was closed"
}
// ANCHOR_END: worker

// ANCHOR: main
fn main() {
    let books = Books::default();
    let ended: Vec<_> = thread::scope(|scope| {
        let start = |_| scope.spawn(|| work(&books));
        let workers: Vec<_> = (0..WORKERS).map(start).collect();
        let mut state = books.lock(); // otherwise workers begin between the puts
        for item in [4, 3, 2] {
            books.put(&mut state, item);
        }
        println!("3 items put, {} begun", state.begun);
        drop(state);
        let state = books.join();
        println!("joined: {} begun, {} done", state.begun, state.done);
        drop(state); // otherwise `close` would wait forever, for this very thread
        books.close();
        workers.into_iter().map(|worker| worker.join().expect("it ends")).collect()
    });
    for (number, end) in ended.iter().enumerate() {
        println!("worker {}: {end}", number + 1);
    }
}
// ANCHOR_END: main
