//! The time since the world began. It moves while the program waits, and (almost) never
//! while it computes.

use std::time::Duration;

#[cfg(not(target_family = "wasm"))]
pub use native::now;
#[cfg(not(target_family = "wasm"))]
pub(crate) use native::{advance, can_fire_timers, reset};
#[cfg(target_family = "wasm")]
pub use wasm::now;
#[cfg(target_family = "wasm")]
pub(crate) use wasm::{advance, can_fire_timers, reset};

/// The program reads the clock of the machine (`std::time::Instant`), which nothing here
/// can move. So this clock is a number of its own, and a timer of the program never
/// becomes due.
#[cfg(not(target_family = "wasm"))]
mod native {
    use super::Duration;
    use std::cell::Cell;

    thread_local! { static NOW: Cell<Duration> = const { Cell::new(Duration::ZERO) } }

    /// Returns the time since the world began.
    pub fn now() -> Duration {
        NOW.get()
    }

    /// Sleeps until then, which takes no time.
    pub(crate) fn advance(until: Duration) {
        NOW.set(NOW.get().max(until));
    }

    pub(crate) fn reset() {
        NOW.set(Duration::ZERO);
    }

    /// Returns whether a wait that ends by its time limit moves the program's clock, too.
    pub(crate) const fn can_fire_timers() -> bool {
        false
    }
}

/// The clock is the host's, for the program and for this system: a sleep is the host's,
/// too. A page moves its clock and returns at once; under a host with a real clock the
/// simulation takes real time.
#[cfg(target_family = "wasm")]
mod wasm {
    use super::Duration;
    use std::cell::Cell;
    use std::thread;
    use std::time::Instant;

    thread_local! { static BEGAN: Cell<Instant> = Cell::new(Instant::now()) }

    /// Returns the time since the world began.
    pub fn now() -> Duration {
        BEGAN.get().elapsed()
    }

    /// Sleeps until then.
    pub(crate) fn advance(until: Duration) {
        thread::sleep(until.saturating_sub(now()));
    }

    pub(crate) fn reset() {
        BEGAN.set(Instant::now());
    }

    /// Returns whether a wait that ends by its time limit moves the program's clock, too.
    pub(crate) const fn can_fire_timers() -> bool {
        true
    }
}
