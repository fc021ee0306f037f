//! A scope: the first error cancels the other tasks, and it ends after all of them.
//!
//! `cargo run -p stage3-async --example ch31_first_error_cancels`
//!
//! It does not run in a page: it catches a panic, which ends a program in
//! WebAssembly.

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
/// Runs what `spawn_all` spawns, and ends when all of it has ended. The first error or
/// panic cancels the rest.
async fn scope(
    executor: &Executor,
    spawn_all: impl FnOnce(&mut JoinSet<Outcome>),
) -> Outcome {
    let mut children = JoinSet::new(executor);
    spawn_all(&mut children);
    let (mut outcome, mut panicked) = (Ok(()), None);
    while let Some(end) = children.next().await {
        match end {
            Ok(end) => outcome = outcome.and(end),
            Err(JoinError::Cancelled) => {}
            Err(JoinError::Panicked(panic)) => panicked = panicked.or(Some(panic)),
        }
        if outcome.is_err() || panicked.is_some() {
            children.cancel_all(); // marks them: each has one more turn, to be dropped
        }
    }
    if let Some(panic) = panicked {
        resume_unwind(panic); // only now: all children have ended
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

async fn one_panics(executor: &Executor) {
    let executor_of_scope = executor.clone();
    let outcome = executor.spawn(async move {
        let _connection = Connection("the parent's connection");
        scope(&executor_of_scope, |children| {
            // As a panic, but it prints no message.
            children.spawn(async { resume_unwind(Box::new("a bug")) });
            children.spawn(waits(Connection("the second child's connection")));
        })
        .await
    });
    if let Err(error) = outcome.await {
        println!("  the scope ends: {error}");
    }
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
        println!("a child panics:");
        one_panics(&executor).await;
    })?;
    Ok(())
}
