//! Which programs of a class are alike.

use super::Student;
use crate::commands::Desk;
use crate::holes;
use crate::likeness::{ENOUGH, HINT, Written};
use crate::material::{self, Exercise};
use crate::variants;

/// Returns for each student what the programs are alike to, in a few words each. Two students
/// whose programs are both like the repository's are no pair.
pub(super) fn all(
    desk: &Desk,
    students: &[Student],
    exercises: &[Exercise],
) -> Result<Vec<Vec<String>>, String> {
    let mut all = vec![Vec::new(); students.len()];
    for (number, exercise) in exercises.iter().enumerate() {
        let level = desk.level.unwrap_or(holes::USUAL);
        let start = exercise.start(&desk.project.root, level)?;
        let written = |text: String| Written::of(&text, &start);
        let ours: Vec<Written> = stored(exercise)?.into_iter().map(written).collect();
        // A file that is no text has been refused by the compiler.
        let text = |it: &Student| material::read(it.files[number].as_ref()?).ok();
        let theirs: Vec<Option<Written>> =
            students.iter().map(|it| text(it).map(written)).collect();
        let listed = |percent: &usize| *percent >= HINT;
        let mut is_like_ours = vec![false; students.len()];
        for (student, mine) in theirs.iter().enumerate() {
            let Some(mine) = mine else { continue };
            let mut note = |student: usize, other: &str, percent: usize| {
                all[student].push(format!("{}: {other} {percent} %", exercise.name));
            };
            let most = ours.iter().filter_map(|it| mine.alike(it)).max();
            if let Some(percent) = most.filter(listed) {
                is_like_ours[student] = true;
                note(student, "the repository", percent);
            }
            for (other, its) in theirs[..student].iter().enumerate() {
                let percent = its.as_ref().and_then(|it| mine.alike(it));
                let Some(percent) = percent.filter(listed) else { continue };
                if !(is_like_ours[student] && is_like_ours[other]) {
                    note(student, &students[other].name, percent);
                    note(other, &students[student].name, percent);
                }
            }
        }
    }
    Ok(all)
}

/// Returns the solution, and the other right ones that are recorded.
fn stored(exercise: &Exercise) -> Result<Vec<String>, String> {
    let solution = exercise.read("solution.rs")?;
    let recorded = variants::parse(&exercise.read("wrong.txt")?)?;
    let right = recorded.iter().filter(|it| it.is_right());
    let mut all = right.map(|it| it.apply(&solution)).collect::<Result<Vec<_>, _>>()?;
    all.push(solution);
    Ok(all)
}

/// Says what the numbers are, and are not.
pub(super) fn how_to_read() -> String {
    format!(
        "alike: what two programs share, without names, comments, and the start. From {HINT} % \
         on it is\nlisted. It proves nothing: two people who have read the same chapter may \
         write its code.\nPrograms with fewer than {ENOUGH} runs of tokens are not compared. \
         Read both files, and ask."
    )
}
