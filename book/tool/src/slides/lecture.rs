//! A plan beside the slides that are written for it, and the deck of both.

use super::deck::{Deck, Section, Slide};
use super::draft::{Show, sentence};
use super::mark::Mark;
use super::markdown::{inline, plain};
use super::notes;
use super::script::{Draft, Piece, Row as Written, Script};
use crate::html::highlight::escaped;
use crate::read::bank;
use crate::read::book::Book;
use crate::read::plan::{self, Plan, Row};
use crate::read::problem::Problem;

/// A plan, each row of which has slides.
pub(super) struct Lecture {
    /// The plan.
    pub(super) plan: Plan,
    /// Its slides.
    pub(super) script: Script,
}

impl Lecture {
    /// Reads a plan and its slides.
    ///
    /// # Errors
    /// One of them is missing or cannot be read, or the rows of one are not those of the
    /// other.
    pub(super) fn read(book: &Book, name: &str) -> Result<Lecture, Vec<Problem>> {
        let file = format!("book/plans/{name}.toml");
        let plan = plan::read(&book.place, name)
            .map_err(|why| vec![Problem::new(file, 0, why)])?;
        let script = Script::read(&book.place, name)?;
        let problems = differences(&plan, &script);
        if problems.is_empty() { Ok(Lecture { plan, script }) } else { Err(problems) }
    }

    /// The rows, in order, with what is written for each. Only a pause has nothing.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&Row, Option<&Written>)> {
        self.plan.rows().map(|row| (row, self.script.row(row)))
    }

    /// The deck.
    ///
    /// # Errors
    /// All that is wrong with the slides.
    pub(super) fn deck(&self, book: &Book) -> Result<Deck, Vec<Problem>> {
        let bank = bank::read(&book.place)
            .map_err(|why| vec![Problem::new("book/bank", 0, why)])?;
        let mut problems = Vec::new();
        let mut deck = Deck { title: plain(&self.plan.title), ..Deck::default() };
        let mut show = Show::new(book, &bank);
        match show.draft(&Row::default(), &self.script.title) {
            Ok(mut made) => deck.first = made.swap_remove(0),
            Err((line, why)) => {
                problems.push(Problem::new(&self.script.file, line, why));
            }
        }
        deck.first.title = String::new();
        deck.first.class = "title";
        deck.first.body =
            format!("<h1>{}</h1>{}", escaped(&deck.title), deck.first.body);
        deck.first.notes += notes::KEYS;
        for (row, written) in self.rows() {
            let mut slides = Vec::new();
            for draft in written.into_iter().flat_map(|it| &it.slides) {
                match show.draft(row, draft) {
                    Ok(made) => slides.extend(made),
                    Err((line, why)) => {
                        problems.push(Problem::new(&self.script.file, line, why));
                    }
                }
            }
            if slides.is_empty() {
                slides.push(heading(row));
            }
            let of_row = notes::of_row(row);
            for slide in &mut slides {
                slide.notes += &of_row;
            }
            slides[0].notes += &notes::of_chapters(book, row);
            let label = format!("{}–{} · {}", row.from, row.to, plain(&row.topic));
            let seconds = row.length() as usize * 60;
            let topic = sentence(&inline(&row.topic));
            deck.sections.push(Section { label, topic, seconds, slides });
        }
        if problems.is_empty() { Ok(deck) } else { Err(problems) }
    }
}

/// The topic of a row, large.
fn heading(row: &Row) -> Slide {
    let body = format!("<p>{}</p>", sentence(&inline(&row.topic)));
    Slide { body, class: "question", ..Slide::default() }
}

/// Each row of the plan has slides, with its question, and all slides belong to a row.
fn differences(plan: &Plan, script: &Script) -> Vec<Problem> {
    let wrong = |line, text: String| Problem::new(&script.file, line, text);
    let all = script.rows.iter().flat_map(|row| &row.slides);
    let is_empty = |draft: &&Draft| draft.pieces.is_empty() && draft.title.is_empty();
    let mut problems: Vec<Problem> = all
        .filter(is_empty)
        .map(|draft| wrong(draft.line, "this slide is empty".to_string()))
        .collect();
    for row in plan.rows() {
        let minutes = row.minutes();
        let Some(written) = script.row(row) else {
            if !row.pause {
                let text = format!("write slides for the plan's row `## {minutes}`");
                problems.push(wrong(0, text));
            }
            continue;
        };
        if !row.ask.is_empty() && !written.slides.iter().any(asks) {
            let text =
                format!("`{minutes}` has a question: write {{{{ask}}}} or a vote");
            problems.push(wrong(written.line, text));
        }
    }
    let is_planned =
        |written: &Written| plan.rows().any(|it| (it.from, it.to) == written.minutes);
    let stray = script.rows.iter().filter(|row| !is_planned(row));
    let text = "the plan has no such row";
    problems.extend(stray.map(|row| wrong(row.line, text.to_string())));
    problems
}

fn asks(slide: &Draft) -> bool {
    let is_one =
        |piece: &Piece| matches!(piece, Piece::Mark(Mark::Ask | Mark::Vote(_)));
    slide.pieces.iter().any(|(_, piece)| is_one(piece))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::place::Place;
    use crate::slides::script::parse;

    #[track_caller]
    fn assert_wrong(slides: &str, expected: &[&str]) {
        let plan = "title = \"A\"\nminutes = 9\n[[part]]\n[[part.row]]\nfrom = 0\nto = 5\n\
            topic = \"a\"\nask = \"Why?\"\n[[part.row]]\nfrom = 5\nto = 9\ntopic = \"b\"\n\
            pause = true\n";
        let plan: Plan = toml::from_str(plan).expect("it is a plan");
        let (title, rows) = parse(slides).expect("they can be read");
        let script = Script { file: "a".to_string(), title, rows };
        let problems = differences(&plan, &script);
        let texts: Vec<&str> = problems.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn ninety_minutes_have_five_votes_and_forty_five_minutes_of_talk() {
        let book = Book::read(&Place::new(None, None)).expect("it is there");
        let lecture = Lecture::read(&book, "90").expect("it is there");
        let deck = lecture.deck(&book).expect("it is fine");
        assert_eq!(deck.votes().len(), 5);
        assert_eq!(deck.html().matches("class=\"vote key\"").count(), 5);
        assert!(deck.first.body.contains("class=\"address\""));
        assert!(lecture.plan.rows().map(Row::talk).sum::<u32>() <= 45);
        let writes = |row: &&Row| row.class == 10 && row.talk() == 0;
        assert_eq!(lecture.plan.rows().filter(writes).count(), 2);
    }

    #[test]
    fn each_row_has_slides_with_its_question() {
        assert_wrong("# A\n## 0–5\n### B\n{{ask}}\n", &[]);
        assert_wrong("# A\n## 0–5\n### B\n{{vote a}}\n", &[]);
        let no_question = "`0–5` has a question: write {{ask}} or a vote";
        assert_wrong("# A\n## 0–5\n### B\n", &[no_question]);
        let missing = "write slides for the plan's row `## 0–5`";
        assert_wrong("# A\n## 0–4\n### B\n", &[missing, "the plan has no such row"]);
    }
}
