//! A race in a loop: what the loser has done so far is lost, or kept for the next turn.
//!
//! `cargo run -p stage3-async --example ch24_race_in_a_loop`

use stage3_async::{Either, Executor, Queue, race, yield_now};
use std::error::Error;
use std::pin::pin;
use std::rc::Rc;

type Pieces = Queue<&'static str>;

// ANCHOR: line
/// Takes pieces until a line is complete.
async fn line(pieces: &Pieces) -> String {
    let mut line = String::new();
    while !line.ends_with('\n') {
        line.push_str(pieces.get().await);
    }
    line
}

async fn tick() {
    for _ in 0..3 {
        yield_now().await;
    }
}
// ANCHOR_END: line

// ANCHOR: each_time
/// Makes a new future for each race.
async fn each_time(pieces: &Pieces) {
    for _ in 0..5 {
        match race(line(pieces), tick()).await {
            Either::First(line) => println!("  {line:?}"),
            Either::Second(()) => println!("  tick"),
        }
    }
}
// ANCHOR_END: each_time

// ANCHOR: kept
/// Lends the same future to each race, until it is ready.
async fn kept(pieces: &Pieces) {
    let mut next = pin!(line(pieces));
    for _ in 0..5 {
        match race(next.as_mut(), tick()).await {
            Either::First(text) => {
                println!("  {text:?}");
                next.set(line(pieces));
            }
            Either::Second(()) => println!("  tick"),
        }
    }
}
// ANCHOR_END: kept

/// Puts two lines into a queue, in pieces.
async fn send(pieces: Rc<Pieces>) {
    for piece in ["GET ", "/one\n", "GET ", "/two\n"] {
        pieces.put(piece);
        tick().await;
        yield_now().await;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    let pieces = || {
        let pieces = Rc::<Pieces>::default();
        drop(executor.spawn(send(Rc::clone(&pieces))));
        pieces
    };
    println!("a new future for each race:");
    executor.block_on(each_time(&pieces()))?;
    println!("one future, lent to each race:");
    executor.block_on(kept(&pieces()))?;
    Ok(())
}
