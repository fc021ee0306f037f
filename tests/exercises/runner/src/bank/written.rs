//! The files of the bank, as they are written, and what they have to be.

use super::{Check, Question, Source};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::Path;

/// Reads a file of the bank.
pub(super) fn parsed<T: DeserializeOwned>(file: &Path) -> Result<T, String> {
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    toml::from_str(&text).map_err(|error| error.to_string().trim_end().to_string())
}

/// What proves a key, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenCheck {
    step: Option<String>,
    run: Option<String>,
    trace: Option<String>,
    probe: Option<String>,
    #[serde(default)]
    program: bool,
    refused: Option<String>,
    mistakes: Option<String>,
    #[serde(default)]
    has: Vec<String>,
    #[serde(default)]
    lacks: Vec<String>,
}

impl Question {
    /// Reads the file of a question.
    pub(super) fn read(file: &Path, id: &str) -> Result<Question, String> {
        parsed::<Question>(file)?.named(id)
    }

    fn named(self, id: &str) -> Result<Question, String> {
        let keys = self.options.iter().enumerate().filter(|it| it.1.tag.is_none());
        let keys: Vec<usize> = keys.map(|(place, _)| place).collect();
        let [key] = keys[..] else {
            let count = keys.len();
            return Err(format!(
                "{count} options without a `tag`: one of them, the key, has none"
            ));
        };
        let (stem, explain) =
            (self.stem.trim().to_string(), self.explain.trim().to_string());
        Ok(Question { id: id.to_string(), key, stem, explain, ..self })
    }
}

impl TryFrom<WrittenCheck> for Check {
    type Error = String;

    fn try_from(written: WrittenCheck) -> Result<Check, String> {
        let sources = [
            written.step.map(Source::Step),
            written.run.map(Source::Run),
            written.trace.map(Source::Trace),
            written.probe.map(Source::Probe),
            written.program.then_some(Source::Program),
            written.refused.map(Source::Refused),
            written.mistakes.map(Source::Mistakes),
        ];
        let mut sources = sources.into_iter().flatten();
        let (Some(source), None) = (sources.next(), sources.next()) else {
            return Err("[[check]] looks at one output: name exactly one".to_string());
        };
        if written.has.is_empty() && written.lacks.is_empty() {
            return Err("[[check]] needs texts in `has` or `lacks`".to_string());
        }
        Ok(Check { source, has: written.has, lacks: written.lacks })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUESTION: &str = r#"
        concept = "K5"
        chapter = "async-fn"
        level = "apply"
        seen = true
        stem = "What?"
        explain = "Because."
        settled_by = "cargo step ch17_async_fn"
        option = [{ text = "a", tag = "M1" }, { text = "b" }]
    "#;

    fn read(text: &str) -> Result<Question, String> {
        let question: Question =
            toml::from_str(text).map_err(|error| error.to_string())?;
        question.named("a-question")
    }

    #[test]
    fn the_key_is_the_option_without_a_tag() {
        assert_eq!(read(QUESTION).map(|it| it.key), Ok(1));
        let two = QUESTION.replace(r#", tag = "M1""#, "");
        assert!(read(&two).unwrap_err().starts_with("2 options without"));
        let none = QUESTION.replace(r#""b" }"#, r#""b", tag = "M2" }"#);
        assert!(read(&none).unwrap_err().starts_with("0 options without"));
    }

    #[test]
    fn a_field_that_is_not_known_is_an_error() {
        let text = QUESTION.replace("seen", "shown");
        assert!(read(&text).unwrap_err().contains("unknown field `shown`"));
    }

    #[test]
    fn a_check_looks_at_one_output_for_some_text() {
        let with = |check: &str| read(&format!("{QUESTION}check = [{{ {check} }}]"));
        let question = with(r#"step = "a", has = ["b"]"#).unwrap();
        assert_eq!(question.checks[0].source, Source::Step("a".to_string()));
        assert!(with(r#"step = "a", run = "b", has = ["c"]"#).is_err());
        assert!(with(r#"has = ["c"]"#).is_err());
        assert!(with(r#"step = "a""#).is_err());
    }
}
