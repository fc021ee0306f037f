//! Tables as RFC 4180 has them: all fields in quotes, quotes doubled, lines that end in
//! CR LF.

use super::{Asked, Sheet};
use crate::bank::letter;

impl Sheet<'_> {
    /// The questions, a line each.
    pub(super) fn csv(&self) -> String {
        let mut text = line(&["number", "question", "code", "A", "B", "C", "D"]);
        for asked in &self.asked {
            let number = asked.number.to_string();
            let code = asked.code.as_deref().unwrap_or_default();
            let mut fields = vec![number.as_str(), &asked.question.stem, code];
            fields.extend(asked.question.options.iter().map(|it| it.text.as_str()));
            text += &line(&fields);
        }
        text
    }

    /// Their keys, and what is behind each option.
    pub(super) fn csv_keys(&self) -> String {
        let mut text = line(&[
            "number",
            "id",
            "key",
            "concept",
            "chapter",
            "level",
            "shown in the book",
            "A",
            "B",
            "C",
            "D",
            "why",
            "settled by",
        ]);
        self.asked.iter().for_each(|asked| text += &key(asked));
        text
    }
}

fn key(asked: &Asked<'_>) -> String {
    let question = asked.question;
    let (number, key) = (asked.number.to_string(), letter(question.key).to_string());
    let mut fields = vec![
        number.as_str(),
        &question.id,
        &key,
        &question.concept,
        &question.chapter,
        question.level.name(),
        if question.seen { "yes" } else { "no" },
    ];
    fields.extend(question.options.iter().map(|it| it.tag.as_deref().unwrap_or("key")));
    fields.extend([question.explain.as_str(), &question.settled_by]);
    line(&fields)
}

fn line(fields: &[&str]) -> String {
    let quoted =
        fields.iter().map(|field| format!("\"{}\"", field.replace('"', "\"\"")));
    quoted.collect::<Vec<_>>().join(",") + "\r\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_commas_and_line_ends_stay_in_their_field() {
        let text = line(&["a,b", "say \"c\"", "d\ne", ""]);
        assert_eq!(text, "\"a,b\",\"say \"\"c\"\"\",\"d\ne\",\"\"\r\n");
    }
}
