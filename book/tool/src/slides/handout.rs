//! The handout of a plan, for paper, written by hand in `slides/NAME-handout.md`.

use super::frame;
use super::lecture::Lecture;
use super::mark::Mark;
use super::markdown::{html_of, plain};
use super::script::{Draft, Piece, handout};
use super::show;
use crate::html::highlight::escaped;
use crate::read::book::Book;
use crate::read::problem::Problem;
use crate::read::text::lines;
use std::fs;

/// How wide the text is on paper: A4 without its margins, in points.
const WIDTH: f64 = 182.0 / 25.4 * 72.0;

/// The smallest letters in a figure, in its own pixels: see `theme/figures.css`.
const SMALLEST: f64 = 13.0;

/// The least size of letters on paper, in points.
const LEAST: f64 = 7.0;

/// The handout of a plan as a page.
///
/// # Errors
/// All that is wrong with it or with the slides.
pub(super) fn page(
    book: &Book,
    lecture: &Lecture,
    name: &str,
) -> Result<String, Vec<Problem>> {
    let file = handout(&book.place, name);
    let shown = book.place.shown(&file);
    let wrong = |(line, why)| vec![Problem::new(&shown, line, why)];
    let text = fs::read_to_string(&file).map_err(|it| wrong((0, it.to_string())))?;
    let (mut draft, mut body) = (Draft::default(), String::new());
    for line in lines(&text).iter().filter(|line| !line.is_comment) {
        draft.read(line.number, &line.text).map_err(|why| wrong((line.number, why)))?;
    }
    for (line, piece) in &draft.pieces {
        body += &match piece {
            Piece::Text(text) => html_of(text),
            Piece::Mark(mark) => shown_on_paper(book, lecture, mark)?
                .map_err(|why| wrong((*line, why)))?,
        };
    }
    let styles = frame::styles(book, &["figures.css", "handout.css"])?;
    let title = escaped(&plain(&lecture.plan.title));
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{title}: handout</title>\n<style>\n{styles}</style>\n</head>\n<body>\n<main>\n\
         {body}</main>\n</body>\n</html>\n"
    ))
}

/// What a mark shows.
///
/// # Errors
/// First those of the deck, then that of the mark itself.
fn shown_on_paper(
    book: &Book,
    lecture: &Lecture,
    mark: &Mark,
) -> Result<Result<String, String>, Vec<Problem>> {
    let place = &book.place;
    Ok(match mark {
        Mark::Figure(name, look) => {
            show::figure(place, name, *look, &format!("{name}-out")).and_then(readable)
        }
        Mark::Listing(what, _) => show::listing(place, what, &[]),
        Mark::Address => show::address(place),
        Mark::Lines(count) => {
            Ok(format!("<div class=\"lines\">{}</div>", "<i></i>".repeat(*count)))
        }
        Mark::Commands => Ok(lecture.plan.rows().map(show::commands).collect()),
        Mark::Votes => Ok(votes(&lecture.deck(book)?.votes())),
        _ => Err("it cannot be here".to_string()),
    })
}

/// A figure, if its letters are large enough on paper.
fn readable(svg: String) -> Result<String, String> {
    pattern!(BOX, r#"viewBox="0 0 ([0-9.]+) "#);
    let width = BOX.captures(&svg).and_then(|it| it[1].parse::<f64>().ok());
    let size = SMALLEST * WIDTH / width.ok_or("it has no size")?;
    if size >= LEAST {
        return Ok(svg);
    }
    Err(format!("its letters have {size:.1} pt on paper, and need {LEAST} pt"))
}

/// Boxes for each vote, alone and after talking with a neighbor.
fn votes(votes: &[(usize, &str)]) -> String {
    let boxes = ["A", "B", "C", "D"].map(|it| format!("<b>{it}</b>")).concat();
    let mut html = "<table class=\"votes\"><tr><th>vote</th><th>alone</th>\
        <th>after talking</th><th>the key, and why</th></tr>"
        .to_string();
    for (number, (slide, topic)) in (1..).zip(votes) {
        html += &format!(
            "<tr><td>{number}. {topic} <small>slide {slide}</small></td><td>{boxes}</td>\
             <td>{boxes}</td><td></td></tr>"
        );
    }
    html + "</table>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_whose_letters_would_be_tiny_is_refused() {
        let svg = |width| format!("<svg viewBox=\"0 0 {width} 10\">");
        assert!(readable(svg(958)).is_ok());
        assert!(readable(svg(959)).is_err());
        let why = readable(svg(1916)).expect_err("it is wide");
        assert_eq!(why, "its letters have 3.5 pt on paper, and need 7 pt");
    }

    #[test]
    fn a_vote_has_two_rows_of_boxes() {
        let html = votes(&[(5, "waiting"), (9, "the spin")]);
        assert_eq!(html.matches("<b>A</b><b>B</b><b>C</b><b>D</b>").count(), 4);
        assert!(html.contains("2. the spin <small>slide 9</small>"), "{html}");
    }
}
