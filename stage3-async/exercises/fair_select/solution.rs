//! A select that begins at another branch each time, so that none starves.

use checks::fair_select::{Leaf, Select};
use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

struct Mine {
    /// The branch to begin with, which may be beyond the last one.
    first: usize,
}

// ANCHOR: solution
impl Select for Mine {
    fn new() -> Mine {
        Mine { first: 0 }
    }

    async fn select(&mut self, mut branches: Vec<Leaf>) -> (usize, u32) {
        let count = branches.len();
        poll_fn(|cx| {
            // hole 1
            //| // Yours: begin with `self.first`, which may be beyond the last one.
            //| for number in 0..count {
            for number in (self.first..self.first + count).map(|it| it % count) {
                // end hole
                let branch = Pin::new(&mut branches[number]);
                if let Poll::Ready(output) = branch.poll(cx) {
                    // hole 1
                    //| // Yours: with which branch does the next call begin?
                    self.first = number + 1;
                    // end hole
                    return Poll::Ready((number, output));
                }
            }
            Poll::Pending
        })
        .await
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::fair_select::check::<Mine>()
}
