//! An error can be thrown into whoever waits: a time-out, or the end of a worker.
//!
//! `cargo run -p stage2-generators --example ch13_throw`

use shared::{FetchError, Stop, TaskId, TimerId, Watch};
use stage2_generators::{
    Coroutine, Executor, Future, Futures, RESOLVED, Result, Resume, Step, yield_from,
};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_millis(20);

// ANCHOR: connection
/// What a coroutine holds while it waits.
struct Connection;

impl Drop for Connection {
    fn drop(&mut self) {
        println!("  the connection is closed");
    }
}
// ANCHOR_END: connection

// ANCHOR: ask
/// Waits for an answer, no longer than `PATIENCE`.
enum Ask {
    /// Nothing has run.
    Start(Future),
    /// For the answer; and what throws the time-out, if that is not cleared.
    Waiting(Future, TimerId, Connection),
}
// ANCHOR_END: ask

// ANCHOR: ask_resume
impl Coroutine for Ask {
    type Return = Result<()>;

    fn resume(&mut self, futures: &mut Futures, how: Resume) -> Step<Result<()>> {
        match self {
            Ask::Start(answer) => {
                let late = FetchError::TimedOut(PATIENCE);
                let timer = futures.throw_at(Instant::now() + PATIENCE, late);
                *self = Ask::Waiting(*answer, timer, Connection);
                self.resume(futures, how)
            }
            Ask::Waiting(answer, timer, _) => {
                // What is thrown at us comes out of this wait, as its result.
                let result = yield_from!(answer, futures, how);
                futures.timers.clear(*timer);
                Step::Return(result)
            }
        }
    }
}
// ANCHOR_END: ask_resume

// ANCHOR: catch
/// Asks one server, and if that is too late another one.
// def ask_both(first, second):
//     try:
//         yield from ask(first)
//     except TimeoutError:
//         yield from second
enum AskBoth {
    First(Ask, Future),
    Second(Future),
}
// ANCHOR_END: catch

// ANCHOR: catch_resume
impl Coroutine for AskBoth {
    type Return = Result<()>;

    fn resume(&mut self, futures: &mut Futures, how: Resume) -> Step<Result<()>> {
        match self {
            AskBoth::First(ask, second) => match yield_from!(ask, futures, how) {
                Err(FetchError::TimedOut(_)) => {
                    println!("  the time-out is caught");
                    *self = AskBoth::Second(*second); // drops what the first one held
                    self.resume(futures, Resume::Send)
                }
                result => Step::Return(result),
            },
            AskBoth::Second(answer) => answer.resume(futures, how),
        }
    }
}
// ANCHOR_END: catch_resume

// ANCHOR: worker
/// Jobs for a worker, and what it waits for when there are none.
struct Jobs {
    list: VecDeque<&'static str>,
    more: Future,
}

/// Does one job after the other, and never ends by itself.
fn worker(jobs: Rc<RefCell<Jobs>>) -> impl Coroutine<Return = Result<()>> {
    move |futures: &mut Futures, how: Resume| {
        let mut jobs = jobs.borrow_mut();
        if let Err(error) = yield_from!(jobs.more, futures, how) {
            return Step::Return(Err(error));
        }
        while let Some(job) = jobs.list.pop_front() {
            println!("  the worker has done {job}");
        }
        jobs.more = futures.new_future();
        Step::Yield(jobs.more)
    }
}
// ANCHOR_END: worker

// ANCHOR: cancel
/// Ends another task. (`task.cancel()`) It pauses nowhere, so it has no states.
fn cancel(task: TaskId) -> impl Coroutine<Return = Result<()>> {
    move |futures: &mut Futures, _: Resume| {
        println!("  the worker is cancelled twice, which is as good as once");
        futures.throw(task, FetchError::Interrupted);
        futures.throw(task, FetchError::Interrupted);
        Step::Return(Ok(()))
    }
}
// ANCHOR_END: cancel

// ANCHOR: main
fn main() -> Result<()> {
    let mut executor = Executor::new(&Stop::new(), Watch::off())?;
    println!("a time-out that nobody catches:");
    let never = executor.futures.new_future();
    let ask = executor.futures.spawn("ask", Ask::Start(never));
    println!("  the join returns {:?}", executor.run_until_complete(ask)?);

    println!("one that is caught on the way:");
    let second = executor.futures.new_future();
    let late = Instant::now() + 3 * PATIENCE;
    executor.futures.timers.set(late, Box::new(move |it| it.resolve(second)));
    let both = AskBoth::First(Ask::Start(never), second);
    let both = executor.futures.spawn("ask both", both);
    let result = executor.run_until_complete(both)?;
    println!("  the other one answers, and the join returns {result:?}");
    // ANCHOR_END: main

    // ANCHOR: end
    println!("a worker that would never end:");
    let list = VecDeque::from(["the first job", "the second job"]);
    let jobs = Rc::new(RefCell::new(Jobs { list, more: RESOLVED }));
    let worker = executor.futures.spawn("worker", worker(jobs));
    let cancel = executor.futures.spawn("cancel", cancel(worker.task));
    println!("  its join returns {:?}", executor.run_until_complete(worker)?);
    executor.run_until_complete(cancel)??;

    println!("a task that is dropped where it stands:");
    // This drops the join only. The task goes its way.
    drop(executor.futures.spawn("ask", Ask::Start(never)));
    let turn = executor.futures.spawn("turn", RESOLVED);
    executor.run_until_complete(turn)??; // now the other one has begun, and waits
    // Python's `gen.close()` throws GeneratorExit at the `yield`. A generator may catch
    // that, and yield once more: then `close` fails. Here nothing is thrown. What the
    // coroutine holds is dropped, and it can neither refuse that, nor wait.
    drop(executor); // and with it the task, and its connection
    Ok(())
}
// ANCHOR_END: end
