//! A kernel that reports completions, and what waits for them: shared by the steps of
//! chapter 35.
#![allow(dead_code)] // no step needs all of them

pub(crate) mod executor;
pub(crate) mod kernel;
pub(crate) mod ring;

/// What a buffer begins with, as text.
pub(crate) fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
