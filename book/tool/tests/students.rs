//! The students' edition has no answers: what the whole book says in answers of
//! checkpoints, in solutions, in mistakes, on the pages for teachers, or in the bank is in
//! none of its files, unless the book says it elsewhere as well.

use aho_corasick::AhoCorasick;
use book::bank::Bank;
use book::check::built;
use book::edition::Edition;
use book::html;
use book::place::{Place, files_below};
use pulldown_cmark::{Parser, html::push_html};
use scraper::{ElementRef, Html, Selector};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Shorter texts are in many places.
const SHORT: usize = 30;

const TEACHERS: [&str; 3] = ["teaching", "teaching-notes", "questions-for-a-test"];

/// Blanks of any kind are one.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn selector(text: &str) -> Selector {
    Selector::parse(text).expect("it is constant")
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

/// Which answers a fold of the whole book is, if it is one that students do not get.
fn kind(id: &str) -> Option<&'static str> {
    let kinds =
        [("-check-", "check"), ("-solution", "solution"), ("-mistakes", "mistakes")];
    let is_exercise = id.contains("-exercise-");
    kinds
        .iter()
        .find(|(part, name)| id.contains(part) && (*name == "check" || is_exercise))
        .map(|(_, name)| *name)
}

/// The text of each file, by its name: of pages what a reader sees, and what is in their
/// attributes; of all others the whole.
fn all_texts(place: &Place) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for kind in ["html", "js", "css", "svg", "json"] {
        for file in files_below(&place.built(), kind) {
            let text = fs::read_to_string(&file).expect("it was just built");
            let name = file.strip_prefix(place.built()).expect("it is in there");
            let text = match kind {
                "html" => seen(&text),
                _ => text,
            };
            all.insert(name.display().to_string(), plain(&text));
        }
    }
    all
}

fn seen(html: &str) -> String {
    let html = Html::parse_document(html);
    let texts: String = html.root_element().text().collect();
    let elements = html.root_element().descendants().filter_map(ElementRef::wrap);
    let attributes = elements.flat_map(|it| it.value().attrs());
    attributes.fold(texts, |all, (_, value)| all + "\n" + value)
}

#[test]
fn no_answer_is_in_the_students_edition() {
    let folder = tempfile::tempdir().expect("a folder for this test");
    let all = Place { target: folder.path().to_path_buf(), ..Place::new(None, None) };
    html::build(&all).expect("the book can be built");
    let students = all.clone().with(Edition::Students);
    html::build(&students).expect("this edition, too");

    let mut answers: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for file in book::place::files(&all.built(), "html") {
        let slug = book::place::stem(&file);
        if slug == "print" {
            continue;
        }
        let html = Html::parse_document(&fs::read_to_string(&file).expect("as above"));
        for fold in html.select(&selector("details[id]")) {
            if let Some(kind) = kind(fold.attr("id").unwrap_or_default()) {
                answers.entry(kind).or_default().extend(texts(fold));
            }
        }
        if TEACHERS.contains(&slug) {
            let main = html.select(&selector("main")).next().expect("it has a text");
            answers.entry("teachers").or_default().extend(texts(main));
        }
    }
    for question in Bank::read(&all).expect("the bank is fine").questions {
        for text in [&question.stem, &question.explain] {
            let mut rendered = String::new();
            push_html(&mut rendered, Parser::new(text));
            let rendered = Html::parse_fragment(&rendered);
            answers.entry("bank").or_default().extend(texts(rendered.root_element()));
        }
    }
    // The test sees something: of each kind there are answers in the whole book.
    for kind in ["check", "solution", "mistakes", "teachers", "bank"] {
        assert!(answers.get(kind).is_some_and(|all| all.len() > 40), "{kind}");
    }
    let files = all_texts(&students);
    assert!(files.contains_key("print.html") && files.contains_key("search/index.js"));
    let texts: Vec<(&str, &String)> = answers
        .iter()
        .flat_map(|(kind, texts)| texts.iter().map(move |text| (*kind, text)))
        .collect();
    // All texts at once: a page is read once, and not once for each of them.
    let search = AhoCorasick::new(texts.iter().map(|(_, text)| text)).expect("small");
    let in_file = |text: &str| -> BTreeSet<usize> {
        search.find_overlapping_iter(text).map(|it| it.pattern().as_usize()).collect()
    };
    let elsewhere = in_file(&elsewhere(&all));
    let looked_for = texts.len() - elsewhere.len();
    let mut found = Vec::new();
    for (file, all) in &files {
        for index in in_file(all).difference(&elsewhere) {
            let (kind, text) = texts[*index];
            found.push(format!("{file}: {kind}: {text}"));
        }
    }
    assert!(looked_for > 500, "{looked_for} texts");
    assert!(found.is_empty(), "{}", found.join("\n"));

    let bank: Vec<String> =
        files.keys().filter(|it| it.contains("bank")).cloned().collect();
    assert_eq!(bank, [""; 0]);
    let broken = built::check(&students.built());
    assert!(broken.is_empty(), "{broken:?}");
}

/// What the whole book says outside of the answers: a listing may show a line of a solution.
fn elsewhere(all: &Place) -> String {
    let mut text = String::new();
    for file in files_below(&all.built(), "html") {
        let slug = book::place::stem(&file).to_string();
        if slug == "print" || TEACHERS.contains(&slug.as_str()) {
            continue;
        }
        let html = fs::read_to_string(&file).expect("as above");
        let mut html = Html::parse_document(&html);
        let folds: Vec<_> = html
            .select(&selector("details[id]"))
            .filter(|fold| kind(fold.attr("id").unwrap_or_default()).is_some())
            .map(|fold| fold.id())
            .collect();
        for fold in folds {
            html.tree.get_mut(fold).expect("it was found").detach();
        }
        let main = html.select(&selector("main")).next();
        text += &main.map(|it| it.text().collect::<String>()).unwrap_or_default();
        text.push('\n');
    }
    plain(&text)
}
