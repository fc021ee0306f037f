//! The file of a deck: reveal.js, our style and script, and the slides, all in one.

use super::deck::Deck;
use crate::html::highlight::escaped;
use crate::read::book::Book;
use crate::read::problem::Problem;
use std::collections::BTreeSet;
use std::fs;

const REVEAL: &str = include_str!("../../../theme/reveal/reveal.js");
const NOTES: &str = include_str!("../../../theme/reveal/notes.js");
const REVEAL_STYLE: &str = include_str!("../../../theme/reveal/reveal.css");
const LICENSE: &str = include_str!("../../../theme/reveal/LICENSE.txt");

/// What the slides need, besides reveal.js, of the book's folder `theme`.
const STYLES: [&str; 2] = ["figures.css", "slides.css"];
const SCRIPT: &str = "slides.js";

/// A deck as a page that needs no other file and no network.
///
/// # Errors
/// A style sheet of the book cannot be read.
pub(super) fn page(book: &Book, deck: &Deck) -> Result<String, Vec<Problem>> {
    let styles = styles(book, &STYLES)?;
    let script = theme(book, SCRIPT)?;
    let (title, slides) = (escaped(&deck.title), deck.html());
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n/*!\n{}\n*/\n{REVEAL_STYLE}\n{styles}</style>\n\
         </head>\n<body>\n<main class=\"reveal\"><div class=\"slides\">\n{slides}</div></main>\n\
         <script>\n/*!\n{}\n*/\n{REVEAL}\n</script>\n<script>\n{NOTES}\n</script>\n\
         <script>\n{script}</script>\n</body>\n</html>\n",
        LICENSE.trim(),
        LICENSE.trim(),
    ))
}

/// A deck for a printer, with all that appears on each slide, and without a script.
///
/// # Errors
/// A style sheet of the book cannot be read.
pub(super) fn paper(book: &Book, deck: &Deck) -> Result<String, Vec<Problem>> {
    let styles = styles(book, &STYLES)?;
    let (title, slides) = (escaped(&deck.title), deck.html());
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\" data-theme=\"light\">\n<head>\n\
         <meta charset=\"utf-8\">\n<title>{title}</title>\n<style>\n{styles}</style>\n\
         </head>\n<body class=\"reveal on-paper\">\n<div class=\"slides\">{slides}</div>\n\
         </body>\n</html>\n"
    ))
}

/// The book's colors of code, and style sheets of its theme.
///
/// # Errors
/// One of them cannot be read.
pub(super) fn styles(book: &Book, names: &[&str]) -> Result<String, Vec<Problem>> {
    let mut all = colors(&theme(book, "book.css")?);
    all += &tokens(&theme(book, "listings.css")?);
    for name in names {
        all += &theme(book, name)?;
    }
    Ok(all)
}

fn theme(book: &Book, name: &str) -> Result<String, Vec<Problem>> {
    let file = book.place.book.join("theme").join(name);
    fs::read_to_string(&file).map_err(|error| {
        vec![Problem::new(book.place.shown(&file), 0, error.to_string())]
    })
}

/// The book gives each color of code twice: first for light pages, then for dark ones.
fn colors(css: &str) -> String {
    pattern!(COLOR, r"(--code-[a-z]+): (#[0-9a-f]+);");
    let all: Vec<(String, String)> = COLOR
        .captures_iter(css)
        .map(|it| (it[1].to_string(), it[2].to_string()))
        .collect();
    let mut rules = String::new();
    for name in all.iter().map(|(name, _)| name).collect::<BTreeSet<_>>() {
        let mut values =
            all.iter().filter(|(other, _)| other == name).map(|(_, it)| it);
        let Some(light) = values.next() else { continue };
        let dark = values.next().unwrap_or(light);
        rules += &format!("    {name}: light-dark({light}, {dark});\n");
    }
    format!(":root {{\n{rules}}}\n")
}

/// The rules for the tokens of code.
fn tokens(css: &str) -> String {
    let rules = css.lines().filter(|line| line.starts_with(".hl-"));
    rules.map(|rule| format!("{rule}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_colors_of_code_follow_the_theme() {
        let css = ":root {\n --code-bg: #fff;\n --code-fg: #111;\n}\n@media {\n \
                   --code-bg: #000;\n}\n@media {\n --code-bg: #001;\n}\n";
        let expected = ":root {\n    --code-bg: light-dark(#fff, #000);\n    \
                        --code-fg: light-dark(#111, #111);\n}\n";
        assert_eq!(colors(css), expected);
        assert_eq!(tokens("a {}\n.hl-b { c: d; }\n"), ".hl-b { c: d; }\n");
    }
}
