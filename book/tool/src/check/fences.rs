//! Each code block has a language that we know.

use crate::read::book::Book;
use crate::read::page::Page;
use crate::read::problem::Problem;

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

/// The most lines that we write of another language.
const LONGEST_PYTHON: usize = 8;
/// The same for a file of `probes`, which is a program.
const LONGEST_PROBE: usize = 25;

/// Without a language mdBook takes it for Rust.
pub fn check(book: &Book, page: &Page) -> Vec<Problem> {
    let mut problems = Vec::new();
    for fence in &page.fences {
        let info = fence.info.as_str();
        if !LANGUAGES.contains(&info) {
            let known = LANGUAGES.join(" ");
            let text =
                format!("a code block of `{info}`: begin it with one of {known}");
            problems.push(page.problem(fence.line, text));
        }
        let probe = fence.only_include(&book.place).map(|probe| probe.lines());
        let (count, most) = match probe {
            Some(lines) => (lines.map_or(0, |lines| lines.len()), LONGEST_PROBE),
            None => (fence.body.len(), LONGEST_PYTHON),
        };
        if info == "python" && count > most {
            let text = format!("{count} lines of Python: shorten it to {most}");
            problems.push(page.problem(fence.line, text));
        }
    }
    problems
}
