//! A crawl that asks each of its tasks for the result.
//!
//! This crawl returns no results and reports success even if a task has failed.
//!
//! `Coroutine`, `Resume` and `Step` are in
//! `tests/exercises/checks/src/toy/coroutines.rs`, and `Join` and `Loop` are in
//! `event_loop.rs` beside it. The other types are in
//! `tests/exercises/checks/src/exercises/who_asks.rs`.

use checks::who_asks::{
    Coroutine, Crawl, Fetch, Join, Loop, Result, Results, Resume, Step,
};
use checks::yield_from;
use std::collections::VecDeque;
use std::mem;

struct Mine;

impl Crawl for Mine {
    fn crawl(fetches: Vec<Fetch>) -> impl Coroutine<Return = Result<Results>> {
        Crawling { fetches, joins: VecDeque::new(), results: Vec::new() }
    }
}

// ANCHOR: task
struct Crawling {
    /// The fetches that were not started.
    fetches: Vec<Fetch>,
    /// The tasks whose results are still missing, in order.
    joins: VecDeque<Join<u32>>,
    results: Results,
}

impl Coroutine for Crawling {
    type Return = Result<Results>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        for fetch in mem::take(&mut self.fetches) {
            drop(event_loop.spawn(fetch));
        }
        Step::Return(Ok(mem::take(&mut self.results)))
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::who_asks::check::<Mine>()
}
