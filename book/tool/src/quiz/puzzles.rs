//! Puzzles to print: recorded mistakes, each with the cases of its check, and solutions in
//! blocks, as `cargo exercise which` and `parsons` show them. The keys are in pages of their own.

use super::sheet::page;
use super::{inline, listing};
use crate::html::highlight::escaped;
use crate::read::book::Book;
use runner::puzzle::{Parsons, Which};
use runner::show::difference;

/// What is asked about a mistake.
const WHICH: &str = "<p>Each program has one mistake, shown as a change of a right solution. \
    The cases of the check run in this order. Which one is the first that does not hold \
    (5 points), and why (5)?</p>\n";

/// What is to be done with blocks.
const BLOCKS: &str = "<p>Write down the numbers of the blocks in a right order. Three of the \
    blocks are wrong, and belong nowhere. If your order is not that of the key, let \
    <code>cargo exercise parsons NAME</code> check it.</p>\n";

/// The pages, by the names of their files. Of a chapter: all mistakes in its exercises; else
/// one mistake of each exercise.
pub(super) fn pages(
    book: &Book,
    chapter: Option<&str>,
) -> Result<Vec<(String, String)>, String> {
    let most = if chapter.is_some() { usize::MAX } else { 1 };
    let (mut mistakes, mut blocks) = (Vec::new(), Vec::new());
    for exercise in book.exercises() {
        if chapter.is_none_or(|chapter| exercise.chapter == chapter) {
            let all = Which::mixed(exercise, &book.place.root, 0)?;
            mistakes.extend(all.iter().take(most).map(|it| (exercise, which(it))));
            blocks.push((exercise, parsons(&Parsons::of(exercise, 0)?)));
        }
    }
    let name = chapter.map_or(String::new(), |chapter| format!("{chapter}-"));
    let mut pages = Vec::new();
    for (file, title, task, puzzles) in [
        ("mistakes", "Which case stops it?", WHICH, mistakes),
        ("blocks", "Solutions in blocks", BLOCKS, blocks),
    ] {
        let (mut items, mut keys) = (task.to_string(), String::new());
        for (number, (exercise, (item, key))) in (1..).zip(&puzzles) {
            let (title, name) = (escaped(&exercise.title), &exercise.name);
            let head = format!("<h2>{number}. {title} (<code>{name}</code>)</h2>");
            items += &format!("<section>\n{head}\n{item}</section>\n");
            keys += &format!("<section>\n{head}\n{key}</section>\n");
        }
        if !puzzles.is_empty() {
            let titled = page(&format!("Keys: {title}"), &keys);
            pages.push((format!("{name}{file}.html"), page(title, &items)));
            pages.push((format!("{name}{file}-keys.html"), titled));
        }
    }
    Ok(pages)
}

/// A mistake and its key.
fn which(it: &Which) -> (String, String) {
    let lines = difference(&it.texts[0], &it.texts[1]);
    let cases = it.cases.iter().map(|case| format!("<li>{}</li>\n", escaped(case)));
    let cases: String = cases.collect();
    let keys: Vec<String> = it.keys.iter().map(|key| (key + 1).to_string()).collect();
    let (keys, name) = (keys.join(" or "), inline(&it.mistake.name));
    let says = listing(&it.mistake.says.join("\n"));
    let key =
        format!("<p><strong>{keys}</strong> ({name}). The check says:</p>\n{says}\n");
    (format!("{}\n<ol>\n{cases}</ol>\n", listing(&lines.join("\n"))), key)
}

/// Blocks and their key.
fn parsons(it: &Parsons) -> (String, String) {
    let around = it.around.join("    … your blocks …\n");
    let (mut blocks, mut wrong) = (String::new(), String::new());
    for (number, block) in (1..).zip(&it.blocks) {
        blocks += &format!("<li>{}</li>\n", listing(&block.text));
        if let Some(mistake) = &block.mistake {
            wrong += &format!("<li>{number}: {}</li>\n", inline(mistake));
        }
    }
    let order: Vec<String> = it.order().iter().map(|it| (it + 1).to_string()).collect();
    let order = order.join(" ");
    let key = format!("<p><strong>{order}</strong></p>\n<ul>\n{wrong}</ul>\n");
    (format!("{}\n<ol>\n{blocks}</ol>\n", listing(around.trim())), key)
}
