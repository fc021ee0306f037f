//! Two futures in one task, and one time-out for the whole.
//!
//! `Clock` is in `tests/exercises/checks/src/toy/clock.rs`. The other types are in
//! `tests/exercises/checks/src/exercises/race.rs`.

use checks::race::{Clock, Either, Race};
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

struct Mine;

// ANCHOR: task
impl Race for Mine {
    async fn race<A: Future, B: Future>(a: A, b: B) -> Either<A::Output, B::Output> {
        todo!("poll both, the first one first, until one of them is ready")
    }

    async fn within<F: Future>(
        time: u64,
        whole: F,
        clock: &Clock,
    ) -> Option<F::Output> {
        todo!("race `whole` against a sleep of {time}")
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::race::check::<Mine>()
}
