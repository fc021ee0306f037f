//! `cargo exercise parsons` and `which`: puzzles for two minutes.

use super::ask::{ask, number};
use super::{Desk, Outcome, try_file};
use crate::puzzle::{Parsons, WRONG, Which};
use crate::show::{self, BAD, GOOD, NAME, TODO};
use anstream::{print, println};
use std::fs;
use std::io::{IsTerminal, stdin, stdout};

/// `cargo exercise parsons NAME`. Returns whether an order was right.
pub fn parsons(desk: &Desk, name: &str, seed: u64) -> Result<bool, String> {
    let exercise = desk.find(name)?;
    let puzzle = Parsons::of(&exercise, seed)?;
    let (name, [before, after]) = (&exercise.name, &puzzle.around);
    print!("{before}{TODO}    … your blocks …{TODO:#}\n{after}\n");
    for (number, block) in (1..).zip(&puzzle.blocks) {
        println!("{NAME}{number:2}{NAME:#} │ {}", block.text.replace('\n', "\n   │ "));
    }
    let count = puzzle.blocks.len();
    println!("\n{WRONG} of these {count} blocks are wrong, and belong nowhere.");
    let understand = |line: &str| -> Result<Vec<usize>, String> {
        line.split_whitespace().map(|it| number(it, count)).collect()
    };
    let prompt = "Your order, such as 3 1 2";
    while let Some(order) = ask(&mut stdin().lock(), prompt, understand) {
        let library = desk.library_for(&exercise)?;
        let file = library.work().join(format!("{name}.rs"));
        let written = fs::write(&file, puzzle.assembled(&order));
        written.map_err(|error| format!("{}: {error}", file.display()))?;
        let is_terminal = stdout().is_terminal();
        let outcome = try_file(&library, &file, name, desk.seconds(), is_terminal)?;
        match &outcome {
            Outcome::Refused(errors) => println!("{errors}It does not compile."),
            Outcome::Ran(verdict, _) => show::verdict(verdict, desk.seconds()),
        }
        if outcome.holds() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// `cargo exercise which NAME`. Returns whether the answer was right.
pub fn which(desk: &Desk, name: &str, seed: u64) -> Result<bool, String> {
    let exercise = desk.find(name)?;
    let all = Which::mixed(&exercise, &desk.project.root, seed)?;
    let which = all.first().ok_or(format!("{name}: no mistake is recorded"))?;
    println!("From the solution to a mistake:");
    show::changes(&which.texts[0], &which.texts[1]);
    println!("\nThe cases of the check:");
    for (number, case) in (1..).zip(&which.cases) {
        println!("  {NAME}{number:2}{NAME:#}  {case}");
    }
    let understand = |line: &str| number(line, which.cases.len());
    let answer = ask(&mut stdin().lock(), "Which one stops the mistake?", understand);
    let is_right = answer.is_some_and(|it| which.keys.contains(&it));
    match is_right {
        _ if answer.is_none() => return Ok(false),
        true => println!("{GOOD}Yes.{GOOD:#}\n"),
        false => println!("{BAD}No.{BAD:#}\n"),
    }
    show::mistake(&which.mistake);
    Ok(is_right)
}
