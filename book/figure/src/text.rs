//! Texts: words, and code between backticks, as in Markdown.

use super::geometry::Point;
use super::pen::{escaped, line, n};

/// The size of names and labels, in pixels, and that of notes.
const SIZE: f64 = 14.0;
const NOTE_SIZE: f64 = 13.0;
/// The width of each letter of code, in parts of its size.
const CODE: f64 = 0.6;

/// The passages of a text: whether each is code.
fn passages(text: &str) -> impl Iterator<Item = (bool, &str)> {
    let passages = text.split('`').enumerate();
    passages.map(|(place, text)| (place % 2 == 1, text)).filter(|it| !it.1.is_empty())
}

/// How wide a name or a label is.
pub(crate) fn width(text: &str) -> f64 {
    (parts(text) * SIZE).ceil()
}

/// How wide a note is.
pub(crate) fn note_width(text: &str) -> f64 {
    (parts(text) * NOTE_SIZE).ceil()
}

/// How wide a text is that is all code.
pub(crate) fn code_width(text: &str) -> f64 {
    (text.chars().count() as f64 * CODE * SIZE).ceil()
}

fn parts(text: &str) -> f64 {
    let width = |(is_code, text): (bool, &str)| match is_code {
        true => text.chars().count() as f64 * CODE,
        false => text.chars().map(letter).sum(),
    };
    passages(text).map(width).sum()
}

/// The width of a letter of the page's font, rounded up.
fn letter(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | ' ' | '|' | 'I' => 0.29,
        'f' | 't' | 'r' | '(' | ')' | '/' | '-' => 0.40,
        'm' | 'w' | 'M' | 'W' | '→' | '…' => 0.95,
        'A'..='Z' => 0.68,
        _ => 0.59,
    }
}

/// Writes a text, in which code has a font of its own.
pub(super) fn draw(svg: &mut String, class: &str, at: Point, text: &str) {
    let passages: Vec<_> = passages(text).collect();
    let inner: String = match passages[..] {
        [] => return,
        [(true, code)] => return draw_code(svg, class, at, code),
        _ => passages.iter().map(|(is_code, text)| match is_code {
            true => format!("<tspan class=\"fig-code\">{}</tspan>", escaped(text)),
            false => escaped(text),
        }),
    }
    .collect();
    put(svg, class, at, &inner);
}

/// Writes a text that is all code.
pub(super) fn draw_code(svg: &mut String, class: &str, at: Point, text: &str) {
    if !text.is_empty() {
        put(svg, format!("fig-code {class}").trim_end(), at, &escaped(text));
    }
}

fn put(svg: &mut String, class: &str, at: Point, inner: &str) {
    let (x, y) = (n(at.x), n(at.y));
    let class =
        if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    line(svg, &format!("<text{class} x=\"{x}\" y=\"{y}\">{inner}</text>"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_between_backticks_is_code() {
        let found: Vec<_> = passages("`poll` of a `task`").collect();
        assert_eq!(found, [(true, "poll"), (false, " of a "), (true, "task")]);
        assert_eq!(width("`poll`"), code_width("poll"));
        assert!(width("ill") < width("`ill`") && width("MMM") > width("`MMM`"));
    }
}
