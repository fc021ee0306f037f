//! A page has one title, in the summary and above its text. Titles of steps look alike.

use crate::read::book::Book;
use crate::read::page::Page;
use crate::read::problem::Problem;

/// Names that have a capital wherever they are.
const NAMES: &[&str] =
    &["Cookbook", "Future", "Linux", "Pin", "Python", "Rust", "Tokio"];

/// mdBook takes the title of the window and of the table of contents from the summary, and
/// the heading from the page: they have to be the same.
pub fn check(book: &Book) -> Vec<Problem> {
    let problem = |page: &Page| {
        let entry = book.summary.iter().find(|entry| entry.slug == page.slug)?;
        let listed = entry.title.replace('`', "");
        let title = page.title().unwrap_or_default();
        let text = format!("the title is `{title}`, and `{listed}` in SUMMARY.md");
        (title != listed).then(|| page.problem(1, text))
    };
    book.pages.iter().filter_map(problem).collect()
}

/// `## Step 1: two things`: no capital after the colon, unless it is a name's.
pub fn steps(_: &Book, page: &Page) -> Vec<Problem> {
    let has_capital = |title: &str| {
        let (_, name) = title.strip_prefix("Step ")?.split_once(": ")?;
        let word = name.split(|it: char| !it.is_alphanumeric()).next()?;
        let mut letters = word.chars();
        let is_word = letters.next()?.is_uppercase() && letters.all(char::is_lowercase);
        let is_name = NAMES.contains(&word)
            || name.starts_with("I/O")
            || name.starts_with("Ctrl-");
        (is_word && !is_name).then(|| word.to_lowercase())
    };
    let problem = |(line, title): (usize, &str)| {
        let lower = has_capital(title)?;
        let text = format!("`{title}`: go on with a small letter, `{lower}`");
        Some(page.problem(line, text))
    };
    page.sections().into_iter().filter_map(problem).collect()
}
