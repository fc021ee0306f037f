//! What happened in a rule, for the verdict on a capstone: calls of the reader's machine, and
//! what the rule itself did.

use crate::processes::lock;
use std::collections::VecDeque;
use std::fmt::Arguments;
use std::sync::Mutex;

/// The most lines that are kept: the latest.
const MOST: usize = 12;

/// `None` until a story begins. The judge runs one rule at a time; tests need no story.
static STORY: Mutex<Option<Story>> = Mutex::new(None);

#[derive(Default)]
struct Story {
    lines: VecDeque<String>,
    spawned: usize,
}

/// Begins the story of the next rule.
pub(crate) fn begin() {
    *lock(&STORY) = Some(Story::default());
}

/// Adds a line.
pub fn tell(line: Arguments<'_>) {
    if let Some(Story { lines, .. }) = &mut *lock(&STORY) {
        lines.truncate(MOST - 1);
        lines.push_front(line.to_string());
    }
}

/// Adds that a task is spawned. Returns its number, from 1.
pub fn spawned() -> usize {
    let number = lock(&STORY).as_mut().map_or(0, |it| {
        it.spawned += 1;
        it.spawned
    });
    tell(format_args!("task {number} is spawned"));
    number
}

/// Ends the story. Returns its lines, the first one first.
pub(crate) fn end() -> impl Iterator<Item = String> {
    let lines = lock(&STORY).take().unwrap_or_default().lines;
    lines.into_iter().rev()
}
