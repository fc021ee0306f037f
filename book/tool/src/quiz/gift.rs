//! GIFT, the text format that Moodle imports. Texts are HTML, on one line each.

use super::{Asked, Sheet, inline, listing, rendered};
use std::fmt::Write as _;

impl Sheet<'_> {
    /// All questions, each with its key, what is behind each wrong option, and why. Each
    /// concept has a category of its own.
    pub(super) fn gift(&self) -> String {
        let mut text = String::new();
        for (concept, sentence) in &self.bank.concepts.concepts {
            let of_it = self.asked.iter().filter(|it| it.question.concept == *concept);
            let questions: String =
                of_it.map(|it| format!("\n{}", self.gift_of(it))).collect();
            if !questions.is_empty() {
                let _ =
                    writeln!(text, "// {sentence}\n$CATEGORY: $course$/top/{concept}");
                text += &format!("{questions}\n");
            }
        }
        text
    }

    fn gift_of(&self, asked: &Asked<'_>) -> String {
        let question = asked.question;
        let code = asked.code.as_deref().map(listing).unwrap_or_default();
        let stem = escaped(&format!("{}{code}", rendered(&question.stem)));
        let title = escaped(&question.id);
        let mut text = format!("::{title}::[html]{stem} {{\n");
        for option in &question.options {
            let (mark, behind) = match &option.tag {
                None => ('=', String::new()),
                Some(tag) => ('~', inline(&self.behind(tag))),
            };
            let behind = Some(escaped(&behind)).filter(|it| !it.is_empty());
            let behind = behind.map_or(String::new(), |it| format!("#[html]{it}"));
            let option = escaped(&inline(&option.text));
            let _ = writeln!(text, "{mark}[html]{option}{behind}");
        }
        let _ =
            writeln!(text, "####[html]{}\n}}", escaped(&rendered(&question.explain)));
        text
    }
}

/// Escapes what has a meaning in GIFT. A line end would end the question, if another one
/// followed.
fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for character in text.chars() {
        match character {
            '~' | '=' | '#' | '{' | '}' | ':' | '\\' => safe.extend(['\\', character]),
            '\n' => safe.push_str("\\n"),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_meaning_is_escaped() {
        let text = "a = {b: ~c} #d\\n\ne";
        assert_eq!(escaped(text), r"a \= \{b\: \~c\} \#d\\n\ne");
    }
}
