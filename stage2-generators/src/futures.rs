//! Futures: events that have not happened yet, and the tasks that wait for each of
//! them.

use crate::{Coroutine, Loop, Result, Resume, Step, TaskId};
use std::collections::HashMap;

/// One event that has not happened yet. This is Python's Future: you wait *for* it, and
/// other code resolves it. (You *run* Rust's own `Future`. We always call that a std
/// future.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Future(pub(crate) usize);

/// A future that is resolved already. A task that yields it lets the others run first.
pub const RESOLVED: Future = Future(0);

/// The tables of all futures that are not resolved yet. A future is a number, and
/// resolving it removes it from these tables.
#[derive(Default)]
pub struct Futures {
    /// The tasks that wait for each future, in the order in which they are woken.
    pub(crate) pending: HashMap<Future, Vec<TaskId>>,
    /// The pending futures that are resolved from outside: by the operating system or by
    /// another thread. While there are any, the loop is not stuck. For a socket, the
    /// value is the task that waits for it.
    pub external: HashMap<Future, Option<TaskId>>,
    /// The latest future. Numbers are never reused.
    latest: usize,
}

impl Loop {
    /// Creates a future. It is pending until `resolve` is called with it.
    pub fn new_future(&mut self) -> Future {
        self.futures.latest += 1;
        let future = Future(self.futures.latest);
        self.futures.pending.insert(future, Vec::new());
        future
    }

    /// Records that the event has happened. The tasks that wait for it are queued, and
    /// resumed later, not by this call. Resolving a future again does nothing.
    /// (`future.set_result(None)`)
    pub fn resolve(&mut self, future: Future) {
        for task in self.forget(future) {
            self.queue(task);
        }
    }

    /// Removes a future from the tables without waking a task, and returns the tasks
    /// that wait for it. There are none if the running task gives up its own wait.
    pub(crate) fn forget(&mut self, future: Future) -> Vec<TaskId> {
        self.futures.external.remove(&future);
        self.futures.pending.remove(&future).unwrap_or_default()
    }
}

// ANCHOR: future_is_a_coroutine
/// A future is a coroutine, too: it returns when it is resolved.
impl Coroutine for Future {
    type Return = Result<()>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Result<()>> {
        let is_pending = event_loop.futures.pending.contains_key(self);
        match resume {
            Resume::Throw(error) => Step::Return(Err(error)),
            Resume::Send if is_pending => Step::Yield(*self),
            Resume::Send => Step::Return(Ok(())),
        }
    }
}
// ANCHOR_END: future_is_a_coroutine

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reactor::Socket;
    use polling::Event;
    use shared::{FetchError, Stop, Trace};
    use std::io::ErrorKind::WouldBlock;

    fn event_loop() -> Loop {
        Loop::new(&Stop::new(), Trace::off()).expect("a selector can be made")
    }

    /// A future that lives on keeps nothing of the tasks that have given it up.
    #[test]
    fn a_task_that_is_thrown_at_is_taken_off_its_future() {
        let mut event_loop = event_loop();
        let never = event_loop.new_future();
        for _ in 0..1000 {
            let join = event_loop.spawn(never);
            event_loop.run_ready();
            assert_eq!(event_loop.futures.pending[&never], [join.task]);
            event_loop.throw(join.task, FetchError::Interrupted);
            event_loop.run_ready();
            assert_eq!(event_loop.futures.pending[&never], []);
        }
    }

    /// The selector no longer knows the socket, so it cannot be armed.
    #[test]
    fn a_wait_that_cannot_begin_leaves_no_future_behind() {
        let mut event_loop = event_loop();
        let poller = event_loop.reactor.poller.clone();
        let stream = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let socket = Socket::new(stream.into(), &poller).expect("the poller takes it");
        poller.delete(socket.inner()).expect("the poller knows it");
        for _ in 0..1000 {
            let block = |_: &socket2::Socket| Err::<(), _>(WouldBlock.into());
            let step =
                event_loop.attempt(&socket, Event::readable, Resume::Send, block);
            assert!(matches!(step, Step::Return(Err(_))));
        }
        assert!(event_loop.futures.pending.is_empty());
        assert!(event_loop.futures.external.is_empty());
    }
}
