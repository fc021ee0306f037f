//! The page that opens first. What it counts and draws is computed here, so that nothing on
//! it is typed: `{{chapters}}`, `{{hours-to-read}}`, `{{hours-to-work}}`,
//! `{{hours-of-exercises}}`, and
//! `{{lanes ONE MANY}}` for two stored runs.

use super::lanes;
use super::outline::Outline;
use crate::place::Place;
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// Puts everything in.
///
/// # Errors
/// A name is not one of these, or a run cannot be read.
pub(super) fn filled(
    place: &Place,
    outline: &Outline,
    page: &str,
) -> Result<String, String> {
    static NAME: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\{\{([a-z][^}]*)\}\}").expect("constant"));
    let mut wrong = None;
    let text = NAME.replace_all(page, |found: &Captures<'_>| {
        value(place, outline, &found[1]).unwrap_or_else(|why| {
            wrong = Some(why);
            String::new()
        })
    });
    let text = text.into_owned();
    wrong.map_or(Ok(text), Err)
}

fn value(place: &Place, outline: &Outline, name: &str) -> Result<String, String> {
    let (read, work, exercises) = outline.minutes();
    match name.split(' ').collect::<Vec<_>>()[..] {
        ["chapters"] => Ok(outline.chapters().to_string()),
        ["hours-to-read"] => Ok(hours(read)),
        ["hours-to-work"] => Ok(hours(work)),
        ["hours-of-exercises"] => Ok(hours(exercises)),
        ["lanes", one, many] => lanes::drawn(place, one, many),
        _ => Err(format!("index.md: `{{{{{name}}}}}` is no value that we know")),
    }
}

/// In whole hours: readers differ by more than minutes.
fn hours(minutes: usize) -> String {
    ((minutes + 30) / 60).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::outline::tests::with;
    use super::*;

    fn fill(page: &str) -> Result<String, String> {
        let outline = with(&[("a", 1, "none"), ("b", 2, "none"), ("x", 0, "none")]);
        filled(&Place::new(None, None), &outline, page)
    }

    #[test]
    fn numbers_are_counted() {
        let text =
            fill("{{chapters}}: {{hours-to-read}} and {{hours-to-work}} h").unwrap();
        assert_eq!(text, "2: 1 and 1 h");
        assert_eq!(hours(715), "12");
        assert_eq!(hours(89), "1");
    }

    #[test]
    fn an_unknown_name_is_an_error_and_an_include_is_left() {
        assert!(fill("{{pages}}").unwrap_err().contains("`{{pages}}` is no value"));
        assert_eq!(fill("{{#include a}}").unwrap(), "{{#include a}}");
        assert!(fill("{{lanes gone gone}}").unwrap_err().contains("gone.out"));
    }
}
