//! The checks of the exercises. Each module of [`exercises`] has the trait that you
//! implement, the cases that hold for every right solution, and a function `check` that
//! runs them. Your solution is a program in `src/bin`:
//!
//! ```text
//! fn main() -> std::process::ExitCode {
//!     checks::leaf::check::<Mine>()
//! }
//! ```

pub mod exercises;
mod harness;
#[cfg(feature = "orders")]
pub mod orders;
mod story;
pub mod toy;
mod wakers;

pub use exercises::*;
pub use harness::{Case, expect_panic, run};
pub use story::add_to_story;
pub use wakers::{CountingWaker, waker_that, waker_that_ends_with, waker_that_sends};
