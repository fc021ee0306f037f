//! Happy eyeballs: the next attempt begins after a delay, or when another fails.

use checks::staggered::{Attempt, Clock, Outcome, Refused, Sleep, Staggered};
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

struct Mine;

impl Staggered for Mine {
    fn connect(
        attempts: Vec<Attempt>,
        delay: u64,
        clock: Clock,
    ) -> Pin<Box<dyn Future<Output = Outcome>>> {
        let waiting = attempts.into_iter();
        let (running, next, error) = (Vec::new(), None, None);
        let mut race = Race { waiting, running, next, error, delay, clock };
        Box::pin(poll_fn(move |cx| race.poll(cx)))
    }
}

struct Race {
    /// The attempts that have not begun.
    waiting: std::vec::IntoIter<Attempt>,
    /// Those that have begun, and not failed.
    running: Vec<Attempt>,
    /// The delay before the next one, or `None` if it may begin.
    next: Option<Sleep>,
    /// The latest error.
    error: Option<Refused>,
    delay: u64,
    clock: Clock,
}

// ANCHOR: solution
impl Race {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Outcome> {
        // hole 2
        //| // To poll an attempt that runs: Pin::new(&mut self.running[index]).poll(cx).
        //| // After that, it may be time for the next one, which has to be polled, too.
        //| todo!("return the first connection, or the last error when all have failed")
        loop {
            let mut index = 0;
            while index < self.running.len() {
                match Pin::new(&mut self.running[index]).poll(cx) {
                    Poll::Pending => index += 1,
                    Poll::Ready(Ok(connection)) => return Poll::Ready(Ok(connection)),
                    Poll::Ready(Err(error)) => {
                        // hole 1
                        //| todo!("{error:?}: when does the next begin?")
                        self.running.remove(index);
                        (self.error, self.next) = (Some(error), None);
                        // end hole
                    }
                }
            }
            if self.waiting.len() == 0 {
                return match self.error {
                    Some(error) if self.running.is_empty() => Poll::Ready(Err(error)),
                    _ => Poll::Pending,
                };
            }
            let next = self.next.as_mut();
            if next.is_some_and(|sleep| Pin::new(sleep).poll(cx).is_pending()) {
                return Poll::Pending;
            }
            // hole 1
            //| todo!("begin the next attempt, and the delay after it")
            self.running.extend(self.waiting.next());
            self.next = Some(self.clock.sleep(self.delay));
            // end hole
        }
        // end hole
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::staggered::check::<Mine>()
}
