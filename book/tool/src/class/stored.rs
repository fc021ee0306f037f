//! What the commands of a plan have printed in a real run, as it is stored.

use crate::read::place::{Place, files};
use crate::read::plan::{Command, Plan, command};
use crate::read::project::Project;
use std::fs;

/// Returns what a command has printed, if that is stored. For a step with a URL it is the
/// output without one.
pub fn output(place: &Place, project: &Project, line: &str) -> Option<String> {
    let (first, rest) = line.split_once(" | ").unwrap_or((line, ""));
    let text = of_a_run(place, first).or_else(|| of_a_step(project, first))?;
    Some(match rest.strip_prefix("tail -").and_then(|it| it.parse().ok()) {
        Some(count) => {
            let lines: Vec<&str> = text.lines().collect();
            lines[lines.len().saturating_sub(count)..].join("\n")
        }
        None => text,
    })
}

/// The files of `runs` begin with the command.
fn of_a_run(place: &Place, line: &str) -> Option<String> {
    files(&place.book.join("runs"), "out").iter().find_map(|file| {
        let text = fs::read_to_string(file).ok()?;
        let (command, output) = text.split_once('\n')?;
        (command.trim_end() == format!("$ {line}")).then(|| output.to_string())
    })
}

fn of_a_step(project: &Project, line: &str) -> Option<String> {
    let Ok(Command::Run(_, run)) = command(line) else { return None };
    fs::read_to_string(project.output(&run.example?)?).ok()
}

/// Returns the width of the widest line, and the command that prints it. `None`: nothing
/// is stored.
pub fn widest(place: &Place, plan: &Plan) -> Option<(usize, String)> {
    let project = Project::read(&place.root);
    let commands = plan.rows().flat_map(|row| &row.run);
    let widths = commands.filter_map(|command| {
        let text = output(place, &project, command)?;
        let width = text.lines().map(|line| line.chars().count()).max()?;
        Some((width, command.clone()))
    });
    widths.max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_of_a_command_is_found() {
        let place = Place::new(None, None);
        let project = Project::read(&place.root);
        let lines = |line: &str| {
            let text = output(&place, &project, line).expect("it is stored");
            text.lines().map(String::from).collect::<Vec<_>>()
        };
        let whole = lines("cargo run");
        assert!(whole.len() > 60, "{whole:#?}");
        assert_eq!(lines("cargo run | tail -12"), whole[whole.len() - 12..]);
        let spin = lines("cargo lab ch03_spin 'http://127.0.0.1:8000/slow/1?ms=4000'");
        assert!(spin[0].starts_with("connected after"), "{spin:?}");
        assert_eq!(lines("cargo show --live ch03_spin"), spin);
        assert_eq!(output(&place, &project, "cargo step ch99_none"), None);
    }
}
