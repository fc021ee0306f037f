//! The books of a crawl: what to fetch, what was seen, and whether the crawl is over.

use checks::seen::{Books, Failed, Url};
use std::collections::{HashSet, VecDeque};

struct Mine {
    /// Found but not requested yet.
    todo: VecDeque<Url>,
    /// Everything that has ever been in `todo`.
    seen: HashSet<Url>,
    /// How many pages were requested but not settled.
    in_flight: usize,
}

// ANCHOR: solution
impl Books for Mine {
    fn new(root: Url) -> Mine {
        Mine { todo: [root].into(), seen: [root].into(), in_flight: 0 }
    }

    fn next(&mut self) -> Option<Url> {
        let url = self.todo.pop_front()?;
        self.in_flight += 1;
        Some(url)
    }

    fn settle(&mut self, _: Url, answer: Result<Vec<Url>, Failed>) {
        self.in_flight -= 1;
        let Ok(links) = answer else { return };
        for link in links {
            // hole 1
            //| todo!("is {link} to be fetched?")
            if self.seen.insert(link) {
                self.todo.push_back(link);
            }
            // end hole
        }
    }

    fn is_over(&self) -> bool {
        // hole 1
        //| todo!("what may still come?")
        self.todo.is_empty() && self.in_flight == 0
        // end hole
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::seen::check::<Mine>()
}
