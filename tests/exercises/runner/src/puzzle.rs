//! Puzzles that are made of a solution and its recorded mistakes, so that the check of the
//! exercise has the answer: the solution in shuffled blocks, and a mistake for which a case is
//! to be named. The same seed makes the same puzzle on each machine.

use crate::material::{Exercise, without_anchors};
use crate::mistakes::{self, Mistake};
use crate::mutants::shuffled;
use crate::variants::{self, Ends, Variant};
use std::ops::Range;
use std::path::Path;

/// How many blocks are wrong.
pub const WRONG: usize = 3;

/// The most blocks that are right.
const MOST: usize = 9;

/// The most lines of a wrong block, and of one that is short.
const LONGEST: usize = 8;
const SHORT: usize = 4;

/// A solution in blocks (a Parsons problem).
pub struct Parsons {
    /// What precedes the blocks in the file, and what follows them.
    pub around: [String; 2],
    /// The blocks, in the order in which they are shown.
    pub blocks: Vec<Block>,
}

/// Some lines of the solution, or what a mistake has in their place.
pub struct Block {
    /// Its text.
    pub text: String,
    /// The mistake. `None`: the block is right.
    pub mistake: Option<String>,
    /// The numbers of these lines in the solution.
    lines: Range<usize>,
}

impl Parsons {
    /// Makes the puzzle of an exercise.
    pub fn of(exercise: &Exercise, seed: u64) -> Result<Parsons, String> {
        let hash = |text: &str| shuffled(&format!("{seed} {} {text}", exercise.name));
        let solution = exercise.read("solution.rs")?;
        let none = || format!("{}: its solution has no anchor", exercise.name);
        let (before, rest) =
            solution.split_once("// ANCHOR: solution\n").ok_or_else(none)?;
        let (shown, after) =
            rest.split_once("// ANCHOR_END: solution\n").ok_or_else(none)?;
        let shown = without_anchors(shown);
        let lines = code(&shown);
        let variants = variants::parse(&exercise.read("wrong.txt")?)?;
        let wrong = variants.iter().filter_map(|it| {
            let block = replaced(it, &lines)?;
            // Short ones come first, and those that end at once.
            let is_long = block.lines.len() > SHORT;
            Some(((it.ends != Ends::Panics, is_long, hash(&block.text)), block))
        });
        let mut wrong: Vec<_> = wrong.collect();
        wrong.sort_by_key(|it| it.0);
        let mut blocks: Vec<Block> =
            wrong.into_iter().map(|it| it.1).take(WRONG).collect();
        let ends = |it: &Block| [it.lines.start, it.lines.end];
        let cuts: Vec<usize> = blocks.iter().flat_map(ends).collect();
        blocks.extend(cut(&lines, &cuts).into_iter().map(|range| {
            let text = lines[range.clone()].join("\n");
            Block { text, mistake: None, lines: range }
        }));
        blocks.sort_by_key(|it| hash(&it.text));
        // An anchor may be indented.
        let around = [before.trim_end_matches(' '), after].map(without_anchors);
        Ok(Parsons { around, blocks })
    }

    /// Returns the file with these blocks, named by their places in `blocks`.
    pub fn assembled(&self, order: &[usize]) -> String {
        let [before, after] = &self.around;
        let text = |it: &usize| format!("{}\n", self.blocks[*it].text);
        format!("{before}{}{after}", order.iter().map(text).collect::<String>())
    }

    /// Returns an order that is right: that of the solution.
    pub fn order(&self) -> Vec<usize> {
        let is_right = |it: &usize| self.blocks[*it].mistake.is_none();
        let mut order: Vec<usize> = (0..self.blocks.len()).filter(is_right).collect();
        order.sort_by_key(|it| self.blocks[*it].lines.start);
        order
    }
}

/// The lines of code, without empty ones.
fn code(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.trim().is_empty()).collect()
}

/// Returns a mistake as a block, if it replaces a few lines at one place.
fn replaced(variant: &Variant, lines: &[&str]) -> Option<Block> {
    let (old, new) = variant.only_change()?;
    let (old, new) = (code(old), code(new));
    let fits = |it: &[&str]| (1..=LONGEST).contains(&it.len());
    if variant.is_right() || !fits(&old) || !fits(&new) {
        return None;
    }
    let at = lines.windows(old.len()).position(|it| it == old)?;
    let mistake = Some(variant.name.clone());
    Some(Block { text: new.join("\n"), mistake, lines: at..at + old.len() })
}

/// Cuts lines into blocks, [`MOST`] if the cuts that have to be leave room for that: at first
/// one for each statement, then the shortest neighbours are joined.
fn cut(lines: &[&str], cuts: &[usize]) -> Vec<Range<usize>> {
    let mut blocks: Vec<Range<usize>> = Vec::new();
    let mut is_open = false;
    for (at, line) in lines.iter().enumerate() {
        let line = line.trim();
        // What closes a block of code stays with what is before it.
        let goes_on = is_open || line.starts_with(['}', ')', ']']);
        match blocks.last_mut() {
            Some(last) if goes_on && !cuts.contains(&at) => last.end = at + 1,
            _ => blocks.push(at..at + 1),
        }
        let is_whole = line.ends_with([';', '{', '}', ',']);
        is_open = !is_whole || line.starts_with("//") || line.starts_with("#[");
    }
    while blocks.len() > MOST {
        let pairs = (1..blocks.len()).filter(|it| !cuts.contains(&blocks[*it].start));
        let length = |it: &usize| blocks[*it].end - blocks[it - 1].start;
        let Some(at) = pairs.min_by_key(length) else { break };
        blocks[at - 1].end = blocks.remove(at).end;
    }
    blocks
}

/// A recorded mistake, and the cases of its check.
pub struct Which {
    /// The mistake, with what the check says about it.
    pub mistake: Mistake,
    /// The solution, and the same with the mistake.
    pub texts: [String; 2],
    /// All cases, in their order.
    pub cases: Vec<String>,
    /// Which of them may stop the mistake: one, unless threads decide.
    pub keys: Vec<usize>,
}

impl Which {
    /// Returns a question about each mistake of an exercise.
    pub fn all(exercise: &Exercise, root: &Path) -> Result<Vec<Which>, String> {
        let name = &exercise.name;
        let checks = exercise.checks(root)?;
        let cases = checks.split_once("\ncases! {").and_then(|it| it.1.split_once('}'));
        let names = cases.and_then(|it| it.0.split_once(':')).map_or("", |it| it.1);
        let cases = names.split(',').map(|it| it.trim().replace('_', " "));
        let cases: Vec<String> = cases.filter(|it| !it.is_empty()).collect();
        let solution = exercise.read("solution.rs")?;
        let wrong = variants::parse(&exercise.read("wrong.txt")?)?;
        let mut all = Vec::new();
        for mistake in mistakes::parse(&exercise.read(mistakes::FILE)?)? {
            let variant = wrong.iter().find(|it| it.name == mistake.name);
            let variant = variant.ok_or(format!("{name}: no `{}`", mistake.name))?;
            let is_key = |it: &usize| variant.cases.contains(&cases[*it]);
            let keys = (0..cases.len()).filter(is_key).collect();
            let texts = [&solution, &variant.apply(&solution)?];
            let texts = texts.map(|it| without_anchors(it));
            all.push(Which { mistake, texts, cases: cases.clone(), keys });
        }
        Ok(all)
    }

    /// Returns the same, in the order of this seed.
    pub fn mixed(
        exercise: &Exercise,
        root: &Path,
        seed: u64,
    ) -> Result<Vec<Which>, String> {
        let mut all = Which::all(exercise, root)?;
        all.sort_by_key(|it| shuffled(&format!("{seed} {}", it.mistake.name)));
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{Project, exercises};

    #[test]
    fn each_exercise_makes_puzzles_of_its_own_solution_and_mistakes() {
        let root = Project::new(None).root;
        for exercise in exercises(&root).expect("the material is fine") {
            let name = &exercise.name;
            let made = Parsons::of(&exercise, 0).expect(name);
            let solution = exercise.read("solution.rs").expect(name);
            let (plain, order) = (without_anchors(&solution), made.order());
            assert_eq!(code(&made.assembled(&order)), code(&plain), "{name}");
            let all = Which::all(&exercise, &root).expect(name);
            assert!(all.iter().all(|it| !it.keys.is_empty()), "{name}");
            let start = |it: &usize| made.blocks[*it].lines.start;
            let mut count = 0;
            for (at, wrong) in made.blocks.iter().enumerate() {
                let Some(mistake) = &wrong.mistake else { continue };
                count += 1;
                let stays = |it: &usize| !wrong.lines.contains(&start(it));
                let mut other = order.clone();
                other.retain(stays);
                other.push(at);
                other.sort_by_key(start);
                let which = all.iter().find(|it| it.mistake.name == *mistake);
                let [_, text] = &which.expect(name).texts;
                assert_eq!(code(&made.assembled(&other)), code(text), "{name}");
            }
            assert_eq!(count, WRONG, "{name}");
        }
    }
}
