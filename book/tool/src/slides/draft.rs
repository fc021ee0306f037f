//! Slides from what is written for them: each mark becomes what it names.

use super::deck::Slide;
use super::mark::Mark;
use super::markdown::{growing, html_of, inline};
use super::script::{Draft, Piece};
use super::{notes, show};
use crate::read::bank::{Bank, letter};
use crate::read::book::Book;
use crate::read::plan::Row;
use figure::Look;

/// A vote with more letters than this has its answer on a slide of its own.
const LONGEST_VOTE: usize = 900;

/// A question with more letters than this is smaller.
const LONG_QUESTION: usize = 160;

/// Makes slides. It counts figures, so that each has an id of its own.
pub(super) struct Show<'a> {
    book: &'a Book,
    bank: &'a Bank,
    figures: usize,
}

/// What is wrong, and in which line.
type Wrong = (usize, String);

impl<'a> Show<'a> {
    /// Shows what is in this book and its bank.
    pub(super) fn new(book: &'a Book, bank: &'a Bank) -> Show<'a> {
        Show { book, bank, figures: 0 }
    }

    /// The slides of a draft: one, or two if a vote is long.
    ///
    /// # Errors
    /// What a mark names is not there, or does not fit.
    pub(super) fn draft(
        &mut self,
        row: &Row,
        draft: &Draft,
    ) -> Result<Vec<Slide>, Wrong> {
        let mut slide = Slide { title: inline(&draft.title), ..Slide::default() };
        let mut more = None;
        let mut open = 0;
        for (line, piece) in &draft.pieces {
            let mark = match piece {
                Piece::Text(text) => {
                    slide.body += &growing(text);
                    continue;
                }
                Piece::Mark(mark) => mark,
            };
            let wrong = |why| (*line, why);
            match mark {
                Mark::Ask => {
                    if row.ask.is_empty() {
                        let why = "the plan has no question in this row";
                        return Err(wrong(why.to_string()));
                    }
                    let question = self.question(&row.ask);
                    slide.class = question.class;
                    slide.body += &question.body;
                }
                Mark::Next => {
                    slide.body += "<div class=\"fragment\">";
                    open += 1;
                }
                Mark::Vote(id) => {
                    let question = self.vote(id).map_err(wrong)?;
                    slide.class = "vote";
                    slide.body += &question.body;
                    slide.notes += &question.notes;
                    more = question.more;
                }
                mark => slide.body += &self.shown(mark).map_err(wrong)?,
            }
        }
        slide.body += &"</div>".repeat(open);
        if draft.pieces.is_empty() {
            slide = self.question(&draft.title);
        }
        slide.notes = html_of(&draft.notes) + &slide.notes;
        Ok(std::iter::once(slide).chain(more).collect())
    }

    fn shown(&mut self, mark: &Mark) -> Result<String, String> {
        let place = &self.book.place;
        match mark {
            Mark::Figure(name, look) => self.figure(name, *look),
            Mark::Listing(what, steps) => show::listing(place, what, steps),
            Mark::Output(step, span) => show::output(&self.book.project, step, *span),
            Mark::Run(name, span) => show::run(place, name, *span),
            _ => Err("it cannot be here".to_string()),
        }
    }

    /// A figure with an id that no other figure of the deck has.
    fn figure(&mut self, name: &str, look: Look) -> Result<String, String> {
        self.figures += 1;
        let id = format!("{name}-{}", self.figures);
        show::figure(&self.book.place, name, look, &id)
    }

    /// A question, alone on its slide.
    fn question(&self, text: &str) -> Slide {
        let text = asked(text);
        let class =
            if text.len() > LONG_QUESTION { "question long" } else { "question" };
        Slide { body: html_of(&text), class, ..Slide::default() }
    }

    fn vote(&self, id: &str) -> Result<Vote, String> {
        let question = self.bank.question(id);
        let question =
            question.ok_or(format!("there is no question `{id}`: see bank/*.toml"))?;
        if question.test.is_some() {
            return Err(format!(
                "`{id}` is in the test for before and after: vote on another question"
            ));
        }
        let options: Vec<&str> =
            question.options.iter().map(|it| it.text.as_str()).collect();
        let letters =
            question.stem.len() + options.iter().map(|it| it.len()).sum::<usize>();
        let is_long = letters + question.explain.len() > LONGEST_VOTE;
        let why = if is_long { "" } else { &question.explain };
        let mut body = String::new();
        if let Some(listing) = &question.listing {
            body += &show::listing(&self.book.place, listing, &[])?;
        }
        body += &show::vote(&question.stem, &options, question.key, why);
        let answer = format!(
            "<p class=\"key\"><b>{}</b> {}</p>{}",
            letter(question.key),
            inline(options[question.key]),
            html_of(&question.explain)
        );
        let more = is_long.then(|| Slide {
            title: "The answer".to_string(),
            body: answer,
            class: "answer",
            ..Slide::default()
        });
        let notes = notes::of_question(self.bank, question);
        Ok(Vote { body, notes, more })
    }
}

/// A vote: the slide's body and notes, and a slide with the answer if it is long.
struct Vote {
    body: String,
    notes: String,
    more: Option<Slide>,
}

/// A question as the class reads it: with a capital, and without the sentences in brackets,
/// which are for the teacher.
pub(super) fn asked(text: &str) -> String {
    pattern!(ASIDE, r"\s*\([A-Z][^()]*\.\)");
    sentence(&ASIDE.replace_all(text, ""))
}

/// With a capital.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::bank;
    use crate::read::place::Place;

    #[test]
    fn a_vote_is_not_on_a_question_of_the_test() {
        let place = Place::new(None, None);
        let book = Book::read(&place).expect("it is there");
        let bank = bank::read(&place).expect("it is there");
        let show = Show::new(&book, &bank);
        assert!(show.vote("two-generators").is_ok());
        let why = show.vote("inside-wake").err().unwrap_or_default();
        assert!(why.contains("in the test for before and after"), "{why}");
    }

    #[test]
    fn what_is_for_the_teacher_is_not_asked() {
        let text =
            "when is it over? (They will say: soon. Ask again.) And `b` (a trait)?";
        assert_eq!(asked(text), "When is it over? And `b` (a trait)?");
    }
}
