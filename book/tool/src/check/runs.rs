//! Outputs are stored ones, below the command that printed them.

use crate::read::book::Book;
use crate::read::include::Include;
use crate::read::page::{Page, Role};
use crate::read::place::stem;
use crate::read::problem::Problem;
use crate::read::project::Run;
use crate::read::text::Fence;
use std::fs;
use std::path::Path;

/// What a reader looks through.
const LONGEST: usize = 15;

/// A `console` block is a command, and then nothing or one include of what it printed.
pub fn check(book: &Book, page: &Page) -> Vec<Problem> {
    let fences = page.fences.iter().filter(|fence| fence.info == "console");
    fences.filter_map(|fence| one(book, page, fence)).collect()
}

fn one(book: &Book, page: &Page, fence: &Fence) -> Option<Problem> {
    let problem =
        |index: usize, text: String| Some(page.problem(fence.line_of(index), text));
    let commands = fence.commands();
    if !fence.body.first().is_some_and(|line| line.starts_with("$ ")) {
        return problem(0, "begin with the command: `$ cargo run …`".to_string());
    }
    if commands.len() == fence.body.len() {
        return None;
    }
    if commands.len() > 1 || fence.body.len() > 2 {
        let text = "one command, and one include of what it printed; nothing by hand";
        return problem(1, text.to_string());
    }
    let Some(include) = Include::parse(&book.place, &fence.body[1]) else {
        let text = "an output is never typed: include NAME.out, or store it in runs/";
        return problem(1, text.to_string());
    };
    let lines = include.lines().ok()?;
    if lines.len() > LONGEST && page.role != Role::Appendix {
        let text = format!("{} lines: at most {LONGEST}, so show a part", lines.len());
        return problem(1, text);
    }
    let why = other_output(commands[0].1, &include, &lines[0])?;
    problem(1, why)
}

/// Is this the output of another command?
fn other_output(command: &str, include: &Include, first: &str) -> Option<String> {
    let path = &include.path;
    let run = Run::parse(command).unwrap_or_default();
    if path.starts_with("../runs/") {
        let text = fs::read_to_string(include.file()).unwrap_or_default();
        let stored = text.lines().next().unwrap_or_default();
        if stored != format!("$ {command}") {
            return Some(format!(
                "{path} begins with `{stored}`: it has to be this command"
            ));
        }
        let why = format!("{path} shows its command as well: add `:2:`");
        return first.starts_with("$ ").then_some(why);
    }
    if let Some(probe) = path.strip_prefix("../probes/") {
        let own = format!("python3 book/probes/{}.py", stem(Path::new(probe)));
        return (command != own).then(|| format!("{path} is the output of `{own}`"));
    }
    let Some(example) = run.example.filter(|_| path.contains("/examples/")) else {
        return Some(format!("{path}: store the output of this command in runs/"));
    };
    if stem(include.file()) != example {
        return Some(format!("{path} is not the output of {example}"));
    }
    let why = format!("{path} was printed without arguments: store this run in runs/");
    (!run.arguments.is_empty()).then_some(why)
}
