//! A future of many futures, which run side by side.

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

// ANCHOR: solution
impl JoinAll for Mine {
    fn join_all<F>(futures: Vec<F>) -> impl Future<Output = Vec<u32>>
    where
        F: Future<Output = u32> + 'static,
    {
        // hole 2
        //| // The compiler refuses `Pin::new(&mut futures[0])`: a `Vec` may move what it
        //| // holds, and a future of this type may not move once it is polled.
        //| poll_fn(move |cx| -> Poll<Vec<u32>> {
        //|     let _ = (&futures, cx);
        //|     todo!("poll each future that is not ready; return the numbers of all")
        //| })
        let slots = futures.into_iter().map(|future| Slot::Waits(Box::pin(future)));
        let mut slots: Vec<Slot<F>> = slots.collect();
        poll_fn(move |cx| {
            let mut numbers = Vec::new();
            for slot in &mut slots {
                if let Slot::Waits(future) = slot {
                    let Poll::Ready(number) = future.as_mut().poll(cx) else {
                        continue;
                    };
                    // hole 1
                    //| todo!("the future is ready: keep {number}, and never poll it again")
                    *slot = Slot::Has(number); // drops the future
                    // end hole
                }
                if let Slot::Has(number) = slot {
                    numbers.push(*number);
                }
            }
            // hole 1
            //| todo!("are all of them ready?")
            if numbers.len() < slots.len() {
                return Poll::Pending;
            }
            Poll::Ready(numbers)
            // end hole
        })
        // end hole
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::join_all::check::<Mine>()
}
