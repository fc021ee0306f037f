//! Commands name packages and examples that exist.

use crate::read::book::Book;
use crate::read::page::Page;
use crate::read::problem::Problem;
use crate::read::project::{DEFAULT_PACKAGE, Run};

/// What cargo knows without us.
const OWN: &[&str] = &[
    "run", "build", "test", "bench", "doc", "tree", "fmt", "clippy", "expand",
    "install", "rustc", "new", "check", "+nightly", "fetch", "vendor", "deny",
    "metadata", "update",
];

/// Looks at each line of `console` and `sh` blocks.
pub fn check(book: &Book, page: &Page) -> Vec<Problem> {
    let commands = page.fences.iter().flat_map(|fence| fence.commands());
    let wrong = commands.filter_map(|(line, command)| {
        Some(page.problem(line, unknown(book, command)?))
    });
    wrong.collect()
}

/// What is wrong with a command, if anything is.
pub fn unknown(book: &Book, command: &str) -> Option<String> {
    let project = &book.project;
    let command = command.split(" #").next().unwrap_or_default();
    let words: Vec<&str> = command.split_whitespace().collect();
    let cargo = words.iter().position(|word| *word == "cargo")?;
    let verb = words.get(cargo + 1)?;
    if !OWN.contains(verb) && !project.aliases.contains(*verb) {
        return Some(format!("`cargo {verb}` is no command of cargo or of ours"));
    }
    let package = words.iter().position(|word| ["-p", "--package"].contains(word));
    if let Some(name) = package.and_then(|index| words.get(index + 1))
        && !project.packages.contains_key(*name)
    {
        return Some(format!("there is no package `{name}`"));
    }
    let run = Run::parse(command)?;
    let example = run.example?;
    if *verb == "show" && !words.contains(&"--live") {
        return not_stored(book, &example);
    }
    if run.package.is_none() && ["step", "lab", "show"].contains(verb) {
        let is_known = project.examples.contains_key(&example);
        return (!is_known).then(|| format!("there is no step `{example}`"));
    }
    let package = run.package.unwrap_or(DEFAULT_PACKAGE.to_string());
    match project.examples.get(&example) {
        None => Some(format!("there is no example `{example}`")),
        Some(own) if *own != package => {
            Some(format!("`{example}` is an example of {own}: write `-p {own}`"))
        }
        Some(_) => None,
    }
}

/// That `cargo show` has nothing to show, if it has not.
pub fn not_stored(book: &Book, name: &str) -> Option<String> {
    let run = book.place.book.join("runs").join(format!("{name}.out"));
    let is_stored = book.project.output(name).is_some() || run.is_file();
    (!is_stored)
        .then(|| format!("`cargo show {name}`: no output of that name is stored"))
}
