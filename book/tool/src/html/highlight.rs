//! The colors of code, put in while the book is built: each token that the style sheet
//! colors is in a span with a class, `hl-keyword`.

use std::fmt::Debug;
use std::sync::LazyLock;
use tree_sitter_highlight::{
    Highlight, HighlightConfiguration, Highlighter, HtmlRenderer,
};

/// What the grammars call a token, and the class that it gets. A name that has more
/// parts, such as `comment.documentation`, has the class of its longest beginning here.
const CLASSES: &[(&str, &str)] = &[
    ("attribute", "meta"),
    ("comment", "comment"),
    ("constant.builtin", "number"),
    ("constructor", "type"),
    ("embedded", "plain"),
    ("escape", "string"),
    ("function", "name"),
    ("function.macro", "meta"),
    ("keyword", "keyword"),
    ("label", "meta"),
    ("number", "number"),
    ("string", "string"),
    ("type", "type"),
    ("variable.builtin", "keyword"),
];

static RUST: LazyLock<HighlightConfiguration> = LazyLock::new(|| {
    configured(HighlightConfiguration::new(
        tree_sitter_rust::LANGUAGE.into(),
        "rust",
        tree_sitter_rust::HIGHLIGHTS_QUERY,
        tree_sitter_rust::INJECTIONS_QUERY,
        "",
    ))
});
static PYTHON: LazyLock<HighlightConfiguration> = LazyLock::new(|| {
    configured(HighlightConfiguration::new(
        tree_sitter_python::LANGUAGE.into(),
        "python",
        tree_sitter_python::HIGHLIGHTS_QUERY,
        "",
        "",
    ))
});

fn configured<E: Debug>(
    new: Result<HighlightConfiguration, E>,
) -> HighlightConfiguration {
    let mut new = new.expect("a grammar's own queries fit it");
    let names: Vec<&str> = CLASSES.iter().map(|(name, _)| *name).collect();
    new.configure(&names);
    new
}

/// The lines of a text as HTML, without line ends. A token that goes over several lines
/// is closed at the end of each.
pub(crate) fn lines(language: &str, text: &str) -> Vec<String> {
    match language {
        "rust" => colored(&RUST, text),
        "python" => colored(&PYTHON, text),
        "console" => text.lines().map(typed_or_printed).collect(),
        "sh" | "toml" => text.lines().map(with_comment).collect(),
        _ => text.lines().map(escaped).collect(),
    }
}

fn colored(configuration: &HighlightConfiguration, text: &str) -> Vec<String> {
    let plain = || text.lines().map(escaped).collect();
    // Its lines end with `\n`, and a carriage return is part of none.
    let text = text.replace('\r', "");
    let mut highlighter = Highlighter::new();
    let inside_macros = |name: &str| (name == "rust").then_some(&*RUST);
    let Ok(events) =
        highlighter.highlight(configuration, text.as_bytes(), None, inside_macros)
    else {
        return plain();
    };
    let mut renderer = HtmlRenderer::new();
    let class = |Highlight(at): Highlight, html: &mut Vec<u8>| {
        html.extend(format!("class=\"hl-{}\"", CLASSES[at].1).bytes());
    };
    match renderer.render(events, text.as_bytes(), &class) {
        Ok(()) => renderer.lines().map(|line| line.replace('\n', "")).collect(),
        Err(_) => plain(),
    }
}

/// Of a command only its prompt is marked, and of what it prints nothing.
fn typed_or_printed(line: &str) -> String {
    match line.strip_prefix("$ ") {
        Some(command) => {
            format!("<span class=\"hl-comment\">$ </span>{}", escaped(command))
        }
        None => escaped(line),
    }
}

fn with_comment(line: &str) -> String {
    let is_comment = line.trim_start().starts_with('#');
    let line = escaped(line);
    if is_comment { format!("<span class=\"hl-comment\">{line}</span>") } else { line }
}

/// A line of code. Its end belongs to it, so that hiding it hides all of it.
pub(super) fn numbered_line(
    id: &str,
    class: &str,
    number: Option<usize>,
    html: &str,
) -> String {
    let number = number.map(|it| format!(" data-n=\"{it}\"")).unwrap_or_default();
    format!("<span class=\"ln{class}\"{id}{number}>{html}\n</span>")
}

/// A text as HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_colored(language: &str, text: &str, html: &[&str]) {
        assert_eq!(lines(language, text), html);
    }

    #[test]
    fn tokens_have_the_class_of_their_kind() {
        let html = "<span class=\"hl-keyword\">let</span> url = \
                    <span class=\"hl-string\">&quot;/&quot;</span>; \
                    <span class=\"hl-comment\">// root</span>";
        assert_colored("rust", "let url = \"/\"; // root", &[html]);
        let html = "<span class=\"hl-keyword\">yield</span> \
                    <span class=\"hl-number\">1</span>";
        assert_colored("python", "yield 1", &[html]);
    }

    #[test]
    fn a_comment_of_two_lines_is_closed_and_opened_again() {
        let html = ["<span class=\"hl-comment\">/* one</span>"; 2];
        let two = lines("rust", "/* one\n/* one */ */\n");
        assert_eq!(two[0], html[0]);
        assert!(two[1].starts_with("<span class=\"hl-comment\">"), "{}", two[1]);
        assert_eq!(two.len(), 2);
    }

    #[test]
    fn of_a_console_only_the_prompt_is_marked() {
        let prompt = "<span class=\"hl-comment\">$ </span>cargo run &gt; a";
        assert_colored("console", "$ cargo run > a\nfn 1", &[prompt, "fn 1"]);
    }

    #[test]
    fn all_lines_are_there_whatever_they_hold() {
        assert_colored("rust", "\n}\n\n", &["", "}", ""]);
        assert_colored("text", "<a>", &["&lt;a&gt;"]);
    }
}
