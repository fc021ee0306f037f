//! Two futures in one task, and one time-out for the whole fetch.
// hole 2
//| //!
//| //! `Clock` is in `tests/exercises/checks/src/toy/clock.rs`. The other types are in
//| //! `tests/exercises/checks/src/exercises/race.rs`.
// end hole

use checks::race::{Clock, Either, Race};
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

struct Mine;

// ANCHOR: solution
impl Race for Mine {
    async fn race<A: Future, B: Future>(a: A, b: B) -> Either<A::Output, B::Output> {
        // hole 2
        //| todo!("poll both, the first one first, until one of them is ready")
        let (mut a, mut b) = (pin!(a), pin!(b));
        poll_fn(|cx| match a.as_mut().poll(cx) {
            Poll::Ready(output) => Poll::Ready(Either::First(output)),
            // hole 1
            //| Poll::Pending => todo!("is the second one ready?"),
            Poll::Pending => b.as_mut().poll(cx).map(Either::Second),
            // end hole
        })
        .await
        // end hole
    }

    async fn within<F: Future>(
        time: u64,
        whole: F,
        clock: &Clock,
    ) -> Option<F::Output> {
        // hole 1
        //| todo!("race `whole` against a sleep of {time}")
        match Mine::race(whole, clock.sleep(time)).await {
            Either::First(output) => Some(output),
            Either::Second(()) => None,
        }
        // end hole
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::race::check::<Mine>()
}
