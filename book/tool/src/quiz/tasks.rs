//! Open tasks: those of `bank/tasks.md`, and mistakes to spot, which are the recorded wrong
//! solutions of the exercises. The keys are in pages of their own.

use super::sheet::page;
use super::{inline, listing};
use crate::html::highlight::escaped;
use crate::read::bank;
use crate::read::book::Book;
use crate::read::exercise::recorded;
use pulldown_cmark::{Options, Parser, html};
use runner::material::Exercise;
use runner::mistakes::{FOUND, Mistake, RIGHT};
use runner::variants;
use std::fs;

/// The heading below which the key of a task begins.
const KEY: &str = "### Key";

/// The marks of a solution in its file.
const BEGIN: &str = "// ANCHOR: solution";
const END: &str = "// ANCHOR_END: solution";

type Page = (String, String);

/// The pages, by the names of their files. Of a chapter: all mistakes in its exercises; else
/// one mistake of each exercise, and the tasks.
pub(super) fn pages(book: &Book, chapter: Option<&str>) -> Result<Vec<Page>, String> {
    let mut all = mistakes(book, chapter)?;
    let file = bank::folder(&book.place).join("tasks.md");
    if chapter.is_none() && file.is_file() {
        let text = fs::read_to_string(&file).map_err(|error| error.to_string())?;
        let (tasks, keys) = cut(&text);
        let page = |title, text: &str| page(title, &markdown(text));
        all.push(("tasks.html".to_string(), page("Open tasks", &tasks)));
        all.push(("tasks-keys.html".to_string(), page("Open tasks: the keys", &keys)));
    }
    Ok(all)
}

/// The tasks without their keys, and with them. What precedes the first task is for
/// teachers.
fn cut(text: &str) -> (String, String) {
    let (mut tasks, mut keys) = (String::new(), String::new());
    let mut is_task = false;
    for line in text.lines().filter(|line| !line.starts_with("# ")) {
        if line.starts_with("## ") {
            is_task = true;
        } else if line.trim_end() == KEY {
            is_task = false;
        }
        keys += &format!("{line}\n");
        if is_task {
            tasks += &format!("{line}\n");
        }
    }
    (tasks, keys)
}

fn markdown(text: &str) -> String {
    let mut out = String::new();
    html::push_html(&mut out, Parser::new_ext(text, Options::ENABLE_TABLES));
    out
}

fn mistakes(book: &Book, chapter: Option<&str>) -> Result<Vec<Page>, String> {
    let (mut tasks, mut keys, mut number) = (TASK.to_string(), String::new(), 0);
    let most = if chapter.is_some() { usize::MAX } else { 1 };
    let wanted = |it: &&Exercise| chapter.is_none_or(|chapter| it.chapter == chapter);
    for exercise in book.exercises().iter().filter(wanted) {
        for (mistake, code) in wrong(exercise)?.into_iter().take(most) {
            number += 1;
            let title = format!("{number}. {}", exercise.title);
            let task = format!("<h2>{}</h2>\n{}", escaped(&title), listing(&code));
            tasks += &format!("<section>\n{task}\n</section>\n");
            keys += &format!(
                "<section>\n{task}\n{}\n</section>\n",
                key(exercise, &mistake)
            );
        }
    }
    if number == 0 {
        return Ok(Vec::new());
    }
    let name = chapter.map_or(String::new(), |chapter| format!("{chapter}-"));
    let title = "Spot the mistake";
    Ok(vec![
        (format!("{name}mistakes.html"), page(title, &tasks)),
        (
            format!("{name}mistakes-keys.html"),
            page(&format!("{title}: the keys"), &keys),
        ),
    ])
}

/// What is asked for each of them.
const TASK: &str = "<p>Each program has one mistake. Name the promise that it breaks (3 \
                    points), a case in which that is seen (4), and the line (3).</p>\n";

fn key(exercise: &Exercise, mistake: &Mistake) -> String {
    let Mistake { name, case, says } = mistake;
    let says: Vec<String> = says
        .iter()
        .map(|line| {
            let line = line.replace(FOUND, "found: ").replace(RIGHT, "right: ");
            escaped(line.trim())
        })
        .collect();
    format!(
        "<p><strong>{}</strong></p>\n<p>The case that rejects it: <em>{}</em>. The check \
         says:</p>\n<pre>{}</pre>\n<p><small>Exercise <code>{}</code></small></p>",
        inline(name),
        escaped(case),
        says.join("\n"),
        exercise.name,
    )
}

/// The recorded mistakes of an exercise, each with the code, if it is in what the book prints
/// of the solution.
fn wrong(exercise: &Exercise) -> Result<Vec<(Mistake, String)>, String> {
    let solution = exercise.read("solution.rs")?.replace("\r\n", "\n");
    let right = shown(&solution);
    let variants = variants::parse(&exercise.read("wrong.txt")?.replace("\r\n", "\n"))?;
    let mut all = Vec::new();
    for mistake in recorded(exercise)? {
        let Some(variant) = variants.iter().find(|it| it.name == mistake.name) else {
            continue;
        };
        let code = shown(&variant.apply(&solution)?);
        if code != right {
            all.push((mistake, code));
        }
    }
    Ok(all)
}

fn shown(solution: &str) -> String {
    let (_, rest) = solution.split_once(BEGIN).unwrap_or(("", solution));
    let (shown, _) = rest.split_once(END).unwrap_or((rest, ""));
    let is_mark = |line: &&str| line.trim_start().starts_with("// ANCHOR");
    let lines: Vec<&str> = shown.lines().filter(|line| !is_mark(line)).collect();
    lines.join("\n").trim_matches('\n').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_cut_from_their_keys() {
        let text =
            "# T\n\nFor teachers.\n\n## One\nWhat?\n### Key\nThis.\n## Two\nWhy?\n";
        let (tasks, keys) = cut(text);
        assert_eq!(tasks, "## One\nWhat?\n## Two\nWhy?\n");
        assert!(keys.contains("This.") && keys.contains("For teachers."));
    }

    #[test]
    fn what_is_shown_of_a_solution_is_in_its_anchor() {
        let text = "a\n// ANCHOR: solution\nb\n    // ANCHOR: c\nd\n// ANCHOR_END: solution\ne";
        assert_eq!(shown(text), "b\nd");
    }
}
