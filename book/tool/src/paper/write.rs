//! A page as XHTML, without what only a browser needs. Folded answers are at its end; every
//! other fold is open.

use super::escaped;
use super::pages::Leaf;
use crate::html::NO_BOARD;
use scraper::node::Element;
use scraper::{ElementRef, Node};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A page that was written.
#[derive(Default)]
pub(super) struct Written {
    /// The page without its answers.
    pub text: String,
    /// The answers that were taken out, each with a link to its question.
    pub answers: Vec<String>,
}

/// Elements that are of no use without a script, or that the writer makes itself.
const LEFT_OUT: &[&str] = &["button", "nav", "noscript", "script", "style", "template"];

const VOID: &[&str] =
    &["area", "br", "col", "hr", "img", "input", "link", "meta", "wbr"];

/// Writes a page of a book that has these pages.
pub(super) fn write(leaf: &Leaf<'_>, slugs: &BTreeSet<String>) -> Written {
    let mut writer = Writer {
        leaf,
        slugs,
        depth: 0,
        ids: BTreeSet::new(),
        written: Written::default(),
        has_board: false,
    };
    if let Some(main) = leaf.main() {
        let mut text = String::new();
        writer.children(main, &mut text);
        writer.written.text = text.trim().to_string();
    }
    writer.written
}

struct Writer<'a> {
    leaf: &'a Leaf<'a>,
    slugs: &'a BTreeSet<String>,
    /// How many answers are open.
    depth: usize,
    /// All ids so far.
    ids: BTreeSet<String>,
    written: Written,
    /// Whether the page has said that boards need a browser.
    has_board: bool,
}

impl Writer<'_> {
    fn children(&mut self, parent: ElementRef<'_>, out: &mut String) {
        for child in parent.children() {
            match child.value() {
                Node::Text(text) => out.push_str(&escaped(&**text)),
                Node::Element(_) => {
                    self.element(
                        ElementRef::wrap(child).expect("it is an element"),
                        out,
                    );
                }
                _ => {}
            }
        }
    }

    fn element(&mut self, element: ElementRef<'_>, out: &mut String) {
        let it = element.value();
        let has = |class| it.classes().any(|one| one == class);
        match it.name() {
            name if LEFT_OUT.contains(&name) => {}
            "span" if has("boring") => {}
            "div" if has("continue") => {}
            "div" if has("system-board") => self.board(out),
            "a" if has("header") => self.children(element, out),
            "a" if it.attr("href").is_some() => self.link(element, out),
            "h1" => self.title(element, out),
            "details" => match it.attr("id") {
                Some(id) if self.depth == 0 && has("answer") => {
                    self.answer(element, id, out)
                }
                _ => self.fold(element, out),
            },
            "summary" => {}
            _ => self.copy(element, out),
        }
    }

    /// An element as it is.
    fn copy(&mut self, element: ElementRef<'_>, out: &mut String) {
        let name = element.value().name();
        let _ = write!(out, "<{name}");
        if name == "svg" {
            out.push_str(" xmlns=\"http://www.w3.org/2000/svg\"");
        }
        self.attributes(element.value(), out);
        if VOID.contains(&name) {
            out.push_str("/>");
            return;
        }
        out.push('>');
        if let Some(number) = element.attr("data-n") {
            let _ = write!(out, "<span class=\"n\">{number:>3} </span>");
        }
        self.children(element, out);
        let _ = write!(out, "</{name}>");
    }

    fn attributes(&mut self, element: &Element, out: &mut String) {
        for (name, value) in element.attrs() {
            let value = match name {
                // A second one of the same name leads nowhere.
                "id" if !self.ids.insert(value.to_string()) => continue,
                "id" => xml_id(value),
                "aria-labelledby" | "aria-describedby" => {
                    let ids: Vec<_> = value.split(' ').map(xml_id).collect();
                    ids.join(" ")
                }
                "name" | "tabindex" | "href" => continue,
                _ if name.starts_with("data-") || name.starts_with("xmlns") => continue,
                _ => value.to_string(),
            };
            let _ = write!(out, " {name}=\"{}\"", escaped(value));
        }
    }

    /// A title has its chapter's number.
    fn title(&mut self, element: ElementRef<'_>, out: &mut String) {
        out.push_str("<h1");
        self.attributes(element.value(), out);
        out.push('>');
        if let Some(number) = self.leaf.number {
            let _ = write!(out, "{number}. ");
        }
        self.children(element, out);
        out.push_str("</h1>");
    }

    /// A link that leads somewhere on paper, too; else only its words.
    fn link(&mut self, element: ElementRef<'_>, out: &mut String) {
        let href = element.attr("href").unwrap_or_default();
        match self.target(href) {
            Some(target) => {
                let _ = write!(out, "<a href=\"{}\"", escaped(target));
                self.attributes(element.value(), out);
                out.push('>');
                self.children(element, out);
                out.push_str("</a>");
            }
            None => {
                out.push_str("<span");
                self.attributes(element.value(), out);
                out.push('>');
                self.children(element, out);
                out.push_str("</span>");
            }
        }
    }

    fn target(&self, href: &str) -> Option<String> {
        if href.starts_with("http://127.0.0.1") {
            return None;
        }
        if href.contains("://") || href.starts_with("mailto:") {
            return Some(href.to_string());
        }
        let (file, id) = match href.split_once('#') {
            Some((file, id)) => (file, Some(id)),
            None => (href, None),
        };
        let id = id.filter(|id| !id.is_empty()).map(|id| format!("#{}", xml_id(id)));
        let here = &self.leaf.slug;
        let slug = if file.is_empty() { here } else { file.strip_suffix(".html")? };
        match id {
            Some(id) if slug == here => Some(id),
            id => self
                .slugs
                .contains(slug)
                .then(|| format!("{slug}.xhtml{}", id.unwrap_or_default())),
        }
    }

    /// Boards are played in a browser: the first of a page says so.
    fn board(&mut self, out: &mut String) {
        if !std::mem::replace(&mut self.has_board, true) {
            let _ = write!(out, "<p>{NO_BOARD}</p>");
        }
    }

    /// An answer is kept, and a link to it takes its place.
    fn answer(&mut self, element: ElementRef<'_>, id: &str, out: &mut String) {
        let number = self.written.answers.len() + 1;
        let number = match self.leaf.number {
            Some(chapter) => format!("{chapter}.{number}"),
            None => format!("{}, {number}", self.leaf.title),
        };
        // Of a hint and a solution, the summary tells which it is. That of an answer may be
        // "Run it, then open this".
        let mut name = format!("Answer {number}");
        if !(id.contains("-predict-") || id.contains("-check-")) {
            let summary = summary(element).map(|it| it.text().collect::<String>());
            name = format!("{} ({number})", summary.unwrap_or_default().trim());
        }
        let name = escaped(name);
        let question = format!("{id}-question");
        let _ = write!(
            out,
            "<p class=\"to-answer\" id=\"{}\"><a href=\"#{}\">{name}</a></p>",
            xml_id(&question),
            xml_id(id),
        );
        let mut xhtml = format!(
            "<div class=\"answer\" id=\"{}\"><p class=\"answer-name\"><strong>{name}</strong> \
             <span class=\"to-question\"><a href=\"#{}\">to the question</a></span></p>",
            xml_id(id),
            xml_id(&question),
        );
        self.depth += 1;
        self.children(element, &mut xhtml);
        self.depth -= 1;
        xhtml.push_str("</div>\n");
        self.written.answers.push(xhtml);
    }

    /// A fold that is open, below its summary.
    fn fold(&mut self, element: ElementRef<'_>, out: &mut String) {
        out.push_str("<div class=\"fold\"");
        if let Some(id) = element.attr("id") {
            let _ = write!(out, " id=\"{}\"", xml_id(id));
        }
        out.push_str("><p class=\"fold-title\">");
        if let Some(summary) = summary(element) {
            self.children(summary, out);
        }
        out.push_str("</p>");
        self.children(element, out);
        out.push_str("</div>");
    }
}

fn summary(details: ElementRef<'_>) -> Option<ElementRef<'_>> {
    details.child_elements().find(|child| child.value().name() == "summary")
}

/// An id that XML allows.
fn xml_id(id: &str) -> String {
    let plain = |it: char| {
        if it.is_ascii_alphanumeric() || "-_.".contains(it) { it } else { '_' }
    };
    let safe: String = id.chars().map(plain).collect();
    if safe.starts_with(|first: char| first.is_ascii_alphabetic()) {
        safe
    } else {
        format!("_{safe}")
    }
}
