//! An operating system that is simulated, as far as a crawler needs one: sockets, a
//! selector, a clock, and web sites at the other end of the wire.
//!
//! | module | what it is |
//! |---|---|
//! | `clock` | the time, which only a wait moves |
//! | `site` | what answers at the other end: a trait, and the acts that a site is made of |
//! | `socket` | a TCP connection, as its program sees it |
//! | `selector` | waits until a socket is ready |
//! | `world` | what the others share: all sockets, and what will happen to them, and when |
//! | `log` | what has happened in the system while the program slept |
//!
//! Each thread has a world of its own, so that tests do not meet. The crates that take the
//! names `mio`, `polling` and `socket2` are thin layers over `Socket` and `Selector`.
#![forbid(unsafe_code)]

mod clock;
mod log;
mod selector;
mod site;
mod socket;
mod state;
mod world;

pub use clock::now;
pub use log::{Choice, Happened, What};
pub use selector::{Alarm, Selector};
pub use site::{Act, Answers, Nothing, Plan, Site};
pub use socket::{Socket, Source};
pub use state::{Interest, Mode, Ready};
pub use world::{Order, Pick, Then, install, interrupt_with, log, replace_site};
