//! A buffer that belongs to its operation: it is used again when the operation is done.
//!
//! `cargo run -p stage3-async --example ch35_owned_buffer`
//!
//! It does not run in a page: it uses threads.

mod completion;

use completion::kernel::Completion;
use completion::ring::{Read, Ring};
use completion::text;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

fn submit<'a>(stream: u32, ring: &'a Ring) -> Read<'a> {
    let read = ring.read(stream, ring.buffer());
    println!("operation {} reads stream {stream}", read.number());
    read
}

fn poll(read: &mut Read<'_>) -> Poll<Completion> {
    Pin::new(read).poll(&mut Context::from_waker(Waker::noop()))
}

fn show(ring: &Ring) {
    let (slots, buffers) = ring.counts();
    println!("  slots in use: {slots}, buffers in the pool: {buffers}");
}

fn wait(ring: &Ring) {
    let (number, result) = ring.wait();
    println!("operation {number} is done: {result:?}");
}

// ANCHOR: main
fn main() {
    let ring = Ring::new(2);
    let mut alice = submit(7, &ring);
    assert!(poll(&mut alice).is_pending());
    println!("Alice's time is up: her future is dropped");
    drop(alice);
    show(&ring);

    let mut bob = submit(8, &ring);
    assert!(poll(&mut bob).is_pending());
    ring.kernel.arrive(8, "Bob's page");
    ring.kernel.arrive(7, "Alice's key");
    wait(&ring);
    show(&ring);
    wait(&ring);
    show(&ring);
    if let Poll::Ready(Completion { result: Ok(count), buffer, .. }) = poll(&mut bob) {
        println!("Bob's future: {:?}", text(&buffer[..count]));
        ring.give_back(buffer);
    }
    show(&ring);
}
// ANCHOR_END: main
