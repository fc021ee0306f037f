//! Stop tokens, in a tree: workers finish what they have begun, and what takes too long
//! is dropped.
//!
//! `cargo run -p stage3-async --example ch31_token`

#[allow(dead_code, reason = "its `main` is another program")]
#[path = "ch31_join_set.rs"]
mod join_set;

use join_set::JoinSet;
use stage3_async::{Either, Executor, Queue, Reactor, race, timeout, yield_now};
use std::cell::{Cell, RefCell};
use std::error::Error;
use std::future::{pending, poll_fn};
use std::rc::{Rc, Weak};
use std::task::{Poll, Waker};
use std::time::Duration;

/// A request to stop. Clones are handles to the same token.
#[derive(Clone)]
struct StopToken(Rc<Node>);

struct Node {
    is_stopped: Cell<bool>,
    /// The tasks that wait in `stopped`.
    waiters: Waiters,
    /// The tokens below. Weak, so that a token that is no longer used is freed.
    children: RefCell<Vec<Weak<Node>>>,
    /// Keeps the way to this token, even if no other handle is left.
    _parent: Option<StopToken>,
}

impl StopToken {
    fn new(parent: Option<StopToken>) -> StopToken {
        StopToken(Rc::new(Node {
            is_stopped: Cell::new(false),
            waiters: Waiters::default(),
            children: RefCell::default(),
            _parent: parent,
        }))
    }

    // ANCHOR: tree
    /// Returns a token that stops when this one stops. It can stop alone, too.
    fn child(&self) -> StopToken {
        let child = StopToken::new(Some(self.clone()));
        if self.0.is_stopped.get() {
            child.stop();
        } else {
            self.0.children.borrow_mut().push(Rc::downgrade(&child.0));
        }
        child
    }

    /// Stops this token and all tokens below it.
    fn stop(&self) {
        if !self.0.is_stopped.replace(true) {
            self.0.waiters.wake_all();
            for child in self.0.children.take().iter().filter_map(Weak::upgrade) {
                StopToken(child).stop();
            }
        }
    }

    /// Waits until the token stops.
    async fn stopped(&self) {
        self.0.waiters.wait_until(|| self.0.is_stopped.get()).await;
    }
    // ANCHOR_END: tree
}

/// The wakers of the tasks that wait for the same thing.
#[derive(Default)]
struct Waiters(RefCell<Vec<Waker>>);

// ANCHOR: waiters
impl Waiters {
    /// Waits until `is_over` returns true. Calls it again after each `wake_all`.
    async fn wait_until(&self, is_over: impl Fn() -> bool) {
        poll_fn(|cx| {
            if is_over() {
                return Poll::Ready(());
            }
            let mut wakers = self.0.borrow_mut();
            // A task that stops waiting is not removed, so look for it first.
            if !wakers.iter().any(|waker| waker.will_wake(cx.waker())) {
                wakers.push(cx.waker().clone());
            }
            Poll::Pending
        })
        .await;
    }

    fn wake_all(&self) {
        let wakers = self.0.take(); // so nothing is borrowed while wakers run
        wakers.into_iter().for_each(Waker::wake);
    }
}
// ANCHOR_END: waiters

type Pages = Rc<Queue<(&'static str, Option<u32>)>>;

// ANCHOR: work
/// Checks the token before each page, never during one.
async fn work(number: u32, pages: Pages, token: StopToken) -> u32 {
    while let Either::Second((path, turns)) = race(token.stopped(), pages.get()).await {
        println!("  worker {number} fetches {path}");
        fetch(turns).await;
        println!("  worker {number} has fetched {path}");
    }
    number
}
// ANCHOR_END: work

/// Takes `count` turns of its task. With `None`, the response never comes.
async fn fetch(count: Option<u32>) {
    match count {
        Some(count) => turns(count).await,
        None => pending().await,
    }
}

const GRACE: Duration = Duration::from_millis(500);

// ANCHOR: stop
/// Asks the workers to stop, and cancels those that take too long.
async fn stop(crawl: &StopToken, workers: &mut JoinSet<u32>, reactor: &Reactor) {
    println!("the crawl stops");
    crawl.stop();
    if let Err(elapsed) = timeout(GRACE, join_all(workers), reactor).await {
        println!("{elapsed}");
        workers.cancel_all();
        join_all(workers).await;
    }
}

/// Prints how each worker ends, until all have ended.
async fn join_all(workers: &mut JoinSet<u32>) {
    while let Some(end) = workers.next().await {
        match end {
            Ok(number) => println!("  worker {number} has stopped"),
            Err(error) => println!("  {error}"),
        }
    }
}
// ANCHOR_END: stop

async fn crawl(executor: &Executor, pages: Pages) {
    let (crawl, mut workers) = (StopToken::new(None), JoinSet::new(executor));
    let one_host = crawl.child();
    for (number, token) in [(1, &one_host), (2, &crawl), (3, &crawl)] {
        workers.spawn(work(number, pages.clone(), token.clone()));
    }
    turns(2).await;
    println!("the token of one host stops");
    one_host.stop();
    if let Some(Ok(number)) = workers.next().await {
        println!("  worker {number} has stopped");
    }
    stop(&crawl, &mut workers, executor.reactor()).await;
}

async fn turns(count: u32) {
    for _ in 0..count {
        yield_now().await;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let pages = Pages::default();
    for page in
        [("/one", Some(4)), ("/two", Some(9)), ("/endless", None), ("/last", Some(1))]
    {
        pages.put(page);
    }
    let executor = Executor::new()?;
    executor.block_on(crawl(&executor, pages.clone()))?;
    println!("left: {}", executor.block_on(pages.get())?.0);
    Ok(())
}
