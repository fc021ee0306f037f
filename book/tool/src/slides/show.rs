//! What a slide shows of the project, as HTML: figures, listings and outputs.

use super::mark::Span;
use super::markdown::inline;
use crate::html::highlight::{escaped, lines};
use crate::html::made::repository;
use crate::read::include::Include;
use crate::read::place::Place;
use crate::read::plan::Row;
use crate::read::project::Project;
use figure::{self, Look};
use runner::material;
use std::collections::BTreeSet;
use std::fs;

/// The most lines of a listing or an output on a slide.
const LONGEST: usize = 18;

/// The columns of a slide. A longer line of an output goes on in the next line.
const COLUMNS: usize = 88;

/// A figure. `id` is unique in its page.
///
/// # Errors
/// There is none of this name, or it cannot be read.
pub(super) fn figure(
    place: &Place,
    name: &str,
    look: Look,
    id: &str,
) -> Result<String, String> {
    let file = place.book.join("figures").join(format!("{name}.fig"));
    let text = fs::read_to_string(&file)
        .map_err(|_| format!("there is no figure `{name}`: see figures/*.fig"))?;
    let drawing = figure::draw_as(id, &text, look).map_err(|troubles| {
        let trouble = troubles.first().map_or("", |it| it.text.as_str());
        format!("figure `{name}`: {trouble}")
    })?;
    Ok(format!("<div class=\"figure\">{}</div>", drawing.svg))
}

/// The numbers of a figure, in the order in which they appear.
pub(super) fn numbers(svg: &str) -> Vec<usize> {
    pattern!(NUMBER, r#"class="fig-number[^>]*>([0-9]+)<"#);
    let found = NUMBER.captures_iter(svg).filter_map(|it| it[1].parse().ok());
    let in_file: Vec<usize> = found.collect();
    let sorted: BTreeSet<usize> = in_file.iter().copied().collect();
    // Where they begin again, the second half of the figure follows the first.
    if sorted.len() == in_file.len() { sorted.into_iter().collect() } else { in_file }
}

/// A part of a file, written `PATH:ANCHOR`. At each step other lines are lit.
///
/// # Errors
/// There is no such file or anchor, or it has too many lines.
pub(super) fn listing(
    place: &Place,
    what: &str,
    steps: &[Span],
) -> Result<String, String> {
    let include = Include::parse(place, &format!("{{{{#include ../../{what}}}}}"))
        .ok_or(format!("`{what}`: write PATH:ANCHOR"))?;
    let shown = include.numbered()?;
    if shown.len() > LONGEST {
        let count = shown.len();
        return Err(format!("{what} has {count} lines: at most {LONGEST} on a slide"));
    }
    if let Some(step) = steps.iter().find(|step| step.to > shown.len()) {
        let count = shown.len();
        return Err(format!("{what} has {count} lines, and no line {}", step.to));
    }
    let file = material::source(include.file())?;
    let colored = lines("rust", &file);
    let texts = shown.iter().map(|(_, text)| text).filter(|it| !it.trim().is_empty());
    let indent = texts.map(|it| it.len() - it.trim_start().len()).min().unwrap_or(0);
    let indent = " ".repeat(indent);
    let mut code = String::new();
    for (line, (number, _)) in (1..).zip(&shown) {
        // A comment goes on to the end of its line, which begins the next one.
        let html =
            colored[number - 1].replace("<span class=\"hl-comment\"></span>", "");
        let html = html.strip_prefix(&indent).unwrap_or(&html);
        let lit = (1..).zip(steps).filter(|(_, span)| span.has(line));
        let lit: Vec<String> =
            lit.map(|(step, _): (usize, _)| step.to_string()).collect();
        code += &format!(
            "<span class=\"ln\" data-lit=\"{}\">{html}\n</span>",
            lit.join(" ")
        );
    }
    let steps = steps.iter().map(|_| "<i class=\"fragment step\"></i>");
    let name = what.split(':').next().unwrap_or_default();
    Ok(format!(
        "<div class=\"listing {}\"><p class=\"file\">{}</p><pre><code>{code}</code></pre>{}</div>",
        size(
            shown
                .iter()
                .map(|(_, line)| line.trim_end().len() - indent.len().min(line.len()))
        ),
        escaped(name),
        steps.collect::<String>()
    ))
}

/// The stored output of a step, below its command.
///
/// # Errors
/// There is no such step or no such line, or the lines are too many.
pub(super) fn output(
    project: &Project,
    step: &str,
    span: Option<Span>,
) -> Result<String, String> {
    let file = project
        .output(step)
        .ok_or(format!("there is no step `{step}` with a stored output"))?;
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    terminal(&format!("cargo step {step}"), &text, span)
}

/// A stored run, which begins with its command.
///
/// # Errors
/// There is no such run or no such line, or the lines are too many.
pub(super) fn run(
    place: &Place,
    name: &str,
    span: Option<Span>,
) -> Result<String, String> {
    let file = place.book.join("runs").join(format!("{name}.out"));
    let text = fs::read_to_string(file)
        .map_err(|_| format!("there is no run `{name}`: see runs/*.out"))?;
    let (command, text) = text.split_once('\n').unwrap_or((&text, ""));
    terminal(command.strip_prefix("$ ").unwrap_or(command), text, span)
}

/// A command, and what it printed: a line at each key press.
fn terminal(command: &str, text: &str, span: Option<Span>) -> Result<String, String> {
    let all: Vec<&str> = text.lines().collect();
    let shown = span.map_or(Ok(&all[..]), |span| span.of(&all))?;
    let rows = shown.iter().copied().map(rows).sum::<usize>();
    if rows > LONGEST {
        let which = "name some of them, as in {{output NAME 1-9}}";
        return Err(format!("{rows} lines of output, at most {LONGEST}: {which}"));
    }
    let mut code =
        format!("<span class=\"ln command\">$ {}\n</span>", escaped(command));
    for line in shown {
        code += &format!("<span class=\"ln fragment\">{}\n</span>", escaped(line));
    }
    // The command may go on in a second line.
    let widths = shown.iter().map(|line| line.chars().count());
    let size = size(widths.chain([0, 0]));
    Ok(format!("<pre class=\"terminal {size}\"><code>{code}</code></pre>"))
}

/// The class of code that may be larger: few lines, and short ones.
fn size(widths: impl Iterator<Item = usize>) -> &'static str {
    let (rows, columns) =
        widths.fold((0, 0), |(rows, columns), width| (rows + 1, columns.max(width)));
    match (rows, columns) {
        (..=9, ..=56) => "huge",
        (..=13, ..=64) => "large",
        (..=15, ..=80) => "mid",
        _ => "",
    }
}

/// How many lines of a slide a line of an output takes.
fn rows(line: &str) -> usize {
    line.chars().count().div_ceil(COLUMNS).max(1)
}

/// A question with its options, of which the key may be marked.
pub(super) fn vote(stem: &str, options: &[&str], key: Option<usize>) -> String {
    let mut list = String::new();
    for (place, (letter, text)) in ('A'..='Z').zip(options).enumerate() {
        let (class, mark) =
            if key == Some(place) { ("right", "<b>✓</b>") } else { ("", "") };
        list += &format!("<li class=\"{class}\"><b class=\"letter\">{letter}</b>");
        list += &format!("<span>{}</span>{mark}</li>", inline(text));
    }
    let stem = super::markdown::html_of(stem);
    format!("<div class=\"stem\">{stem}</div><ol class=\"options\">{list}</ol>")
}

/// What is typed for the exercises of a row; nothing if it has none.
pub(super) fn commands(row: &Row) -> String {
    let all = row.exercises("watch").into_iter();
    let lines =
        all.map(|it| format!("<span class=\"ln command\">$ {}\n</span>", escaped(&it)));
    let lines: String = lines.collect();
    if lines.is_empty() {
        return lines;
    }
    format!("<pre class=\"terminal huge\"><code>{lines}</code></pre>")
}

/// Where the book is: in the project's folder or on a stick, and where it is on the web.
///
/// # Errors
/// The project's manifest cannot be read.
pub(super) fn address(place: &Place) -> Result<String, String> {
    let web = match repository(place)? {
        Some(address) => format!("on the web: <b>{}</b>", escaped(&address)),
        None => "on the web: <u></u>".to_string(),
    };
    Ok(format!(
        "<p class=\"address\">The book: <b>book/index.html</b> on the stick; {web}</p>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_has_its_command_and_covered_lines() {
        let html = terminal("cargo step a", "one\n<two>\nthree\n", None);
        let html = html.expect("it is short");
        assert!(html.contains("$ cargo step a"), "{html}");
        assert!(html.contains("&lt;two&gt;"), "{html}");
        assert_eq!(html.matches("fragment").count(), 3);
        let some = terminal("a", "1\n2\n3\n", Some(Span { from: 2, to: 3 }));
        assert_eq!(some.expect("they are there").matches("fragment").count(), 2);
    }

    #[test]
    fn an_output_that_does_not_fit_is_refused() {
        let long = "a\n".repeat(LONGEST);
        assert!(terminal("a", &long, None).is_ok());
        assert!(terminal("a", &(long + "b\n"), None).is_err());
        let wide = "a".repeat(COLUMNS * LONGEST + 1);
        assert!(terminal("a", &wide, None).is_err());
    }

    #[test]
    fn a_listing_lights_lines_and_is_short_and_there() {
        let place = Place::new(None, None);
        let what = "stage3-async/examples/ch19_executor.rs:run";
        let lines = |from, to| Span { from, to };
        let html = listing(
            &place,
            "stage3-async/examples/ch16_poll_all.rs:run",
            &[lines(2, 3)],
        );
        let html = html.expect("it is there");
        assert_eq!(html.matches("data-lit=\"1\"").count(), 2, "{html}");
        assert!(listing(&place, what, &[]).is_err(), "it has 20 lines");
        assert!(listing(&place, &what.replace(":run", ":nothing"), &[]).is_err());
        let far = listing(&place, &what.replace(":run", ":send"), &[lines(1, 30)]);
        assert!(far.is_err());
    }

    #[test]
    fn a_figure_appears_arrow_by_arrow() {
        let place = Place::new(None, None);
        let svg =
            |look| figure(&place, "executor-waker", look, "a").expect("it is there");
        assert_eq!(svg(Look::InSteps).matches("<g class=\"fragment\"").count(), 12);
        let [whole, bare, none] =
            [Look::Whole, Look::WithoutLabels, Look::WithoutArrows].map(svg);
        assert!(whole.contains("fig-disc") && !whole.contains("fragment"));
        assert!(bare.contains("fig-arrow") && !bare.contains("fig-disc"));
        assert!(!none.contains("fig-arrow") && none.contains("fig-shape"));
        assert_eq!(numbers(&whole), [1, 2, 3, 4, 5, 6]);
        let halves = figure(&place, "from-resume-to-poll-arrow", Look::Whole, "a");
        assert_eq!(numbers(&halves.expect("it is there")), [1, 2, 3, 4, 1, 2, 3, 4]);
        assert!(figure(&place, "no-such", Look::Whole, "a").is_err());
    }

    #[test]
    fn a_vote_marks_its_key() {
        let marked = |key| vote("Which?", &["`a`", "b"], key);
        let html = marked(Some(1));
        let key = html.find("✓").expect("it is marked");
        assert!(html.find("<code>a</code>").is_some_and(|other| other < key), "{html}");
        assert!(!marked(None).contains("✓"));
    }
}
