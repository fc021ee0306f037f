//! Sheets of questions, in `target/quiz`: what students get has no keys, and the keys are
//! in a second file. GIFT, which Moodle reads, has one file, because Moodle marks the
//! answers itself.

use crate::html::highlight::escaped;
use crate::read::bank::{self, Bank, Question};
use crate::read::book::Book;
use crate::read::place::Place;
use clap::{Args, ValueEnum};
use pulldown_cmark::{Parser, html};
use std::fs;
use std::path::PathBuf;

mod gift;
mod puzzles;
mod sheet;
mod tasks;

/// Which questions, and how they are written.
#[derive(Args, Clone, Debug, Default)]
pub struct Wanted {
    /// Only those of a chapter: a page's file name without the extension
    #[arg(long, value_name = "SLUG")]
    pub chapter: Option<String>,

    /// Only those about a concept, such as K5
    #[arg(long, value_name = "ID")]
    pub concept: Option<String>,

    /// Only the test that is taken before and after the course
    #[arg(long)]
    pub test: bool,

    /// How they are written
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// How questions are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Pages to print, or to open without a network
    #[default]
    Html,
    /// One file with the keys in it, for Moodle
    Gift,
}

/// Where questions are written to.
pub fn folder(place: &Place) -> PathBuf {
    place.target.join("quiz")
}

/// Writes the questions, and returns the files. As pages, and of a chapter or of all, they
/// come with puzzles or open tasks.
///
/// # Errors
/// No question is wanted, or the bank cannot be read, or a file cannot be written.
pub fn write(book: &Book, wanted: &Wanted) -> Result<Vec<PathBuf>, String> {
    let bank = bank::read(&book.place)?;
    let asked = asked(book, &bank, wanted)?;
    let sheet = Sheet { bank: &bank, title: title(book, wanted), asked };
    let name = name(wanted);
    let mut texts = match wanted.format {
        Format::Html => vec![
            (format!("{name}.html"), sheet.questions()),
            (format!("{name}-keys.html"), sheet.keys()),
        ],
        Format::Gift => vec![(format!("{name}-keys.gift"), sheet.gift())],
    };
    if wanted.format == Format::Html && !wanted.test && wanted.concept.is_none() {
        texts.extend(puzzles::pages(book, wanted.chapter.as_deref())?);
        if wanted.chapter.is_none() {
            texts.extend(tasks::pages(book)?);
        }
    }
    let folder = folder(&book.place);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut files = Vec::new();
    for (name, text) in texts {
        let file = folder.join(name);
        fs::write(&file, text)
            .map_err(|error| format!("{}: {error}", file.display()))?;
        files.push(file);
    }
    Ok(files)
}

/// Questions that are written together.
struct Sheet<'a> {
    bank: &'a Bank,
    title: String,
    asked: Vec<Asked<'a>>,
}

/// A question with its number on the sheet, and its code.
struct Asked<'a> {
    number: usize,
    question: &'a Question,
    code: Option<String>,
}

fn asked<'a>(
    book: &Book,
    bank: &'a Bank,
    wanted: &Wanted,
) -> Result<Vec<Asked<'a>>, String> {
    let is_it = |it: &&Question| {
        wanted.chapter.as_ref().is_none_or(|slug| *slug == it.chapter)
            && wanted.concept.as_ref().is_none_or(|id| *id == it.concept)
            && (!wanted.test || it.test.is_some())
    };
    let of = |(number, question): (usize, &'a Question)| {
        let code =
            bank::code(question, &book.place).map(|it| it.lines()).transpose()?;
        let code = code.map(|lines| lines.join("\n"));
        Ok(Asked { number, question, code })
    };
    let asked: Result<Vec<Asked<'_>>, String> =
        (1..).zip(bank.questions.iter().filter(is_it)).map(of).collect();
    match asked {
        Ok(asked) if asked.is_empty() => {
            Err("no question is like this: `cargo book quiz` writes all".to_string())
        }
        asked => asked,
    }
}

/// The name of the files.
fn name(wanted: &Wanted) -> String {
    let test = wanted.test.then(|| "test".to_string());
    let parts = [test, wanted.chapter.clone(), wanted.concept.clone()];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "questions".to_string() } else { parts.join("-") }
}

fn title(book: &Book, wanted: &Wanted) -> String {
    let page = wanted.chapter.as_ref().and_then(|slug| book.page(slug));
    let chapter = page.and_then(|page| page.title());
    match (chapter, wanted.test) {
        (Some(title), _) => format!("Questions: {title}"),
        (None, true) => "Twenty questions".to_string(),
        (None, false) => "Questions".to_string(),
    }
}

/// HTML of Markdown.
fn rendered(markdown: &str) -> String {
    let mut text = String::new();
    html::push_html(&mut text, Parser::new(markdown));
    text.trim_end().to_string()
}

/// HTML of a line of Markdown, without a paragraph around it.
fn inline(markdown: &str) -> String {
    let text = rendered(markdown);
    let inner = text.strip_prefix("<p>").and_then(|it| it.strip_suffix("</p>"));
    inner.unwrap_or(&text).to_string()
}

/// A listing in HTML.
fn listing(code: &str) -> String {
    format!("<pre><code>{}</code></pre>", escaped(code))
}
