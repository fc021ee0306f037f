//! What is written by hand for the player of a trace fits the trace: the figure is in the page
//! and has the numbers, the rows exist, and the right option is right.

use crate::read::book::Book;
use crate::read::place::files;
use crate::read::player::{self, Player};
use crate::read::problem::Problem;

/// Looks at all traces.
pub fn check(book: &Book) -> Vec<Problem> {
    let mut problems = Vec::new();
    for name in player::playable(&book.place) {
        let file = player::file(&book.place, &name, "toml");
        let mut add = |text: String| {
            problems.push(Problem::new(book.place.shown(&file), 0, text));
        };
        match Player::read(&book.place, &name) {
            Ok(None) => {}
            Err(why) => add(why),
            Ok(Some(player)) => {
                player.problems(&book.place).into_iter().for_each(&mut add);
                let figure = player.settings.figure.as_deref();
                figure
                    .and_then(|it| elsewhere(book, &name, it))
                    .into_iter()
                    .for_each(add);
            }
        }
    }
    for file in files(&book.place.book.join("traces"), "toml") {
        if !file.with_extension("json").is_file() {
            let text = "no trace of this name can be played: rename it, or delete it";
            problems.push(Problem::new(book.place.shown(&file), 0, text.to_string()));
        }
    }
    problems
}

/// The player copies its figure from the page.
fn elsewhere(book: &Book, trace: &str, figure: &str) -> Option<String> {
    let table = format!("{{{{#include ../traces/{trace}.md}}}}");
    let made = format!("{{{{#include ../made/player-{trace}.md}}}}");
    let svg = format!("{{{{#include ../figures/{figure}.svg}}}}");
    let page = book
        .pages
        .iter()
        .find(|page| page.text.contains(&table) || page.text.contains(&made))?;
    let why = format!("{} does not show the figure `{figure}`", page.slug);
    (!page.text.contains(&svg)).then_some(why)
}
