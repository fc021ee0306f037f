//! Ten thousand threads that only wait: what each of them costs.
//!
//! `cargo run -p stage1-callbacks --example ch02_ten_thousand`
//!
//! Its output is compared on Linux only.
//! The tests run it alone: it starts as many threads as there may be.
//! It does not run in a page: it uses threads.

use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
use std::{fs, thread};

const SOON: Duration = Duration::from_secs(1);

// ANCHOR: park
/// Starts up to `count` threads that only wait, and prints what they cost meanwhile.
fn park(count: usize) {
    let (start, before) = (Instant::now(), memory());
    let (gate, (started, has_started)) = (Mutex::new(()), channel());
    thread::scope(|scope| {
        let closed = gate.lock();
        let wait = || {
            started.send(()).ok();
            drop(gate.lock()); // sleeps until the gate is open
        };
        let mut threads = 0;
        for number in 1..=count {
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, wait) {
                println!("thread {number} was refused: {error}");
                break;
            }
            threads = number;
        }
        for _ in 0..threads {
            has_started.recv_timeout(SOON).ok();
        }
        print_cost(threads, start.elapsed(), before, memory());
        drop(closed); // the gate is open, and all threads end
    });
}
// ANCHOR_END: park

// ANCHOR: memory
/// The memory that this process uses, and the addresses that it has reserved, in KB.
/// Only Linux has this file.
fn memory() -> Option<(usize, usize)> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let number = |name| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse().ok()
    };
    Some((number("VmRSS:")?, number("VmSize:")?))
}

type Memory = Option<(usize, usize)>;

fn print_cost(threads: usize, time: Duration, before: Memory, now: Memory) {
    println!("{threads} threads wait, started in {} ms", time.as_millis());
    let (Some(before), Some(now)) = (before, now) else {
        return println!("  their memory is only read on Linux");
    };
    let each = |before, now: usize| now.saturating_sub(before) / threads.max(1);
    let (memory, addresses) = (each(before.0, now.0), each(before.1, now.1));
    println!("  each has {memory} KB of memory, and {addresses} KB of addresses");
}
// ANCHOR_END: memory

fn main() {
    park(1_000);
    park(10_000);
}
