//! A semaphore: permits that are acquired several at once, in the order of the requests.

use checks::semaphore::Semaphore;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

#[derive(Default)]
struct State {
    /// Permits that are neither taken nor granted.
    free: usize,
    /// How many permits each request that waits needs, and the waker of its task.
    /// Numbers ascend: the first has waited longest.
    waiting: BTreeMap<u64, (usize, Waker)>,
    /// The requests that were woken, and their permits, until they are polled.
    granted: BTreeMap<u64, usize>,
    /// The number of the latest request that had to wait.
    latest: u64,
}

#[derive(Clone)]
struct Mine(Rc<RefCell<State>>);

struct Permits {
    semaphore: Mine,
    count: usize,
}

struct Acquire {
    semaphore: Mine,
    count: usize,
    /// Set when it has to wait, until it has its permits.
    number: Option<u64>,
}

impl Semaphore for Mine {
    type Permits = Permits;
    type Acquire = Acquire;

    fn new(free: usize) -> Mine {
        Mine(Rc::new(RefCell::new(State { free, ..State::default() })))
    }

    fn acquire(&self, count: usize) -> Acquire {
        Acquire { semaphore: self.clone(), count, number: None }
    }

    fn free(&self) -> usize {
        self.0.borrow().free
    }
}

impl Drop for Permits {
    fn drop(&mut self) {
        self.semaphore.give_back(self.count);
    }
}

// ANCHOR: task
impl Mine {
    fn give_back(&self, count: usize) {
        todo!("{count} permits return: grant them, first come, first served")
    }
}

impl Future for Acquire {
    type Output = Permits;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Permits> {
        todo!("take the permits if they are there for this request; otherwise wait")
    }
}

impl Drop for Acquire {
    fn drop(&mut self) {
        // Yours: it may wait, or it may have permits that it will never use.
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::semaphore::check::<Mine>()
}
