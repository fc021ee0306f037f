//! To cancel is to ask: the operation may already have taken bytes off the stream.
//!
//! `cargo run -p stage3-async --example ch35_cancel_is_a_request`
//!
//! It does not run in a page: it uses threads.

mod completion;

use completion::executor::run;
use completion::kernel::Completion;
use completion::ring::{Read, Ring};
use completion::text;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;

// ANCHOR: stream
/// A stream whose `read` may be dropped without loss.
struct Stream<'a> {
    number: u32,
    ring: &'a Ring,
    /// In flight, or done and not yet returned.
    operation: Option<Read<'a>>,
}

impl Stream<'_> {
    /// Waits for the operation of an earlier, dropped `read`, or else for a new one.
    async fn read(&mut self) -> Completion {
        let Stream { number, ring, operation } = self;
        let submit = || ring.read(*number, ring.buffer());
        let completion = operation.get_or_insert_with(submit).await;
        self.operation = None;
        completion
    }
}
// ANCHOR_END: stream

/// Polls a future once, and drops it.
async fn try_once(future: impl Future) {
    let mut future = pin!(future);
    poll_fn(|cx| {
        assert!(future.as_mut().poll(cx).is_pending(), "nothing was waited for");
        Poll::Ready(())
    })
    .await;
}

fn show(what: &str, completion: Completion, ring: &Ring) {
    match completion.result {
        Ok(count) => println!("  {what}: {:?}", text(&completion.buffer[..count])),
        Err(error) => println!("  {what}: {error:?}"),
    }
    ring.give_back(completion.buffer);
}

async fn show_next(ring: &Ring) {
    show("the next read", ring.read(7, ring.buffer()).await, ring);
}

// ANCHOR: drop
async fn in_time(ring: &Ring) {
    try_once(ring.read(7, ring.buffer())).await;
    ring.kernel.arrive(7, "hello, world");
    show_next(ring).await;
}

async fn too_late(ring: &Ring) {
    let read = ring.read(7, ring.buffer());
    ring.kernel.arrive(7, "hello, ");
    drop(read);
    ring.kernel.arrive(7, "world");
    show_next(ring).await;
}
// ANCHOR_END: drop

async fn wait_for_the_end(ring: &Ring) {
    let read = ring.read(7, ring.buffer());
    ring.kernel.arrive(7, "hello, ");
    show("the cancelled read", read.cancel().await, ring);
    ring.kernel.arrive(7, "world");
    show_next(ring).await;
}

async fn keep_the_operation(ring: &Ring) {
    let mut stream = Stream { number: 7, ring, operation: None };
    try_once(stream.read()).await;
    ring.kernel.arrive(7, "hello, ");
    show("the next read", stream.read().await, ring);
    ring.kernel.arrive(7, "world");
    show("the next read", stream.read().await, ring);
}

type Part = for<'a> fn(&'a Ring) -> Pin<Box<dyn Future<Output = ()> + 'a>>;

fn main() {
    let parts: [(&str, Part); 4] = [
        ("dropped, and the request is in time:", |ring| Box::pin(in_time(ring))),
        ("dropped, and the request is too late:", |ring| Box::pin(too_late(ring))),
        ("cancelled, and the end awaited:", |ring| Box::pin(wait_for_the_end(ring))),
        ("dropped, and kept by the stream:", |ring| Box::pin(keep_the_operation(ring))),
    ];
    for (title, part) in parts {
        println!("{title}");
        let ring = Ring::cancelling();
        run(vec![part(&ring)], || {
            let (number, result) = ring.wait();
            if number == 0 {
                println!("  the operation: {result:?}");
            }
        });
    }
}
