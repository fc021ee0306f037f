//! `a.await + b.await`, written by hand.
// hole 2
//| //!
//| //! `Leaf` is in `tests/exercises/checks/src/toy/leaf.rs`. The other types are in
//| //! `tests/exercises/checks/src/exercises/two_awaits.rs`.
// end hole

use checks::two_awaits::{Leaf, Sum};
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll};

struct Mine;

/// A variant for each await, with what is alive across it.
enum Frame {
    AwaitsA { a: Leaf, b: Leaf },
    AwaitsB { first: u32, b: Leaf },
    Done,
}

impl Sum for Mine {
    type Sum = Frame;

    fn sum(a: Leaf, b: Leaf) -> Frame {
        Frame::AwaitsA { a, b }
    }
}

// ANCHOR: solution
impl Future for Frame {
    type Output = u32;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        // hole 2
        //| match mem::replace(&mut *self, Frame::Done) {
        //|     Frame::AwaitsA { a, b } => todo!("poll a; once it is ready, go on to b"),
        //|     Frame::AwaitsB { first, b } => todo!("poll b; once it is ready, add"),
        //|     Frame::Done => panic!("polled in `Done`: was the variant stored?"),
        //| }
        loop {
            match mem::replace(&mut *self, Frame::Done) {
                Frame::AwaitsA { mut a, b } => match Pin::new(&mut a).poll(cx) {
                    Poll::Ready(first) => *self = Frame::AwaitsB { first, b },
                    Poll::Pending => {
                        // hole 1
                        //| let _ = (a, b);
                        //| todo!("a is pending: which variant is stored?")
                        *self = Frame::AwaitsA { a, b };
                        return Poll::Pending;
                        // end hole
                    }
                },
                Frame::AwaitsB { first, mut b } => {
                    let poll = Pin::new(&mut b).poll(cx);
                    if poll.is_pending() {
                        // hole 1
                        //| todo!("b is pending: which variant is stored?")
                        *self = Frame::AwaitsB { first, b };
                        // end hole
                    }
                    return poll.map(|second| first + second);
                }
                Frame::Done => panic!("polled in `Done`: was the variant stored?"),
            }
        }
        // end hole
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::two_awaits::check::<Mine>()
}
