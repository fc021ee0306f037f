//! Slides fit their plans, and all that they name is there.

use super::mark::Mark;
use super::script::{Draft, Piece, Script};
use super::{handout, lecture};
use crate::book::Book;
use crate::place::{files, stem};
use crate::plan::{self, Plan};
use crate::problem::Problem;

/// Each plan has a deck and a handout; where slides are written, each row has some, with
/// its question.
pub fn check(book: &Book) -> Vec<Problem> {
    let mut problems = Vec::new();
    let plans = plan::names(&book.place);
    for name in &plans {
        problems.extend(of_plan(book, name));
    }
    let written = files(&book.place.book.join("slides"), "md");
    let is_stray =
        |name: &str| name != "README" && plans.iter().all(|plan| plan != name);
    for file in written.iter().filter(|file| is_stray(stem(file))) {
        let text = "there is no plan of this name";
        problems.push(Problem::new(book.place.shown(file), 0, text));
    }
    problems
}

fn of_plan(book: &Book, name: &str) -> Vec<Problem> {
    // What is wrong with a plan is for another rule to say.
    let Ok(plan) = plan::read(&book.place, name) else { return Vec::new() };
    match Script::read(&book.place, name) {
        Ok(Some(script)) => {
            let rows = rows(&plan, &script);
            if !rows.is_empty() {
                return rows;
            }
        }
        Ok(None) => {}
        Err(problems) => return problems,
    }
    match lecture::deck(book, name) {
        Ok(_) => handout::page(book, name).err().unwrap_or_default(),
        Err(problems) => problems,
    }
}

/// The rows of the slides are those of the plan.
fn rows(plan: &Plan, script: &Script) -> Vec<Problem> {
    let wrong = |line, text: String| Problem::new(&script.file, line, text);
    let all = script.parts.iter().flatten().flat_map(|row| &row.slides);
    let is_empty = |draft: &&Draft| draft.pieces.is_empty() && draft.title.is_empty();
    let mut problems: Vec<Problem> = all
        .filter(is_empty)
        .map(|draft| wrong(draft.line, "this slide is empty".to_string()))
        .collect();
    for lecture::At { part, row } in lecture::rows(plan) {
        let minutes = format!("{}–{}", row.from, row.to);
        let Some(written) = script.row(part, (row.from, row.to)) else {
            if !row.pause {
                let text = format!("write slides for the plan's row `## {minutes}`");
                problems.push(wrong(0, text));
            }
            continue;
        };
        let asks = written.slides.iter().any(asks);
        if !row.ask.is_empty() && !asks {
            let text =
                format!("`{minutes}` has a question: write {{{{ask}}}} or a vote");
            problems.push(wrong(written.line, text));
        }
    }
    for (part, rows) in script.parts.iter().enumerate() {
        for row in rows {
            let is_in = |at: &lecture::At<'_>| {
                at.part == part && (at.row.from, at.row.to) == row.minutes
            };
            if !lecture::rows(plan).any(|at| is_in(&at)) {
                problems.push(wrong(row.line, "the plan has no such row".to_string()));
            }
        }
    }
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
    use crate::page::Role;
    use crate::place::Place;
    use crate::slides::chapter;
    use crate::slides::script::parse;

    #[track_caller]
    fn assert_wrong(slides: &str, expected: &[&str]) {
        let plan = "title = \"A\"\nminutes = 9\n[[part]]\n[[part.row]]\nfrom = 0\nto = 5\n\
            topic = \"a\"\nask = \"Why?\"\n[[part.row]]\nfrom = 5\nto = 9\ntopic = \"b\"\n\
            pause = true\n";
        let plan: Plan = toml::from_str(plan).expect("it is a plan");
        let parts = parse(slides).expect("they can be read");
        let problems = rows(&plan, &Script { file: "a".to_string(), parts });
        let texts: Vec<&str> = problems.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts, expected);
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

    #[test]
    fn our_slides_keep_the_rules() {
        let book = Book::read(&Place::new(None, None)).expect("it is there");
        assert_eq!(check(&book), []);
        for page in book.pages.iter().filter(|page| page.role != Role::Appendix) {
            let slides = &chapter::deck(&book, page).sections[0].slides;
            assert!(slides.len() > 5, "{}", page.slug);
        }
    }
}
