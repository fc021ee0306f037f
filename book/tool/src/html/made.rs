//! What a program can count is not typed. The tables and numbers that pages include from
//! `made/` are computed from the book and its project, and stored: so mdBook alone has them,
//! too.
//!
//! | file | has |
//! |---|---|
//! | `exercises.md` | a table of all exercises |
//! | `plan-NAME.md` | the tables of a plan for a class |
//! | `notes.md` | the teaching notes of all chapters |
//! | `coverage.md` | the table of what is covered where |
//! | `lanes.md` | two stored runs as moving lanes |
//! | `player-NAME.md` | the table of a trace that has none of its own |
//! | `numbers.txt` | a part for each: `chapters`, `hours-to-read`, `hours-to-work`, `hours-of-exercises`, `edition`, the version of the project's packages, and `program`, the size of what the playground loads |

use super::outline::Outline;
use super::{board, exercises, lanes, plans};
use crate::read::book::Book;
use crate::read::coverage;
use crate::read::page::Page;
use crate::read::place::{Place, all_below};
use crate::read::plan;
use crate::read::player::Player;
use crate::read::problem::Problem;
use crate::read::text::lines;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of these files, in the book's.
pub(super) const FOLDER: &str = "made";

pattern!(INCLUDE, r"^\{\{#include \.\./made/([\w.-]+)(?::[\w-]+)?\}\}$");
pattern!(TABLE, r"^\{\{#include \.\./made/((?:plan-\w+|[a-z]+)\.md)\}\}$");

/// Writes what the pages include, where it is not what is stored.
pub fn write(book: &Book) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (file, text) in all(book) {
        let written = text.and_then(|text| {
            let is_new = fs::read_to_string(&file).ok().as_ref() != Some(&text);
            let folder = file.parent().map_or(Ok(()), fs::create_dir_all);
            let written = folder.and_then(|()| match is_new {
                true => fs::write(&file, text),
                false => Ok(()),
            });
            written.map_err(|error| format!("cannot be written: {error}"))
        });
        problems.extend(written.err().map(|why| problem(book, &file, why)));
    }
    problems
}

/// Reports files in `made` that are stale, or that no page includes.
pub fn check(book: &Book) -> Vec<Problem> {
    let all = all(book);
    let stale = all.iter().filter_map(|(file, text)| {
        let why = match text {
            Err(why) => why.clone(),
            Ok(text) if fs::read_to_string(file).ok().as_ref() != Some(text) => {
                "is not what is computed today: run `cargo book figures`".to_string()
            }
            Ok(_) => return None,
        };
        Some(problem(book, file, why))
    });
    let stored = all_below(&book.place.book.join(FOLDER)).into_iter();
    let stray = stored.filter(|file| all.iter().all(|(it, _)| it != file));
    let stray = stray
        .map(|file| problem(book, &file, "no page includes it: delete it".to_string()));
    stale.chain(stray).collect()
}

fn problem(book: &Book, file: &Path, why: String) -> Problem {
    Problem::new(book.place.shown(file), 0, why)
}

/// The files that pages include, and what has to be in each.
fn all(book: &Book) -> Vec<(PathBuf, Result<String, String>)> {
    let lines = book.pages.iter().flat_map(|page| &page.lines);
    let names: BTreeSet<String> = lines
        .filter(|line| !line.is_code)
        .filter_map(|line| Some(INCLUDE.captures(&line.text)?[1].to_string()))
        .collect();
    let outline = Outline::of(book);
    let file = |name: String| {
        (book.place.book.join(FOLDER).join(&name), text(book, &outline, &name))
    };
    names.into_iter().map(file).collect()
}

/// What is in the file of this name.
fn text(book: &Book, outline: &Outline, name: &str) -> Result<String, String> {
    let stem = name.split('.').next().unwrap_or_default();
    match (name, stem.split_once('-')) {
        ("exercises.md", _) => Ok(exercises::table(book)),
        ("notes.md", _) => Ok(notes(book)),
        ("coverage.md", _) => coverage::table(book).map_err(|why| why.to_string()),
        ("lanes.md", _) => lanes::drawn(&book.place).map(|html| html + "\n"),
        ("numbers.txt", _) => numbers(book, outline),
        (_, Some(("plan", name))) => {
            plans::markdown(book, &plan::read(&book.place, name)?)
        }
        (_, Some(("player", name))) => match Player::read(&book.place, name)? {
            Some(player) => Ok(player.table()),
            None => Err("there is no such trace in traces/".to_string()),
        },
        _ => {
            Err("is no table that we know: see book/tool/src/html/made.rs".to_string())
        }
    }
}

/// A page with the tables that it includes. What follows looks for links in them; players are
/// left to [`super::player`], and numbers to mdBook.
///
/// # Errors
/// A file is not there.
pub(super) fn put_into(
    place: &Place,
    slug: &str,
    page: &str,
) -> Result<String, String> {
    let mut out = String::new();
    for line in lines(page) {
        match TABLE.captures(&line.text).filter(|_| !line.is_code) {
            None => out += &format!("{}\n", line.text),
            Some(found) => {
                let file = place.book.join(FOLDER).join(&found[1]);
                out += &fs::read_to_string(&file).map_err(|error| {
                    let file = place.shown(&file);
                    format!("{slug}.md: {file}: {error}: run `cargo book figures`")
                })?;
            }
        }
    }
    Ok(out)
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

/// Each number between the two lines by which a page includes it.
fn numbers(book: &Book, outline: &Outline) -> Result<String, String> {
    let (read, work, of_exercises) = outline.minutes();
    let program = book.place.book.join("theme/player/page.js");
    let numbers = [
        ("chapters", outline.chapters().to_string()),
        ("hours-to-read", hours(read)),
        ("hours-to-work", hours(work)),
        ("hours-of-exercises", hours(of_exercises)),
        ("edition", edition(&book.place)?),
        ("program", board::megabytes(&program)?),
    ];
    let part = |(name, value)| format!("ANCHOR: {name}\n{value}\nANCHOR_END: {name}\n");
    Ok(numbers.map(part).concat())
}

/// The version of all packages, which leads to the address of a published copy.
fn edition(place: &Place) -> Result<String, String> {
    let version = value(place, "version")?.ok_or("Cargo.toml has no version")?;
    Ok(match repository(place)? {
        None => version,
        Some(address) => format!("[{version}]({address})"),
    })
}

/// What the project's manifest says of all its packages.
fn value(place: &Place, key: &str) -> Result<Option<String>, String> {
    let file = place.root.join("Cargo.toml");
    let text = fs::read_to_string(&file).map_err(|error| error.to_string())?;
    let manifest: toml::Table = toml::from_str(&text).map_err(|it| it.to_string())?;
    let package = manifest.get("workspace").and_then(|it| it.get("package"));
    let value = package.and_then(|it| it.get(key)).and_then(toml::Value::as_str);
    Ok(value.filter(|it| !it.is_empty()).map(String::from))
}

/// The address of a published copy.
///
/// # Errors
/// The project's manifest cannot be read.
pub(crate) fn repository(place: &Place) -> Result<Option<String>, String> {
    value(place, "repository")
}

/// In whole hours: readers differ by more than minutes.
fn hours(minutes: usize) -> String {
    ((minutes + 30) / 60).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::outline::tests::with;
    use super::*;

    fn made(name: &str) -> Result<String, String> {
        let outline = with(&[("a", 1, "none"), ("b", 2, "none"), ("x", 0, "none")]);
        let book = Book::read(&Place::new(None, None)).expect("it is there");
        text(&book, &outline, name)
    }

    #[test]
    fn numbers_are_counted() {
        let text = made("numbers.txt").expect("the project has a version");
        for (name, number) in [
            ("chapters", "2"),
            ("hours-to-read", "1"),
            ("hours-to-work", "3"),
            ("edition", env!("CARGO_PKG_VERSION")),
        ] {
            let part = format!("ANCHOR: {name}\n{number}\nANCHOR_END: {name}\n");
            assert!(text.contains(&part), "no {part} in {text}");
        }
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
    }

    #[test]
    fn an_unknown_name_is_an_error() {
        for (name, why) in [
            ("pages.md", "is no table that we know"),
            ("plan-91.md", "no plan is called \"91\""),
            ("player-gone.md", "no such trace"),
        ] {
            let error = made(name).expect_err(name);
            assert!(error.contains(why), "{error}");
        }
        assert!(made("plan-two.md").is_ok_and(|it| it.starts_with("## Two days\n\n")));
    }

    #[test]
    fn a_table_takes_the_place_of_its_include() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(Some(folder.path().to_path_buf()), None);
        fs::create_dir(folder.path().join(FOLDER)).unwrap();
        fs::write(folder.path().join("made/plan-9.md"), "| 9 |\n").unwrap();
        let put = |page: &str| put_into(&place, "a", page);
        let include = "{{#include ../made/plan-9.md}}\n";
        let page = format!("# A\n\n{include}\n```text\n{include}```\n");
        let filled = page.replacen(include, "| 9 |\n", 1);
        assert_eq!(put(&page), Ok(filled));
        for left in [
            "{{#include ../made/player-a.md}}\n",
            "{{#include ../made/numbers.txt:a}}\n",
        ] {
            assert_eq!(put(left).as_deref(), Ok(left));
        }
        let error = put("{{#include ../made/notes.md}}\n").unwrap_err();
        assert!(error.starts_with("a.md: book/made/notes.md: "), "{error}");
    }
}
