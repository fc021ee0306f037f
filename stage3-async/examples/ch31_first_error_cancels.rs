//! A scope: the first error cancels the other tasks, and it ends after all of them.
//!
//! `cargo run -p stage3-async --example ch31_first_error_cancels`

#[allow(dead_code, reason = "its `main` is another program")]
#[path = "ch31_join_set.rs"]
mod join_set;

use join_set::JoinSet;
use stage3_async::{Executor, JoinError, race, yield_now};
use std::error::Error;
use std::future::pending;
use std::panic::resume_unwind;

type Outcome = Result<(), &'static str>;

// ANCHOR: scope
/// Runs what `spawn_all` spawns, and ends when all of it has ended. The first error
/// cancels the rest.
async fn scope(
    executor: &Executor,
    spawn_all: impl FnOnce(&mut JoinSet<Outcome>),
) -> Outcome {
    let mut children = JoinSet::new(executor);
    spawn_all(&mut children);
    let mut outcome = Ok(());
    while let Some(end) = children.next().await {
        match end {
            Ok(end) => outcome = outcome.and(end),
            Err(JoinError::Cancelled) => {}
            Err(JoinError::Panicked(panic)) => resume_unwind(panic),
        }
        if outcome.is_err() {
            children.cancel_all(); // marks them: each has one more turn, to be dropped
        }
    }
    outcome
}
// ANCHOR_END: scope

/// Is printed when it is dropped.
struct Connection(&'static str);

impl Drop for Connection {
    fn drop(&mut self) {
        println!("  {} is closed", self.0);
    }
}

async fn waits(connection: Connection) -> Outcome {
    let _connection = connection;
    pending().await
}

async fn fails() -> Outcome {
    yield_now().await;
    println!("  the disk is full");
    Err("the disk is full")
}

async fn all_end(executor: &Executor) {
    let outcome = scope(executor, |children| {
        children.spawn(waits(Connection("the first child's connection")));
        children.spawn(fails());
        children.spawn(waits(Connection("the third child's connection")));
    });
    println!("  the scope ends: {:?}", outcome.await);
}

async fn is_dropped(executor: &Executor) {
    let waits = |children: &mut JoinSet<Outcome>| {
        children.spawn(waits(Connection("its child's connection")));
    };
    race(scope(executor, waits), turns(3)).await; // as a time-out does
    println!("  the scope is dropped");
}

async fn turns(count: u32) {
    for _ in 0..count {
        yield_now().await;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    executor.block_on(async {
        println!("one child fails:");
        all_end(&executor).await;
        println!("the scope loses a race:");
        is_dropped(&executor).await;
        turns(3).await;
    })?;
    Ok(())
}
