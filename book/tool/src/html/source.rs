//! A page for each file that listings come from: the whole file, with its numbers.

use super::highlight::{self, numbered_line};
use crate::read::include::{is_mark, is_observed};
use crate::read::place::Place;
use regex::Captures;
use runner::material;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The folder for these pages, below the built book's.
pub(super) const FOLDER: &str = "files";

/// The files, by their paths as a person would write them.
#[derive(Debug, Default)]
pub(super) struct Sources(BTreeMap<String, Source>);

/// A file.
#[derive(Debug)]
pub(super) struct Source {
    /// Its lines.
    text: Vec<String>,
    /// Its lines as HTML.
    html: Vec<String>,
}

impl Sources {
    /// Adds a file in Rust or Python, if it can be read, and returns how it is called.
    pub(super) fn add(&mut self, place: &Place, file: &Path) -> Option<String> {
        let language = match file.extension()?.to_str()? {
            "rs" => "rust",
            "py" => "python",
            _ => return None,
        };
        let name = place.shown(file);
        if !self.0.contains_key(&name) {
            let text = material::source(file).ok()?;
            let html = highlight::lines(language, &text);
            let text = text.lines().map(String::from).collect();
            self.0.insert(name.clone(), Source { text, html });
        }
        Some(name)
    }

    /// Adds the files that a page names.
    pub(super) fn add_named(&mut self, place: &Place, page: &str) {
        for found in PATH.captures_iter(page) {
            self.add(place, &place.root.join(&found[2]));
        }
    }

    /// A line of a page in which the path of a file is a link to the file's page. A heading
    /// stays as it is, since it is a link already.
    pub(super) fn linked(&self, line: &str) -> String {
        let to_page = |found: &Captures<'_>| {
            let (before, name) = (&found[1], &found[2]);
            match self.0.contains_key(name) {
                true => format!("{before}[`{name}`]({})", page_of(name)),
                false => found[0].to_string(),
            }
        };
        match line.starts_with('#') {
            true => line.to_string(),
            false => PATH.replace_all(line, to_page).into_owned(),
        }
    }

    /// The pages of all files: where each is, and its HTML. They look as this page of the
    /// book, of which they have all but the text.
    pub(super) fn pages(
        &self,
        places: &Places<'_>,
        like: &str,
    ) -> Vec<(String, String)> {
        let none = BTreeSet::new();
        let page = |(name, source): (&String, &Source)| {
            let places = places.get(name.as_str()).unwrap_or(&none);
            (page_of(name), framed(like, name, &text(name, source, places)))
        };
        self.0.iter().map(page).collect()
    }

    /// The lines of a file as HTML, and as they are.
    pub(super) fn get(&self, name: &str) -> Option<(&[String], &[String])> {
        let source = self.0.get(name)?;
        Some((&source.html, &source.text))
    }
}

// A path in code font that begins in the project's folder, and is no text of a link.
pattern!(PATH, r"(^|[^\[`])`([\w-]+(?:/[\w.-]+)+\.(?:rs|py))`");

/// The page of a file, as pages of the book link it.
pub(super) fn page_of(name: &str) -> String {
    format!("{FOLDER}/{}.html", name.replace('/', "."))
}

/// The id of the place in a file's page where lines begin, which says where they end.
pub(super) fn place_of(lines: &[(usize, String)]) -> String {
    let number = |line: Option<&(usize, String)>| line.map_or(1, |(number, _)| *number);
    let (from, to) = (number(lines.first()), number(lines.last()));
    if from == to { format!("L{from}") } else { format!("L{from}-{to}") }
}

/// The places of listings, by the files that they are from.
pub(super) type Places<'a> = BTreeMap<&'a str, BTreeSet<String>>;

/// What is in `main`.
fn text(name: &str, source: &Source, places: &BTreeSet<String>) -> String {
    let mut html = format!("<h1>{}</h1>\n", highlight::escaped(name));
    if source.text.iter().any(|line| is_observed(line)) {
        html += "<p>Lines that end in <code>// observe</code> name tasks, sockets and waits \
                 for traces and for stuck reports. The chapters leave them out.</p>\n";
    }
    let language = if name.ends_with(".py") { "python" } else { "rust" };
    html += &format!("<pre><code class=\"language-{language} numbered file\">");
    for (index, (line, text)) in source.html.iter().zip(&source.text).enumerate() {
        if is_mark(text) {
            continue;
        }
        let number = index + 1;
        let begins = format!("L{number}-");
        let begun =
            places.range(begins.clone()..).take_while(|it| it.starts_with(&begins));
        let begun: String = begun.map(|id| format!("<i id=\"{id}\"></i>")).collect();
        let id = format!(" id=\"L{number}\"");
        html += &numbered_line(&id, "", Some(number), &format!("{begun}{line}"));
    }
    html + "</code></pre>\n"
}

pattern!(TITLE, "<title>[^<]*?( - [^<]*)?</title>");
pattern!(MAIN, "(?s)(<main[^>]*>).*?</main>");
pattern!(NEIGHBOR, r#"(?s)<a rel="(?:next|prev)[^"]*".*?</a>"#);
pattern!(TARGET, r##"\b((?:href|src)=")([^"#:]+(?:#[^"]*)?")"##);

/// A page of the book, in the folder above, with another title and text, and no neighbors.
fn framed(like: &str, name: &str, text: &str) -> String {
    let name = highlight::escaped(name);
    let html = NEIGHBOR.replace_all(like, "");
    let html = TARGET.replace_all(&html, "${1}../$2");
    let html = html.replace("path_to_root = \"\"", "path_to_root = \"../\"");
    let html = TITLE.replace(&html, |found: &Captures<'_>| {
        let book = found.get(1).map_or("", |book| book.as_str());
        format!("<title>{name}{book}</title>")
    });
    let main = |found: &Captures<'_>| format!("{}\n{text}</main>", &found[1]);
    MAIN.replace(&html, main).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIKE: &str = r#"<title>Pin - The book</title><link href="book.css">
<script>const path_to_root = "";</script><a href="https://a/">A</a>
<main><h1>Pin</h1></main><a rel="next prefetch" href="last.html" title="x">›</a>"#;

    #[test]
    fn the_page_of_a_file_looks_like_a_page_of_the_book() {
        let html = framed(LIKE, "stage/a.rs", "<h1>a</h1>");
        let expected = r#"<title>stage/a.rs - The book</title><link href="../book.css">
<script>const path_to_root = "../";</script><a href="https://a/">A</a>
<main>
<h1>a</h1></main>"#;
        assert_eq!(html, expected);
    }

    #[test]
    fn a_file_has_its_own_numbers_and_no_anchors() {
        let text =
            ["// ANCHOR: a", "a(); // observe", "b();"].map(String::from).to_vec();
        let source = Source { html: text.clone(), text };
        let html = super::text("a.rs", &source, &BTreeSet::from(["L2-3".to_string()]));
        let line = "<span class=\"ln\" id=\"L2\" data-n=\"2\"><i id=\"L2-3\"></i>a(); // observe\n";
        assert!(html.contains(line), "{html}");
        assert!(
            html.contains("<p>Lines that end in <code>// observe</code>"),
            "{html}"
        );
        assert!(!html.contains("ANCHOR"), "{html}");
    }
}
