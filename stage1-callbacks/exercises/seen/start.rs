//! The books of a crawl: what to fetch, what was seen, and whether the crawl is over.
//!
//! With these books, the report of a crawl has some pages twice and lacks others. Fix
//! them. A page is in flight from `next` until `settle`, which gets its links. A `Url`
//! is `Copy`.
//!
//! The types of `checks` are in `tests/exercises/checks/src/exercises/seen.rs`.

use checks::seen::{Books, Failed, Url};
use std::collections::{HashSet, VecDeque};

struct Mine {
    /// Found, and not requested yet.
    todo: VecDeque<Url>,
    seen: HashSet<Url>,
}

// ANCHOR: task
impl Books for Mine {
    fn new(root: Url) -> Mine {
        Mine { todo: [root].into(), seen: HashSet::new() }
    }

    fn next(&mut self) -> Option<Url> {
        self.todo.pop_front()
    }

    fn settle(&mut self, url: Url, answer: Result<Vec<Url>, Failed>) {
        let Ok(links) = answer else { return };
        self.seen.insert(url);
        let is_new = |link: &Url| !self.seen.contains(link);
        self.todo.extend(links.into_iter().filter(is_new));
    }

    fn is_over(&self) -> bool {
        self.todo.is_empty()
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::seen::check::<Mine>()
}
