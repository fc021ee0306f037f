//! `lint DICTIONARY` reads passages from standard input and writes what is wrong with them.
//! `cargo book check` calls it.
//!
//! A passage is a form feed, a line that names it, and a text in Markdown. What is wrong is
//! a line `NAME LINE TEXT`, in which lines of a passage are counted from 0. A line of the
//! dictionary is a word that is right, or begins with `#`.
#![forbid(unsafe_code)]

use lint::Checker;
use std::io::{self, Read, Write};
use std::{env, fs};

fn main() -> io::Result<()> {
    let dictionary = env::args_os().nth(1).expect("usage: lint DICTIONARY");
    let mut checker = Checker::new(&fs::read_to_string(dictionary)?);
    let mut input = String::new();
    io::stdin().read_to_string(&mut input)?;
    let mut output = io::stdout().lock();
    for passage in input.split('\x0c').skip(1) {
        let (name, text) = passage.split_once('\n').unwrap_or((passage, ""));
        for (line, text) in checker.check(text) {
            writeln!(output, "{name} {line} {text}")?;
        }
    }
    Ok(())
}
