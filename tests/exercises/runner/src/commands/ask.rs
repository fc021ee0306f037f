//! Questions in the terminal. They also end if the input ends, or never makes sense.

use anstream::{print, println};
use std::io::{BufRead, Read, Write, stdout};

/// How many answers in a row may make no sense.
const TRIES: usize = 5;

/// The longest answer, in bytes. What follows counts as another one.
const LONGEST: u64 = 1000;

/// Asks until an answer makes sense. `None`: `q`, the end of the input, or too many answers
/// that make no sense.
pub(super) fn ask<T>(
    input: &mut dyn BufRead,
    prompt: &str,
    understand: impl Fn(&str) -> Result<T, String>,
) -> Option<T> {
    for _ in 0..TRIES {
        print!("{prompt} (q ends): ");
        stdout().flush().ok(); // a reader that is gone needs no prompt
        let mut line = Vec::new();
        let count = input.take(LONGEST).read_until(b'\n', &mut line);
        if count.is_ok_and(|count| count > 0)
            && !line.trim_ascii().eq_ignore_ascii_case(b"q")
        {
            match String::from_utf8_lossy(&line).trim() {
                "" => println!("Write an answer."),
                line => match understand(line) {
                    Ok(answer) => return Some(answer),
                    Err(why) => println!("{why}"),
                },
            }
        } else {
            println!();
            return None;
        }
    }
    println!("{TRIES} answers in a row made no sense: this ends here.");
    None
}

/// Returns the place that a number from 1 to `count` names.
pub(super) fn number(word: &str, count: usize) -> Result<usize, String> {
    let number = word.parse().ok().filter(|it| (1..=count).contains(it));
    number.map(|it| it - 1).ok_or(format!("Numbers are from 1 to {count}."))
}

/// Returns the text in lines. All but the first have this indentation.
pub(super) fn wrapped(text: &str, indentation: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is a first one");
        let width = indentation.len() + last.chars().count() + word.chars().count();
        match last.is_empty() {
            false if width >= 88 => lines.push(word.into()),
            is_first => *last += &[if is_first { "" } else { " " }, word].concat(),
        }
    }
    lines.join(&format!("\n{indentation}"))
}
