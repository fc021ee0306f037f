//! Listings come from compiled code, one include each, and fit the page.

use crate::read::book::Book;
use crate::read::page::{Page, Role};
use crate::read::problem::Problem;
use crate::read::project::shown_folders;
use crate::read::text::Fence;

/// What a reader can take in at once.
pub const LONGEST: usize = 25;
/// The same for a program of its own, with all that it needs to run.
pub const LONGEST_PROGRAM: usize = 35;
/// What does not scroll.
pub const WIDEST: usize = 88;

/// What the executor has for its stuck report.
const WRITER: &str = "observe::Observer>,";

/// Words of code that serves traces and stuck reports.
const OBSERVATION: &[&str] =
    &["Leaf", "Observed", "WithState", "observe", "park_at", "set_label", "set_state"];

/// A listing is one include of a source of ours. Only appendices show whole files.
pub fn check(book: &Book, page: &Page) -> Vec<Problem> {
    let listings = page.fences.iter().filter(|fence| fence.is_listing());
    let mut problems: Vec<Problem> =
        listings.filter_map(|fence| one(book, page, fence)).collect();
    let short =
        page.fences.iter().filter(|fence| fence.is_rust() && !fence.is_listing());
    for fence in short {
        let is_hidden = |line: &&String| line.trim().starts_with("# ");
        let shown = fence.body.iter().filter(|line| !is_hidden(line)).count();
        let long = shown > LONGEST_PROGRAM;
        let wide = fence.body.iter().any(|line| line.chars().count() > WIDEST);
        if long || wide {
            let text = format!(
                "{shown} lines: at most {LONGEST_PROGRAM}, of {WIDEST} columns"
            );
            problems.push(page.problem(fence.line, text));
        }
    }
    problems
}

fn one(book: &Book, page: &Page, fence: &Fence) -> Option<Problem> {
    let problem = |text: String| Some(page.problem(fence.line_of(0), text));
    let Some(include) = fence.only_include(&book.place) else {
        let text =
            "a listing holds one line, an include: `rust` is for code of its own";
        return problem(text.to_string());
    };
    let path = include.path.strip_prefix("../../").unwrap_or_default();
    let folder = path.split('/').next().unwrap_or_default();
    if !shown_folders().contains(&folder) || !path.ends_with(".rs") {
        let text = format!("{}: listings are ../../STAGE/….rs", include.path);
        return problem(text);
    }
    // Another rule reports that it cannot be read.
    let lines = include.lines().ok()?;
    if lines.len() > LONGEST && page.role != Role::Appendix {
        let count = lines.len();
        return problem(format!("{count} lines: at most {LONGEST}, so anchor a part"));
    }
    if let Some(word) = observes(&lines).filter(|_| page.role != Role::Appendix) {
        return problem(format!(
            "`{word}` is for traces: end such a line with `// observe`, or cut it out"
        ));
    }
    let is_wide = |line: &&String| line.chars().count() > WIDEST;
    let wide = lines.iter().filter(|_| page.role != Role::Appendix).find(is_wide)?;
    problem(format!("wider than {WIDEST} columns: {}", wide.trim()))
}

/// The first word that no listing of a chapter should have.
fn observes(lines: &[String]) -> Option<&str> {
    pattern!(NOTES, r"\b[A-Z_]+\.(polled|parked|passed)\b");
    if let Some(noted) = lines.iter().find_map(|line| NOTES.find(line)) {
        return Some(noted.as_str());
    }
    let is_name = |it: char| it.is_alphanumeric() || it == '_';
    let code = lines.iter().map(|line| line.split("//").next().unwrap_or_default());
    let code = code.map(|line| line.trim_end().trim_end_matches(WRITER));
    let mut words = code.flat_map(|line| line.split(|it: char| !is_name(it)));
    words.find(|word| OBSERVATION.contains(word))
}
