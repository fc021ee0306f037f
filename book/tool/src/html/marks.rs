//! What is between double braces in a page, and is computed while the book is built, so that
//! it is typed nowhere:
//!
//! | mark | becomes |
//! |---|---|
//! | `{{exercise NAME}}`, `{{exercises}}` | a link to an exercise, a table of all |
//! | `{{plan NAME}}` | the tables of a plan for a class |
//! | `{{notes}}` | the teaching notes of all chapters |
//! | `{{coverage}}` | the table of what is covered where |
//! | `{{chapters}}`, `{{hours-to-read}}`, `{{hours-to-work}}`, `{{hours-of-exercises}}` | a number |
//! | `{{edition}}` | the version of the project's packages, with a link if it has an address |
//! | `{{lanes ONE MANY}}` | two stored runs as moving lanes |
//!
//! `{{player NAME}}` is left to the players, and `{{#include …}}` to mdBook.

use super::outline::Outline;
use super::{exercises, lanes, plans};
use crate::read::book::Book;
use crate::read::coverage;
use crate::read::page::Page;
use crate::read::place::Place;
use crate::read::plan;
use crate::read::text::lines;
use regex::Captures;
use std::fs;

pattern!(MARK, r"\{\{([A-Za-z][^}\s]*)([^}]*)\}\}");

/// Returns a page with what its marks stand for.
///
/// # Errors
/// A mark is not one of these, or what it names is not there.
pub(super) fn filled(
    book: &Book,
    outline: &Outline,
    slug: &str,
    page: &str,
) -> Result<String, String> {
    let (mut out, mut wrong) = (String::new(), None);
    for line in lines(page) {
        let value = |found: &Captures<'_>| {
            // Two blanks are an argument without a name, which no mark has.
            let arguments: Vec<&str> = found[2].split(' ').skip(1).collect();
            value(book, outline, &found[1], &arguments).unwrap_or_else(|why| {
                wrong = Some(match why.as_str() {
                    "" => format!("{slug}.md: `{}` is no mark that we know", &found[0]),
                    _ => format!("{slug}.md: `{}`: {why}", &found[0]),
                });
                String::new()
            })
        };
        if line.is_code || line.text.starts_with("{{player ") {
            out += &line.text;
        } else {
            out += MARK.replace_all(&line.text, value).trim_end_matches('\n');
        }
        out.push('\n');
    }
    wrong.map_or(Ok(out), Err)
}

fn value(
    book: &Book,
    outline: &Outline,
    name: &str,
    arguments: &[&str],
) -> Result<String, String> {
    let (read, work, of_exercises) = outline.minutes();
    match (name, arguments) {
        ("exercise", [name]) => exercises::link(book, name),
        ("exercises", []) => Ok(exercises::table(book)),
        ("plan", [name]) => plans::markdown(book, &plan::read(&book.place, name)?),
        ("notes", []) => Ok(notes(book)),
        ("coverage", []) => coverage::table(book).map_err(|why| why.to_string()),
        ("chapters", []) => Ok(outline.chapters().to_string()),
        ("hours-to-read", []) => Ok(hours(read)),
        ("hours-to-work", []) => Ok(hours(work)),
        ("hours-of-exercises", []) => Ok(hours(of_exercises)),
        ("edition", []) => edition(&book.place),
        ("lanes", [one, many]) => lanes::drawn(&book.place, one, many),
        _ => Err(String::new()),
    }
}

/// The teaching notes of each chapter, below an anchor of its name.
fn notes(book: &Book) -> String {
    let one = |page: &Page| {
        let (slug, title) = (&page.slug, page.heading().unwrap_or_default());
        format!(
            "<a id=\"{slug}\"></a>\n\n## [{title}]({slug}.md)\n\n\
             {{{{#include ../teaching/{slug}.md}}}}\n\n"
        )
    };
    book.chapters().map(one).collect()
}

/// What the project's manifest says of all its packages: their version and, of a published
/// copy, the address.
fn edition(place: &Place) -> Result<String, String> {
    let file = place.root.join("Cargo.toml");
    let text = fs::read_to_string(&file).map_err(|error| error.to_string())?;
    let manifest: toml::Table = toml::from_str(&text).map_err(|it| it.to_string())?;
    let value = |key| manifest.get("workspace")?.get("package")?.get(key)?.as_str();
    let version = value("version").ok_or("Cargo.toml has no version")?;
    Ok(match value("repository") {
        None | Some("") => version.to_string(),
        Some(address) => format!("[{version}]({address})"),
    })
}

/// In whole hours: readers differ by more than minutes.
fn hours(minutes: usize) -> String {
    ((minutes + 30) / 60).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::outline::tests::with;
    use super::*;

    fn fill(page: &str) -> Result<String, String> {
        let outline = with(&[("a", 1, "none"), ("b", 2, "none"), ("x", 0, "none")]);
        let book = Book::read(&Place::new(None, None)).expect("it is there");
        filled(&book, &outline, "index", page)
    }

    #[test]
    fn numbers_are_counted() {
        let text =
            fill("{{chapters}}: {{hours-to-read}} and {{hours-to-work}} h").unwrap();
        assert_eq!(text, "2: 1 and 3 h\n");
        assert_eq!(hours(715), "12");
        assert_eq!(hours(89), "1");
    }

    #[test]
    fn the_edition_is_that_of_the_packages_and_leads_to_their_address() {
        let root = tempfile::tempdir().unwrap();
        let place = Place::new(None, Some(root.path().to_path_buf()));
        for (package, shown) in [
            ("version = \"1.2.3\"\nrepository = \"\"", Some("1.2.3")),
            (
                "version = \"1.2.3\"\nrepository = \"https://example.com/it\"",
                Some("[1.2.3](https://example.com/it)"),
            ),
            ("edition = \"2024\"", None),
        ] {
            let text = format!("[workspace.package]\n{package}\n");
            fs::write(root.path().join("Cargo.toml"), text).unwrap();
            assert_eq!(edition(&place).ok().as_deref(), shown);
        }
        let own = fill("{{edition}}").expect("the project has a version");
        assert!(own.contains(env!("CARGO_PKG_VERSION")), "{own}");
    }

    #[test]
    fn a_mark_becomes_the_tables_of_its_plan() {
        let text = fill("# A\n\n{{plan two}}\n\n```text\n{{plan 90}}\n```\n").unwrap();
        assert!(text.starts_with("# A\n\n## Two days\n\n"), "{text}");
        assert!(text.ends_with("```text\n{{plan 90}}\n```\n"), "{text}");
    }

    #[test]
    fn an_unknown_name_is_an_error_and_an_include_is_left() {
        for (page, why) in [
            ("{{pages}}", "index.md: `{{pages}}` is no mark that we know"),
            ("{{exercises b}}", "index.md: `{{exercises b}}` is no mark"),
            ("{{exercise gone}}", "`gone` is no exercise"),
            ("{{plan 91}}", "no plan is called \"91\""),
            ("{{lanes gone gone}}", "gone.out"),
            ("{{hours_to_read}}", "`{{hours_to_read}}` is no mark"),
            ("{{plan  two}}", "`{{plan  two}}` is no mark"),
            ("{{lanes a.b c}}", "a.b.out"),
        ] {
            let error = fill(page).expect_err(page);
            assert!(error.contains(why), "{error}");
        }
        for left in ["{{#include a}}\n", "{{player a-b}}\n"] {
            assert_eq!(fill(left).as_deref(), Ok(left));
        }
    }
}
