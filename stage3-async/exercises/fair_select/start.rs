//! A select that begins at another branch each time, so that none starves.

use checks::fair_select::{Leaf, Select};
use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

struct Mine {
    /// The branch to begin with, which may be beyond the last one.
    first: usize,
}

// ANCHOR: task
impl Select for Mine {
    fn new() -> Mine {
        Mine { first: 0 }
    }

    async fn select(&mut self, mut branches: Vec<Leaf>) -> (usize, u32) {
        // There is a bug: some branches starve.
        poll_fn(|cx| {
            for (number, branch) in branches.iter_mut().enumerate() {
                if let Poll::Ready(output) = Pin::new(branch).poll(cx) {
                    return Poll::Ready((number, output));
                }
            }
            Poll::Pending
        })
        .await
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::fair_select::check::<Mine>()
}
