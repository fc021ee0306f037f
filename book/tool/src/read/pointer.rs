//! Sentences that point at lines: "look at line 4", "lines 4 to 6", "the last two lines".
//! They mean the listing or the output before them in the same section. Where a sentence
//! names a step, "line 4 of `ch26_broken_lookup`'s output", they mean what is shown of it.
//! "The first line of the function" points at nothing here.

use crate::read::include::Include;
use crate::read::place::Place;
use crate::read::text::{Fence, Line};
use regex::{Captures, Regex};
use std::ops::{Range, RangeInclusive};
use std::sync::LazyLock;

/// A part of a sentence that points at lines of a code block.
#[derive(Clone, Debug, PartialEq)]
pub struct Pointer {
    /// Which bytes of the page's line.
    pub text: Range<usize>,
    /// Which of the page's code blocks.
    pub fence: usize,
    /// Which of its lines, from 0, with commands.
    pub lines: RangeInclusive<usize>,
}

/// Words for numbers, from zero.
const NUMBERS: &[&str] = &[
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    "ten", "eleven", "twelve",
];
const ORDINALS: &[&str] = &[
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh",
    "eighth", "ninth", "tenth", "eleventh", "twelfth",
];

static POINTS: LazyLock<Regex> = LazyLock::new(|| {
    let number = format!(r"\d+|{}", NUMBERS[1..].join("|"));
    let ordinal = ORDINALS[1..].join("|");
    let pattern = format!(
        r"(?i)\b(?:lines? (?P<from>{number})\b(?: (?:to|and) (?P<to>{number})\b)?|the (?P<nth>{ordinal}) line\b|the (?P<end>first|last) (?:(?P<count>{number}) lines|line)\b)"
    );
    Regex::new(&pattern).expect("it is constant")
});

// What may follow: nothing that says where, the output, or a step by its name.
pattern!(OF, r"^ of (?:the output\b|`(?P<step>\w+)`)");

/// The pointers of a page's line, or why one of them points at nothing.
pub fn pointers(
    place: &Place,
    fences: &[Fence],
    line: &Line,
) -> Vec<Result<Pointer, String>> {
    let found = POINTS.captures_iter(&line.text);
    found.filter_map(|found| pointer(place, fences, line, &found)).collect()
}

fn pointer(
    place: &Place,
    fences: &[Fence],
    line: &Line,
    found: &Captures<'_>,
) -> Option<Result<Pointer, String>> {
    let all = found.get(0)?;
    let rest = &line.text[all.end()..];
    let of = OF.captures(rest);
    if of.is_none() && rest.starts_with(" of ") {
        return None;
    }
    let step = of.as_ref().and_then(|of| Some(of.name("step")?.as_str().to_string()));
    let is_output = of.is_some();
    let is_meant = |fence: &Fence| {
        let is_here = match &step {
            None => fence.section == line.section,
            Some(step) => fence.body.iter().any(|it| it.contains(step.as_str())),
        };
        let is_kind = !is_output || fence.info.starts_with("console");
        is_here && is_kind && fence.line < line.number && has_numbers(place, fence)
    };
    let Some(fence) = fences.iter().rposition(is_meant) else {
        let text = format!("`{}` points at no listing: say which", all.as_str());
        return Some(Err(text));
    };
    let shown = shown(place, &fences[fence]);
    let lines = range(found, &shown);
    Some(lines.map(|lines| Pointer { text: all.range(), fence, lines }).ok_or_else(
        || {
            let last = shown.iter().filter_map(|line| *line).max().unwrap_or_default();
            format!("`{}` points at a listing that ends with line {last}", all.as_str())
        },
    ))
}

fn has_numbers(place: &Place, fence: &Fence) -> bool {
    shown(place, fence).iter().any(is_number)
}

fn is_number(number: &Option<usize>) -> bool {
    number.is_some()
}

/// The lines that are meant. If there are several commands, those of the last one that
/// printed as many.
fn range(
    found: &Captures<'_>,
    shown: &[Option<usize>],
) -> Option<RangeInclusive<usize>> {
    let last = shown.iter().rposition(is_number)?;
    let number = |name: &str| found.name(name).and_then(|it| value(it.as_str()));
    let at = |number: usize| shown.iter().rposition(|it| *it == Some(number));
    if let Some(from) = number("from").or(number("nth")) {
        let from = at(from)?;
        let to = number("to").map_or(Some(from), at)?;
        return (from <= to).then_some(from..=to);
    }
    let count = number("count").unwrap_or(1);
    if found.name("end")?.as_str().eq_ignore_ascii_case("first") {
        return Some(at(1)?..=at(count)?);
    }
    let from = (last + 1).checked_sub(count)?;
    shown.get(from)?.is_some().then_some(from..=last)
}

fn value(word: &str) -> Option<usize> {
    let word = word.to_lowercase();
    let at = |words: &[&str]| words.iter().position(|it| *it == word);
    word.parse().ok().or(at(NUMBERS)).or(at(ORDINALS))
}

/// The numbers of a code block's lines, as a page shows them.
fn shown(place: &Place, fence: &Fence) -> Vec<Option<usize>> {
    let language = fence.info.split(',').next().unwrap_or_default();
    let lines = fence.body.iter().flat_map(|line| {
        let included = Include::parse(place, line).map(|include| include.lines());
        included.map_or(vec![line.clone()], Result::unwrap_or_default)
    });
    let lines: Vec<String> = lines.collect();
    let is_rust = language == "rust";
    let lines = lines.iter().map(|line| (line.as_str(), is_rust && is_hidden(line)));
    numbers(language, lines)
}

/// Numbers lines from 1, of which some are hidden and have none. What is printed is counted
/// from its command, which has none either. Other languages than these have no numbers.
pub(crate) fn numbers<'a>(
    language: &str,
    lines: impl Iterator<Item = (&'a str, bool)>,
) -> Vec<Option<usize>> {
    let mut last = 0;
    let number = |(line, is_hidden): (&str, bool)| {
        match language {
            "console" if line.starts_with("$ ") => {
                last = 0;
                return None;
            }
            "console" | "python" => {}
            "rust" if !is_hidden => {}
            _ => return None,
        }
        last += 1;
        Some(last)
    };
    lines.map(number).collect()
}

/// Returns whether mdBook hides a line of Rust.
fn is_hidden(line: &str) -> bool {
    let line = line.trim_start();
    line == "#" || line.starts_with("# ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::text::{fences, lines};

    const PAGE: &str = "## Step 1\n\n```rust\n# hidden();\na();\nb();\nc();\n```\n\n\
        ```console\n$ cargo run --example ch24_cancel\none\ntwo\nthree\n```\n\n";

    /// What is pointed at: the number of the block, and the lines from 0.
    #[track_caller]
    fn assert_points(sentence: &str, at: &[(usize, RangeInclusive<usize>)]) {
        let page = format!("{PAGE}{sentence}\n");
        let lines = lines(&page);
        let place = Place::new(None, None);
        let line = lines.last().expect("the sentence");
        let found = pointers(&place, &fences(&page, &lines), line).into_iter();
        let found: Result<Vec<_>, String> =
            found.map(|it| it.map(|it| (it.fence, it.lines))).collect();
        assert_eq!(found.as_deref(), Ok(at));
    }

    #[track_caller]
    fn assert_fails(sentence: &str, why: &str) {
        let page = format!("{PAGE}{sentence}\n");
        let lines = lines(&page);
        let line = lines.last().expect("the sentence");
        let found = pointers(&Place::new(None, None), &fences(&page, &lines), line);
        assert_eq!(found, [Err(why.to_string())]);
    }

    #[test]
    fn words_for_lines_point_at_the_block_before_them() {
        assert_points("Look at line 2.", &[(1, 2..=2)]);
        assert_points("In Lines one to three it", &[(1, 1..=3)]);
        assert_points(
            "the second line and the last two lines",
            &[(1, 2..=2), (1, 2..=3)],
        );
        assert_points("the first two lines of the output", &[(1, 1..=2)]);
    }

    #[test]
    fn a_step_by_its_name_may_be_in_another_section() {
        assert_points("## Step 2", &[]);
        assert_points("Line 3 of `ch24_cancel`'s output", &[(1, 3..=3)]);
    }

    #[test]
    fn the_lines_of_something_else_are_not_pointed_at() {
        assert_points("The last line of the function, and three lines of it.", &[]);
        assert_points("The last lines prove it; an outline 4.", &[]);
    }

    #[test]
    fn lines_that_are_not_there_are_found() {
        assert_fails(
            "Look at line 4.",
            "`line 4` points at a listing that ends with line 3",
        );
        assert_fails(
            "the last 0 lines",
            "`the last 0 lines` points at a listing that ends with line 3",
        );
        assert_fails("Line 1 of `ch25`", "`Line 1` points at no listing: say which");
    }
}
