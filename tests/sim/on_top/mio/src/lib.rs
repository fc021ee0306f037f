//! `mio` over the simulated system: as much of it as the stages use, with the signatures
//! of the real one.
#![forbid(unsafe_code)]

pub mod event;
mod interest;
pub mod net;
mod poll;
mod token;

pub use interest::Interest;
pub use poll::{Events, Poll, Registry, Waker};
pub use token::Token;
