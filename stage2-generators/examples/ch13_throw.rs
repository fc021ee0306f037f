//! An error can be thrown into a waiting task: as a time-out, or to end a worker.
//!
//! `cargo run -p stage2-generators --example ch13_throw`

use shared::{FetchError, Stop, TimerId, Trace};
use stage2_generators::{
    Coroutine, Future, Loop, RESOLVED, Result, Resume, Step, TaskId, yield_from,
};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::error::Error;
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
    /// Nothing has run yet.
    Start { answer: Future },
    /// The timer throws the time-out, unless it is cleared.
    Waiting { answer: Future, timer: TimerId, _connection: Connection },
}
// ANCHOR_END: ask

// ANCHOR: ask_resume
impl Coroutine for Ask {
    type Return = Result<()>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Result<()>> {
        match self {
            Ask::Start { answer } => {
                let time_out = FetchError::TimedOut(PATIENCE);
                let timer = event_loop.throw_at(Instant::now() + PATIENCE, time_out);
                *self =
                    Ask::Waiting { answer: *answer, timer, _connection: Connection };
                self.resume(event_loop, resume)
            }
            Ask::Waiting { answer, timer, .. } => {
                // An error that is thrown in comes out of this wait, as its result.
                let result = yield_from!(answer, event_loop, resume);
                event_loop.reactor.timers.clear(*timer);
                Step::Return(result)
            }
        }
    }
}
// ANCHOR_END: ask_resume

// ANCHOR: catch
/// Asks one server, and if its answer is late, another.
enum AskBoth {
    First { ask: Ask, second: Future },
    Second { answer: Future },
}
// ANCHOR_END: catch

// ANCHOR: catch_resume
impl Coroutine for AskBoth {
    type Return = Result<()>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Result<()>> {
        match self {
            AskBoth::First { ask, second } => {
                match yield_from!(ask, event_loop, resume) {
                    Err(FetchError::TimedOut(_)) => {
                        println!("  the time-out is caught");
                        // This drops what the first `Ask` held.
                        *self = AskBoth::Second { answer: *second };
                        self.resume(event_loop, Resume::Send)
                    }
                    result => Step::Return(result),
                }
            }
            AskBoth::Second { answer } => answer.resume(event_loop, resume),
        }
    }
}
// ANCHOR_END: catch_resume

// ANCHOR: worker
/// Jobs for a worker, and the future that it waits for when there are none.
struct Jobs {
    list: VecDeque<&'static str>,
    more: Future,
}

/// Does one job after the other. It never ends on its own.
fn worker(jobs: Rc<RefCell<Jobs>>) -> impl Coroutine<Return = Result<()>> {
    move |event_loop: &mut Loop, resume: Resume| {
        let mut jobs = jobs.borrow_mut();
        if let Err(error) = yield_from!(jobs.more, event_loop, resume) {
            return Step::Return(Err(error));
        }
        while let Some(job) = jobs.list.pop_front() {
            println!("  the worker has done {job}");
        }
        jobs.more = event_loop.new_future();
        Step::Yield(jobs.more)
    }
}
// ANCHOR_END: worker

// ANCHOR: cancel
/// Ends another task. (`task.cancel()`) It never pauses, so it has no states.
fn cancel(task: TaskId) -> impl Coroutine<Return = Result<()>> {
    move |event_loop: &mut Loop, _: Resume| {
        println!("  the worker is cancelled twice; once would do");
        event_loop.throw(task, FetchError::Interrupted);
        event_loop.throw(task, FetchError::Interrupted);
        Step::Return(Ok(()))
    }
}
// ANCHOR_END: cancel

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let mut event_loop = Loop::new(&Stop::new(), Trace::off())?;
    println!("a time-out that is not caught:");
    let never = event_loop.new_future();
    let ask = event_loop.spawn(Ask::Start { answer: never });
    println!("  the join returns {:?}", event_loop.run_until_complete(ask)?);

    println!("a time-out that is caught on its way up:");
    let second = event_loop.new_future();
    let when = Instant::now() + 3 * PATIENCE;
    event_loop
        .reactor
        .timers
        .set(when, Box::new(move |event_loop| event_loop.resolve(second)));
    let both = AskBoth::First { ask: Ask::Start { answer: never }, second };
    let both = event_loop.spawn(both);
    let result = event_loop.run_until_complete(both)?;
    println!("  the second server answers, and the join returns {result:?}");
    // ANCHOR_END: main

    // ANCHOR: end
    println!("a worker that would never end:");
    let list = VecDeque::from(["the first job", "the second job"]);
    let jobs = Rc::new(RefCell::new(Jobs { list, more: RESOLVED }));
    let worker = event_loop.spawn(worker(jobs));
    let cancel = event_loop.spawn(cancel(worker.task));
    println!("  its join returns {:?}", event_loop.run_until_complete(worker)?);
    event_loop.run_until_complete(cancel)??;

    println!("a task that is dropped while it waits:");
    // This drops the join only. The task goes on.
    drop(event_loop.spawn(Ask::Start { answer: never }));
    let turn = event_loop.spawn(RESOLVED);
    event_loop.run_until_complete(turn)??; // now the task has begun, and waits
    // Python's `gen.close()` throws GeneratorExit at the `yield`. A generator may catch
    // it and yield once more, and then `close` fails. Here nothing is thrown: what the
    // coroutine holds is dropped. It can neither refuse that nor wait.
    drop(event_loop); // and with it the task, and its connection
    Ok(())
}
// ANCHOR_END: end
