//! What a waiting task costs: its frame, everything together, a thread to compare, and
//! a local that is alive across the pause.
//!
//! `cargo run -p stage2-generators --example ch15_sizes`
//!
//! The original chapter says: 50 KB for a thread, 3 KB for a coroutine of Python.
//!
//! Its output is compared on Linux only.
//! It does not run in a page: its sizes are those of a machine with addresses of 8
//! bytes, and it uses threads.

use shared::http::ConnectionOption;
use shared::{Needs, ResponseParser, Stop, Trace, request};
use stage2_generators::{
    Connect, Coroutine, Fetch, Loop, Read, ReadAll, Resume, SendAll, Step, yield_from,
};
use std::error::Error;
use std::hint::black_box;
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
use std::{fs, iter, thread, vec};
use url::Url;

const AGENT: &str = "a step of the book";
const MAX_BODY: u64 = 10 * 1024 * 1024;
const SOON: Duration = Duration::from_secs(1);
const PAGE: &str = "http://127.0.0.1/wiki/waiting/coroutine";
const TASKS: usize = 10_000;
const THREADS: usize = 1_000;

// ANCHOR: sizes
/// Prints the bytes of each variant, and of its parts. A `Fetch` is in one variant at a
/// time, so they share one place in memory, which is as large as the largest of them.
fn sizes() {
    let (bytes, needs) = (size_of::<Vec<u8>>(), size_of::<Needs>());
    let (connect, send) = (size_of::<Connect>(), size_of::<SendAll>());
    let read = size_of::<Read>();
    let parser = size_of::<ResponseParser>();
    println!("a Fetch has {} bytes, room for any variant:", size_of::<Fetch>());
    // A tuple of the same types is as large as the variant.
    let all = size_of::<(Connect, Vec<u8>, Needs)>();
    println!("  Connecting {all}: Connect {connect}, request {bytes}, needs {needs}");
    let all = size_of::<(SendAll, Needs)>();
    println!("  Sending {all}: SendAll {send}, needs {needs}");
    let all = size_of::<ReadAll>();
    println!("  Reading {all}: Read {read}, parser {parser}");
}
// ANCHOR_END: sizes

// ANCHOR: fetch
/// A fetch that has not begun. The bytes of its request are on the heap; the frame has
/// only their address, their number, and the capacity.
fn fetch() -> Result<Fetch, Box<dyn Error>> {
    let url = Url::parse(PAGE)?;
    let request = request(&url, AGENT, ConnectionOption::Close);
    let connect = Connect::to(vec![([127, 0, 0, 1], 80).into()], Instant::now());
    Ok(Fetch::Connecting {
        connect,
        request,
        needs: Needs::Whole { max_body: MAX_BODY },
    })
}
// ANCHOR_END: fetch

// ANCHOR: tasks
/// Starts tasks, and prints what they cost when all of them wait: the frame, the
/// request, a name for reports, a future, and places in the loop's tables. Each keeps a
/// `local` while it waits. Returns the loop, which owns them.
fn park_tasks<L: Copy + 'static>(what: &str, local: L) -> Result<Loop, Box<dyn Error>> {
    let mut event_loop = Loop::new(&Stop::new(), Trace::off())?;
    let before = memory();
    for _ in 0..TASKS {
        let (mut fetch, mut never) = (fetch()?, event_loop.new_future());
        // It would fetch, if that future were ever resolved.
        let wait = move |event_loop: &mut Loop, resume: Resume| {
            let woken = yield_from!(never, event_loop, resume);
            black_box(&local); // needed after the wait, so it is alive during the wait
            match woken {
                Ok(()) => fetch.resume(event_loop, Resume::Send),
                Err(error) => Step::Return(Err(error)),
            }
        };
        drop(event_loop.spawn_named(PAGE, wait));
    }
    event_loop.run_ready();
    print_cost(what, TASKS, before);
    Ok(event_loop)
}
// ANCHOR_END: tasks

// ANCHOR: threads
/// Starts this many threads, or as many as the system allows, and prints what they cost
/// when all of them wait.
fn park_threads(count: usize) {
    let before = memory();
    let (gate, (up, is_up)) = (Mutex::new(()), channel());
    thread::scope(|scope| {
        let closed = gate.lock();
        let wait = || {
            up.send(()).ok();
            drop(gate.lock());
        };
        let start = |_| thread::Builder::new().spawn_scoped(scope, wait).ok();
        let threads = (0..count).map_while(start).count();
        iter::from_fn(|| is_up.recv_timeout(SOON).ok()).take(threads).for_each(drop);
        print_cost("threads", threads, before);
        drop(closed); // the gate is open, and all threads end
    });
}
// ANCHOR_END: threads

// ANCHOR: memory
/// Prints how much memory of this process a thousand of them take. What the kernel
/// keeps for each thread is not counted.
fn print_cost(what: &str, count: usize, before: Option<usize>) {
    println!("{count} {what} wait");
    match before.zip(memory()) {
        None => println!("  their memory is measured on Linux only"),
        Some((before, now)) => {
            let each = now.saturating_sub(before) * 1_000 / count.max(1);
            println!("  a thousand of them take {each} KB of memory");
        }
    }
}

/// The memory that this process uses, in KB. Only Linux has this file.
fn memory() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}
// ANCHOR_END: memory

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    sizes();
    if let Fetch::Connecting { request, .. } = fetch()? {
        println!("on the heap: its request, {} bytes", request.len());
    }
    println!("and a task has a name, a future, and its places in tables");
    let _small = park_tasks("tasks (without a socket)", ())?;
    park_threads(THREADS);
    let _large = park_tasks("tasks with a local of 16 KiB", [0_u8; 16 * 1024])?;
    Ok(())
}
// ANCHOR_END: main
