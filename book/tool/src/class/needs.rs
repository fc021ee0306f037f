//! What has to be built before a class, so that nothing is compiled in it.

use crate::read::plan::{Command, Plan, command};
use crate::read::project::{DEFAULT_PACKAGE, Project, Run};
use std::collections::{BTreeMap, BTreeSet};

/// What commands run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The packages whose programs are run.
    pub programs: BTreeSet<String>,
    /// The steps that are run, by their packages.
    pub steps: BTreeMap<String, BTreeSet<String>>,
    /// Whether there are exercises, whose checks are a workspace of their own.
    pub exercises: bool,
}

impl Needs {
    /// Returns what a plan needs. Commands that the rules would reject need nothing.
    pub fn of(plan: &Plan, project: &Project) -> Needs {
        let mut needs = Needs::default();
        // For any step, and for the site.
        needs.programs.extend(["step", "lab"].map(String::from));
        for line in plan.rows().flat_map(|row| row.commands()) {
            match command(&line) {
                Ok(Command::Exercise(_)) => needs.exercises = true,
                Ok(Command::Run(verb, run)) => needs.add(verb, run, project),
                Err(_) => {}
            }
        }
        needs
    }

    fn add(&mut self, verb: &str, run: Run, project: &Project) {
        match run.example {
            Some(example) => {
                if let Some(package) = project.examples.get(&example) {
                    self.steps.entry(package.clone()).or_default().insert(example);
                }
            }
            None if ["run", "lab"].contains(&verb) => {
                self.programs
                    .insert(run.package.unwrap_or(DEFAULT_PACKAGE.to_string()));
            }
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::place::Place;
    use crate::read::plan::{Part, Row};

    fn needs(run: &[&str], write: &[&str]) -> Needs {
        let strings = |words: &[&str]| words.iter().map(|it| it.to_string()).collect();
        let row = Row { run: strings(run), write: strings(write), ..Row::default() };
        let part = Part { day: String::new(), title: String::new(), rows: vec![row] };
        let plan = Plan {
            title: String::new(),
            minutes: 1,
            intro: String::new(),
            descriptors: 1,
            parts: vec![part],
        };
        Needs::of(&plan, &Project::read(&Place::new(None, None).root))
    }

    #[test]
    fn a_plan_needs_what_its_commands_run() {
        let found = needs(
            &[
                "cargo run | tail -12",
                "cargo lab stage1 -q 'http://127.0.0.1:8000/'",
                "cargo step ch02_blocking",
                "cargo lab ch03_spin 'http://127.0.0.1:8000/slow/1?ms=4000'",
                "cargo show --live ch09_generator",
            ],
            &[],
        );
        let programs: Vec<&str> = found.programs.iter().map(String::as_str).collect();
        assert_eq!(programs, ["lab", "stage1-callbacks", "stage3-async", "step"]);
        let steps: Vec<(&str, usize)> =
            found.steps.iter().map(|(name, all)| (name.as_str(), all.len())).collect();
        assert_eq!(steps, [("stage1-callbacks", 2), ("stage2-generators", 1)]);
        assert!(!found.exercises);
        assert!(needs(&[], &["leaf"]).exercises);
        assert!(needs(&["cargo exercise mistakes leaf --anyway"], &[]).exercises);
    }
}
