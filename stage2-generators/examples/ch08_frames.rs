//! A frame on the stack ends with its call; a frame that is a value can pause and move.
//!
//! `cargo run -p stage2-generators --example ch08_frames`

use std::hint::black_box;

// ANCHOR: stack
/// The address of a local. It stands in the frame of this call, which ends with it.
#[inline(never)]
fn place_of_a_local() -> usize {
    let local = 7;
    // An optimiser keeps no local in memory that nobody looks at. `black_box` looks.
    black_box(&raw const local).addr()
}

/// The same from one call deeper. Its own frame lies between.
#[inline(never)]
fn place_of_a_deeper_local() -> usize {
    let place = place_of_a_local();
    // With nothing to do after the call, an optimiser would drop this frame before it.
    black_box(place)
}
// ANCHOR_END: stack

// ANCHOR: frame
/// The frame of a function that adds up what it is sent, as a value: the locals that it
/// needs to go on. It pauses in one place only, so it need not say where.
// def sum_up():
//     total = 0
//     while True:
//         total += yield total
#[derive(Debug)]
struct Sum {
    total: u32,
}

impl Sum {
    /// Goes on to the next pause. The code is here once; each `Sum` has its own locals.
    fn resume(&mut self, number: u32) -> u32 {
        self.total += number;
        self.total
    }
}
// ANCHOR_END: frame

// ANCHOR: parent
/// The frame of a function that is in the middle of a call to `Sum`.
///
/// In Python the frame of the callee points back to its caller (`f_back`). Here it is
/// the caller that knows the callee: it *holds* its frame, as one more local.
#[derive(Debug)]
struct Average {
    count: u32,
    sum: Sum,
}

impl Average {
    /// Whoever resumes the parent reaches the child through it.
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
    println!("  the next call stands at {}", compare(first, next));
    let deeper = place_of_a_deeper_local();
    println!("  a deeper call stands at {}", compare(first, deeper));

    println!("as a value, a frame");
    let frame = begin();
    println!("  outlives the call that began it: {frame:?}");
    let place = (&raw const *frame).addr();
    let mut frames = vec![frame, begin()];
    let now = (&raw const *frames[0]).addr();
    println!("  stays, while its Box goes into a Vec, at {}", compare(place, now));
    resume_all(&mut frames);
    println!("  is resumed by anybody: {:?}", frames[0]);
    let mut frame = *frames.remove(0);
    let now = (&raw const frame).addr();
    println!("  leaves its Box, and stands at {}", compare(place, now));
    frame.resume(10);
    println!("  goes on there: {frame:?}");
    parent();
}
// ANCHOR_END: main

// ANCHOR: begin
/// Begins a sum, and returns while it is paused.
fn begin() -> Box<Sum> {
    let mut frame = Box::new(Sum { total: 0 });
    frame.resume(2);
    frame
}

/// Did not begin them, and resumes them.
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
    println!("4 and 8 make {} on average: {average:?}", average.resume(8));
    let (parent, child) = (size_of::<Average>(), size_of::<Sum>());
    println!("the frame of Sum has {child} bytes: total");
    let own = size_of::<u32>();
    println!("the frame of Average has {parent}: {own} for count, {child} for its Sum");
}
// ANCHOR_END: sizes

fn compare(one: usize, other: usize) -> &'static str {
    if one == other { "the same address" } else { "another address" }
}
