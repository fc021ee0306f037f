//! The book as an EPUB, and, with Chromium, as a PDF.

use book::book::{Entry, summary};
use book::paper;
use book::place::Place;
use regex::Regex;
use roxmltree::{Document, ParsingOptions};
use scraper::{Html, Selector};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// This project's book, built in a folder of its own.
fn place() -> (Place, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let mut place = Place::new(None, None);
    place.target = folder.path().to_path_buf();
    (place, folder)
}

fn name(entry: &Entry) -> String {
    let number = entry.role.number().map(|number| format!("{number}. "));
    number.unwrap_or_default() + &entry.title
}

/// The files of an archive, in its order.
fn unpacked(file: &Path) -> Vec<(String, Vec<u8>)> {
    let mut archive = zip::ZipArchive::new(fs::File::open(file).unwrap()).unwrap();
    let all = 0..archive.len();
    all.map(|index| {
        let mut file = archive.by_index(index).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        (file.name().to_string(), bytes)
    })
    .collect()
}

fn xml(text: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(text, options)
        .unwrap_or_else(|why| panic!("{why}: {text:.300}"))
}

#[test]
fn an_epub_has_all_pages_in_order_and_every_link_leads_somewhere() {
    let (place, _folder) = place();
    let files = unpacked(&paper::epub(&place).unwrap());
    assert_eq!(files[0], ("mimetype".to_string(), b"application/epub+zip".to_vec()));
    let texts: BTreeMap<&str, &str> = files
        .iter()
        .filter(|(name, _)| !name.ends_with(".png"))
        .map(|(name, bytes)| (name.as_str(), str::from_utf8(bytes).unwrap()))
        .collect();
    let is_xml = |name: &&str| {
        [".xhtml", ".opf", ".ncx", ".xml"].iter().any(|it| name.ends_with(it))
    };
    let documents: BTreeMap<&str, Document<'_>> = texts
        .iter()
        .filter(|(name, _)| is_xml(name))
        .map(|(name, text)| (*name, xml(text)))
        .collect();
    reading_order(&place, &documents);
    let ids: BTreeMap<&str, BTreeSet<&str>> =
        documents.iter().map(|(name, document)| (*name, ids(name, document))).collect();
    for (name, document) in &documents {
        for (attribute, target) in targets(document) {
            let (file, id) = target.split_once('#').unwrap_or((target, ""));
            let file = match (file, *name) {
                ("", own) => own.to_string(),
                (file, "META-INF/container.xml") => file.to_string(),
                (file, _) => format!("book/{file}"),
            };
            let is_there = files.iter().any(|(name, _)| *name == file);
            assert!(is_there, "{name}: {attribute} {target}");
            assert!(id.is_empty() || ids[&*file].contains(id), "{name}: {target}");
        }
    }
}

/// The spine is the summary, and so is each table of contents.
fn reading_order(place: &Place, documents: &BTreeMap<&str, Document<'_>>) {
    let entries = summary(place).unwrap();
    let attributes = |file: &str, tag: &str, name: &str| -> Vec<String> {
        let all = documents[file]
            .descendants()
            .filter(|it| it.has_tag_name(tag) || it.tag_name().name() == tag);
        all.filter_map(|it| it.attribute(name)).map(String::from).collect()
    };
    let with = |before: &str, after: &str| -> Vec<String> {
        entries.iter().map(|it| format!("{before}{}{after}", it.slug)).collect()
    };
    assert_eq!(attributes("book/content.opf", "itemref", "idref"), with("page-", ""));
    assert_eq!(attributes("book/nav.xhtml", "a", "href"), with("", ".xhtml"));
    let mut old = attributes("book/toc.ncx", "content", "src");
    old.dedup(); // a part, and its first chapter
    assert_eq!(old, with("", ".xhtml"));
}

fn ids<'a>(name: &str, document: &'a Document<'_>) -> BTreeSet<&'a str> {
    let mut ids = BTreeSet::new();
    for id in document.descendants().filter_map(|it| it.attribute("id")) {
        assert!(ids.insert(id), "{name}: two {id}");
    }
    ids
}

/// What a document refers to within the book.
fn targets<'a>(document: &'a Document<'_>) -> Vec<(&'a str, &'a str)> {
    let names = ["href", "src", "full-path"];
    let all = document.descendants().flat_map(|it| it.attributes());
    all.filter(|it| names.contains(&it.name()) && !it.value().contains("://"))
        .map(|it| (it.name(), it.value()))
        .collect()
}

#[test]
#[ignore = "needs Chromium; .ci/run runs it with the tests in a browser"]
fn a_pdf_has_bookmarks_page_numbers_and_each_answer_once() {
    let (place, _folder) = place();
    let file = paper::pdf(&place).unwrap();
    let bytes = fs::read(&file).unwrap();
    let raw = String::from_utf8_lossy(&bytes);
    let entries = summary(&place).unwrap();
    for entry in entries.iter().filter(|entry| entry.role.number().is_some()) {
        let title = name(entry).replace('(', "\\(").replace(')', "\\)");
        assert!(raw.contains(&format!("/Title ({title})")), "no bookmark {title}");
    }
    let Some(pages) = pages(&file) else {
        eprintln!("without pdftotext no page is read");
        return;
    };
    assert!(pages.len() > 100, "{} pages", pages.len());
    // After the cover, on two pages.
    let contents = pages[1..3].concat().join("\n");
    let begins = |title: &str| -> usize {
        let line = format!(r"(?m)^\s*{}[ .·]*?\s(\d+)$", regex::escape(title));
        let found = Regex::new(&line).unwrap().captures(&contents);
        found.unwrap_or_else(|| panic!("no {title} in {contents}"))[1].parse().unwrap()
    };
    for number in [1, 19, 28] {
        let it = entries.iter().find(|it| it.role.number() == Some(number)).unwrap();
        let title = name(it);
        let page = begins(&title);
        let heads = |page: usize| {
            pages[page - 1].iter().filter(|line| line.trim() == title).count()
        };
        // At the head of the sheet, and as its title; on the next one only at the head.
        assert_eq!(
            (heads(page - 1), heads(page), heads(page + 1)),
            (0, 2, 1),
            "{title}: {page}"
        );
    }
    let (chapters, answers) = pages.split_at(begins("Answers") - 1);
    let packed = |pages: &[Vec<String>]| -> String {
        pages
            .iter()
            .flatten()
            .flat_map(|line| line.chars())
            .filter(|it| !it.is_whitespace())
            .collect()
    };
    let (chapters, answers) = (packed(chapters), packed(answers));
    for (id, text) in folded(&place, &entries) {
        let count = answers.matches(&text).count();
        // A line of an exercise is in its start, in a hint and in its solution.
        if id.contains("-exercise-") {
            assert!(count >= 1, "{id}: {text} is not there");
            continue;
        }
        assert!(!chapters.contains(&text), "{id}: {text} is in its chapter");
        assert_eq!(count, 1, "{id}: {text}");
    }
}

/// The lines of each page; without the program that reads them nothing.
fn pages(pdf: &Path) -> Option<Vec<Vec<String>>> {
    let output =
        Command::new("pdftotext").arg("-layout").arg(pdf).arg("-").output().ok()?;
    let text = String::from_utf8(output.stdout).unwrap();
    let pages =
        text.split('\u{c}').map(|page| page.lines().map(String::from).collect());
    Some(pages.collect())
}

/// The id of each folded answer, and how its text begins, without spaces.
fn folded(place: &Place, entries: &[Entry]) -> Vec<(String, String)> {
    let answer = Regex::new("-(predict|check|exercise|hint|solution|answer)-").unwrap();
    let (folds, first) = (
        Selector::parse("details[id]").unwrap(),
        Selector::parse(":scope > p").unwrap(),
    );
    let mut found = Vec::new();
    for entry in entries {
        let file = place.built().join(format!("{}.html", entry.slug));
        let html = Html::parse_document(&fs::read_to_string(file).unwrap());
        for fold in html.select(&folds) {
            let id = fold.attr("id").unwrap_or_default();
            let Some(text) = fold.select(&first).next() else { continue };
            let text: String = text
                .text()
                .flat_map(str::chars)
                .filter(|it| !it.is_whitespace())
                .collect();
            if answer.is_match(id) && text.is_ascii() {
                found.push((id.to_string(), text.chars().take(45).collect()));
            }
        }
    }
    assert!(found.len() > 100, "only {} answers", found.len());
    found
}
