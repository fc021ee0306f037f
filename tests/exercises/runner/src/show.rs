//! What is printed about a solution.

use crate::child::MOST_MEMORY;
use crate::mistakes::Mistake;
use crate::run::{Failure, How, Verdict};
use anstream::println;
use anstyle::{AnsiColor, Style};

/// Good news.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Bad news.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// What is still to be done.
pub const TODO: Style = AnsiColor::Yellow.on_default().bold();
/// Names of files, commands and exercises.
pub const NAME: Style = AnsiColor::Cyan.on_default();

/// Prints each case, and why the first one fails that does. `file` is the learner's.
pub fn verdict(verdict: &Verdict, seconds: u64) {
    for case in &verdict.held {
        println!("  {GOOD}ok{GOOD:#}    {case}");
    }
    let count = verdict.held.len();
    match (&verdict.failure, verdict.total) {
        (None, _) => println!("{GOOD}all {count} cases hold{GOOD:#}"),
        (Some(failure), total) => {
            print_failure(failure, seconds);
            match total {
                Some(total) => println!("{count} of {total} cases hold"),
                None if count == 1 => println!("1 case holds before that"),
                None => println!("{count} cases hold before that"),
            }
        }
    }
}

fn print_failure(failure: &Failure, seconds: u64) {
    let (style, word) =
        if failure.how == How::Todo { (TODO, "TODO") } else { (BAD, "FAIL") };
    let case =
        if failure.case.is_empty() { "before the first case" } else { &failure.case };
    println!("  {style}{word}{style:#}  {case}");
    for line in explanation(failure, seconds) {
        println!("        {line}");
    }
    if let Some(at) = &failure.at {
        println!("        at {NAME}{at}{NAME:#}");
    }
    for (title, lines) in [
        ("what happened:", &failure.story),
        ("your program printed:", &failure.printed),
    ] {
        if !lines.is_empty() {
            println!("        {title}");
        }
        for line in lines {
            println!("          {line}");
        }
    }
}

/// Returns what happened to the program, in words.
pub fn explanation(failure: &Failure, seconds: u64) -> Vec<String> {
    let mut why = failure.why.clone();
    let nested = "Calls are nested without end: no stack is left.";
    let text = match failure.how {
        How::Panicked => return why,
        How::Todo => {
            why.insert(0, "This part is yours:".into());
            return why;
        }
        How::Hung if !why.is_empty() => {
            why.insert(0, "A thread panicked, and others wait for it for ever:".into());
            return why;
        }
        How::Hung if failure.case.is_empty() => {
            "It does not end, and has not begun to check: does `main` call `check`?"
                .into()
        }
        How::Hung => format!(
            "It hangs: the case is not done after {seconds} seconds. Is there a loop without \
             end, or a lock that is taken while it is already held? A guard in the head of \
             a `while let`, an `if let` or a `match` lives until the end of its block."
        ),
        How::Overflowed => nested.into(),
        How::OutOfMemory => format!(
            "It wants more memory than it may have, which is {} MB: does something grow \
             without end?",
            MOST_MEMORY >> 20
        ),
        How::Flooded => "It prints without end.".into(),
        How::Left => format!(
            "The program ended by itself before its last case ({}).",
            why.join(" ")
        ),
        How::Aborted => format!(
            "The program was aborted ({}). Often it is a panic in a `drop`, while another \
             panic is under way; or no memory is left.",
            why.join(" ")
        ),
    };
    vec![text]
}

/// Prints a recorded mistake, and what the check says about it.
pub fn mistake(mistake: &Mistake) {
    println!("{TODO}{}{TODO:#}", mistake.name);
    println!("  the check says: {NAME}{}{NAME:#}", mistake.case);
    mistake.says.iter().for_each(|line| println!("    {line}"));
}

/// Prints the changes from one text to another, with two lines around each.
pub fn changes(old: &str, new: &str) {
    for line in difference(old, new) {
        let style = match line.chars().next() {
            Some('-') => BAD,
            Some('+') => GOOD,
            _ => Style::new(),
        };
        println!("    {style}{line}{style:#}");
    }
}

/// Returns the lines of the changes from one text to another: after `-`, `+` or a blank, and
/// with `…` between places.
pub fn difference(old: &str, new: &str) -> Vec<String> {
    let diff = similar::TextDiff::from_lines(old, new);
    let mut lines = Vec::new();
    for hunk in diff.unified_diff().context_radius(2).iter_hunks() {
        if !lines.is_empty() {
            lines.push("…".into());
        }
        for change in hunk.iter_changes() {
            let sign = match change.tag() {
                similar::ChangeTag::Delete => '-',
                similar::ChangeTag::Insert => '+',
                similar::ChangeTag::Equal => ' ',
            };
            lines.push(format!("{sign} {}", change.value().trim_end()));
        }
    }
    lines
}
