//! A hang: a task keeps a lock across an await, and what it awaits needs the lock.
//!
//! `cargo run -p recorder --example ch28_hang_lock`
//!
//! It does not run in a page: it uses threads.

mod watch;

use recorder::Recorder;
use std::sync::Arc;
use tokio::sync::{Mutex, oneshot};

// ANCHOR: program
async fn program(recorder: Recorder) {
    let cache = Arc::new(Mutex::new(vec![]));
    let (answer, answered) = oneshot::channel();
    let (r, of_reader) = (recorder.clone(), Arc::clone(&cache));
    let reader = tokio::spawn(recorder.task("reader", async move {
        let pages = r.wait("lock of the cache", of_reader.lock()).await;
        let _provider = r.provides("lock of the cache");
        let page: Result<&str, _> = r.wait("the loader's answer", answered).await;
        println!("{page:?}, and {} pages before it", pages.len());
    }));
    let r = recorder.clone();
    let loader = tokio::spawn(recorder.task("loader", async move {
        let _provider = r.provides("the loader's answer");
        r.wait("lock of the cache", cache.lock()).await.push("a page");
        answer.send("a page")
    }));
    let _ = tokio::join!(reader, loader);
}
// ANCHOR_END: program

fn main() {
    watch::watch(program);
}
