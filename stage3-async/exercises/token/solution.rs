//! A tree of stop tokens: one that stops wakes all that wait for it, or for one below.

use checks::token::{Boxed, StopToken};
use std::cell::RefCell;
use std::collections::BTreeMap;
// hole 2
use std::mem;
// end hole
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

    // ANCHOR: solution
    fn child(&self) -> Mine {
        // hole 2
        //| todo!("a new token, which knows its parent and is known to it")
        let child = Mine::new();
        child.0.borrow_mut().parent = Some(self.clone());
        let mut node = self.0.borrow_mut();
        if node.is_stopped {
            // hole 1
            //| todo!("the parent has stopped: what about the child?")
            child.0.borrow_mut().is_stopped = true;
            // end hole
        } else {
            node.children.push(Rc::downgrade(&child.0));
        }
        child
        // end hole
    }

    fn stop(&self) {
        // hole 2
        //| todo!("mark this token and all below; then wake all tasks that wait for them")
        let mut wakers = Vec::new();
        self.mark(&mut wakers);
        wakers.into_iter().for_each(Waker::wake); // nothing is borrowed
        // end hole
    }
}
// hole 2

impl Mine {
    /// Stops this token and those below, and adds the wakers of all waits.
    fn mark(&self, wakers: &mut Vec<Waker>) {
        let mut node = self.0.borrow_mut();
        node.is_stopped = true;
        wakers.extend(mem::take(&mut node.waiters).into_values());
        for child in node.children.drain(..).filter_map(|child| child.upgrade()) {
            // hole 1
            //| let _ = child;
            //| todo!("a child that still exists stops, too")
            Mine(child).mark(wakers);
            // end hole
        }
    }
}
// end hole

impl Future for Stopped {
    type Output = ();

    // hole 2
    //| fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
    //|     todo!("wait, under a number, until the token has stopped")
    //| }
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        let mut node = this.token.0.borrow_mut();
        if node.is_stopped {
            return Poll::Ready(());
        }
        node.latest += u64::from(this.number.is_none());
        let number = *this.number.get_or_insert(node.latest);
        let replaced = node.waiters.insert(number, cx.waker().clone());
        drop(node); // the destructor of a waker may run any code, too
        drop(replaced);
        Poll::Pending
    }
    // end hole
}

// hole 2
//| // Yours: a wait that is dropped leaves no waker behind.
impl Drop for Stopped {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            let waker = self.token.0.borrow_mut().waiters.remove(&number);
            drop(waker);
        }
    }
}
// end hole
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::token::check::<Mine>()
}
