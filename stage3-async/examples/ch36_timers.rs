//! The time-outs of 100,000 requests in a sorted map, in a heap, and in a wheel: what
//! each of them does.
//!
//! `cargo run -p stage3-async --example ch36_timers`
//!
//! It does not run in a page: its modules name it as their crate.

#[path = "timers/mod.rs"]
mod timers;

use std::cell::Cell;
use timers::{Timers, Work, heap::Heap, map::Map, wheel::Wheel};

thread_local! {
    /// Comparisons, moves, and discarded entries.
    static COUNTS: [Cell<u64>; 3] = const { [const { Cell::new(0) }; 3] };
}

fn count(what: Work) {
    COUNTS.with(|counts| counts[what as usize].update(|count| count + 1));
}

const REQUESTS: usize = 100_000;

// ANCHOR: row
fn row<T: Timers>(name: &str) {
    COUNTS.with(|counts| counts.iter().for_each(|count| count.set(0)));
    let mut timers = T::default();
    let crawl = timers::crawl(REQUESTS, &mut timers);
    let [compared, moved, discarded] =
        COUNTS.with(|counts| [0, 1, 2].map(|it: usize| counts[it].get()));
    assert_eq!(crawl.cleared + crawl.fired, REQUESTS, "no time-out is lost");
    let compared = compared as f64 / REQUESTS as f64;
    let most = crawl.most;
    println!("{name:<6} {compared:>9.1} {moved:>9} {discarded:>9} {most:>11}");
}
// ANCHOR_END: row

fn main() {
    let crawl = timers::crawl(REQUESTS, &mut Map::default());
    println!("{REQUESTS} time-outs: {} cleared, {} fired", crawl.cleared, crawl.fired);
    println!("       compared   moved  discarded  most entries");
    row::<Map>("map");
    row::<Heap>("heap");
    row::<Wheel>("wheel");
}
