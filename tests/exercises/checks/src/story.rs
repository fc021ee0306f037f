//! What happened in the case that runs. A failure prints it.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The longest story that is printed: its first lines, and the latest.
const MOST: usize = 25;
/// How many lines of its beginning are kept.
const FIRST: usize = 8;

static STORY: Mutex<Story> = Mutex::new(Story { lines: VecDeque::new(), left_out: 0 });

struct Story {
    lines: VecDeque<String>,
    left_out: usize,
}

fn story() -> MutexGuard<'static, Story> {
    STORY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds a line to the story of the case; takes what `format!` takes.
#[macro_export]
macro_rules! story {
    ($($format:tt)*) => { $crate::add_to_story(format!($($format)*)) };
}

/// Adds a line to the story: what [`story!`](crate::story!) calls.
pub fn add_to_story(line: String) {
    let mut story = story();
    if story.lines.len() == MOST {
        story.lines.remove(FIRST);
        story.left_out += 1;
    }
    story.lines.push_back(line);
}

/// Forgets the story: a case begins, or loom tries the next order.
pub(crate) fn begin() {
    let mut story = story();
    story.lines.clear();
    story.left_out = 0;
}

/// Returns the first lines and the latest.
pub(crate) fn lines() -> Vec<String> {
    let story = story();
    let mut lines: Vec<String> = story.lines.iter().cloned().collect();
    if story.left_out > 0 {
        lines.insert(FIRST, format!("… {} lines", story.left_out));
    }
    lines
}
