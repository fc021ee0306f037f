//! The deck of a chapter, made of its page alone: what the reader will know, figures, what
//! the steps print, the predictions as questions, and the recap.

use super::deck::{Deck, Section, Slide};
use super::draft::{Show, sentence};
use super::markdown::{html_of, inline};
use super::{notes, show};
use crate::bank::Bank;
use crate::book::Book;
use crate::figure::Look;
use crate::include::Include;
use crate::page::Page;
use crate::place::Place;
use crate::reading::Line;

const PREDICT: &str = "Predict, then run";
const RECAP: &str = "Recap";

/// The longest question with its program: more is on the page only.
const LONGEST_PROGRAM: usize = 12;

/// Text with fewer letters is larger, and with more than the second number smaller.
const SHORT: usize = 400;
const LONG: usize = 900;

/// The deck of a page.
pub(super) fn deck(book: &Book, page: &Page) -> Deck {
    let title = page.title().unwrap_or_default();
    let number = page
        .role
        .number()
        .map_or("Introduction".to_string(), |number| format!("Chapter {number}"));
    let bank = Bank::default();
    let mut show = Show::new(book, &bank);
    let mut slides = vec![aim(page)];
    slides.extend(show.figures_of(&page.slug, Look::InSteps));
    slides.extend(outputs(&book.place, page));
    slides.extend(predictions(&book.place, page));
    slides.extend(recap(page));
    let label = format!("{number} · {title}");
    Deck {
        title,
        below: number,
        notes: notes::KEYS.to_string() + &notes::of_chapter(book, &page.slug),
        sections: vec![Section { label, seconds: None, slides }],
    }
}

/// What the reader will be able to do: the first paragraph, without its directions for
/// experts.
fn aim(page: &Page) -> Slide {
    pattern!(KNOWN, r"\sIf you (?:have|know|already|can)\b");
    let begin = page.prose().skip_while(|line| !line.text.starts_with("# ")).skip(1);
    let text = begin.skip_while(|line| line.text.trim().is_empty());
    let text = text.take_while(|line| !line.text.trim().is_empty());
    let text: Vec<&str> = text.map(|line| line.text.as_str()).collect();
    let text = text.join("\n");
    let text = KNOWN.find(&text).map_or(&*text, |found| &text[..found.start()]);
    Slide { body: html_of(text), class: "question aim", ..Slide::default() }
}

/// Each output that is neither folded nor too long, below its command.
fn outputs(place: &Place, page: &Page) -> Vec<Slide> {
    let is_folded = |line: usize| page.lines[line - 1].folded > 0;
    let fences = page.fences.iter().filter(|it| it.info == "console");
    let open = fences.filter(|it| !is_folded(it.line) && it.section != PREDICT);
    let slide = |fence: &crate::reading::Fence| {
        let (title, body) = (fence.section.as_str(), printed(place, &fence.body)?);
        let title = title.split_once(": ").map_or(title, |(_, title)| title);
        Some(Slide { title: sentence(&inline(title)), body, ..Slide::default() })
    };
    open.filter_map(slide).collect()
}

/// A command and what it printed. `None`: nothing is shown, or too much.
fn printed(place: &Place, block: &[String]) -> Option<String> {
    let [command, include] = block else { return None };
    let lines = Include::parse(place, include)?.lines().ok()?;
    show::terminal(command.strip_prefix("$ ")?, &lines.join("\n"), None).ok()
}

/// Each prediction: its question, and then what is in its fold.
fn predictions(place: &Place, page: &Page) -> Vec<Slide> {
    pattern!(NUMBER, r"^\*\*(\d+)\.(?: ([^*]+))?\*\*\s*");
    let lines = page.lines.iter().filter(|line| line.section == PREDICT);
    let lines: Vec<&Line> = lines.skip(1).collect();
    let begins = |line: &Line| line.folded == 0 && NUMBER.is_match(&line.text);
    let starts: Vec<usize> = (0..lines.len()).filter(|at| begins(lines[*at])).collect();
    let mut slides = Vec::new();
    for (index, start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(lines.len());
        let (question, answer): (Vec<&Line>, Vec<&Line>) =
            lines[*start..end].iter().partition(|line| line.folded == 0);
        let title = format!("Prediction {}", index + 1);
        let text = NUMBER.replace(&text_of(&question), "").into_owned();
        slides.push(prose(title, &short(&text)));
        slides.extend(answered(place, index + 1, &text_of(&answer)));
    }
    slides
}

fn text_of(lines: &[&Line]) -> String {
    let is_prose = |line: &&&Line| !line.is_comment && !line.text.starts_with("<a id");
    let lines = lines.iter().filter(is_prose).map(|line| line.text.as_str());
    lines.collect::<Vec<_>>().join("\n")
}

/// The text with long programs left out.
fn short(text: &str) -> String {
    pattern!(PROGRAM, r"(?ms)^```[^\n]*\n(.*?)^```");
    let cut = |found: &regex::Captures<'_>| {
        let shown =
            found[1].lines().filter(|line| !line.starts_with("# ") && *line != "#");
        let shown: Vec<&str> = shown.collect();
        if shown.len() > LONGEST_PROGRAM || found[1].contains("{{#include") {
            return "*(The program is in the chapter.)*".to_string();
        }
        format!("```\n{}\n```", shown.join("\n"))
    };
    PROGRAM.replace_all(text, cut).into_owned()
}

/// What a run printed, and then why.
fn answered(place: &Place, number: usize, fold: &str) -> Vec<Slide> {
    pattern!(CONSOLE, r"(?ms)^```console\n(.*?)^```");
    pattern!(FENCE, r"(?ms)^```.*?^```");
    let mut slides = Vec::new();
    for block in CONSOLE.captures_iter(fold) {
        let lines: Vec<String> = block[1].lines().map(String::from).collect();
        let Some(body) = printed(place, &lines) else { continue };
        let title = format!("Prediction {number}: run it");
        slides.push(Slide { title, body, ..Slide::default() });
    }
    let rest = FENCE.replace_all(fold, "");
    let lines = rest.lines().filter(|line| !line.starts_with('<'));
    let paragraphs = lines.collect::<Vec<_>>().join("\n");
    slides.push(prose(format!("Prediction {number}: why"), &paragraphs));
    slides
}

/// A slide of text, which is smaller if it is long.
fn prose(title: String, text: &str) -> Slide {
    let class = match text.len() {
        ..SHORT => "prediction short",
        SHORT..=LONG => "prediction",
        _ => "prediction long",
    };
    Slide { title, body: html_of(text), class, ..Slide::default() }
}

/// The points of the recap.
fn recap(page: &Page) -> Option<Slide> {
    let lines = page.prose().filter(|line| line.section == RECAP && line.folded == 0);
    let points = lines.filter(|line| line.text.starts_with("- "));
    let points: Vec<&str> = points.map(|line| line.text.as_str()).collect();
    let body = html_of(&points.join("\n"));
    let title = RECAP.to_string();
    (!points.is_empty()).then(|| Slide { title, body, ..Slide::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chapter_has_its_figures_outputs_predictions_and_recap() {
        let book = Book::read(&Place::new(None, None)).expect("it is there");
        let page = book.page("executor").expect("it is a chapter");
        let deck = deck(&book, page);
        assert_eq!(deck.title, "An executor: tasks and a ready queue");
        let slides = &deck.sections[0].slides;
        let count = |words: &str| {
            slides.iter().filter(|slide| slide.title.starts_with(words)).count()
        };
        assert!(slides[0].body.contains("write an executor for many tasks"));
        assert_eq!(count("An executor: tasks"), 1, "the figure of the idea");
        assert_eq!(count("Prediction 1"), 3, "question, run, why");
        assert_eq!(count("Prediction 4"), 2, "its program is not one of ours");
        assert_eq!(count("Recap"), 1);
        assert!(deck.html().contains("has sent it"));
    }

    #[test]
    fn long_programs_are_left_to_the_page() {
        let long =
            format!("a\n```rust\n{}```\nb", "x();\n".repeat(LONGEST_PROGRAM + 1));
        assert!(!short(&long).contains("x()"));
        assert_eq!(short("```rust\n# use a;\nb();\n```"), "```\nb();\n```");
    }
}
