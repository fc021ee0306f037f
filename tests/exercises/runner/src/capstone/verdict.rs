//! What is printed about a reader's crate: which groups hold, and about those that do not,
//! which promise, what happened and where to read.

use super::judge::{Broken, Group, Judged};
use crate::material::{self, Chapter, Project};
use crate::run::How;
use crate::show::{self, BAD, GOOD, NAME, TODO};
use anstream::println;
use std::path::Path;

/// The number of groups that are explained. The others are only named.
const EXPLAINED: usize = 3;
/// The number of lines of each text that are printed.
const LINES: usize = 4;

/// Prints the verdict: at most a screenful, or `all`.
pub fn print(project: &Project, name: &str, judged: &Judged, all: bool, seconds: u64) {
    println!("{name}");
    let chapters = material::chapters(&project.root).unwrap_or_default();
    let (most, lines) = if all { (usize::MAX, usize::MAX) } else { (EXPLAINED, LINES) };
    let mut explained: Vec<&Group> = Vec::new();
    let mut is_short = false;
    for group in &judged.groups {
        let alike = explained.iter().find(|it| !all && is_alike(it, group));
        print_group(group, alike.map(|it| it.key.as_str()));
        if group.broken.is_empty() || alike.is_some() {
            continue;
        }
        if explained.len() == most {
            is_short = true;
            continue;
        }
        explained.push(group);
        for broken in &group.broken {
            print_broken(project, broken, (seconds, lines), &chapters);
        }
    }
    let failed = judged.groups.iter().filter(|it| !it.broken.is_empty());
    let failed: Vec<&str> = failed.map(|it| it.key.as_str()).collect();
    match failed[..] {
        [] => println!("{GOOD}every promise holds{GOOD:#}"),
        _ => println!("not yet: {}", failed.join(", ")),
    }
    if is_short {
        println!("{EXPLAINED} are explained here; name a group, or add `--all`");
    }
}

/// Returns whether both fail in the same place: mostly at a part that is to be written.
fn is_alike(a: &Group, b: &Group) -> bool {
    let cause = |group: &Group| {
        let failure = &group.broken.first()?.failure;
        Some((failure.at.clone()?, failure.how))
    };
    cause(a).is_some() && cause(a) == cause(b)
}

/// Prints whether a group holds. `alike` is one that fails in the same way.
fn print_group(group: &Group, alike: Option<&str>) {
    let (style, word) = match group.broken.first() {
        None => (GOOD, "holds"),
        Some(broken) if broken.failure.how == How::Todo => (TODO, "TODO "),
        Some(_) => (BAD, "FAILS"),
    };
    let Group { key, title, .. } = group;
    let as_above = alike.map_or(String::new(), |key| format!(" (as `{key}`)"));
    println!("  {style}{word}{style:#}  {NAME}{key:<8}{NAME:#} {title}{as_above}");
}

fn print_broken(
    project: &Project,
    broken: &Broken,
    (seconds, lines): (u64, usize),
    chapters: &[Chapter],
) {
    let Broken { name, page, failure } = broken;
    let words =
        name.split_once("::").map_or(name.as_str(), |it| it.1).replace('_', " ");
    println!("           {words}");
    let mut text = show::explanation(failure, seconds);
    if failure.how == How::Hung {
        let hangs = format!("It hangs: it is not done after {seconds} seconds.");
        text = [vec![hangs], failure.why.clone()].concat();
        text.retain(|line| line != "it is still running");
    }
    let more = text.len().saturating_sub(lines);
    for line in text.iter().take(lines) {
        println!("             {line}");
    }
    if more > 0 {
        println!("             … and {more} more lines (--all)");
    }
    if let Some(at) = &failure.at {
        let at = project.short(Path::new(at));
        let word = if at.starts_with("tests") { "the promise is at" } else { "at" };
        println!("             {word} {NAME}{}{NAME:#}", at.display());
    }
    let is_todo = failure.how == How::Todo;
    for (title, all, most) in [
        ("what happened:", &failure.story, if is_todo { 0 } else { 2 * lines.min(99) }),
        ("it printed:", &failure.printed, lines),
    ] {
        let shown = &all[all.len().saturating_sub(most)..];
        if !shown.is_empty() {
            println!("             {title}");
        }
        for line in shown {
            println!("               {line}");
        }
    }
    let number = material::chapter(chapters, page).map_or(0, |it| it.0);
    println!("             read chapter {number}, {NAME}book/src/{page}.md{NAME:#}");
}
