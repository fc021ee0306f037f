//! A tree of stop tokens: one that stops wakes all that wait for it, or for one below.

use checks::token::{Boxed, StopToken};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::task::{Context, Poll, Waker};

#[derive(Default)]
struct Node {
    is_stopped: bool,
    /// Keeps the way to this token, even if no other handle is left.
    parent: Option<Mine>,
    /// The tokens below. Weak, so that a token that is no longer used is freed.
    children: Vec<Weak<RefCell<Node>>>,
    /// The waker of each wait, under its number.
    waiters: BTreeMap<u64, Waker>,
    /// The number of the latest wait.
    latest: u64,
}

#[derive(Clone, Default)]
struct Mine(Rc<RefCell<Node>>);

struct Stopped {
    token: Mine,
    /// Set while it waits.
    number: Option<u64>,
}

impl StopToken for Mine {
    fn new() -> Mine {
        Mine::default()
    }

    fn is_stopped(&self) -> bool {
        self.0.borrow().is_stopped
    }

    fn stopped(&self) -> Boxed {
        Box::pin(Stopped { token: self.clone(), number: None })
    }

    // ANCHOR: task
    fn child(&self) -> Mine {
        todo!("a new token, which the two of them know")
    }

    fn stop(&self) {
        todo!("mark this token and all below; then wake all that wait for them")
    }
}

impl Future for Stopped {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        todo!("wait, under a number, until the token has stopped")
    }
}

// Yours: a wait that is dropped leaves no waker behind.
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::token::check::<Mine>()
}
