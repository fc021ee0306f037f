//! The four states of a task, in each order in which a poll and a wake can meet.
//!
//! `cargo run -p stage3-async --example ch30_states`
//!
//! It does not run in a page: one of its modules is also compiled for loom.

#[allow(dead_code)] // the names of the states
#[path = "threads/state.rs"]
mod state;

use state::State;
use std::fmt::Display;

// ANCHOR: orders
/// What the thread that polls does, in this order. `look` is the poll: it looks for a
/// letter.
const POLLS: [&str; 3] = ["start", "look", "pause"];
/// What the thread that brings the letter does, in this order.
const WAKES: [&str; 2] = ["put", "wake"];

/// All orders in which the steps of two threads can follow each other.
fn orders(polls: &[&'static str], wakes: &[&'static str]) -> Vec<Vec<&'static str>> {
    if polls.is_empty() || wakes.is_empty() {
        return vec![[polls, wakes].concat()];
    }
    let first_polls = orders(&polls[1..], wakes).into_iter().map(|it| (polls[0], it));
    let first_wakes = orders(polls, &wakes[1..]).into_iter().map(|it| (wakes[0], it));
    first_polls.chain(first_wakes).map(|(step, it)| [vec![step], it].concat()).collect()
}
// ANCHOR_END: orders

/// What a wake does to a task that is being polled.
#[derive(Clone, Copy, PartialEq)]
enum Policy {
    Queue,
    Forget,
    Notify,
}

// ANCHOR: run
/// Takes the steps in this order, and returns how it ends.
fn run(order: &[&str], policy: Policy) -> &'static str {
    let (state, mut queued) = (State::new(), false); // a thread has taken it
    let (mut is_polled, mut has_letter, mut has_found) = (false, false, false);
    for step in order {
        match *step {
            "start" => (is_polled, _) = (true, state.start()),
            "look" => has_found = has_letter,
            "pause" if has_found => break, // the task has ended
            "pause" => (is_polled, queued) = (false, state.pause()),
            "put" => has_letter = true,
            "wake" if is_polled && policy == Policy::Queue => return "two pollers",
            "wake" if is_polled && policy == Policy::Forget => {}
            _ => queued |= state.wake(),
        }
    }
    if has_found {
        "received"
    } else if queued {
        "polled again"
    } else {
        "LOST"
    }
}
// ANCHOR_END: run

fn main() {
    row("order", ["queue it", "forget it", "notify it"]);
    for order in orders(&POLLS, &WAKES) {
        let ends =
            [Policy::Queue, Policy::Forget, Policy::Notify].map(|it| run(&order, it));
        row(&order.join(" "), ends);
    }
}

fn row(order: &str, columns: [impl Display; 3]) {
    let [a, b, c] = columns;
    println!("{order:<26} {a:<13} {b:<13} {c}");
}
