//! A crawl with a cap: the number of pages in flight has a limit.
//!
//! This version has no cap, like the chapter's first crawler. Give it one. `begin`
//! returns an error if no fetch has begun. After `Refused::Failed`, the page is done.
//! After `Refused::OutOfSockets`, it has to be tried again once another fetch has ended.
//!
//! The types of `checks` are in `tests/exercises/checks/src/exercises/cap.rs`.

use checks::cap::{Begin, Crawl, Failed, Page}; // and Refused
use std::collections::VecDeque;

struct Mine {
    /// Found, and not begun yet.
    todo: VecDeque<Page>,
    cap: usize,
}

// ANCHOR: task
impl Crawl for Mine {
    fn new(todo: Vec<Page>, cap: usize) -> Mine {
        Mine { todo: todo.into(), cap }
    }

    fn start(&mut self, begin: Begin) {
        while let Some(page) = self.todo.pop_front() {
            begin(page).ok();
        }
    }

    fn finish(&mut self, answer: Result<Vec<Page>, Failed>, begin: Begin) {
        let Ok(links) = answer else { return };
        self.todo.extend(links);
        self.start(begin);
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::cap::check::<Mine>()
}
