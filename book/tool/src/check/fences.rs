//! Each code block has a language that we know.

use crate::book::Book;
use crate::page::Page;
use crate::problem::Problem;

const LANGUAGES: &[&str] = &[
    "rust",
    "rust,ignore",
    "rust,compile_fail",
    "console",
    "sh",
    "text",
    "python",
    "json",
    "toml",
    "html",
];

/// The most lines that we quote of another language.
const LONGEST_PYTHON: usize = 8;

/// Without a language mdBook takes it for Rust.
pub fn check(_: &Book, page: &Page) -> Vec<Problem> {
    let mut problems = Vec::new();
    for fence in &page.fences {
        let info = fence.info.as_str();
        if !LANGUAGES.contains(&info) {
            let known = LANGUAGES.join(" ");
            let text =
                format!("a code block of `{info}`: begin it with one of {known}");
            problems.push(page.problem(fence.line, text));
        }
        if info == "python" && fence.body.len() > LONGEST_PYTHON {
            let text =
                format!("more than {LONGEST_PYTHON} lines of Python: shorten it");
            problems.push(page.problem(fence.line, text));
        }
    }
    problems
}
