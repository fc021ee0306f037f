//! What happened in the case that runs. A failure prints it.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The longest story that is printed: the latest lines.
const MOST: usize = 25;

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
        story.lines.pop_front();
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

/// Returns the latest lines, oldest first.
pub(crate) fn lines() -> Vec<String> {
    let story = story();
    let left_out = (story.left_out > 0).then(|| format!("… {} lines", story.left_out));
    left_out.into_iter().chain(story.lines.iter().cloned()).collect()
}
