//! Open tasks: those of `bank/tasks.md`. The keys are in a page of their own.

use super::sheet::page;
use crate::read::bank;
use crate::read::book::Book;
use pulldown_cmark::{Options, Parser, html};
use std::fs;

/// The heading below which the key of a task begins.
const KEY: &str = "### Key";

/// The pages, by the names of their files.
pub(super) fn pages(book: &Book) -> Result<Vec<(String, String)>, String> {
    let file = bank::folder(&book.place).join("tasks.md");
    if !file.is_file() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(&file).map_err(|error| error.to_string())?;
    let (tasks, keys) = cut(&text);
    let page = |title, text: &str| page(title, &markdown(text));
    Ok(vec![
        ("tasks.html".to_string(), page("Open tasks", &tasks)),
        ("tasks-keys.html".to_string(), page("Open tasks: the keys", &keys)),
    ])
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
}
