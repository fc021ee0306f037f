//! Cuts a file into pieces of prose, in one way for each kind of file.

use super::{Kind, blank};
use crate::read::text::lines;
use toml::Value;

// Comments, strings and characters; a raw string has one `#` at most.
pattern!(
    TOKEN,
    r##"//[^\n]*|r"(?s:.*?)"|r#"(?s:.*?)"#|"(?s:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)'"##
);
pattern!(STRING, r#""((?:[^"\\]|\\.)*)""#);
pattern!(PLAN_TEXT, r#"^(?:title|intro|day|topic|draw|ask|fails) = ["'](.*)["']$"#);
pattern!(NOT_PROSE, r"<code>[^<]*</code>|<[a-z/][^>]*>|\{\{[^}]*\}\}");

/// The number of its first line, its kind, and its text.
pub(super) type Piece = (usize, Kind, String);

/// Blanks what is not prose, and quotations.
pub(super) fn markdown(text: &str) -> Vec<Piece> {
    vec![(1, Kind::Markdown, without_code(text))]
}

fn without_code(text: &str) -> String {
    let prose = lines(text).into_iter().map(|line| {
        let is_prose = !line.is_code && !line.is_comment && !line.text.starts_with('>');
        if is_prose { line.text + "\n" } else { "\n".to_string() }
    });
    blank(&NOT_PROSE, &prose.collect::<String>())
}

/// The hints of an exercise, and the title, which is in the comment above them.
pub(super) fn hints(text: &str) -> Vec<Piece> {
    let title = text.lines().next().and_then(|line| line.split_once("title: "));
    let title = title.and_then(|(_, rest)| rest.split(';').next());
    let title = title.map(|title| (1, Kind::Text, title.to_string()));
    title.into_iter().chain(markdown(text)).collect()
}

/// The names of mistakes.
pub(super) fn mistakes(text: &str) -> Vec<Piece> {
    let name = |(number, line): (usize, &str)| {
        Some((number, Kind::Text, line.strip_prefix("== ")?.to_string()))
    };
    (1..).zip(text.lines()).filter_map(name).collect()
}

/// The texts of a question, or of the concepts.
pub(super) fn question(text: &str) -> Vec<Piece> {
    let Ok(table) = text.parse::<toml::Table>() else { return Vec::new() };
    let (mut pieces, mut texts) = (Vec::new(), Vec::new());
    for (field, value) in &table {
        match (field.as_str(), value) {
            ("stem" | "explain" | "unchecked", Value::String(it)) => {
                texts.push((Kind::Markdown, it));
            }
            ("concept" | "misconception", Value::Table(all)) => {
                let all = all.values().filter_map(string);
                texts.extend(all.map(|it| (Kind::Markdown, it)));
            }
            ("option", Value::Array(all)) => {
                let all = all.iter().filter_map(|it| string(it.get("text")?));
                texts.extend(all.map(|it| (Kind::Text, it)));
            }
            _ => {}
        }
    }
    for (kind, it) in texts {
        let first = it.lines().find(|line| !line.is_empty()).unwrap_or_default();
        let begin = text.find(first).unwrap_or_default();
        let line = text[..begin].matches('\n').count() + 1;
        pieces.push((line, kind, without_code(it)));
    }
    pieces
}

fn string(value: &Value) -> Option<&String> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// The texts of a plan for a class.
pub(super) fn plan_texts(text: &str) -> Vec<Piece> {
    let one = |(number, line): (usize, &str)| {
        let found = PLAN_TEXT.captures(line)?;
        let text = found[1].replace("\\\"", "\"");
        Some((number, Kind::Markdown, without_code(&text)))
    };
    (1..).zip(text.lines()).filter_map(one).collect()
}

/// What a figure shows, and what is read aloud in its place.
pub(super) fn figure(text: &str) -> Vec<Piece> {
    let pieces = (1..).zip(text.lines()).flat_map(|(number, line)| {
        let alt = line.strip_prefix("alt ");
        let shown = STRING.captures_iter(line).map(|found| found[1].to_string());
        let texts: Vec<String> =
            alt.map_or_else(|| shown.collect(), |alt| vec![alt.to_string()]);
        texts.into_iter().map(move |text| (number, Kind::Text, text))
    });
    pieces.collect()
}

/// Comments and strings. Comments of one kind on lines that follow each other are one
/// piece.
pub(super) fn source(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<(Piece, &str)> = Vec::new();
    let (mut line, mut end) = (1, 0);
    for token in TOKEN.find_iter(text) {
        line += text[end..token.start()].matches('\n').count();
        let between = &text[end..token.start()];
        end = token.end();
        let (mark, kind) = match token.as_str() {
            it if it.starts_with("///") => ("///", Kind::Documentation),
            it if it.starts_with("//!") => ("//!", Kind::Documentation),
            it if it.starts_with("//") => ("//", Kind::Text),
            it if it.starts_with('\'') => continue,
            _ => ("\"", Kind::Text),
        };
        let own = token.as_str().trim_start_matches(['r', '#']);
        let own = own.strip_prefix(mark).unwrap_or(own);
        let own = own.strip_prefix(' ').unwrap_or(own);
        let is_next = between.trim().is_empty() && between.matches('\n').count() == 1;
        match pieces.last_mut() {
            Some((before, last)) if *last == mark && mark != "\"" && is_next => {
                before.2 += &format!("\n{own}");
            }
            _ => pieces.push(((line, kind, own.to_string()), mark)),
        }
        line += token.as_str().matches('\n').count();
    }
    let without_code = |(line, kind, text): Piece| match kind {
        Kind::Documentation => (line, kind, without_code(&text)),
        _ => (line, kind, text),
    };
    pieces.into_iter().map(|(piece, _)| without_code(piece)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_on_lines_that_follow_each_other_are_one_piece() {
        let text = "//! One\n//! two.\n\n/// Three.\n/// ```\n/// code\n/// ```\nfn a() {} // four\n";
        let expected = [
            (1, Kind::Documentation, "One\ntwo.\n".to_string()),
            (4, Kind::Documentation, "Three.\n\n\n\n".to_string()),
            (8, Kind::Text, "four".to_string()),
        ];
        assert_eq!(source(text), expected);
    }

    #[test]
    fn strings_and_characters_are_no_comments() {
        let text = "let a = \"// one \\\" two\";\nlet b = ('\"', '\\'', 'x'); // three\n\
                    let c = r#\"four \"five\"\n\"#; // six\n";
        let found: Vec<(usize, String)> =
            source(text).into_iter().map(|(line, _, text)| (line, text)).collect();
        let expected = [
            (1, "// one \\\" two\""),
            (2, "three"),
            (3, "four \"five\"\n\"#"),
            (4, "six"),
        ];
        assert_eq!(found, expected.map(|(line, text)| (line, text.to_string())));
    }

    #[test]
    fn code_html_and_quotations_are_not_prose() {
        let text = "# A\n\n```rust\nlet b;\n```\n<b>C</b> `d`\n> E\n{{#include f}}\n";
        assert_eq!(without_code(text), "# A\n\n\n\n\n C  `d`\n\n \n");
    }

    #[test]
    fn an_exercise_has_its_title_its_hints_and_the_names_of_its_mistakes() {
        let found =
            hints("<!-- title: A leaf; chapter: pin -->\n\n## First\n\nWhy `a`?\n");
        let texts: Vec<&str> = found.iter().map(|it| it.2.as_str()).collect();
        assert_eq!(texts, ["A leaf", "\n\n## First\n\nWhy `a`?\n"]);
        let found = mistakes("== it spins\ncase: a\n---\nb\n+++\n== right: c\n");
        let expected = [
            (1, Kind::Text, "it spins".to_string()),
            (6, Kind::Text, "right: c".to_string()),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_question_has_its_stem_its_options_and_its_explanation() {
        let text = "seen = true\nstem = \"\"\"\nWhy?\n\"\"\"\nexplain = 'So.'\n\
                    [[option]]\ntext = 'A'\ntag = 'M1'\n[[check]]\nhas = ['B']\n";
        let mut found = question(text);
        found.sort_by_key(|piece| piece.0);
        let expected = [
            (3, Kind::Markdown, "Why?\n".to_string()),
            (5, Kind::Markdown, "So.\n".to_string()),
            (7, Kind::Text, "A\n".to_string()),
        ];
        assert_eq!(found, expected);
        let found = question("[concept]\nK1 = 'One.'\n");
        assert_eq!(found, [(2, Kind::Markdown, "One.\n".to_string())]);
    }

    #[test]
    fn a_figure_has_its_labels_and_its_text() {
        let text = "alt A \"task\".\ntask a 1 2 \"one\" \"two\"\n";
        let texts = ["A \"task\".", "one", "two"];
        let found: Vec<String> = figure(text).into_iter().map(|it| it.2).collect();
        assert_eq!(found, texts);
    }
}
