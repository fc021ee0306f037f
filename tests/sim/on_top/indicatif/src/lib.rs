//! `indicatif`, where there is no terminal: nothing is drawn.
#![forbid(unsafe_code)]

use std::convert::Infallible;
use std::time::Duration;

/// A progress line that is never drawn.
#[derive(Debug)]
pub struct ProgressBar;

/// Where a line would be drawn.
#[derive(Debug)]
pub struct ProgressDrawTarget;

/// What a line would look like.
#[derive(Debug)]
pub struct ProgressStyle;

impl ProgressDrawTarget {
    /// Draws nothing.
    pub fn stderr_with_hz(_: u8) -> ProgressDrawTarget {
        ProgressDrawTarget
    }
}

impl ProgressStyle {
    /// A style without effect.
    ///
    /// # Errors
    /// None: indicatif has some.
    pub fn with_template(_: &str) -> Result<ProgressStyle, Infallible> {
        Ok(ProgressStyle)
    }
}

impl ProgressBar {
    /// A line that is not drawn.
    pub fn with_draw_target(_: Option<u64>, _: ProgressDrawTarget) -> ProgressBar {
        ProgressBar
    }

    /// A line that is not drawn.
    pub fn hidden() -> ProgressBar {
        ProgressBar
    }

    /// Always.
    pub fn is_hidden(&self) -> bool {
        true
    }

    /// Has no effect.
    pub fn set_style(&self, _: ProgressStyle) {}

    /// Has no effect.
    pub fn enable_steady_tick(&self, _: Duration) {}

    /// Has no effect.
    pub fn set_length(&self, _: u64) {}

    /// Has no effect.
    pub fn set_position(&self, _: u64) {}

    /// Has no effect.
    pub fn set_message(&self, _: String) {}

    /// Has no effect.
    pub fn finish_and_clear(&self) {}

    /// Calls this: there is no line in its way.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        print()
    }
}
