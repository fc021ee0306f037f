//! The HTML is whole: nothing left to include, every fragment and file there, no other host.

use crate::html::site::{Site, selector};
use crate::read::book::Book;
use crate::read::edition::Edition;
use crate::read::page::Page;
use crate::read::place::files_below;
use crate::read::problem::Problem;
use scraper::{ElementRef, Html};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// mdBook drops lines of the summary where it does not expect them.
pub fn is_whole(book: &Book) -> Vec<Problem> {
    let is_missing = |page: &&Page| {
        !Edition::All.built(&book.place).join(format!("{}.html", page.slug)).is_file()
    };
    let missing = book.pages.iter().filter(is_missing);
    let why = "mdBook has left it out: correct SUMMARY.md";
    missing.map(|page| page.problem(0, why)).collect()
}

/// Looks at all pages of an edition. Where a link leads is taken as `file://` takes it: to
/// a file.
pub fn check(site: &Site) -> Vec<Problem> {
    let Site { folder, pages } = site;
    let edition = folder.file_name().unwrap_or_default().to_string_lossy();
    let ids: BTreeMap<&str, &BTreeSet<String>> =
        pages.iter().map(|page| (page.name.as_str(), &page.ids)).collect();
    let mut problems = Vec::new();
    for page in pages {
        let mut add = |text: String| {
            let file = format!("target/{edition}/{}", page.name);
            problems.push(Problem::new(file, 0, text));
        };
        if page.text.contains("{{#") {
            add("`{{#` is left: an include was not understood".to_string());
        }
        for text in marks(&page.html) {
            add(format!("`{text}` is printed as text"));
        }
        for element in page.html.select(&selector("img, svg[role=img]")) {
            if !has_text(element) {
                add("a picture without a text".to_string());
            }
        }
        for (element, target) in targets(&page.html) {
            let is_link = element.value().name() == "a";
            if let Some(why) = wrong(folder, &page.name, &ids, target, is_link) {
                add(format!("`{target}` {why}"));
            }
        }
    }
    problems.extend(style_sheets(folder));
    problems
}

/// The first words of texts, outside of code, that look like a mark for a program.
fn marks(html: &Html) -> Vec<String> {
    let is_code = |name: &str| ["code", "script", "style"].contains(&name);
    let texts = html.tree.nodes().filter(|node| {
        let mut above = node.ancestors().filter_map(ElementRef::wrap);
        !above.any(|it| is_code(it.value().name()))
    });
    let texts = texts.filter_map(|node| node.value().as_text());
    let mark = |text: &str| {
        let at = text.find("{{")?;
        Some(text[at..].chars().take(40).collect())
    };
    texts.filter_map(|text| mark(text)).collect()
}

fn has_text(element: ElementRef<'_>) -> bool {
    match element.value().name() {
        "img" => element.attr("alt").is_some_and(|alt| !alt.trim().is_empty()),
        _ => element
            .select(&selector("title"))
            .any(|it| it.text().any(|text| !text.is_empty())),
    }
}

/// What a page refers to, by links and by what it loads.
fn targets(html: &Html) -> Vec<(ElementRef<'_>, &str)> {
    let mut targets = Vec::new();
    for (css, attribute) in [("[href]", "href"), ("[src]", "src"), ("[data]", "data")] {
        // A canonical link names the page itself, on the web; no browser asks for it.
        let loads = |it: &ElementRef<'_>| it.attr("rel") != Some("canonical");
        for element in html.select(&selector(css)).filter(loads) {
            targets.extend(element.attr(attribute).map(|target| (element, target)));
        }
    }
    targets
}

/// Why a browser would not find this, or should not look for it.
fn wrong(
    folder: &Path,
    page: &str,
    ids: &BTreeMap<&str, &BTreeSet<String>>,
    target: &str,
    is_link: bool,
) -> Option<String> {
    pattern!(SCHEME, r"^(?:[a-zA-Z][a-zA-Z0-9+.-]*:|//)");
    if SCHEME.is_match(target) {
        let may =
            is_link && ["http:", "https:"].iter().any(|it| target.starts_with(it));
        let why = "is asked of another host: keep a copy in the book";
        return (!may && !target.starts_with("data:")).then(|| why.to_string());
    }
    let (path, fragment) = target.split_once('#').unwrap_or((target, ""));
    let path = path.split('?').next().unwrap_or_default();
    let file = if path.is_empty() { page.to_string() } else { beside(page, path) };
    if !folder.join(&file).is_file() {
        return Some("leads to no file".to_string());
    }
    let ids = ids.get(file.as_str())?;
    let missing = !fragment.is_empty() && !ids.contains(fragment);
    missing.then(|| format!("leads to no place of that name in {file}"))
}

/// The path of what a page refers to, from the book's folder.
fn beside(page: &str, path: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." => {}
            name => parts.push(name),
        }
    }
    parts.join("/")
}

/// What style sheets load.
fn style_sheets(folder: &Path) -> Vec<Problem> {
    pattern!(URL, r#"(?:url\(\s*|@import\s+)["']?([^"')\s]+)"#);
    let mut problems = Vec::new();
    for css in files_below(folder, "css") {
        let text = fs::read_to_string(&css).unwrap_or_default();
        let beside = css.parent().unwrap_or(folder);
        for found in URL.captures_iter(&text) {
            let target = found[1].split(['?', '#']).next().unwrap_or_default();
            if !target.starts_with("data:")
                && !target.is_empty()
                && !beside.join(target).is_file()
            {
                let text = format!("`{target}` is not there, or elsewhere");
                problems.push(Problem::new(css.display().to_string(), 0, text));
            }
        }
    }
    problems
}
