//! The event loop: runs the tasks that are ready, and when none is, waits for events.

use crate::scheduler::Scheduler;
use crate::{Join, Reactor, Result, futures::Futures, observe::Observer};
use shared::{FetchError, Stop, Trace, stop::StopCallback};
use std::{io, sync::Arc};

/// Everything that coroutines work with. The loop is passed to each when it is resumed.
pub struct Loop {
    /// The futures, and the tasks that wait for each.
    pub futures: Futures,
    /// All tasks, and which of them are ready.
    pub(crate) scheduler: Scheduler,
    /// Sockets, other threads, and timers.
    pub reactor: Reactor,
    /// Writes traces and stuck reports. It decides nothing.
    pub(crate) observe: Observer,
    /// Ends a wait when the crawl is asked to stop.
    pub(crate) stop: StopCallback,
}

/// Why the loop cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum LoopError {
    /// The operating system reported an error when the loop tried to wait.
    #[error("the selector failed: {0}")]
    Selector(#[from] io::Error),
    /// No task is ready, and nothing can wake one. Lists what each task waits for, a
    /// line each.
    #[error("stuck: {0}")]
    Stuck(String),
}

impl Loop {
    /// Creates a loop without tasks. A request to `stop` ends a run. What the loop does
    /// is written to the trace.
    ///
    /// # Errors
    /// The operating system's selector cannot be made.
    pub fn new(stop: &Stop, trace: Trace) -> io::Result<Loop> {
        let reactor = Reactor::new(trace.clone())?;
        let poller = Arc::clone(&reactor.poller);
        // This fails only if the selector is closed, and then there is no wait to end.
        let stop = stop.on_stop(move || drop(poller.notify()));
        Ok(Loop {
            futures: Futures::default(),
            scheduler: Scheduler::default(),
            reactor,
            observe: Observer::new(trace),
            stop,
        })
    }

    /// Runs all tasks until this one has returned. The others stay as they are then.
    /// When a stop is requested, `Interrupted` is thrown into each task, which then
    /// runs one last time.
    ///
    /// # Errors
    /// The outer error is the loop's. The inner one is the task's: what its coroutine
    /// returned, or `Interrupted` after a stop.
    // ANCHOR: run_until_complete
    pub fn run_until_complete<T>(
        &mut self,
        join: Join<T>,
    ) -> Result<Result<T>, LoopError> {
        while !self.stop.is_requested() {
            self.run_ready();
            if let Some(result) = join.result.take() {
                return Ok(result);
            }
            if self.is_stuck() && !self.stop.is_requested() {
                return Err(LoopError::Stuck(self.waiters_report()));
            }
            self.poll_events()?;
        }
        self.cancel_all();
        Ok(join.result.take().unwrap_or(Err(FetchError::Interrupted)))
    }
    // ANCHOR_END: run_until_complete
}
