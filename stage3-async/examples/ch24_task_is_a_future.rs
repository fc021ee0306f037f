//! A task's handle is a std future: awaited in any order, raced, put into a time-out.
//!
//! `cargo run -p stage3-async --example ch24_task_is_a_future`

use stage3_async::{Either, Executor, race, timeout};
use std::error::Error;
use std::future::{pending, poll_fn};
use std::task::Poll;
use std::time::Duration;

const SOON: Duration = Duration::from_millis(20);

// ANCHOR: turns
/// Waits for this many turns of its task. The task with fewer turns ends first, on any
/// machine.
async fn turns(name: &'static str, count: u32) -> &'static str {
    let mut left = count;
    poll_fn(|cx| {
        if left == 0 {
            return Poll::Ready(());
        }
        left -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
    println!("  {name} has ended");
    name
}
// ANCHOR_END: turns

// ANCHOR: order
/// Tasks run by themselves. If one is awaited late, its output is in its handle.
async fn in_another_order(executor: &Executor) -> Result<(), Box<dyn Error>> {
    let first = executor.spawn(turns("first", 2));
    let last = executor.spawn(turns("last", 9));
    println!("  the last is awaited first: {}", last.await?);
    println!("  and the first is there already: {}", first.await?);
    Ok(())
}
// ANCHOR_END: order

// ANCHOR: race
/// The loser of a race is dropped, which would end a future. Here the loser is only the
/// handle of a task, and the task goes on without it.
async fn raced(executor: &Executor) -> Result<(), Box<dyn Error>> {
    let rabbit = executor.spawn(turns("rabbit", 2));
    let turtle = executor.spawn(turns("turtle", 9));
    match race(rabbit, turtle).await {
        Either::First(rabbit) => println!("  the {} wins", rabbit?),
        Either::Second(turtle) => println!("  the {} wins", turtle?),
    }
    // Nothing can await the turtle any more. This only gives it the time to finish.
    executor.spawn(turns("judge", 20)).await?;
    Ok(())
}
// ANCHOR_END: race

// ANCHOR: time_out
/// The time-out only borrows the handle, so afterwards the task can be cancelled.
async fn in_a_time_out(executor: &Executor) -> Result<(), Box<dyn Error>> {
    let mut sleeper = executor.spawn(pending::<()>());
    if let Err(elapsed) = timeout(SOON, &mut sleeper, executor.reactor()).await {
        println!("  {elapsed}, and the sleeper sleeps on");
    }
    sleeper.cancel();
    if let Err(end) = sleeper.await {
        println!("  {end}");
    }
    Ok(())
}
// ANCHOR_END: time_out

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    executor.block_on(async {
        println!("in another order:");
        in_another_order(&executor).await?;
        println!("in a race:");
        raced(&executor).await?;
        println!("in a time-out:");
        in_a_time_out(&executor).await
    })?
}
// ANCHOR_END: main
