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
        let stored = stored(exercise)?;
        // For each level the start, and what of the stored ones it has not.
        let with_ours = |(start, _): (String, u8)| {
            let ours = stored.iter().map(|it| Written::of(it, &start)).collect();
            (start, ours)
        };
        let starts = exercise.starts(&desk.project.root)?.into_iter();
        let levels: Vec<(String, Vec<Written>)> = starts.map(with_ours).collect();
        let written = |it: &Student| {
            // A file that is no text has been refused by the compiler.
            let text = material::read(it.files[number].as_ref()?).ok()?;
            let level = desk.level.unwrap_or(holes::level_of(&text));
            let (start, ours) = &levels[usize::from(level - holes::LEVELS.start())];
            Some((Written::of(&text, start), ours))
        };
        let theirs: Vec<_> = students.iter().map(written).collect();
        let listed = |percent: &usize| *percent >= HINT;
        let mut is_like_ours = vec![false; students.len()];
        for (student, mine) in theirs.iter().enumerate() {
            let Some((mine, ours)) = mine else { continue };
            let mut note = |student: usize, other: &str, percent: usize| {
                all[student].push(format!("{}: {other} {percent} %", exercise.name));
            };
            let most = ours.iter().filter_map(|it| mine.alike(it)).max();
            if let Some(percent) = most.filter(listed) {
                is_like_ours[student] = true;
                note(student, "the repository", percent);
            }
            for (other, its) in theirs[..student].iter().enumerate() {
                let percent = its.as_ref().and_then(|(its, _)| mine.alike(its));
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
