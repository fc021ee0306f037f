//! An executor whose waker does nothing has to poll everything: the spin is back.
//!
//! `cargo run -p stage3-async --example ch16_poll_all`
//!
//! Its output is compared on Linux only.
//! In a page its output differs: processor time is measured on Linux only.

use std::fs;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

const WAIT: Duration = Duration::from_millis(250);

// ANCHOR: sleep
/// A leaf: ready at this time. Nothing would wake it, so it keeps no waker.
struct Sleep(Instant);

impl std::future::Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if Instant::now() < self.0 { Poll::Pending } else { Poll::Ready(()) }
    }
}
// ANCHOR_END: sleep

// ANCHOR: run
type Task = Pin<Box<dyn std::future::Future<Output = ()>>>;

/// Runs all tasks to their end. To find out which of them can go on, it polls each of
/// them. Returns the number of polls.
fn poll_all(mut tasks: Vec<Task>) -> usize {
    let mut context = Context::from_waker(Waker::noop()); // does nothing
    let mut polls = 0;
    while !tasks.is_empty() {
        polls += tasks.len();
        tasks.retain_mut(|task| task.as_mut().poll(&mut context).is_pending());
    }
    polls
}
// ANCHOR_END: run

// ANCHOR: main
async fn wait(name: &str, until: Instant) {
    println!("{name} waits");
    Sleep(until).await;
    println!("{name} goes on");
}

fn main() {
    let (start, cpu_before) = (Instant::now(), cpu_time());
    let one = Box::pin(wait("one", start + WAIT));
    let two = Box::pin(wait("two", start + WAIT * 2));
    let polls = poll_all(vec![one, two]);
    println!("{polls} polls (with wakers it would be 4)");
    println!("time: {:.2} s", start.elapsed().as_secs_f64());
    match (cpu_before, cpu_time()) {
        (Some(before), Some(now)) => {
            println!("CPU:  {:.2} s", (now - before).as_secs_f64());
        }
        _ => println!("CPU:  measured on Linux only"),
    }
}
// ANCHOR_END: main

/// Returns how much processor time this thread has used. Only Linux has this file.
fn cpu_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
