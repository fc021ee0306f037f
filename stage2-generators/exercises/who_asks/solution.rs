//! A crawl that asks each of its tasks for the result.

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

struct Crawling {
    /// The fetches that were not started.
    fetches: Vec<Fetch>,
    /// The tasks whose results are still missing, in order.
    joins: VecDeque<Join<u32>>,
    results: Results,
}

// ANCHOR: solution
impl Coroutine for Crawling {
    type Return = Result<Results>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        for fetch in mem::take(&mut self.fetches) {
            self.joins.push_back(event_loop.spawn(fetch));
        }
        let Some(join) = self.joins.front_mut() else {
            return Step::Return(Ok(mem::take(&mut self.results)));
        };
        let result = yield_from!(join, event_loop, resume);
        // hole 1
        //| todo!("keep the result, and go on with the next task")
        self.results.push(result);
        self.joins.pop_front();
        self.resume(event_loop, Resume::Send)
        // end hole
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::who_asks::check::<Mine>()
}
