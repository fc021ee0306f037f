//! A semaphore: permits that a task acquires, several at once, and that return when
//! they are dropped.
//!
//! `cargo run -p stage3-async --example ch33_semaphore`

use stage3_async::{Executor, race, yield_now};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

// ANCHOR: state
pub(crate) struct Semaphore {
    total: usize,
    state: RefCell<State>,
}

struct State {
    free: usize,
    /// The requests that wait: how many permits, and the waker of the task. Numbers
    /// ascend: the first has waited longest.
    waiting: BTreeMap<u64, (usize, Waker)>,
    /// Permits for each request that was woken, until it is polled and takes them.
    granted: BTreeMap<u64, Permits>,
    /// The number of the latest request that had to wait.
    latest: u64,
}
// ANCHOR_END: state

// ANCHOR: permits
/// Permits of a semaphore, which return when this is dropped.
pub(crate) struct Permits {
    count: usize,
    semaphore: Rc<Semaphore>,
}

impl Drop for Permits {
    fn drop(&mut self) {
        self.semaphore.state.borrow_mut().free += self.count;
        self.semaphore.grant();
    }
}
// ANCHOR_END: permits

impl Semaphore {
    pub(crate) fn new(total: usize) -> Rc<Semaphore> {
        let state = State {
            free: total,
            waiting: BTreeMap::new(),
            granted: BTreeMap::new(),
            latest: 0,
        };
        Rc::new(Semaphore { total, state: RefCell::new(state) })
    }

    /// Waits for `count` permits, or for all if the semaphore has fewer.
    pub(crate) fn acquire(self: &Rc<Self>, count: usize) -> Acquire {
        let count = count.min(self.total);
        Acquire { semaphore: Rc::clone(self), count, number: None }
    }

    fn permits(self: &Rc<Self>, count: usize) -> Permits {
        Permits { count, semaphore: Rc::clone(self) }
    }

    // ANCHOR: grant
    /// Gives permits to the first request, as long as there are enough for it.
    fn grant(self: &Rc<Self>) {
        let mut woken = Vec::new();
        let mut state = self.state.borrow_mut();
        while let Some(first) = state.waiting.first_entry() {
            let (number, count) = (*first.key(), first.get().0);
            if count > state.free {
                break;
            }
            woken.extend(state.waiting.remove(&number).map(|(_, waker)| waker));
            state.free -= count;
            state.granted.insert(number, self.permits(count));
        }
        drop(state);
        woken.into_iter().for_each(Waker::wake);
    }
    // ANCHOR_END: grant
}

/// A wait for permits.
pub(crate) struct Acquire {
    semaphore: Rc<Semaphore>,
    count: usize,
    /// Set while it waits: its number in `waiting`, and then in `granted`.
    number: Option<u64>,
}

impl Future for Acquire {
    type Output = Permits;

    // ANCHOR: poll
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Permits> {
        let this = &mut *self;
        let mut state = this.semaphore.state.borrow_mut();
        if let Some(permits) = this.number.and_then(|it| state.granted.remove(&it)) {
            this.number = None;
            return Poll::Ready(permits);
        }
        let is_new = this.number.is_none();
        if is_new && state.waiting.is_empty() && this.count <= state.free {
            state.free -= this.count;
            return Poll::Ready(this.semaphore.permits(this.count));
        }
        state.latest += u64::from(is_new);
        let number = *this.number.get_or_insert(state.latest);
        let request = (this.count, cx.waker().clone());
        let replaced = state.waiting.insert(number, request);
        drop(state); // first the borrow ends: a waker's destructor may use this
        drop(replaced);
        Poll::Pending
    }
    // ANCHOR_END: poll
}

// ANCHOR: drop
impl Drop for Acquire {
    fn drop(&mut self) {
        let Some(number) = self.number else { return };
        let mut state = self.semaphore.state.borrow_mut();
        let waited = state.waiting.remove(&number);
        let granted = state.granted.remove(&number);
        drop(state);
        drop((waited, granted)); // permits that were granted return here
        self.semaphore.grant();
    }
}
// ANCHOR_END: drop

// ANCHOR: parse
/// Holds a page of `size` kilobytes while it is parsed, which takes `turns` turns.
async fn parse(path: &'static str, size: usize, turns: u32, room: Rc<Semaphore>) {
    let permits = room.acquire(size).await;
    println!("  {path} begins, {} kB left", room.state.borrow().free);
    for _ in 0..turns {
        yield_now().await;
    }
    println!("  {path} ends");
    drop(permits);
}
// ANCHOR_END: parse

async fn turns(count: u32) {
    for _ in 0..count {
        yield_now().await;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    let room = Semaphore::new(100);

    println!("100 kB for all pages:");
    executor.block_on(async {
        // ANCHOR: pages
        let pages = [("/a", 60, 4), ("/b", 70, 3), ("/c", 30, 1), ("/d", 20, 1)];
        let parse = |(path, size, turns)| {
            executor.spawn(parse(path, size, turns, Rc::clone(&room)))
        };
        // ANCHOR_END: pages
        for task in pages.map(parse) {
            task.await.expect("it does not panic");
        }
    })?;

    println!("the second request gives up:");
    executor.block_on(async {
        let spawn = |path, size, turns| {
            executor.spawn(parse(path, size, turns, Rc::clone(&room)))
        };
        let first = spawn("/e", 60, 6);
        turns(1).await;
        let gives_up = async {
            race(room.acquire(70), turns(2)).await;
        };
        let third = spawn("/g", 30, 1);
        gives_up.await;
        println!("  /f has given up");
        for task in [first, third] {
            task.await.expect("it does not panic");
        }
    })?;
    Ok(())
}
