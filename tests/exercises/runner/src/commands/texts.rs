//! What `prove` finds without running anything: in hints, needs, line counts, and format.

use crate::material::{Exercise, Project};
use similar::{ChangeTag, TextDiff};
use std::fs;
use std::path::Path;
use std::process::Command;

/// How many words a hint has.
const WORDS: std::ops::RangeInclusive<usize> = 5..=60;

/// Returns what is wrong with the hints, the needs, and the number of lines.
pub(super) fn problems(exercise: &Exercise, all: &[Exercise]) -> Vec<String> {
    let mut problems = Vec::new();
    let at = |name: &str| all.iter().position(|it| it.name == name);
    for need in &exercise.needs {
        if at(need).is_none_or(|need| Some(need) >= at(&exercise.name)) {
            problems.push(format!("it needs `{need}`, which is not before it"));
        }
    }
    if all.iter().filter(|it| it.name == exercise.name).count() > 1 {
        problems.push("another exercise has its name".into());
    }
    let is_same_place =
        |it: &&Exercise| (it.number, it.place) == (exercise.number, exercise.place);
    if all.iter().filter(is_same_place).count() > 1 {
        problems.push("another exercise has its place".into());
    }
    match exercise.hints() {
        Err(problem) => problems.push(problem),
        Ok(hints) => {
            let counts = hints.iter().map(|hint| hint.split_whitespace().count());
            for count in counts.filter(|count| !WORDS.contains(count)) {
                problems.push(format!("a hint has {count} words, not {WORDS:?}"));
            }
        }
    }
    match lines_to_write(exercise) {
        Err(problem) => problems.push(problem),
        Ok((few, lines)) => {
            let room = (exercise.lines / 5).max(2);
            if lines.abs_diff(exercise.lines) > room {
                let said = exercise.lines;
                problems
                    .push(format!("`lines: {said}`, and the solution adds {lines}"));
            }
            if few >= lines {
                problems.push(format!("level 1 leaves {few} lines, level 2 {lines}"));
            }
        }
    }
    problems.iter().map(|it| format!("{}: {it}", exercise.name)).collect()
}

/// Returns how many lines of code the solution has that the starts of levels 1 and 2 have not.
fn lines_to_write(exercise: &Exercise) -> Result<(usize, usize), String> {
    let solution = exercise.read("solution.rs")?;
    let few = exercise.start(Path::new(""), 1)?;
    Ok((added(&few, &solution), added(&exercise.read("start.rs")?, &solution)))
}

fn added(start: &str, solution: &str) -> usize {
    let diff = TextDiff::from_lines(start, solution);
    let is_code =
        |line: &str| !line.trim().is_empty() && !line.trim().starts_with("//");
    let added = diff.iter_all_changes().filter(|it| it.tag() == ChangeTag::Insert);
    added.filter(|it| is_code(it.value())).count()
}

/// Returns the files that rustfmt would change. The starts are written to `work`.
pub(super) fn unformatted(
    chosen: &[Exercise],
    project: &Project,
    work: &Path,
) -> Result<Vec<String>, String> {
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.current_dir(&project.root).args(["--edition=2024", "--check", "-l"]);
    for exercise in chosen {
        rustfmt.arg(project.short(&exercise.folder.join("solution.rs")));
        // A start that cannot be made is a problem of its program.
        for (text, level) in exercise.starts(&project.root).unwrap_or_default() {
            let file = work.join(format!("{}_start_{level}.rs", exercise.name));
            let written = fs::write(&file, text);
            written.map_err(|error| format!("{}: {error}", file.display()))?;
            rustfmt.arg(project.short(&file));
        }
    }
    Ok(match rustfmt.output() {
        Err(error) => vec![format!("rustfmt: {error}")],
        Ok(output) => {
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8_lossy(&said).into_owned();
            said.lines().map(|line| format!("rustfmt would change {line}")).collect()
        }
    })
}
