//! The event loop: runs the tasks that are ready, and when none is, waits for events.

use crate::coroutine::Result;
use crate::scheduler::{Join, Scheduler};
use crate::{futures::Futures, observe::Tasks, reactor::Reactor};
use shared::{FetchError, Stop, Trace, stop::StopCallback};
use std::{io, sync::Arc};

/// Everything that coroutines work with: each is handed the loop when it is resumed.
pub struct Loop {
    /// What waits for what.
    pub(crate) futures: Futures,
    /// What runs.
    pub(crate) scheduler: Scheduler,
    /// What comes from outside.
    pub reactor: Reactor,
    /// What a trace and a stuck report say about tasks. It decides nothing.
    pub(crate) observe: Tasks,
    /// Ends a wait when the crawl is asked to stop.
    pub(crate) stop: StopCallback,
}

/// Why the loop cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum LoopError {
    /// The operating system does not let it wait.
    #[error("the selector failed: {0}")]
    Selector(#[from] io::Error),
    /// No task is ready, and nothing can wake one. Lists what each task waits for, a line
    /// each.
    #[error("stuck: {0}")]
    Stuck(String),
}

impl Loop {
    /// A loop without tasks. A request to `stop` ends a run; what happens is written to
    /// the trace.
    ///
    /// # Errors
    /// The operating system's selector cannot be made.
    pub fn new(stop: &Stop, trace: Trace) -> io::Result<Loop> {
        let reactor = Reactor::new(trace.clone())?;
        let poller = Arc::clone(&reactor.poller);
        // It fails only where the selector is gone, and then nothing waits.
        let stop = stop.on_stop(move || drop(poller.notify()));
        Ok(Loop {
            futures: Futures::default(),
            scheduler: Scheduler::default(),
            reactor,
            observe: Tasks::new(trace),
            stop,
        })
    }

    /// Runs all tasks until this one has returned; the others stay as they are then.
    /// When the stop is requested, `Interrupted` is thrown into each task, once, and that
    /// is the last that it sees.
    ///
    /// # Errors
    /// The outer error is the loop's. The inner one is the task's: what its coroutine
    /// returned, or `Interrupted` after a stop.
    // ANCHOR: run_until_complete
    pub fn run_until_complete<T>(
        &mut self,
        task: Join<T>,
    ) -> Result<Result<T>, LoopError> {
        while !self.stop.is_requested() {
            self.run_ready();
            if let Some(result) = task.result.take() {
                return Ok(result);
            }
            if self.is_stuck() {
                return Err(LoopError::Stuck(self.who_waits()));
            }
            self.poll_events()?;
        }
        self.run_cancelled();
        Ok(task.result.take().unwrap_or(Err(FetchError::Interrupted)))
    }
    // ANCHOR_END: run_until_complete
}
