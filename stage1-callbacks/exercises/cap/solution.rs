//! A crawl with a cap: the number of pages in flight has a limit.

use checks::cap::{Begin, Crawl, Failed, Page, Refused};
use std::collections::VecDeque;

struct Mine {
    /// Found but not begun yet.
    todo: VecDeque<Page>,
    cap: usize,
    /// How many fetches have begun but not ended.
    in_flight: usize,
}

// ANCHOR: solution
impl Crawl for Mine {
    fn new(todo: Vec<Page>, cap: usize) -> Mine {
        Mine { todo: todo.into(), cap, in_flight: 0 }
    }

    fn start(&mut self, begin: Begin) {
        while self.in_flight < self.cap {
            let Some(page) = self.todo.pop_front() else { return };
            match begin(page) {
                Ok(()) => self.in_flight += 1,
                // hole 1
                //| Err(Refused::Failed) => todo!("what becomes of {page}?"),
                //| Err(Refused::OutOfSockets) => todo!("what becomes of {page}?"),
                Err(Refused::Failed) => {}
                Err(Refused::OutOfSockets) => return self.todo.push_front(page),
                // end hole
            }
        }
    }

    fn finish(&mut self, answer: Result<Vec<Page>, Failed>, begin: Begin) {
        // hole 1
        //| // Yours: a fetch has ended, whatever the answer is.
        self.in_flight -= 1;
        // end hole
        if let Ok(links) = answer {
            self.todo.extend(links);
        }
        self.start(begin);
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::cap::check::<Mine>()
}
