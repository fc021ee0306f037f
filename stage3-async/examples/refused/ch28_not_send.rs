//! Refused: a task that is moved between threads, and holds an `Rc` at its await.
//!
//! `rustc --edition 2024 stage3-async/examples/refused/ch28_not_send.rs`

// ANCHOR: spawn
use std::cell::RefCell;
use std::collections::HashSet;
use std::future::{Future, ready};
use std::rc::Rc;

type Seen = Rc<RefCell<HashSet<&'static str>>>;

/// As where tasks are stolen.
fn spawn(_: impl Future + Send + 'static) {}

async fn work(seen: Seen) {
    ready(()).await;
    seen.borrow_mut().insert("/task");
}

fn main() {
    spawn(work(Seen::default()));
}
// ANCHOR_END: spawn
