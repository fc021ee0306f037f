//! What the crawler needs besides the machine: kept connections, other threads, https.
//!
//! `handover` passes a value from one thread to another. `helpers` and `resolver` are
//! built on it: they run computations and look up names on other threads. `pool` makes
//! and keeps connections, which `tls` upgrades. `bodies` limits the memory of responses.

#[cfg(feature = "tls")]
mod any_certificate;
mod bodies;
mod handover;
mod helpers;
mod pool;
mod resolver;
#[cfg_attr(not(feature = "tls"), path = "no_tls.rs")]
mod tls;
#[cfg(feature = "tls")]
mod tls_errors;

pub(crate) use bodies::{Bodies, BodyPermit};
pub(crate) use helpers::Helpers;
pub use helpers::unblock;
pub(crate) use pool::{Connection, Pool};
