//! Finds steps by what a reader types: a name, a part of one, or a chapter.

use crate::Step;
use crate::read::chapter_of;

/// Returns the steps of a chapter, which is named as in `5`, `ch5` or `ch05`.
///
/// # Errors
/// It is no chapter, or has no steps.
pub fn of_chapter<'a>(steps: &'a [Step], name: &str) -> Result<Vec<&'a Step>, String> {
    let number = number_of(name);
    let is_of_it = |step: &&Step| number == Some(step.chapter);
    let found: Vec<&Step> = steps.iter().filter(is_of_it).collect();
    let last = steps.last().map_or(0, |step| step.chapter);
    match found.is_empty() {
        true => {
            Err(format!("no chapter {name:?} has steps; the last that has is {last}"))
        }
        false => Ok(found),
    }
}

/// Returns the number of a chapter: 5 for `5`, `ch5`, `CH05` and `ch5_a_step`.
fn number_of(name: &str) -> Option<u32> {
    let name = name.to_lowercase();
    let number = name.split('_').next().unwrap_or(&name);
    number.strip_prefix("ch").unwrap_or(number).parse().ok()
}

/// Finds a step by its name, in upper or lower case.
///
/// # Errors
/// No step has this name; the message lists those with similar names.
pub fn find<'a>(steps: &'a [Step], name: &str) -> Result<&'a Step, String> {
    let found = steps.iter().find(|step| step.name.eq_ignore_ascii_case(name));
    found.ok_or_else(|| unknown("step", name, steps.iter().map(|step| &*step.name)))
}

/// Returns the message that no such thing has this name. It lists those with similar names:
/// they contain it, or else belong to the same chapter.
pub fn unknown<'a>(
    thing: &str,
    name: &str,
    all: impl Iterator<Item = &'a str>,
) -> String {
    let (part, chapter) = (name.to_lowercase(), number_of(name));
    let is_there = |it: &&str| chapter.is_none() || chapter_of(it) == chapter;
    let candidates: Vec<&str> = all.filter(is_there).collect();
    let with_part = candidates.iter().copied().filter(|it| it.contains(&part));
    let mut similar: Vec<&str> = with_part.collect();
    if similar.is_empty() && chapter.is_some() {
        similar = candidates;
    }
    let similar = match similar.is_empty() || name.is_empty() {
        true => "`cargo step` lists all".to_string(),
        false => format!("there are: {}", similar.join(", ")),
    };
    format!("no {thing} is called {name:?}; {similar}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{all, root};

    fn steps() -> Vec<Step> {
        all(root()).expect("the steps can be read")
    }

    #[test]
    fn the_steps_of_a_chapter_are_found_by_its_number() {
        let steps = steps();
        let all = steps.iter().filter(|step| step.chapter == 5).count();
        for name in ["5", "05", "ch5", "ch05", "CH05"] {
            let found = of_chapter(&steps, name).expect(name);
            assert!(found.iter().all(|step| step.chapter == 5), "{name}");
            assert_eq!(found.len(), all, "{name}");
        }
        for name in ["99", "ch", "five", ""] {
            assert!(of_chapter(&steps, name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_name_that_no_step_has_lists_those_that_contain_it() {
        let steps = steps();
        let error = find(&steps, "fetcher").expect_err("it is a part of a name");
        assert!(error.contains("ch05_fetcher"), "{error}");
        for (name, similar) in [
            ("ch5", "ch05_fetcher"),
            ("ch05", "ch05_fetcher"),
            ("2", "ch02_blocking"),
            ("CH02_Block", "ch02_blocking"),
            ("ch2_blocking", "ch02_blocking"),
        ] {
            let error = find(&steps, name).expect_err("no step is called so");
            assert!(error.contains(similar), "{error}");
            assert!(!error.contains("ch25"), "{error}");
        }
        let found = find(&steps, "CH02_BLOCKING").expect("only the case differs");
        assert_eq!(found.name, "ch02_blocking");
        let error = find(&steps, "ch99_none\u{1b}[2J").expect_err("there is none");
        assert!(!error.contains('\u{1b}'), "{error:?}");
        let error = find(&steps, "").expect_err("it is none");
        assert!(error.ends_with("`cargo step` lists all"), "{error}");
    }
}
