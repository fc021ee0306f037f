//! A clock that jumps to the next deadline when no task is ready.
//!
//! `cargo run -p stage3-async --example ch36_virtual_clock`

mod clock;

use clock::{Clock, Executor};
use std::time::{Duration, Instant};

const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_secs(60 * 60);

// ANCHOR: fetch
/// Fetches a page of a server that is down for a day. Each pause is twice as long as
/// the one before, up to an hour.
async fn fetch(clock: Clock) {
    let (mut pause, mut tries) = (SECOND, 1);
    while !is_up(&clock) {
        clock.sleep(pause).await;
        pause = HOUR.min(2 * pause);
        tries += 1;
    }
    println!("{} the page, at try {tries}", time(&clock));
}

/// Checks the server every eight hours.
async fn watch(clock: Clock) {
    while !is_up(&clock) {
        println!("{} the server is down", time(&clock));
        clock.sleep(8 * HOUR).await;
    }
    println!("{} the server is up", time(&clock));
}
// ANCHOR_END: fetch

fn is_up(clock: &Clock) -> bool {
    clock.now() >= 24 * HOUR
}

fn time(clock: &Clock) -> String {
    let seconds = clock.now().as_secs();
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn main() {
    let (clock, mut executor) = (Clock::default(), Executor::default());
    executor.spawn(fetch(clock.clone()));
    executor.spawn(watch(clock.clone()));
    let began = Instant::now();
    executor.run(&clock);
    println!("polls: {}, jumps: {}", executor.polls, executor.jumps);
    println!("and it took {} ms", began.elapsed().as_millis());
}
