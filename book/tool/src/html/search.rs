//! The index of the book's search: what `theme/search.js` looks into. It is made from the
//! built pages and written as a script, because a page that was opened as a file may load
//! scripts and nothing else.

use crate::read::book::Entry;
use crate::read::page::Role;
use mdbook_driver::config::Config;
use serde_json::json;
use std::fs;
use std::path::Path;

mod sections;

pub(crate) use sections::is_answer;

/// The page whose sections are terms.
const GLOSSARY: &str = "glossary";

/// What the search is made of, in a folder of the built book. The library is loaded with the
/// index, when a reader begins to search.
const FOLDER: &str = "search";

const LIBRARY: &str = include_str!("../../../theme/minisearch/minisearch.js");

/// It goes with each copy of the library.
const LICENSE: &str = include_str!("../../../theme/minisearch/LICENSE.txt");

/// Pages that say in other words what a chapter says, and how much less they count.
const LESS: &[(&str, f64)] = &[
    ("coverage", 0.2),
    ("teaching", 0.5),
    ("teaching-notes", 0.5),
    ("questions-for-a-test", 0.5),
    ("whole-crawlers", 0.5),
    ("further-reading", 0.6),
    ("errata", 0.8),
];

/// Puts ours into the place of mdBook's search, which knows neither which folds are answers
/// nor which words are Chinese.
///
/// # Errors
/// `book.toml` has something else in these places.
pub(super) fn replace(config: &mut Config) -> Result<(), String> {
    let why = |error| format!("book.toml: {error:#}");
    for kind in ["css", "js"] {
        let key = format!("output.html.additional-{kind}");
        let mut files: Vec<String> = config.get(&key).map_err(why)?.unwrap_or_default();
        files.push(format!("theme/search.{kind}"));
        config.set(&key, files).map_err(why)?;
    }
    config.set("output.html.search.enable", false).map_err(why)
}

/// Writes the index of all built pages, and beside it the library that reads it. A page of
/// the summary that mdBook has left out is left out here as well; a check reports it.
///
/// # Errors
/// The files cannot be written.
pub(super) fn write(entries: &[Entry], built: &Path) -> Result<(), String> {
    let (mut pages, mut sections) = (Vec::new(), Vec::new());
    for entry in entries {
        let file = format!("{}.html", entry.slug);
        let Ok(html) = fs::read_to_string(built.join(&file)) else { continue };
        let page = pages.len();
        pages.push(json!([file, title(entry), weight(&entry.slug)]));
        for it in sections::read(&html, entry.slug == GLOSSARY) {
            let code: Vec<String> = it.code.into_iter().collect();
            let section = (page, it.id, it.title, it.text, code.join(" "), it.names);
            sections.push(json!(section));
        }
    }
    let index = json!({ "pages": pages, "sections": sections });
    let folder = built.join(FOLDER);
    let put = |name: &str, text: String| {
        let file = folder.join(name);
        fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))
    };
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    put("index.js", format!("window.bookIndex = {index};\n"))?;
    let (library, _) =
        LIBRARY.split_once("//# sourceMappingURL").unwrap_or((LIBRARY, ""));
    put("minisearch.js", format!("/*!\n{}\n*/\n{library}", LICENSE.trim()))
}

/// The title of a page, with its number if it is a chapter.
fn title(entry: &Entry) -> String {
    match entry.role {
        Role::Chapter(number) | Role::Last(number) => {
            format!("{number}. {}", entry.title)
        }
        _ => entry.title.clone(),
    }
}

fn weight(slug: &str) -> f64 {
    LESS.iter().find(|(page, _)| *page == slug).map_or(1.0, |(_, weight)| *weight)
}
