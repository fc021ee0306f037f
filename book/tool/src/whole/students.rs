//! The students' edition has no answers: what the whole book says in answers of
//! checkpoints, in solutions, in mistakes, on the pages for teachers, or in the bank is in
//! none of its files, unless the book says it elsewhere as well.

use crate::html::PRINTED;
use crate::html::site::{Site, selector};
use crate::read::bank;
use crate::read::book::Book;
use crate::read::edition::FOR_TEACHERS;
use crate::read::place::files_below;
use crate::read::problem::Problem;
use aho_corasick::AhoCorasick;
use pulldown_cmark::{Parser, html::push_html};
use scraper::{ElementRef, Html};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Shorter texts are in many places.
const SHORT: usize = 30;

/// The answers that students do not get, by their kind.
type Answers = BTreeMap<&'static str, Vec<String>>;

/// Looks for the answers of the whole book in the students' edition.
pub fn check(book: &Book, all: &Site, students: &Site) -> Vec<Problem> {
    let answers = answers(book, all);
    let mut problems = unseen(book, &answers);
    let texts: Vec<(&str, &String)> = answers
        .iter()
        .flat_map(|(kind, texts)| texts.iter().map(|text| (*kind, text)))
        .collect();
    // All texts at once: a page is read once, and not once for each of them.
    let search = match AhoCorasick::new(texts.iter().map(|(_, text)| text)) {
        Ok(search) => search,
        Err(why) => return vec![Problem::new("book", 0, why.to_string())],
    };
    let in_text = |text: &str| -> BTreeSet<usize> {
        search.find_overlapping_iter(text).map(|it| it.pattern().as_usize()).collect()
    };
    let elsewhere = in_text(&elsewhere(all));
    for (file, text) in files(students) {
        for index in in_text(&text).difference(&elsewhere) {
            let (kind, text) = texts[*index];
            let why = format!("has an answer ({kind}): {text}");
            problems.push(Problem::new(format!("target/book-students/{file}"), 0, why));
        }
    }
    problems
}

/// Blanks of any kind are one.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The texts of an element: paragraphs, items, cells, and lines of code.
fn texts(element: ElementRef<'_>) -> Vec<String> {
    let mut all = Vec::new();
    for block in element.select(&selector("p, li, td")) {
        all.push(plain(&block.text().collect::<String>()));
    }
    for code in element.select(&selector("pre")) {
        all.extend(code.text().collect::<String>().lines().map(plain));
    }
    all.retain(|text| text.chars().count() >= SHORT);
    all
}

/// Returns the kind of answer that a fold has; `None` if students get it.
fn kind(id: &str) -> Option<&'static str> {
    let is_exercise = id.contains("-exercise-");
    match id {
        _ if id.contains("-check-") => Some("check"),
        _ if is_exercise && id.contains("-solution") => Some("solution"),
        _ if is_exercise && id.contains("-mistakes") => Some("mistakes"),
        _ => None,
    }
}

fn is_answer(fold: &ElementRef<'_>) -> bool {
    kind(fold.attr("id").unwrap_or_default()).is_some()
}

fn answers(book: &Book, all: &Site) -> Answers {
    let mut answers = Answers::new();
    for page in all.pages.iter().filter(|page| page.name != PRINTED) {
        for fold in page.html.select(&selector("details[id]")) {
            if let Some(kind) = kind(fold.attr("id").unwrap_or_default()) {
                answers.entry(kind).or_default().extend(texts(fold));
            }
        }
        if page.slug().is_some_and(|slug| FOR_TEACHERS.contains(&slug)) {
            let own = answers.entry("teachers").or_default();
            page.html
                .select(&selector("main"))
                .for_each(|main| own.extend(texts(main)));
        }
    }
    // What is wrong with the bank is for another rule to say.
    let (bank, _) = bank::read_all(&book.place);
    for text in bank.questions.iter().flat_map(|it| [&it.stem, &it.explain]) {
        let mut rendered = String::new();
        push_html(&mut rendered, Parser::new(text));
        let rendered = Html::parse_fragment(&rendered);
        answers.entry("bank").or_default().extend(texts(rendered.root_element()));
    }
    answers
}

/// Returns a problem for each kind of answer that the book has and `answers` did not find.
fn unseen(book: &Book, answers: &Answers) -> Vec<Problem> {
    let has_check = |(_, id): &(usize, String)| kind(id) == Some("check");
    let has = [
        ("check", book.pages.iter().any(|it| it.folds().iter().any(has_check))),
        ("solution", !book.exercises().is_empty()),
        ("mistakes", !book.exercises().is_empty()),
        ("teachers", FOR_TEACHERS.iter().any(|slug| book.page(slug).is_some())),
        ("bank", !bank::read_all(&book.place).0.questions.is_empty()),
    ];
    let missing = has.iter().filter(|(kind, has)| *has && !answers.contains_key(kind));
    let text = |kind| format!("no answer ({kind}) is found in the built book");
    missing.map(|(kind, _)| Problem::new("target/book", 0, text(kind))).collect()
}

/// What the whole book says outside of the answers: a listing may show a line of a solution.
fn elsewhere(all: &Site) -> String {
    let is_for_teachers = |slug: &str| FOR_TEACHERS.contains(&slug);
    let pages = all.pages.iter().filter(|page| {
        page.name != PRINTED && !page.slug().is_some_and(is_for_teachers)
    });
    let mut text = String::new();
    for page in pages {
        for main in page.html.select(&selector("main")) {
            outside(main, &mut text);
        }
        text.push('\n');
    }
    plain(&text)
}

/// Adds the text of an element without the answers in it.
fn outside(element: ElementRef<'_>, text: &mut String) {
    for child in element.children() {
        if let Some(words) = child.value().as_text() {
            text.push_str(words);
        }
        match ElementRef::wrap(child) {
            Some(it) if it.value().name() == "details" && is_answer(&it) => {}
            Some(it) => outside(it, text),
            None => {}
        }
    }
}

/// The text of each file, with its name: of pages what a reader sees, and what is in their
/// attributes; of all others the whole.
fn files(site: &Site) -> Vec<(String, String)> {
    let pages = site.pages.iter().map(|it| (it.name.clone(), plain(&seen(&it.html))));
    let others = ["js", "css", "svg", "json"];
    let others = others.iter().flat_map(|kind| files_below(&site.folder, kind));
    let others = others.map(|file| {
        let text = fs::read_to_string(&file).unwrap_or_default();
        let name = file.strip_prefix(&site.folder).unwrap_or(&file);
        (name.display().to_string(), plain(&text))
    });
    pages.chain(others).collect()
}

fn seen(html: &Html) -> String {
    let texts: String = html.root_element().text().collect();
    let elements = html.root_element().descendants().filter_map(ElementRef::wrap);
    let attributes = elements.flat_map(|it| it.value().attrs());
    attributes.fold(texts, |all, (_, value)| all + "\n" + value)
}
