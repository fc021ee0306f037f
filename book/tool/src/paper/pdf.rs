//! All pages as one document, printed by Chromium. It is printed twice: the first print says
//! on which pages the places are that the second one names. Chromium cannot count them in
//! its style sheets (`target-counter`).

use super::pages::{Cover, Leaf, cover, read};
use super::places::{self, Places};
use super::write::{Links, Written, write, xml_id};
use super::{about, bookmarks, chromium, document, escaped};
use crate::html;
use crate::place::{Place, files};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

/// Where the answers begin.
const ANSWERS: &str = "answers";

/// Around the name of a place whose page is not known yet: characters that no text has.
const OPEN: char = '\u{E000}';
const CLOSE: char = '\u{E001}';

/// What is printed for a page before it is known: about as wide as a number.
const UNKNOWN: &str = "000";

/// One more print for each number that has become longer or shorter than expected.
const PRINTS: usize = 4;

/// Builds the book, and prints it into `target/book.pdf`, or an edition of another
/// name. Returns the file.
///
/// # Errors
/// The book cannot be built, there is no Chromium, or it does not print.
pub fn pdf(place: &Place) -> Result<PathBuf, String> {
    let browser = chromium::find()?;
    html::build(place)?;
    let leaves = read(place)?;
    let text = whole(place, &leaves)?;
    let page = place.target.join("book-paper.xhtml");
    let pdf = place.target.join(place.edition.name()).with_extension("pdf");
    let mut places = Places::default();
    for _ in 0..PRINTS {
        fs::write(&page, filled(&text, &places)).map_err(about(&page))?;
        chromium::print(&browser, &page, &pdf)?;
        let bytes = fs::read(&pdf).map_err(about(&pdf))?;
        let now = places::read(&bytes)?;
        let is_right = now.pages == places.pages;
        places = now;
        if is_right {
            fs::write(&pdf, bookmarks::corrected(&bytes, &text))
                .map_err(about(&pdf))?;
            fs::remove_file(&page).map_err(about(&page))?;
            println!("{} pages", places.count);
            return Ok(pdf);
        }
    }
    Err(format!("after {PRINTS} prints the numbers of the pages still change"))
}

/// In one document an id has its page's name before it.
struct OneDocument;

impl Links for OneDocument {
    fn id(&self, slug: &str, id: &str) -> String {
        xml_id(&format!("{slug}--{id}"))
    }

    fn href(&self, _from: &str, slug: &str, id: Option<&str>) -> String {
        match id {
            Some(id) => format!("#{}", self.id(slug, id)),
            None => format!("#{}", section(slug)),
        }
    }

    fn page(&self, slug: &str, id: &str) -> String {
        format!(", page {OPEN}{}{CLOSE}", self.id(slug, id))
    }
}

/// The id of a page's section, and the name of its sheets.
fn section(slug: &str) -> String {
    format!("page-{slug}")
}

fn whole(place: &Place, leaves: &[Leaf]) -> Result<String, String> {
    let slugs: BTreeSet<String> = leaves.iter().map(|leaf| leaf.slug.clone()).collect();
    let cover = cover(leaves)?;
    let leaves: Vec<&Leaf> = leaves.iter().filter(|leaf| !leaf.is_landing()).collect();
    let written: Vec<Written> =
        leaves.iter().map(|leaf| write(leaf, &slugs, &OneDocument)).collect();
    let mut body = front(&cover) + &contents(&leaves);
    let mut answers = String::new();
    for (leaf, text) in leaves.iter().zip(&written) {
        let (slug, name) = (section(&leaf.slug), escaped(leaf.name()));
        let _ = write!(
            body,
            "<section class=\"page\" id=\"{slug}\">\n{}\n</section>\n",
            text.text
        );
        if !text.answers.is_empty() {
            let _ = writeln!(answers, "<h2>{name}</h2>");
            answers.extend(text.answers.iter().map(String::as_str));
        }
    }
    let _ = write!(
        body,
        "<section class=\"page\" id=\"{ANSWERS}\">\n<h1>Answers</h1>\n{answers}</section>\n"
    );
    let head = head(place, &leaves)?;
    Ok(document(&cover.title, &head, &body))
}

fn front(cover: &Cover) -> String {
    let Cover { title, description, question } = cover;
    let (title, description, question) =
        (escaped(title), escaped(description), escaped(question));
    format!(
        "<section class=\"cover\" id=\"{}\"><p class=\"title\">{title}</p>\n<p class=\"about\">{description}</p>\n\
         <div class=\"waits\">{}</div>\n<p class=\"question\">{question}</p></section>\n",
        section(crate::book::LANDING),
        "<i></i>".repeat(5)
    )
}

/// All parts and pages, each with the page that it begins on.
fn contents(leaves: &[&Leaf]) -> String {
    let mut list = String::from("<section class=\"contents\">\n<h1>Contents</h1>\n");
    let mut part = "";
    for leaf in leaves {
        if leaf.part != part {
            part = &leaf.part;
            let title = if part.is_empty() { "After the chapters" } else { part };
            let _ = writeln!(list, "<p class=\"part\">{}</p>", escaped(title));
        }
        line(&mut list, &section(&leaf.slug), &leaf.name());
    }
    line(&mut list, ANSWERS, "Answers");
    list + "</section>\n"
}

fn line(list: &mut String, id: &str, name: &str) {
    let name = escaped(name);
    let _ = writeln!(
        list,
        "<p class=\"line\"><a href=\"#{id}\">{name}</a> <i></i> <span>{OPEN}{id}{CLOSE}</span></p>"
    );
}

/// The style sheets: the fonts of the built book, the figures' colors, what is for paper only,
/// and for each page the name at the head of its sheets.
fn head(place: &Place, leaves: &[&Leaf]) -> Result<String, String> {
    let mut head = String::new();
    for file in files(&place.built().join("fonts"), "css") {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let _ = writeln!(head, "<link rel=\"stylesheet\" href=\"book/fonts/{name}\"/>");
    }
    let mut style = String::new();
    for name in ["figures.css", "frame.css", "code.css", "paper.css"] {
        let file = place.book.join("theme").join(name);
        style += &fs::read_to_string(&file).map_err(about(&file))?;
    }
    for leaf in leaves {
        head_of_sheets(&mut style, &section(&leaf.slug), &leaf.name());
    }
    head_of_sheets(&mut style, ANSWERS, "Answers");
    let style = style.replace("]]>", "");
    Ok(format!("{head}<style><![CDATA[\n{style}]]></style>"))
}

fn head_of_sheets(style: &mut String, id: &str, name: &str) {
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    let _ = writeln!(
        style,
        "@page {id} {{ @top-left {{ content: \"{name}\"; }} }}\n#{id} {{ page: {id}; }}"
    );
}

/// The text with the numbers of pages, as far as they are known.
fn filled(text: &str, places: &Places) -> String {
    let mut parts = text.split(OPEN);
    let mut filled = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (id, rest) = part.split_once(CLOSE).unwrap_or((part, ""));
        match places.pages.get(id) {
            Some(page) => filled += &page.to_string(),
            None => filled += UNKNOWN,
        }
        filled += rest;
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_put_in_as_far_as_they_are_known() {
        let text = format!("a {OPEN}x{CLOSE}, b {OPEN}y{CLOSE}.");
        let mut places = Places::default();
        places.pages.insert("x".to_string(), 7);
        assert_eq!(filled(&text, &places), "a 7, b 000.");
    }
}
