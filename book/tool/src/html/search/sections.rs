//! The sections of a built page. A section is what one hit leads to: a heading with the text
//! below it, an entry of the glossary, or a fold that is no answer. Answers are left out, and
//! so are figures. Of a listing only the names are kept, to be found and not to be shown.

use crate::html::terms;
use scraper::{ElementRef, Html, Node, Selector};
use std::collections::BTreeSet;

/// A comment with other names of the section that it is in: `<!-- also: hang, deadlock -->`.
const ALSO: &str = "also:";

// Folds whose text the reader is to find without help. The last two kinds are of puzzles.
pattern!(ANSWER, r"-(?:predict|check|exercise|hint|solution|answer)-|-(?:hint|why)$");
pattern!(NAME, r"[A-Za-z_][A-Za-z0-9_]{2,}");

/// Returns whether the fold with this id has to be found without help.
pub(crate) fn is_answer(id: &str) -> bool {
    ANSWER.is_match(id)
}

/// A place in a page, and what can be found there.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Section {
    pub id: String,
    pub title: String,
    /// Whether its text begins with its title.
    is_run_in: bool,
    pub text: String,
    /// The names in its listings.
    pub code: BTreeSet<String>,
    /// What else it is called. One that was searched for by name comes first.
    pub names: Vec<String>,
}

/// The sections of a page, in their order.
pub(super) fn read(html: &str, is_glossary: bool) -> Vec<Section> {
    let html = Html::parse_document(html);
    let main = Selector::parse("main").expect("constant");
    let mut reading = Reading { is_glossary, ..Reading::default() };
    for element in html.select(&main) {
        reading.walk(element);
    }
    let mut sections = reading.sections;
    for section in &mut sections {
        section.finish();
    }
    sections.retain(|it| {
        !it.id.is_empty() && (!it.title.is_empty() || !it.text.is_empty())
    });
    sections
}

/// A page that is being read.
#[derive(Default)]
struct Reading {
    is_glossary: bool,
    sections: Vec<Section>,
    /// The section that text belongs to.
    current: usize,
}

impl Reading {
    fn walk(&mut self, parent: ElementRef<'_>) {
        for child in parent.children() {
            match child.value() {
                Node::Text(text) => self.text(text),
                Node::Comment(comment) => self.also(comment),
                Node::Element(_) => {
                    self.element(ElementRef::wrap(child).expect("it is an element"));
                }
                _ => {}
            }
        }
    }

    fn element(&mut self, element: ElementRef<'_>) {
        let id = element.attr("id").unwrap_or_default();
        match element.value().name() {
            "svg" | "script" | "style" | "button" | "nav" | "header" | "template" => {}
            "h1" | "h2" | "h3" | "h4" => {
                let id = if id.is_empty() { inner_id(element) } else { id.to_string() };
                self.begin(id, plain(element));
            }
            "details" if is_answer(id) => {}
            "details" => self.fold(element, id),
            "pre" => self.listing(element),
            "div" if element.attr("class") == Some("caption") => self.listing(element),
            "p" => {
                if let Some((id, title)) = run_in(element) {
                    self.begin(id, title);
                    self.sections[self.current].is_run_in = true;
                }
                self.block(element);
            }
            "li" | "td" | "th" | "dt" | "dd" | "tr" | "div" | "figcaption" | "br" => {
                self.block(element);
            }
            _ => self.walk(element),
        }
    }

    /// What is in a block is apart from what is around it.
    fn block(&mut self, element: ElementRef<'_>) {
        self.text(" ");
        self.walk(element);
        self.text(" ");
    }

    fn begin(&mut self, id: String, title: String) {
        let names = if self.is_glossary { terms::names(&title) } else { Vec::new() };
        self.sections.push(Section { id, title, names, ..Section::default() });
        self.current = self.sections.len() - 1;
    }

    /// A fold is a section of its own, and the one around it goes on after it.
    fn fold(&mut self, element: ElementRef<'_>, id: &str) {
        let before = self.current;
        let summary = Selector::parse(":scope > summary").expect("constant");
        let title = element.select(&summary).next().map(plain).unwrap_or_default();
        self.begin(id.to_string(), title);
        for child in
            element.child_elements().filter(|it| it.value().name() != "summary")
        {
            self.element(child);
        }
        self.current = before;
    }

    fn text(&mut self, text: &str) {
        if let Some(section) = self.sections.get_mut(self.current) {
            section.text.push_str(text);
        }
    }

    fn listing(&mut self, element: ElementRef<'_>) {
        self.text(" ");
        if let Some(section) = self.sections.get_mut(self.current) {
            let code: String = element.text().collect();
            section
                .code
                .extend(NAME.find_iter(&code).map(|it| it.as_str().to_string()));
        }
    }

    fn also(&mut self, comment: &str) {
        let names = comment.trim().strip_prefix(ALSO);
        if let (Some(names), Some(section)) =
            (names, self.sections.get_mut(self.current))
        {
            let names = names.split([',', ';']).map(|name| name.trim().to_lowercase());
            section.names.extend(names.filter(|name| !name.is_empty()));
        }
    }
}

impl Section {
    /// The text in one line, without the title if that is a part of it, and of the listings
    /// only the names that the text has not.
    fn finish(&mut self) {
        self.text = one_line(&self.text);
        if self.is_run_in {
            let rest = self.text.strip_prefix(&self.title).unwrap_or(&self.text);
            self.text = rest.trim_start_matches([':', '.', ' ']).to_string();
        }
        let words: BTreeSet<&str> =
            NAME.find_iter(&self.text).map(|it| it.as_str()).collect();
        self.code.retain(|name| !words.contains(name.as_str()));
    }
}

/// The id and the title of a paragraph that begins with an anchor and words in bold, as the
/// glossary's entries do.
fn run_in(paragraph: ElementRef<'_>) -> Option<(String, String)> {
    let mut children = paragraph.children().filter(|child| match child.value() {
        Node::Text(text) => !text.trim().is_empty(),
        _ => true,
    });
    let mut id = None;
    loop {
        let child = ElementRef::wrap(children.next()?)?;
        match (child.value().name(), child.attr("id")) {
            ("a", Some(its)) if child.text().all(|text| text.trim().is_empty()) => {
                id.get_or_insert(its.to_string());
            }
            ("strong", _) => return Some((id?, plain(child))),
            _ => return None,
        }
    }
}

/// The id of the link that a heading consists of.
fn inner_id(heading: ElementRef<'_>) -> String {
    let inside = heading.descendent_elements().find_map(|it| it.attr("id"));
    inside.unwrap_or_default().to_string()
}

fn plain(element: ElementRef<'_>) -> String {
    one_line(&element.text().collect::<String>())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sections(main: &str) -> Vec<Section> {
        read(&format!("<body>Menu<main>{main}</main></body>"), false)
    }

    fn texts(sections: &[Section]) -> Vec<(&str, &str, &str)> {
        sections.iter().map(|it| (&*it.id, &*it.title, &*it.text)).collect()
    }

    #[test]
    fn a_heading_and_what_is_below_it_are_one_section() {
        let found = sections(
            "<h1 id=\"pin\"><a class=\"header\" href=\"#pin\">Pin</a></h1><p>One\n<code>two</code>s.</p>\
             <table><tr><td>a</td><td>b</td></tr></table>\
             <h2 id=\"idea\">The idea</h2><ul><li>c</li><li>d</li></ul>",
        );
        let expected = [("pin", "Pin", "One twos. a b"), ("idea", "The idea", "c d")];
        assert_eq!(texts(&found), expected);
    }

    #[test]
    fn answers_figures_and_buttons_are_left_out() {
        let found = sections(
            "<h2 id=\"predict\">Predict</h2><p>How many?</p>\
             <details id=\"pin-predict-two\"><summary>Open</summary><p>Seventeen.</p></details>\
             <details id=\"pin-check-a\"><summary>Answer</summary><p>Eighteen.</p></details>\
             <figure><svg><title>Nineteen</title><text>boxes</text></svg>\
             <figcaption>A caption.</figcaption></figure><button>Twenty</button><p>End.</p>",
        );
        assert_eq!(
            texts(&found),
            [("predict", "Predict", "How many? A caption. End.")]
        );
    }

    #[test]
    fn a_text_that_begins_like_its_title_is_kept_whole() {
        let found = sections("<h2 id=\"a\">Pin</h2><p>Pinning is …</p>");
        assert_eq!(texts(&found), [("a", "Pin", "Pinning is …")]);
    }

    #[test]
    fn a_fold_that_is_no_answer_is_a_section_of_its_own() {
        let found = sections(
            "<h2 id=\"echo\">Echo</h2><p>Before.</p><details id=\"pin-rest\">\
             <summary>The <code>rest</code></summary><p>Inside.</p></details><p>After.</p>",
        );
        let expected =
            [("echo", "Echo", "Before. After."), ("pin-rest", "The rest", "Inside.")];
        assert_eq!(texts(&found), expected);
    }

    #[test]
    fn of_a_listing_only_new_names_are_kept() {
        let found = sections(
            "<h2 id=\"wait\">Wait</h2><p>It calls task_done.</p>\
             <pre><code>fn task_done(n: u8) { self.count -= 1; }</code></pre>",
        );
        assert_eq!(found[0].text, "It calls task_done.");
        assert_eq!(Vec::from_iter(&found[0].code), ["count", "self"]);
    }

    #[test]
    fn where_a_listing_is_from_is_found_and_not_shown() {
        let found = sections(
            "<h2 id=\"wait\">Wait</h2><div class=\"listing\"><div class=\"caption\">\
             <a href=\"a\">ch19_loop.rs:3–5</a> marked: new since</div><pre>a</pre></div>",
        );
        assert_eq!(found[0].text, "");
        assert!(found[0].code.contains("ch19_loop"));
    }

    #[test]
    fn an_entry_of_the_glossary_has_all_its_names() {
        let html = "<body><main><h2 id=\"s\">S</h2>\n\
            <p><a id=\"stuck\"></a><a id=\"old\"></a><strong>stuck, stuck report</strong>: No \
            task is ready.\n<!-- also: Deadlock, hang; 死锁 --></p>\n\
            <p><a id=\"task\"></a><strong>task</strong>: It runs.</p></main></body>";
        let found = read(html, true);
        let expected = [
            ("s", "S", ""),
            ("stuck", "stuck, stuck report", "No task is ready."),
            ("task", "task", "It runs."),
        ];
        assert_eq!(texts(&found), expected);
        let names = ["stuck", "stuck report", "deadlock", "hang", "死锁"];
        assert_eq!(found[1].names, names);
        assert_eq!(found[2].names, ["task"]);
    }

    #[test]
    fn other_names_belong_to_the_section_that_they_are_in() {
        let found = sections(
            "<h2 id=\"a\">A program hangs</h2><!-- also: my future hangs -->\
             <p>Wait.</p><h2 id=\"b\">B</h2><!-- id: b --><p>Go.</p>",
        );
        assert_eq!(found[0].names, ["my future hangs"]);
        assert!(found[1].names.is_empty());
    }
}
