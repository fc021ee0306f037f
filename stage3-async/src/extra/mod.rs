//! What the crawler needs besides the machine: kept connections, other threads, https.
//!
//! `set_once` passes a value from one thread to another. `thread_pool` and `resolver`
//! build on it: they run computations and look up names on other threads. `pool` makes
//! and keeps connections, which `tls` upgrades. `bodies` limits the memory of responses.
//! `task_group` reports the panic of a task.

#[cfg(feature = "tls")]
mod any_certificate;
mod bodies;
mod pool;
mod resolver;
mod set_once;
mod task_group;
mod thread_pool;
#[cfg_attr(not(feature = "tls"), path = "no_tls.rs")]
mod tls;
#[cfg(feature = "tls")]
mod tls_errors;

pub(crate) use bodies::{Bodies, BodyPermit};
pub(crate) use pool::{Connection, Pool};
pub(crate) use task_group::TaskGroup;
pub(crate) use thread_pool::ThreadPool;
pub use thread_pool::unblock;
