//! A frame that points into itself must not move. `Pin` promises that it does not.
//!
//! `cargo run -p stage3-async --example ch18_pin`

use std::collections::VecDeque;
use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

// ANCHOR: frame
/// A frame by hand, which points to its own field. Safe Rust allows no such reference,
/// so this holds only the address.
#[derive(Default)]
struct Frame {
    number: u32,
    points_to: usize,
}

impl Frame {
    /// Runs to the first pause. From here on the frame points into itself.
    fn begin(&mut self, number: u32) {
        self.number = number;
        self.points_to = self.place();
    }

    /// The address of the number now.
    fn place(&self) -> usize {
        (&raw const self.number).addr()
    }
}
// ANCHOR_END: frame

// ANCHOR: moved
/// Two frames begin, and then trade places.
fn moved() {
    let (mut one, mut two) = (Frame::default(), Frame::default());
    one.begin(1);
    two.begin(2);
    println!("two frames have begun");
    print_owners(&one, &two);
    mem::swap(&mut one, &mut two);
    println!("they have traded places");
    print_owners(&two, &one);
}

/// Prints which frame's number would be read, and written, through such a reference.
fn print_owners(one: &Frame, two: &Frame) {
    for frame in [one, two] {
        let owner = [one, two].into_iter().find(|it| it.place() == frame.points_to);
        let found = owner.map_or("none".to_string(), |it| it.number.to_string());
        let (at, to) = (end(frame.place()), end(frame.points_to));
        print!("  frame {} at {at} points to {to}, ", frame.number);
        println!("the number of frame {found}");
    }
}
// ANCHOR_END: moved

// ANCHOR: count
/// The compiler makes this frame, and `last` is a reference into the same frame.
async fn count() -> u32 {
    let numbers = [1, 2, 3];
    let last = &numbers[2];
    Twice(false).await;
    *last
}

/// A leaf that is ready at its second poll. It holds no pointer into itself, so it may
/// always move. The compiler sees that: the type is `Unpin`.
struct Twice(bool);

impl Future for Twice {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if mem::replace(&mut self.0, true) { Poll::Ready(()) } else { Poll::Pending }
    }
}
// ANCHOR_END: count

// ANCHOR: may_move
fn may_move() {
    let mut context = Context::from_waker(Waker::noop());
    println!("a future moves before it has begun");
    let future = count();
    let place = (&raw const future).addr();
    let mut future = Box::pin(future); // from now on it does not move
    println!("  it is at {}", compare(place, (&raw const *future).addr()));
    println!("  and is polled: {:?}", future.as_mut().poll(&mut context));

    println!("it has begun, and its Box moves");
    let place = (&raw const *future).addr();
    let mut tasks = VecDeque::from([future]);
    println!("  it is at {}", compare(place, (&raw const *tasks[0]).addr()));
    println!("  and is polled: {:?}", tasks[0].as_mut().poll(&mut context));
}
// ANCHOR_END: may_move

// ANCHOR: unpin
fn unpin() {
    let mut context = Context::from_waker(Waker::noop());
    println!("a leaf that is Unpin has begun, and moves");
    let mut leaf = Twice(false);
    assert!(Pin::new(&mut leaf).poll(&mut context).is_pending());
    let place = (&raw const leaf).addr();
    let mut leaf = Box::new(leaf);
    println!("  it is at {}", compare(place, (&raw const *leaf).addr()));
    println!("  and is polled: {:?}", Pin::new(&mut *leaf).poll(&mut context));
}
// ANCHOR_END: unpin

fn compare(before: usize, now: usize) -> String {
    let which = if before == now { "the same address" } else { "another address" };
    format!("{}, and was at {}: {which}", end(now), end(before))
}

/// The last digits of an address, which are enough to tell two apart.
fn end(address: usize) -> String {
    format!("…{:03x}", address & 0xfff)
}

// ANCHOR: main
// To poll `count` you have to pin it, and then it cannot be moved any more:
//
//     let mut future = count();
//     Pin::new(&mut future);           // E0277: it takes only what is `Unpin`
//
//     let (mut one, mut two) = (pin!(count()), pin!(count()));
//     mem::swap(&mut *one, &mut *two); // E0596: a `Pin` gives no `&mut` to it
//
//     let pinned = Box::pin(count());
//     let future = *pinned;            // E0507: a pinned box does not give it back
fn main() {
    moved();
    may_move();
    unpin();
}
// ANCHOR_END: main
