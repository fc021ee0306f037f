//! The machine: runs any program that is made of async functions. It knows nothing of
//! crawling.
//!
//! Read it in this order:
//! - `ready`: the queue of woken tasks, and the wakers that fill it;
//! - `executor`: polls the tasks in that queue;
//! - `budget`: ends the turn of a task that never has to wait;
//! - `reactor`: asks the operating system and the clock, and calls wakers;
//! - `net`: sockets with operations that can be awaited.
//!
//! A *leaf* is the end of a chain of awaits: a future of this crate that waits for an
//! event itself, and not for another future. A task's *turn* is one poll, or its drop
//! if it is cancelled. A *tick* is one pass of the loop: turns, then one *look* at
//! the selector, which asks the operating system. An *edge* is an event that is
//! reported once, when a socket becomes ready.
//!
//! Lines that end in `// observe` serve traces and stuck reports. They decide nothing:
//! a result passes through them unchanged, and a waker still wakes the same task. The
//! book's listings leave them out.

pub(crate) mod budget;
pub(crate) mod executor;
pub(crate) mod net;
pub(crate) mod reactor;
pub(crate) mod ready;
