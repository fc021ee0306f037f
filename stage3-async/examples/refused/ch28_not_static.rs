//! Refused: a task that may outlive its caller, and borrows from it.
//!
//! `rustc --edition 2024 stage3-async/examples/refused/ch28_not_static.rs`

// ANCHOR: spawn
use std::future::Future;

/// As on every runtime.
fn spawn(_: impl Future + 'static) {}

async fn fetch(url: &str) -> usize {
    url.len()
}

fn crawl(url: &str) {
    spawn(fetch(url));
}
// ANCHOR_END: spawn

fn main() {
    crawl("/task");
}
