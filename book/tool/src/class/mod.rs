//! `cargo class`: a plan as a sheet of commands, and a machine that is ready for it.

use crate::read::place::{Place, stem};
use crate::read::plan::{all, read};
use crate::read::project::Project;
use anstream::println;
use needs::Needs;
use regex::Captures;
use std::time::Instant;

pub mod build;
pub mod export;
pub mod needs;
pub mod room;
pub mod stored;
pub mod students;

/// The plan that a command is about if none is named.
pub const USUAL: &str = "90";

pattern!(LINK, r"\[([^\]]*)\]\([^)]*\)");

/// Returns a line about each plan.
///
/// # Errors
/// A plan is not as it should be.
pub fn list(place: &Place) -> Result<String, String> {
    let mut rows = Vec::new();
    for file in all(place) {
        let name = stem(&file);
        rows.push((name.to_string(), read(place, name)?.title));
    }
    rows.push(("check".into(), "checks whether this machine is ready".into()));
    rows.push(("export".into(), "writes a tree without answers, for students".into()));
    rows.push((
        "students".into(),
        "makes a USB stick for the students' laptops".into(),
    ));
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let line = |(name, title)| format!("cargo class {name:width$}  {title}\n");
    Ok(rows.into_iter().map(line).collect())
}

/// Returns a plan's commands, one on a line; the rest are comments of a shell.
///
/// # Errors
/// There is no such plan, or it is not as it should be.
pub fn sheet(place: &Place, name: &str) -> Result<String, String> {
    let plan = read(place, name)?;
    let mut text = format!("# {}\n", plan.title);
    for part in &plan.parts {
        for title in [&part.day, &part.title].into_iter().filter(|it| !it.is_empty()) {
            text += &format!("\n# {title}\n");
        }
        for row in &part.rows {
            text += &format!("\n# {} {}\n", row.minutes(), plain(&row.topic));
            for command in row.commands() {
                text += &format!("{command}\n");
            }
        }
    }
    Ok(text)
}

/// Prints a plan, and builds what it runs.
///
/// # Errors
/// There is no such plan, or something cannot be built.
pub fn prepare(place: &Place, name: &str) -> Result<(), String> {
    let plan = read(place, name)?;
    println!("{}", sheet(place, name)?);
    let began = Instant::now();
    let builds = build::all(&Needs::of(&plan, &Project::read(&place.root)));
    for (number, build) in (1..).zip(&builds) {
        println!("building {number} of {}: {}", builds.len(), build.what);
        build.run()?;
    }
    println!(
        "Built in {:.0} s: no command of this plan compiles anything now, and none needs \
         the network.\nThe day before: `cargo class students {name}` makes what the students' \
         laptops need.\nBefore the class: `cargo class check {name}`, and `cargo lab` in a \
         terminal of its own.",
        began.elapsed().as_secs_f64()
    );
    Ok(())
}

/// A text in Markdown without its links and emphasis.
fn plain(text: &str) -> String {
    let text = LINK.replace_all(text, |link: &Captures<'_>| link[1].to_string());
    text.replace('*', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_can_be_given_to_a_shell() {
        let place = Place::new(None, None);
        let text = sheet(&place, "90").expect("it is there");
        assert!(
            text.starts_with("# 90 minutes: ")
                && text.contains("\n\n# 4–12 waiting\ncargo ")
        );
        assert!(
            text.contains("\ncargo lab ch03_spin 'http://127.0.0.1:8000/slow/1?ms=")
        );
        let is_one = |line: &str| {
            line.is_empty() || line.starts_with("# ") || line.starts_with("cargo ")
        };
        assert!(text.lines().all(is_one), "{text}");
        let two = sheet(&place, "two").expect("it is there");
        assert!(two.contains("\n# Day two\n\n# Block 5"), "{two}");
        assert!(two.contains("\ncargo exercise watch leaf\n"), "{two}");
        assert!(sheet(&place, "91").is_err());
        assert!(!text.contains("]("), "{text}");
        assert_eq!(plain("[a](b.md), *c* `d`"), "a, c `d`");
    }
}
