//! What a learner does with one exercise.

use super::{Desk, Outcome, try_file};
use crate::day::Day;
use crate::holes::USUAL;
use crate::material::{Exercise, without_anchors};
use crate::puzzle::Which;
use crate::show::{self, GOOD, NAME, TODO};
use anstream::{print, println};
use std::fs;
use std::io::{IsTerminal, stdout};

/// `cargo exercise`: presents the next exercise, and checks it.
pub fn begin(desk: &mut Desk) -> Result<bool, String> {
    let Some(exercise) = desk.first_open() else { return Ok(all_done()) };
    present(desk, &exercise)?;
    check(desk, &exercise)
}

/// `cargo exercise next`: checks the next exercise, and presents the one after it if all
/// cases hold.
pub fn next(desk: &mut Desk) -> Result<bool, String> {
    let Some(exercise) = desk.first_open() else { return Ok(all_done()) };
    if !desk.project.answer(&exercise).exists() {
        present(desk, &exercise)?;
        return check(desk, &exercise);
    }
    let holds = check(desk, &exercise)?;
    if holds {
        match desk.first_open() {
            None => return Ok(all_done()),
            Some(following) => present(desk, &following)?,
        }
    }
    Ok(holds)
}

fn all_done() -> bool {
    println!(
        "{GOOD}You have done all exercises.{GOOD:#} `cargo exercise list` has them."
    );
    true
}

/// Prints what an exercise is about, and makes the learner's file if there is none.
pub fn present(desk: &Desk, exercise: &Exercise) -> Result<(), String> {
    let at = desk.exercises.iter().position(|it| it.name == exercise.name);
    let (at, count) = (at.map_or(0, |at| at + 1), desk.exercises.len());
    let Exercise { name, title, number, chapter, minutes, lines, .. } = exercise;
    println!("{at} of {count}: {TODO}{title}{TODO:#}");
    println!("  chapter {number}, {minutes} minutes, about {lines} lines");
    let file = desk.project.answer(exercise);
    let note = make_file(desk, exercise)?;
    let short = desk.project.short(&file).display();
    println!("  your file:   {NAME}{short}{NAME:#}{note}");
    println!("  read first:  book/src/{chapter}.md");
    println!("  its types:   {}", interface(exercise));
    let is_open = |need: &&String| !desk.progress.of(need).is_done;
    let open: Vec<_> =
        exercise.needs.iter().filter(is_open).map(String::as_str).collect();
    if !open.is_empty() {
        println!("  do first:    {}", open.join(", "));
    }
    println!("  while you write:  {NAME}cargo exercise watch {name}{NAME:#}\n");
    Ok(())
}

/// `cargo exercise start NAME`.
pub fn start(desk: &Desk, name: &str) -> Result<bool, String> {
    present(desk, &desk.find(name)?)?;
    Ok(true)
}

/// Returns where the types and methods are that an exercise uses.
fn interface(exercise: &Exercise) -> String {
    let name = &exercise.name;
    format!(
        "{NAME}tests/exercises/checks/src/exercises/{name}.rs{NAME:#}  (above `cases!`)"
    )
}

/// Makes the start, if the learner has no file yet. Returns what there is to say about the
/// file, in parentheses.
pub fn make_file(desk: &Desk, exercise: &Exercise) -> Result<String, String> {
    let (file, name) = (desk.project.answer(exercise), &exercise.name);
    if file.exists() {
        let kept = desk.level.map(|_| {
            format!("  (as it was; `cargo exercise reset {name}` begins again)")
        });
        return Ok(kept.unwrap_or_default());
    }
    let start = exercise.start(&desk.project.root, desk.level.unwrap_or(USUAL))?;
    let start = without_anchors(&start);
    let result = fs::create_dir_all(&desk.project.answers)
        .and_then(|()| fs::write(&file, start));
    result.map_err(|error| format!("{}: {error}", file.display()))?;
    Ok("  (made just now)".into())
}

/// `cargo exercise check NAME`.
pub fn check_named(desk: &mut Desk, name: &str) -> Result<bool, String> {
    let exercise = desk.find(name)?;
    let note = make_file(desk, &exercise)?;
    if !note.is_empty() {
        let file = desk.project.answer(&exercise);
        println!("{NAME}{}{NAME:#}{note}", desk.project.short(&file).display());
        println!("its types are in {}", interface(&exercise));
    }
    check(desk, &exercise)
}

/// Compiles the learner's file, runs it, prints what came of it, and notes it.
pub fn check(desk: &mut Desk, exercise: &Exercise) -> Result<bool, String> {
    let (name, library) = (&exercise.name, desk.library_for(exercise)?);
    let file = desk.project.answer(exercise);
    let is_terminal = stdout().is_terminal();
    let outcome = try_file(&library, &file, name, desk.seconds(), is_terminal)?;
    println!("{} (chapter {})", exercise.title, exercise.number);
    match &outcome {
        Outcome::Refused(errors) => {
            print!("{errors}");
            println!("It does not compile yet.");
            println!("types:    {}", interface(exercise));
        }
        Outcome::Ran(verdict, warnings) => {
            show::verdict(verdict, desk.seconds());
            if outcome.holds() && !warnings.is_empty() {
                print!("\nThe compiler remarks:\n{warnings}");
            }
        }
    }
    let was_done = desk.progress.of(name).is_done;
    desk.progress.change(name, |entry| {
        entry.tries = entry.tries.saturating_add(1);
        if outcome.holds() && !entry.is_done {
            entry.is_done = true;
            entry.day.get_or_insert_with(Day::today); // `reset` keeps it
        }
    })?;
    if outcome.holds() && exercise.has_solution() {
        println!("compare:  {NAME}cargo exercise solution {name}{NAME:#}");
        println!("          {NAME}cargo exercise mistakes {name}{NAME:#}");
    } else if !outcome.holds() && !was_done {
        println!("stuck?    {NAME}cargo exercise hint {name}{NAME:#}");
    }
    Ok(outcome.holds())
}

/// `cargo exercise hint NAME`: the next hint, and those before it.
pub fn hint(desk: &mut Desk, name: &str) -> Result<bool, String> {
    let exercise = desk.find(name)?;
    let hints = exercise.hints()?;
    let count =
        desk.progress.of(&exercise.name).hints.saturating_add(1).min(hints.len());
    for (number, hint) in hints.iter().take(count).enumerate() {
        println!("{TODO}Hint {} of {}{TODO:#}\n{hint}\n", number + 1, hints.len());
    }
    desk.progress.change(&exercise.name, |entry| entry.hints = count)?;
    Ok(true)
}

/// `cargo exercise solution NAME`: the solution, and how the learner's differs.
pub fn solution(desk: &mut Desk, name: &str, anyway: bool) -> Result<bool, String> {
    let exercise = may_look(desk, name, anyway)?;
    let solution = without_anchors(&exercise.read("solution.rs")?);
    print!("{solution}");
    if let Ok(mine) = crate::material::read(&desk.project.answer(&exercise)) {
        println!("\n{TODO}From yours to this one:{TODO:#}");
        show::changes(&without_anchors(&mine), &solution);
    }
    Ok(true)
}

/// Returns the exercise, if the learner's solution holds, or wants to see it anyway.
fn may_look(desk: &mut Desk, name: &str, anyway: bool) -> Result<Exercise, String> {
    let exercise = desk.find(name)?;
    exercise.read("solution.rs")?; // a tree without solutions has nothing to look at
    if !desk.progress.of(&exercise.name).is_done {
        if !anyway {
            let name = &exercise.name;
            return Err(format!(
                "{name} does not hold yet. `cargo exercise hint {name}` helps; with \
                 `--anyway` you can look now."
            ));
        }
        desk.progress.change(&exercise.name, |entry| entry.has_peeked = true)?;
    }
    Ok(exercise)
}

/// `cargo exercise mistakes NAME`: each typical mistake, and what the check says. That was
/// recorded, so nothing is run.
pub fn mistakes(desk: &mut Desk, name: &str, anyway: bool) -> Result<bool, String> {
    let exercise = may_look(desk, name, anyway)?;
    for it in Which::all(&exercise, &desk.project.root)? {
        show::changes(&it.texts[0], &it.texts[1]);
        show::mistake(&it.mistake);
        println!();
    }
    println!("Which of these did you make?");
    Ok(true)
}

/// `cargo exercise reset NAME`: keeps the learner's file as `old/NAME.N.rs`, and makes
/// the start again.
pub fn reset(desk: &mut Desk, name: &str) -> Result<bool, String> {
    let exercise = desk.find(name)?;
    let (file, old) =
        (desk.project.answer(&exercise), desk.project.answers.join("old"));
    if file.exists() {
        let free =
            (1..).map(|number| old.join(format!("{}.{number}.rs", exercise.name)));
        let kept =
            free.into_iter().find(|path| !path.exists()).expect("numbers have no end");
        let result = fs::create_dir_all(&old).and_then(|()| fs::rename(&file, &kept));
        result.map_err(|error| format!("{}: {error}", kept.display()))?;
        println!(
            "your file is now {NAME}{}{NAME:#}",
            desk.project.short(&kept).display()
        );
    }
    desk.progress.change(&exercise.name, |entry| entry.is_done = false)?;
    present(desk, &exercise)?;
    Ok(true)
}
