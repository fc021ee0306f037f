//! The exercises of the chapters, as Markdown for the built pages.
//!
//! A chapter with exercises gets a section before [`BEFORE`]; any other chapter gets a link
//! to the nearest exercise there.

use super::mistakes;
use crate::read::book::{Book, CASES};
use crate::read::edition::Edition;
use crate::read::exercise::{BEFORE, id};
use crate::read::page::Page;
use crate::read::text::lines;
use regex::Captures;
use runner::material::Exercise;

/// The page that says how exercises work.
const HOW: &str = "build-it-yourself.md";

/// How the id of an exercise's row begins there.
const ROW: &str = "exercise-";

/// The folds of the hints, and what each of them gives away.
const HINTS: [&str; 3] =
    ["First hint: a question", "Second hint: the idea", "Third hint: nearly the code"];

/// A page with its exercises.
///
/// # Errors
/// The page has no place for them, or a file cannot be read.
pub(super) fn put_into(
    book: &Book,
    edition: Edition,
    slug: &str,
    page: &str,
) -> Result<String, String> {
    let section = section(book, edition, slug)?;
    let (mut out, mut is_open) = (String::new(), true);
    for line in lines(page) {
        if is_open && !line.is_code && line.text.trim_end() == BEFORE {
            out += &section;
            is_open = false;
        }
        out += &line.text;
        out.push('\n');
    }
    if is_open && book.exercises_of(slug).next().is_some() {
        return Err(format!("{slug}.md has exercises, and no `{BEFORE}`"));
    }
    Ok(out)
}

/// The section of a chapter. Empty if the page is no chapter.
fn section(book: &Book, edition: Edition, slug: &str) -> Result<String, String> {
    let own: Vec<&Exercise> = book.exercises_of(slug).collect();
    if own.is_empty() {
        let nearest = book.page(slug).and_then(|page| nearest(book.exercises(), page));
        let near = |it: &Exercise| {
            let (link, number) = (linked(it), it.number);
            format!("**An exercise near here:** {link}, in chapter {number}.\n\n")
        };
        return Ok(nearest.map(near).unwrap_or_default());
    }
    let heading = if own.len() == 1 { "Exercise" } else { "Exercises" };
    let mut text = format!(
        "## {heading}\n\nYou write the code, and a check runs it \
         ([how this works]({HOW})).\n\n"
    );
    for exercise in own {
        text += &one(book, edition, exercise)?;
    }
    Ok(text)
}

/// The exercise of the nearest chapter; of two that are equally near, the one of the
/// earlier chapter, because its reader knows what it needs.
fn nearest<'a>(all: &'a [Exercise], page: &Page) -> Option<&'a Exercise> {
    let number = page.role.number()?;
    let far = |it: &&Exercise| (it.number.abs_diff(number), it.number, it.place);
    all.iter().min_by_key(far)
}

fn one(book: &Book, edition: Edition, exercise: &Exercise) -> Result<String, String> {
    let Exercise { name, title, minutes, lines, .. } = exercise;
    let (id, path) = (id(exercise), book.place.shown(&exercise.folder));
    let start = exercise.read("start.rs")?;
    let about = start.lines().next().and_then(|it| it.strip_prefix("//! "));
    let about = about.unwrap_or_default();
    let verb = if start.contains("todo!(") { "complete" } else { "fix" };
    let needs: Vec<String> =
        exercise.needs.iter().filter_map(|it| link(book, it).ok()).collect();
    let needs = match needs[..] {
        [] => String::new(),
        _ => format!(" It builds on {}.", needs.join(" and ")),
    };
    let mut text = format!(
        "### {title} {{#{id}}}\n\n<!-- also: exercise {name} -->\n\n{about} About \
         {lines} lines, {minutes} minutes.{needs}\n\n\
         This command creates your file, `tests/exercises/checks/src/bin/{name}.rs`. Each \
         time you save it, the command checks it against the promises and cases in \
         `{CASES}/{name}.rs`.\n\n\
         ```sh\ncargo exercise watch {name}\n```\n\n\
         The part that you {verb}:\n\n{}",
        listing(&path, "start.rs:task")
    );
    for (number, (title, hint)) in (1..).zip(HINTS.iter().zip(exercise.hints()?)) {
        text += &fold(&format!("{id}-hint-{number}"), title, &hint);
    }
    if !edition.has_answers() || !exercise.has_solution() {
        return Ok(text);
    }
    let solution = listing(&path, "solution.rs:solution");
    text += &fold(&format!("{id}-solution"), "A solution", &solution);
    let title = "Typical mistakes, and what the check says";
    text += &fold(&format!("{id}-mistakes"), title, &mistakes::table(exercise)?);
    Ok(text)
}

/// All exercises, with how much there is of them.
pub(super) fn table(book: &Book) -> String {
    let sum =
        |of: fn(&Exercise) -> usize| book.exercises().iter().map(of).sum::<usize>();
    let hours = (sum(|it| it.minutes) + 30) / 60;
    let (count, lines) = (book.exercises().len(), sum(|it| it.lines));
    let mut text = format!(
        "There are {count} exercises, with about {lines} lines to write in {hours} \
         hours.\n\n\
         | chapter | exercise | name | minutes | lines | do first |\n\
         |--:|---|---|--:|--:|---|\n"
    );
    for it in book.exercises() {
        let Exercise { number, chapter, name, minutes, lines, needs, .. } = it;
        let needs: Vec<String> = needs.iter().map(|it| format!("`{it}`")).collect();
        text += &format!(
            "| <a id=\"{ROW}{name}\"></a>[{number}]({chapter}.md) | {} | `{name}` | {minutes} \
             | {lines} | {} |\n",
            linked(it),
            needs.join(", ")
        );
    }
    text
}

/// A link to the exercise of this name.
///
/// # Errors
/// There is none.
pub(super) fn link(book: &Book, name: &str) -> Result<String, String> {
    book.exercise(name).map(linked).ok_or(format!("`{name}` is no exercise"))
}

/// A link as pages have it: to the row of the table, which mdBook alone has, too.
fn linked(exercise: &Exercise) -> String {
    format!("[{}]({HOW}#{ROW}{})", exercise.title, exercise.name)
}

/// A page whose links to exercises lead to their chapters. Where the text of a link is the
/// name, it is the title then.
pub(super) fn led(book: &Book, page: &str) -> String {
    pattern!(LINK, r"\[([^\]]*)\]\(build-it-yourself\.md#exercise-(\w+)\)");
    let lead = |found: &Captures<'_>| match book.exercise(&found[2]) {
        Some(it) => {
            let text = if found[1] == it.name { &it.title } else { &found[1] };
            format!("[{text}]({}.md#{})", it.chapter, id(it))
        }
        None => found[0].to_string(),
    };
    LINK.replace_all(page, lead).into_owned()
}

fn listing(path: &str, part: &str) -> String {
    format!("```rust,ignore\n{{{{#include ../../{path}/{part}}}}}\n```\n\n")
}

fn fold(id: &str, title: &str, text: &str) -> String {
    let text = text.trim_end();
    format!(
        "<details id=\"{id}\">\n<summary>{title}</summary>\n\n{text}\n\n</details>\n\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::page::Role;
    use crate::read::place::Place;
    use std::path::Path;

    fn exercise(name: &str, number: usize) -> Exercise {
        Exercise {
            name: name.to_string(),
            title: format!("About {name}"),
            chapter: format!("c{number}"),
            number,
            place: 1,
            minutes: 20,
            lines: 10,
            needs: Vec::new(),
            folder: Path::new("none").to_path_buf(),
        }
    }

    /// A book with two exercises and six chapters.
    fn book() -> Book {
        let mut book = Book::read(&Place::new(None, None)).expect("it is there");
        let page = |number: usize| Page {
            slug: format!("c{number}"),
            role: Role::Chapter(number),
            ..book.pages[0].clone()
        };
        book.pages = (1..=6).map(page).collect();
        book.exercises = Ok(vec![exercise("a", 2), exercise("b", 6)]);
        book
    }

    fn put(slug: &str, page: &str) -> Result<String, String> {
        put_into(&book(), Edition::All, slug, page)
    }

    #[test]
    fn a_chapter_without_an_exercise_leads_to_the_nearest() {
        let page =
            "# C\n\n```text\n## Python ↔ Rust\n```\n\n## Python ↔ Rust\n\nEnd.\n";
        let near = |slug| {
            let text = led(&book(), &put(slug, page).unwrap());
            let (before, after) =
                text.split_once("**An exercise near here:** ").unwrap();
            assert!(before.ends_with("```\n\n"), "{before}");
            after.lines().next().unwrap().to_string()
        };
        assert_eq!(near("c1"), "[About a](c2.md#c2-exercise-a), in chapter 2.");
        assert_eq!(near("c4"), "[About a](c2.md#c2-exercise-a), in chapter 2.");
        assert_eq!(near("c5"), "[About b](c6.md#c6-exercise-b), in chapter 6.");
        assert_eq!(put("glossary", page).unwrap(), page);
        assert_eq!(put("c1", "# C\n").unwrap(), "# C\n");
    }

    #[test]
    fn exercises_have_a_table_and_links() {
        let table = table(&book());
        assert!(
            table.starts_with("There are 2 exercises, with about 20 lines"),
            "{table}"
        );
        let row = "| <a id=\"exercise-b\"></a>[6](c6.md) | \
                   [About b](build-it-yourself.md#exercise-b) | `b` | 20 | 10 |  |\n";
        assert!(table.contains(row), "{table}");
        let link = link(&book(), "b").expect("there is one");
        assert_eq!(link, "[About b](build-it-yourself.md#exercise-b)");
        let led = |link: &str| led(&book(), link);
        assert_eq!(led(&link), "[About b](c6.md#c6-exercise-b)");
        let by_name = "[b](build-it-yourself.md#exercise-b)";
        assert_eq!(led(by_name), "[About b](c6.md#c6-exercise-b)");
        let gone = "[c](build-it-yourself.md#exercise-c)";
        assert_eq!(led(gone), gone);
    }
}
