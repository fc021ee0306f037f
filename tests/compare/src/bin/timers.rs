//! What a million timers cost in a sorted map, in a heap, and in a wheel: those of chapter 36.
//!
//! `cargo measure timers [ROUNDS]`
//!
//! In each round, the three take turns.

// The files of the step itself.
#[path = "../../../../stage3-async/examples/timers/mod.rs"]
mod timers;

use compare::machine::Machine;
use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};
use std::{array, env};
use timers::{Timers, Work, heap::Heap, map::Map, wheel::Wheel};

/// The step counts. Here, nothing but time is measured.
fn count(_: Work) {}

const MANY: usize = 1_000_000;
const NAMES: [&str; 3] = ["map", "heap", "wheel"];

fn main() -> Result<(), Box<dyn Error>> {
    let rounds = env::args().nth(1).map_or(Ok(13), |text| text.parse())?;
    println!("<!-- $ cargo measure timers -->");
    println!("{}", Machine::this());
    println!("\nMedians of {rounds} rounds, and how far the middle half is from them.");
    println!("\n## {MANY} requests with time-outs, some five thousand at a time\n");
    table(rounds, ["for each"], [crawl::<Map>, crawl::<Heap>, crawl::<Wheel>]);
    println!("\n## {MANY} timers at a time\n");
    let operations = ["set", "clear 99 of 100", "all, with the rest"];
    table(rounds, operations, [many::<Map>, many::<Heap>, many::<Wheel>]);
    Ok(())
}

/// Measures the three in turn, and prints the medians: nanoseconds for one timer.
fn table<const COLUMNS: usize>(
    rounds: usize,
    columns: [&str; COLUMNS],
    measures: [fn() -> [Duration; COLUMNS]; 3],
) {
    let mut times: [[Vec<f64>; COLUMNS]; 3] =
        array::from_fn(|_| array::from_fn(|_| Vec::new()));
    for _ in 0..rounds {
        for (times, measure) in times.iter_mut().zip(measures) {
            for (times, time) in times.iter_mut().zip(measure()) {
                times.push(time.as_secs_f64() * 1e9 / MANY as f64);
            }
        }
    }
    times.as_flattened_mut().iter_mut().for_each(|it| it.sort_by(f64::total_cmp));
    println!("| ns | {} |", columns.join(" | "));
    println!("|---|{}", "--:|".repeat(COLUMNS));
    for (name, row) in NAMES.iter().zip(&times) {
        let cells: [String; COLUMNS] =
            array::from_fn(|it| cell(&row[it], &times[0][it]));
        println!("| {name} | {} |", cells.join(" | "));
    }
}

/// The median of sorted times, how far the middle half is from it, and its ratio to that
/// of the map.
fn cell(times: &[f64], map: &[f64]) -> String {
    let (median, quarter) = (times[times.len() / 2], times.len() / 4);
    let spread = (times[times.len() - 1 - quarter] - times[quarter]) / 2.0 / median;
    let ratio = median / map[map.len() / 2];
    format!("{median:.0} ±{:.0} % (× {ratio:.2})", spread * 100.0)
}

/// The requests of the step, ten times as many.
fn crawl<T: Timers>() -> [Duration; 1] {
    let (began, mut timers) = (Instant::now(), T::default());
    let crawl = timers::crawl(MANY, &mut timers);
    assert_eq!(crawl.cleared + crawl.fired, MANY, "no time-out is lost");
    [began.elapsed()]
}

/// Timers that are due within an hour, in no order, and are cleared in another one.
fn many<T: Timers>() -> [Duration; 3] {
    let mut random = 1_u64;
    let mut next = || {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1);
        random >> 33
    };
    let whens: Vec<u64> = (0..MANY).map(|_| 1 + next() % 3_600_000).collect();
    let mut timers = T::default();
    let began = Instant::now();
    let mut ids: Vec<T::Id> = whens.into_iter().map(|when| timers.set(when)).collect();
    let set = began.elapsed();
    for last in (1..MANY).rev() {
        ids.swap(last, next() as usize % (last + 1));
    }
    ids.truncate(MANY / 100 * 99);
    let began = Instant::now();
    ids.into_iter().for_each(|id| timers.clear(id));
    let cleared = began.elapsed();
    let (began, mut fired) = (Instant::now(), 0);
    while let Some(next) = timers.next() {
        fired += timers.fire(black_box(next));
    }
    assert_eq!(fired, MANY / 100, "no timer is lost");
    [set, cleared, set + cleared + began.elapsed()]
}
