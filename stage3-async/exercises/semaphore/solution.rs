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

// ANCHOR: solution
impl Mine {
    fn give_back(&self, count: usize) {
        // hole 2
        //| todo!("{count} permits return: grant them, first come, first served")
        let mut woken = Vec::new();
        let mut state = self.0.borrow_mut();
        state.free += count;
        while let Some((&number, &(count, _))) = state.waiting.first_key_value() {
            if count > state.free {
                break;
            }
            let (_, waker) = state.waiting.remove(&number).expect("it is there");
            // hole 1
            //| let _ = waker;
            //| todo!("grant request {number} its {count} permits; what is to be woken?")
            state.free -= count;
            state.granted.insert(number, count);
            woken.push(waker);
            // end hole
        }
        drop(state);
        woken.into_iter().for_each(Waker::wake);
        // end hole
    }
}

impl Future for Acquire {
    type Output = Permits;

    // hole 2
    //| fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Permits> {
    //|     todo!("take the permits if they are there for this request; otherwise wait")
    //| }
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Permits> {
        let this = &mut *self;
        let (semaphore, count) = (this.semaphore.clone(), this.count);
        let mut state = this.semaphore.0.borrow_mut();
        if let Some(number) = this.number {
            if state.granted.remove(&number).is_some() {
                this.number = None;
                return Poll::Ready(Permits { semaphore, count });
            }
        } else if state.waiting.is_empty() && count <= state.free {
            state.free -= count;
            return Poll::Ready(Permits { semaphore, count });
        }
        state.latest += u64::from(this.number.is_none());
        let number = *this.number.get_or_insert(state.latest);
        let replaced = state.waiting.insert(number, (count, cx.waker().clone()));
        drop(state);
        drop(replaced); // nothing is borrowed: it may run any code
        Poll::Pending
    }
    // end hole
}

impl Drop for Acquire {
    fn drop(&mut self) {
        // hole 2
        //| // Yours: it may wait, or it may have permits that it will never use.
        let Some(number) = self.number else { return };
        let mut state = self.semaphore.0.borrow_mut();
        let waited = state.waiting.remove(&number);
        let granted = state.granted.remove(&number);
        drop(state);
        drop(waited);
        // hole 1
        //| // Yours: it may have permits that it will never use.
        //| let _ = granted;
        self.semaphore.give_back(granted.unwrap_or(0));
        // end hole
        // end hole
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::semaphore::check::<Mine>()
}
