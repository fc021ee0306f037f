//! A future of many futures, which run side by side.
//!
//! The types of `checks` are in `tests/exercises/checks/src/exercises/join_all.rs`.

use checks::join_all::JoinAll;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

struct Mine;

/// A future, and then its number.
enum Slot<F> {
    Waits(Pin<Box<F>>),
    Has(u32),
}

// ANCHOR: task
impl JoinAll for Mine {
    fn join_all<F>(futures: Vec<F>) -> impl Future<Output = Vec<u32>>
    where
        F: Future<Output = u32> + 'static,
    {
        // The compiler refuses `Pin::new(&mut futures[0])`: a `Vec` may move what it
        // holds, and a future of this type may not move once it is polled.
        poll_fn(move |cx| -> Poll<Vec<u32>> {
            let _ = (&futures, cx);
            todo!("poll each future that is not ready; return the numbers of all")
        })
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::join_all::check::<Mine>()
}
