//! What the checks say about the recorded mistakes, as a table of a page.

use crate::read::exercise::recorded;
use runner::material::Exercise;
use runner::mistakes::{FOUND, Mistake, RIGHT};

/// The most characters of a value in a table: it may have no blank to break at.
const LONGEST_VALUE: usize = 50;

/// A table of them: each mistake, the case that rejects it, and the check's message.
///
/// # Errors
/// A file cannot be read.
pub(super) fn table(exercise: &Exercise) -> Result<String, String> {
    let mut text =
        "| the mistake | the case that rejects it, and its message |\n|---|---|\n"
            .to_string();
    for Mistake { name, case, says } in recorded(exercise)? {
        let message = message(&says);
        let colon = if message.is_empty() { "" } else { ": " };
        text += &format!("| {} | *{case}*{colon}{message} |\n", cell(&name));
    }
    Ok(text)
}

/// What a check says, in one line.
fn message(says: &[String]) -> String {
    let value = |begin: &str| says.iter().find_map(|line| line.strip_prefix(begin));
    let is_text = |line: &&String| !line.starts_with(FOUND) && !line.starts_with(RIGHT);
    let text: Vec<&str> = says.iter().filter(is_text).map(|line| line.trim()).collect();
    let text = cell(&text.join(" "));
    let values = match (value(FOUND), value(RIGHT)) {
        (Some(found), Some(right)) => format!("{}, not {}", code(found), code(right)),
        _ => return text,
    };
    if text.is_empty() { values } else { format!("{text} ({values})") }
}

/// A value in code font, not too long for a cell. Its backticks, if any, become quotes.
fn code(text: &str) -> String {
    let short: String = text.chars().take(LONGEST_VALUE).collect();
    let end = if short.len() < text.len() { "…" } else { "" };
    format!("`{}{end}`", short.replace('`', "'").replace('|', "\\|"))
}

/// A text for a cell of a table, in which only backticks have a meaning.
fn cell(text: &str) -> String {
    let is_even = text.matches('`').count().is_multiple_of(2);
    let parts = text.split('`').enumerate().map(|(number, part)| {
        let is_code = is_even && number % 2 == 1;
        let special = if is_code { "|" } else { "|\\*_<>[]`&#" };
        let escaped = part.chars().map(|it| match special.contains(it) {
            true => format!("\\{it}"),
            false => it.to_string(),
        });
        escaped.collect::<String>()
    });
    parts.collect::<Vec<_>>().join(if is_even { "`" } else { "\\`" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_check_says_is_one_line() {
        let says = |lines: &[&str]| {
            message(&lines.iter().map(|it| it.to_string()).collect::<Vec<_>>())
        };
        assert_eq!(says(&["`a|b` <c>", "d"]), "`a\\|b` \\<c\\> d");
        assert_eq!(
            says(&["wakes", "  found: 0", "  right: 1"]),
            "wakes (`0`, not `1`)"
        );
        assert_eq!(says(&["  found: 0", "  right: 1"]), "`0`, not `1`");
        assert_eq!(says(&[]), "");
        let long = format!("`{}…`", "x".repeat(LONGEST_VALUE));
        assert_eq!(code(&"x".repeat(LONGEST_VALUE + 1)), long);
        assert_eq!(cell("one ` only"), "one \\` only");
    }
}
