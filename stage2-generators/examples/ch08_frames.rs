//! A frame on the stack ends with its call. A frame that is a value can pause and move.
//!
//! `cargo run -p stage2-generators --example ch08_frames`

use std::hint::black_box;

// ANCHOR: stack
/// The address of a local. It is in the frame of this call, and ends with the call.
#[inline(never)]
fn place_of_a_local() -> usize {
    let local = 7;
    // The optimizer keeps a local in memory only if it is used. `black_box` uses it.
    black_box(&raw const local).addr()
}

/// The same from one call deeper: its own frame lies in between.
#[inline(never)]
fn place_of_a_deeper_local() -> usize {
    let place = place_of_a_local();
    // With nothing left to do, the optimizer would drop this frame before the call.
    black_box(place)
}
// ANCHOR_END: stack

// ANCHOR: frame
/// The frame of a function that adds up what it is sent, as a value: the locals that it
/// needs to go on. It pauses in one place only, so it need not store where.
#[derive(Debug)]
struct Sum {
    total: u32,
}

impl Sum {
    /// Runs to the next pause. All sums share this code; each has locals of its own.
    fn resume(&mut self, number: u32) -> u32 {
        self.total += number;
        self.total
    }
}
// ANCHOR_END: frame

// ANCHOR: parent
/// The frame of a function that is in the middle of a call to `Sum`. It *holds* the
/// frame of its callee, as one more local.
#[derive(Debug)]
struct Average {
    count: u32,
    sum: Sum,
}

impl Average {
    /// The child is resumed through its parent, and in no other way.
    fn resume(&mut self, number: u32) -> u32 {
        self.count += 1;
        self.sum.resume(number) / self.count
    }
}
// ANCHOR_END: parent

// ANCHOR: main
fn main() {
    println!("on the stack, the local of");
    let (first, next) = (place_of_a_local(), place_of_a_local());
    println!("  the next call is at {}", compare(first, next));
    let deeper = place_of_a_deeper_local();
    println!("  a deeper call is at {}", compare(first, deeper));

    println!("as a value, a frame");
    let frame = begin();
    println!("  outlives the call that began it: {frame:?}");
    let place = (&raw const *frame).addr();
    let mut frames = vec![frame, begin()];
    let now = (&raw const *frames[0]).addr();
    println!("  stays, while its Box goes into a Vec, at {}", compare(place, now));
    resume_all(&mut frames);
    println!("  is resumed by another function: {:?}", frames[0]);
    let mut frame = *frames.remove(0);
    let now = (&raw const frame).addr();
    println!("  leaves its Box, and is now at {}", compare(place, now));
    frame.resume(10);
    println!("  goes on there: {frame:?}");
    parent();
}
// ANCHOR_END: main

// ANCHOR: begin
/// Begins a sum, and returns while the sum is paused.
fn begin() -> Box<Sum> {
    let mut frame = Box::new(Sum { total: 0 });
    frame.resume(2);
    frame
}

/// Resumes sums that it did not begin.
fn resume_all(frames: &mut [Box<Sum>]) {
    for frame in frames {
        frame.resume(3);
    }
}
// ANCHOR_END: begin

// ANCHOR: sizes
fn parent() {
    let mut average = Average { count: 0, sum: Sum { total: 0 } };
    average.resume(4);
    println!("the average of 4 and 8 is {}: {average:?}", average.resume(8));
    let (parent, child) = (size_of::<Average>(), size_of::<Sum>());
    println!("the frame of Sum has {child} bytes: total");
    let own = size_of::<u32>();
    println!("the frame of Average has {parent}: {own} for count, {child} for its Sum");
}
// ANCHOR_END: sizes

fn compare(one: usize, other: usize) -> &'static str {
    if one == other { "the same address" } else { "another address" }
}
