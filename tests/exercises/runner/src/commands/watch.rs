//! `cargo exercise watch`: checks a solution each time its file is saved.
//!
//! It reads the file three times a second. Events of the operating system would come a
//! little sooner, but not at all on network drives and in folders that a container shares
//! with its host, which is where classes work; and one small file is cheap to read.

use super::{Desk, learn};
use crate::material::Exercise;
use crate::show::{NAME, TODO};
use anstream::{print, println};
use std::fs;
use std::io::{IsTerminal, stdin, stdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

const PAUSE: Duration = Duration::from_millis(300);

/// Watches an exercise, and the next one after it, until `q` or the end of the input.
pub fn watch(desk: &mut Desk, name: Option<&str>) -> Result<bool, String> {
    let named = name.map(|name| desk.find(name)).transpose()?;
    let mut exercise = match named.or_else(|| desk.first_open()) {
        Some(exercise) => exercise,
        None => return learn::begin(desk),
    };
    let lines = typed();
    loop {
        match watch_one(desk, &exercise, &lines)? {
            Some(other) => exercise = other,
            None => return Ok(desk.progress.of(&exercise.name).is_done),
        }
    }
}

/// Returns the lines that the learner types. Whole lines need no special terminal.
fn typed() -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in stdin().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Returns the exercise to go on with, or `None` to end.
fn watch_one(
    desk: &mut Desk,
    exercise: &Exercise,
    lines: &Receiver<String>,
) -> Result<Option<Exercise>, String> {
    clear();
    learn::present(desk, exercise)?;
    let mut seen = None;
    loop {
        let text = fs::read(desk.project.answer(exercise)).ok();
        // An editor may replace the file: for a moment there is none, or an empty one.
        let is_saved = text.as_ref().is_some_and(|text| !text.is_empty());
        if is_saved && text != seen {
            if seen.is_some() {
                clear();
            }
            seen = text;
            let holds = learn::check(desk, exercise)?;
            help(holds);
        }
        match lines.recv_timeout(PAUSE) {
            Ok(line) => match line.trim() {
                "q" => return Ok(None),
                "h" => drop(learn::hint(desk, &exercise.name)?),
                "r" => {
                    learn::reset(desk, &exercise.name)?;
                    seen = None;
                }
                "l" => drop(super::list::list(desk, None)?),
                "n" if desk.progress.of(&exercise.name).is_done => {
                    return Ok(desk.first_open().or_else(|| following(desk, exercise)));
                }
                "n" => println!("It does not hold yet. `s` skips it."),
                "s" => return Ok(following(desk, exercise)),
                "" => seen = None,
                _ => help(false),
            },
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
        }
    }
}

/// Returns the exercise after this one.
fn following(desk: &Desk, exercise: &Exercise) -> Option<Exercise> {
    let mut all = desk.exercises.iter().skip_while(|it| it.name != exercise.name);
    all.nth(1).cloned()
}

fn clear() {
    if stdout().is_terminal() {
        print!("\x1b[2J\x1b[3J\x1b[H");
    }
}

fn help(holds: bool) {
    let next = if holds { "n next" } else { "s skip" };
    let style = if holds { TODO } else { NAME };
    println!(
        "\n{style}{next}{style:#} · h hint · l list · r reset · q quit, and Enter"
    );
}
