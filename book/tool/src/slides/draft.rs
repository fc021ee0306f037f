//! Slides from what is written for them: each mark becomes what it names.

use super::deck::{Slide, VOTE};
use super::mark::Mark;
use super::markdown::{growing, html_of, inline, legend};
use super::script::{Draft, Piece};
use super::{notes, show};
use crate::read::bank::Bank;
use crate::read::book::Book;
use crate::read::plan::Row;
use figure::Look;

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

    /// The slides of a draft: one, or two for a vote and its key.
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
        // The numbers of a figure, with its line, and how many of them are explained.
        let (mut numbers, mut legends) = ((0, Vec::new()), 0);
        for (line, piece) in &draft.pieces {
            let mark = match piece {
                Piece::Text(text) if !numbers.1.is_empty() => {
                    slide.body += &legend(text, &numbers.1, &mut legends);
                    continue;
                }
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
                    if draft.pieces.len() == 1 {
                        slide.class = question.class;
                    }
                    slide.body +=
                        &format!("<div class=\"ask\">{}</div>", question.body);
                }
                Mark::Commands => slide.body += &show::commands(row),
                Mark::Next => {
                    slide.body += "<div class=\"fragment\">";
                    open += 1;
                }
                Mark::Vote(id) => {
                    let question = self.vote(id).map_err(wrong)?;
                    slide.class = VOTE;
                    slide.body += &question.body;
                    slide.notes += &question.notes;
                    let title = slide.title.clone();
                    more = Some(Slide { title, ..question.key });
                }
                mark => {
                    let shown = self.shown(mark).map_err(wrong)?;
                    if matches!(mark, Mark::Figure(..)) {
                        numbers = (*line, show::numbers(&shown));
                    }
                    slide.body += &shown;
                }
            }
        }
        let (line, count) = (numbers.0, numbers.1.len());
        if count != legends {
            let why = format!(
                "the figure has {count} numbers, and the list below it explains {legends}"
            );
            return Err((line, why));
        }
        slide.body += &"</div>".repeat(open);
        if draft.pieces.is_empty() && !draft.title.is_empty() {
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
            Mark::Address => show::address(place),
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
        let mut body = String::new();
        if let Some(listing) = &question.listing {
            body += &show::listing(&self.book.place, listing, &[])?;
        }
        body += &show::vote(&question.stem, &options, None);
        let notes = notes::of_question(self.bank, question);
        let key = Slide {
            body: show::vote(&question.stem, &options, Some(question.key))
                + &format!(
                    "<div class=\"explain\">{}</div>",
                    html_of(&question.explain)
                ),
            class: "vote key",
            notes: notes.clone(),
            ..Slide::default()
        };
        Ok(Vote { body, notes, key })
    }
}

/// A vote: the slide's body and notes, and the slide with the key.
struct Vote {
    body: String,
    notes: String,
    key: Slide,
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
