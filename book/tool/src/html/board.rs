//! Pages on which the reader plays, without a player of a stored trace: a page with the mark of
//! one loads its scripts, and with them those of the step player that they use.

use super::PRINTED;
use super::scripts::{FOLDER, joined};
use std::path::Path;

/// What such a page loads.
struct Kind {
    /// What is in its HTML.
    mark: &'static str,
    styles: &'static [&'static str],
    /// In the order in which they run. The page loads all of them as one file, which has the name
    /// of the last.
    scripts: &'static [&'static str],
}

impl Kind {
    /// The name of the file that has all scripts.
    fn joined(&self) -> &'static str {
        self.scripts.last().expect("there is one")
    }
}

const KINDS: [Kind; 2] = [
    // The reader is the operating system.
    Kind {
        mark: "class=\"system-board\"",
        styles: &["player", "board"],
        scripts: &[
            "fold", "words", "say", "causes", "parts", "lanes", "system", "games",
            "ways", "threads", "board",
        ],
    },
    // The reader has a trace.
    Kind {
        mark: "class=\"own-trace\"",
        styles: &["player", "own"],
        scripts: &[
            "fold", "words", "say", "causes", "parts", "lanes", "stops", "controls",
            "player", "trace", "wrong", "own",
        ],
    },
];

/// The programs that a board loads when it is started.
const PROGRAMS: [&str; 2] = ["page", "steps"];

/// What paper and e-readers have instead of a page's first board, in HTML.
pub(crate) const NO_BOARD: &str = "The boards of this page are played in a browser: <code>cargo book</code> opens the book in one.";

pattern!(INSTEAD, r#"<p class="instead">.*?</p>"#);

/// Returns the name of each joined file, and what is in it: the sizes of the programs, which
/// the pages say, and the scripts.
///
/// # Errors
/// A file is not there.
pub(super) fn files(folder: &Path) -> Result<Vec<(&'static str, String)>, String> {
    let size = |name: &&str| {
        let size = megabytes(&folder.join(name).with_extension("js"))?;
        Ok(format!("{name}: \"{size}\""))
    };
    let sizes =
        PROGRAMS.iter().map(size).collect::<Result<Vec<_>, String>>()?.join(", ");
    // What makes all of the file strict has to come first.
    let sizes = format!(
        "\"use strict\";\n(globalThis.Player ??= {{}}).sizes = {{ {sizes} }};\n"
    );
    let file = |kind: &Kind| {
        let scripts = joined(folder, kind.scripts)?;
        Ok((kind.joined(), format!("{sizes}{scripts}")))
    };
    KINDS.iter().map(file).collect()
}

/// How large a file is, as the pages say it.
///
/// # Errors
/// It is not there.
pub(super) fn megabytes(file: &Path) -> Result<String, String> {
    let bytes = file.metadata().map_err(|error| super::why(file, &error))?.len();
    Ok(format!("{:.1} MB", bytes as f64 / 1_000_000.0))
}

/// Returns the HTML of a page, which loads what it needs. Paper has one line instead of all
/// boards.
pub(super) fn put_in(file: &str, html: &str) -> String {
    if file == PRINTED {
        let html = INSTEAD.replace(html, format!("<p>{NO_BOARD}</p>"));
        return INSTEAD.replace_all(&html, "").into_owned();
    }
    let kind = KINDS.iter().find(|kind| html.contains(kind.mark));
    let Some(kind) = kind else { return html.to_string() };
    let style =
        |name| format!("<link rel=\"stylesheet\" href=\"{FOLDER}/{name}.css\">\n");
    let name = kind.joined();
    let script = format!("<script defer src=\"{FOLDER}/{name}.js\"></script>\n");
    let styles: String = kind.styles.iter().map(style).collect();
    let html = html.replacen("</head>", &format!("{styles}</head>"), 1);
    html.replacen("</body>", &format!("{script}</body>"), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_page_with_a_board_loads_its_scripts() {
        let html =
            "<head></head><body><div class=\"system-board\"></div></body>".to_string();
        let page = put_in("be-the-system.html", &html);
        for part in ["src=\"player/board.js\"", "href=\"player/board.css\""] {
            assert!(page.contains(part), "no {part} in {page}");
        }
        let own = html.replace("system-board", "own-trace");
        assert!(put_in("a.html", &own).contains("src=\"player/own.js\""));
        assert_eq!(put_in(PRINTED, &html), html);
        let board = "<div><p class=\"instead\">The board needs JavaScript.</p></div>";
        let paper = put_in(PRINTED, &board.repeat(2));
        assert_eq!(paper, format!("<div><p>{NO_BOARD}</p></div><div></div>"));
        assert_eq!(put_in("pin.html", "<head></head>"), "<head></head>");
    }
}
