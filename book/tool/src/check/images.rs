//! Pictures have alt text, and captions no marks of Markdown.

use crate::read::book::Book;
use crate::read::page::Page;
use crate::read::problem::Problem;

/// An image in Markdown or HTML with a text, and SVG only from figures.
pub fn check(_: &Book, page: &Page) -> Vec<Problem> {
    pattern!(
        NO_TEXT,
        r#"!\[\s*\]\(|<img\b(?:[^>]*\balt="\s*"|(?:[^>a]|a[^>l]|al[^>t])*>)"#
    );
    let mut problems = Vec::new();
    for line in page.prose() {
        if NO_TEXT.is_match(&line.text) {
            let text = "a picture without alt text: say what it shows";
            problems.push(page.problem(line.number, text));
        }
        // A line that begins with a tag is HTML to its end.
        if line.text.trim_start().starts_with("<figcaption") && line.text.contains('`')
        {
            let text = "a caption is HTML: write <code>";
            problems.push(page.problem(line.number, text));
        }
        if line.text.contains("<svg") {
            let text = "SVG in a page: write figures/NAME.fig, and include its .svg";
            problems.push(page.problem(line.number, text));
        }
    }
    problems
}

/// The names of the figures that a page shows.
pub fn figures(book: &Book, page: &Page) -> Vec<String> {
    let includes = page.includes(&book.place);
    let name = |path: &str| {
        path.strip_prefix("../figures/")?.strip_suffix(".svg").map(String::from)
    };
    includes.iter().filter_map(|(_, include)| name(&include.path)).collect()
}
