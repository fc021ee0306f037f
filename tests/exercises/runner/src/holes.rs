//! Holes of a solution: what a learner writes is marked, and the start is made from it.
//!
//! ```text
//!     fn deliver(&self, number: u32) {
//!         // hole 2
//!         //| todo!("store the number {number}, and call the waker of the task that waits")
//!         self.0.borrow_mut().number = Some(number);
//!         …
//!         // end hole
//!     }
//! ```
//!
//! A hole of level 1 is open in the starts of the levels 1 and 2, one of level 2 only in the
//! usual start. An open hole has the lines after `//|`, and none of its code; without such
//! lines, nothing is left of it. Holes may be nested: within a hole that is open, those inside
//! it count no more.
//!
//! The anchor `solution` is called `task` in the start. Where the book prints another part of
//! the start, the solution has an anchor `task` beside its own.

/// The level at which exercises begin, unless another one is asked for.
pub const USUAL: u8 = 2;

/// All levels: a few holes, the usual ones, and only the signatures.
pub const LEVELS: std::ops::RangeInclusive<u8> = 1..=3;

/// What a line of a solution is, if it is no code.
enum Mark {
    Begin(u8),
    End,
    /// A line of the start, with its indentation.
    Instead(String),
}

fn mark(line: &str) -> Option<Mark> {
    let (indentation, comment) = line.split_once("//")?;
    if !indentation.trim().is_empty() {
        return None;
    }
    if let Some(text) = comment.strip_prefix('|') {
        let text = text.strip_prefix(' ').unwrap_or(text);
        let text = if text.is_empty() { "" } else { &format!("{indentation}{text}") };
        return Some(Mark::Instead(text.into()));
    }
    match comment.strip_prefix(" hole ") {
        Some(level) => level.parse().ok().map(Mark::Begin),
        None => (comment == " end hole").then_some(Mark::End),
    }
}

/// Returns the solution as it is shown and compiled: without marks.
pub fn filled(solution: &str) -> Result<String, String> {
    let lines = lines(solution, 0)?;
    Ok(joined(lines.into_iter().filter(|line| anchor(line) != Some("task"))))
}

/// Returns the start of this level. `name` is the exercise's.
pub fn open(solution: &str, level: u8, name: &str) -> Result<String, String> {
    let lines = lines(solution, level)?;
    let has_own = lines.iter().any(|line| anchor(line) == Some("task"));
    let lines = lines.into_iter().filter_map(|line| match anchor(&line) {
        Some("solution") if has_own => None,
        Some("solution") => Some(line.replace(": solution", ": task")),
        _ => Some(line),
    });
    Ok(with_head(&joined(lines), name, level))
}

fn joined(lines: impl Iterator<Item = String>) -> String {
    lines.map(|line| line + "\n").collect()
}

/// Returns the lines with the holes up to this level open, and all others filled.
fn lines(solution: &str, level: u8) -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    // Whether each hole around the line is open.
    let mut holes: Vec<bool> = Vec::new();
    for (number, line) in (1..).zip(solution.lines()) {
        let wrong = |why: &str| format!("solution.rs:{number}: {why}");
        match mark(line) {
            None if holes.contains(&true) => {}
            None => lines.push(line.to_string()),
            Some(Mark::Begin(found)) if (1..=USUAL).contains(&found) => {
                holes.push(found <= level);
            }
            Some(Mark::Begin(_)) => return Err(wrong("a hole has level 1 or 2")),
            Some(Mark::End) => {
                holes.pop().ok_or_else(|| wrong("no hole begins before this end"))?;
            }
            Some(Mark::Instead(text)) => match holes.split_last() {
                None => return Err(wrong("a line of the start is in no hole")),
                Some((true, around)) if !around.contains(&true) => lines.push(text),
                Some(_) => {}
            },
        }
    }
    if holes.is_empty() {
        Ok(lines)
    } else {
        Err("solution.rs: a hole has no end".into())
    }
}

/// Returns the name of the anchor that begins or ends in a line.
fn anchor(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("// ANCHOR")?;
    let rest = rest.strip_prefix("_END").unwrap_or(rest);
    rest.strip_prefix(": ").map(str::trim)
}

/// The most columns of a line.
pub(crate) const WIDEST: usize = 88;

/// Before the level of a start, in its head. The usual start has no such line.
const LEVEL: &str = "//! This is the start of level ";

/// Returns the level of the start that this file was made from, as its head says.
pub fn level_of(text: &str) -> u8 {
    let head = text.lines().take_while(|it| it.starts_with("//!"));
    let mut said = head.filter_map(|it| it.strip_prefix(LEVEL)?.strip_suffix('.'));
    let said = said.next().and_then(|it| it.parse().ok());
    said.filter(|it| LEVELS.contains(it)).unwrap_or(USUAL)
}

/// Adds to the head of a start where the types of its check are, unless it says so, and its
/// level, unless it is the usual one.
pub(crate) fn with_head(start: &str, name: &str, level: u8) -> String {
    let level = match level {
        USUAL => String::new(),
        _ => format!("{LEVEL}{level}.\n"),
    };
    let file = format!("`tests/exercises/checks/src/exercises/{name}.rs`");
    let is_head = |line: &&str| line.starts_with("//!");
    let head: String = start.split_inclusive('\n').take_while(is_head).collect();
    if head.contains(&file) {
        return format!("{head}{level}{}", &start[head.len()..]);
    }
    let line = format!("//! The types of `checks` are in {file}.");
    let fits = line.chars().count() <= WIDEST;
    let text = if fits { line } else { line.replace(" `tests/", "\n//! `tests/") };
    format!("{head}//!\n{text}\n{level}{}", &start[head.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOLUTION: &str = "//! One.

// ANCHOR: solution
fn one() -> u8 {
    // hole 2
    //| // Which is it?
    //|
    //| todo!(\"a number\")
    let number = 1;
    // hole 1
    //| todo!(\"return it\")
    number
    // end hole
    // end hole
}
// ANCHOR_END: solution
// hole 2

fn two() {}
// end hole
";

    const HEAD: &str = "//! One.
//!
//! The types of `checks` are in `tests/exercises/checks/src/exercises/one.rs`.

// ANCHOR: task
fn one() -> u8 {
";

    fn start(level: u8) -> String {
        open(SOLUTION, level, "one").expect("its marks are right")
    }

    #[test]
    fn a_solution_is_shown_without_its_marks() {
        let shown = "//! One.\n\n// ANCHOR: solution\nfn one() -> u8 {\n    \
                     let number = 1;\n    number\n}\n// ANCHOR_END: solution\n\n\
                     fn two() {}\n";
        assert_eq!(filled(SOLUTION).as_deref(), Ok(shown));
        assert_eq!(filled(shown).as_deref(), Ok(shown));
    }

    #[test]
    fn holes_are_open_from_their_level_on() {
        let end = "}\n// ANCHOR_END: task";
        let usual = "    // Which is it?\n\n    todo!(\"a number\")\n";
        let few = "    let number = 1;\n    todo!(\"return it\")\n";
        let head = HEAD.replace(".\n\n", ".\n//! This is the start of level 1.\n\n");
        assert_eq!(start(1), format!("{head}{few}{end}\n\nfn two() {{}}\n"));
        assert_eq!(start(2), format!("{HEAD}{usual}{end}\n"));
        assert_eq!([1, 2].map(|it| level_of(&start(it))), [1, 2]);
        assert_eq!(level_of(&head.replace("level 1", "level 9")), USUAL);
        // A comment in the code claims nothing.
        assert_eq!(level_of(&format!("fn main() {{}}\n{LEVEL}1.\n")), USUAL);
    }

    #[test]
    fn an_anchor_for_the_start_alone_replaces_that_of_the_solution() {
        let own = SOLUTION.replace("fn one", "// ANCHOR: task\nfn one");
        let own = own
            .replace("}\n// ANCHOR_END: s", "}\n// ANCHOR_END: task\n// ANCHOR_END: s");
        assert_eq!(open(&own, 2, "one"), open(SOLUTION, 2, "one"));
        assert_eq!(filled(&own), filled(SOLUTION));
    }

    #[test]
    fn a_start_says_once_where_its_types_are() {
        let file = "tests/exercises/checks/src/exercises/a_long_name_of_one.rs";
        let text = with_head("//! One.\n\n", "a_long_name_of_one", USUAL);
        let end = format!("are in\n//! `{file}`.\n\n");
        assert!(text.ends_with(&end), "{text}");
        assert_eq!(with_head(&text, "a_long_name_of_one", USUAL), text);
        assert_eq!(level_of(&with_head(&text, "a_long_name_of_one", 3)), 3);
    }

    #[test]
    fn marks_that_do_not_match_are_found() {
        for (wrong, says) in [
            ("// end hole\n", "solution.rs:1: no hole begins"),
            ("// hole 2\n", "a hole has no end"),
            ("a\n//| b\n", "solution.rs:2: a line of the start is in no hole"),
            ("// hole 3\n// end hole\n", "a hole has level 1 or 2"),
        ] {
            let found = filled(wrong).expect_err(wrong);
            assert!(found.contains(says), "{found}");
        }
    }
}
