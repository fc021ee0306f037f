//! `cargo exercise list`: all exercises, and what the learner has done. It runs nothing.

use super::Desk;
use crate::material::chapters;
use crate::show::{GOOD, NAME, TODO};
use anstream::println;

/// Prints a line for each exercise, by chapter.
pub fn list(desk: &Desk, only: Option<usize>) -> Result<bool, String> {
    let next = desk.first_open().map(|it| it.name);
    let width = desk.exercises.iter().map(|it| it.name.len()).max().unwrap_or_default();
    let (chapters, mut chapter) = (chapters(&desk.project.root)?, 0);
    for exercise in &desk.exercises {
        if only.is_some_and(|only| only != exercise.number) {
            continue;
        }
        if chapter != exercise.number {
            chapter = exercise.number;
            println!("chapter {chapter}: {}", chapters[chapter - 1].title);
        }
        let entry = desk.progress.of(&exercise.name);
        let (style, mark) = match () {
            () if entry.is_done => (GOOD, "✓"),
            () if next.as_ref() == Some(&exercise.name) => (TODO, "→"),
            () => (anstyle::Style::new(), " "),
        };
        let mut notes = vec![format!("{} minutes", exercise.minutes)];
        let counted = |count: usize, one: &str, many: &str| {
            (count > 0)
                .then(|| format!("{count} {}", if count == 1 { one } else { many }))
        };
        notes.extend(counted(entry.tries, "try", "tries"));
        notes.extend(counted(entry.hints, "hint", "hints"));
        notes.extend(entry.has_peeked.then(|| "solution read before".to_string()));
        let (name, title, notes) = (&exercise.name, &exercise.title, notes.join(", "));
        println!(
            " {style}{mark}{style:#} {NAME}{name:width$}{NAME:#}  {title} ({notes})"
        );
    }
    let done =
        desk.exercises.iter().filter(|it| desk.progress.of(&it.name).is_done).count();
    println!("\n{done} of {} are done.", desk.exercises.len());
    Ok(true)
}
