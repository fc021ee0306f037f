//! The EPUB is whole: its documents are XML, its pages are in the order of the summary, and
//! what they refer to is in it.

use crate::html::site::Site;
use crate::paper::epub::entries;
use crate::read::book::{Book, Entry};
use crate::read::problem::Problem;
use roxmltree::{Document, ParsingOptions};
use std::collections::{BTreeMap, BTreeSet};

/// The attributes that name files.
const NAMES: [&str; 3] = ["href", "src", "full-path"];

/// Looks at what would be packed of the built book.
pub fn check(book: &Book, site: &Site) -> Vec<Problem> {
    let entries = match entries(book, site) {
        Ok(entries) => entries,
        Err(why) => return vec![problem("not made", why)],
    };
    let is_xml = |name: &str| {
        [".xhtml", ".opf", ".ncx", ".xml"].iter().any(|it| name.ends_with(it))
    };
    let texts = entries.iter().filter(|(name, _)| is_xml(name)).map(|(name, bytes)| {
        (name.as_str(), String::from_utf8_lossy(bytes).into_owned())
    });
    let texts: BTreeMap<&str, String> = texts.collect();
    let (mut documents, mut problems) = (BTreeMap::new(), Vec::new());
    for (name, text) in &texts {
        let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
        match Document::parse_with_options(text, options) {
            Ok(document) => drop(documents.insert(*name, document)),
            Err(why) => problems.push(problem(name, format!("is no XML: {why}"))),
        }
    }
    problems.extend(order(book, &documents));
    let files: BTreeSet<&str> = entries.iter().map(|(name, _)| name.as_str()).collect();
    problems.extend(links(&files, &documents));
    problems
}

fn problem(name: &str, text: impl Into<String>) -> Problem {
    Problem::new(format!("target/book.epub: {name}"), 0, text)
}

/// The spine is the summary, and so is each table of contents.
fn order(book: &Book, documents: &BTreeMap<&str, Document<'_>>) -> Vec<Problem> {
    let tables = [
        ("book/content.opf", "itemref", "idref", "page-", ""),
        ("book/nav.xhtml", "a", "href", "", ".xhtml"),
        ("book/toc.ncx", "content", "src", "", ".xhtml"),
    ];
    let is_other =
        |(file, tag, attribute, before, after): &(&str, &str, &str, _, _)| {
            let document = documents.get(file);
            let elements = document.into_iter().flat_map(|it| it.descendants());
            let mut found: Vec<&str> = elements
                .filter(|it| it.tag_name().name() == *tag)
                .filter_map(|it| it.attribute(*attribute))
                .collect();
            found.dedup(); // a part, and its first chapter
            let name = |it: &Entry| format!("{before}{}{after}", it.slug);
            document.is_some()
                && found != book.summary.iter().map(name).collect::<Vec<_>>()
        };
    let text = "does not have the pages of SUMMARY.md in their order";
    tables.iter().filter(|it| is_other(it)).map(|it| problem(it.0, text)).collect()
}

/// Each id is there once, and each link leads to a file and a place in it.
fn links(
    files: &BTreeSet<&str>,
    documents: &BTreeMap<&str, Document<'_>>,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut ids: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, document) in documents {
        let own = ids.entry(name).or_default();
        for id in document.descendants().filter_map(|it| it.attribute("id")) {
            if !own.insert(id) {
                problems.push(problem(name, format!("`{id}` is there twice")));
            }
        }
    }
    for (name, document) in documents {
        for target in targets(document) {
            let (file, id) = target.split_once('#').unwrap_or((target, ""));
            let file = match (file, *name) {
                ("", own) => own.to_string(),
                (file, "META-INF/container.xml") => file.to_string(),
                (file, _) => format!("book/{file}"),
            };
            let has_id = ids.get(&*file).is_none_or(|it| it.contains(id));
            if !files.contains(&*file) || !(id.is_empty() || has_id) {
                problems.push(problem(name, format!("`{target}` leads nowhere")));
            }
        }
    }
    problems
}

/// What a document refers to within the book.
fn targets<'a>(document: &'a Document<'_>) -> impl Iterator<Item = &'a str> {
    let all = document.descendants().flat_map(|it| it.attributes());
    all.filter(|it| NAMES.contains(&it.name()) && !it.value().contains("://"))
        .map(|it| it.value())
}
