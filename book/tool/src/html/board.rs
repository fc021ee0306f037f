//! Pages on which the reader plays, without a player of a stored trace: a page with the mark of
//! one loads its scripts, and with them those of the step player that they use.

use super::PRINTED;
use super::player::FOLDER;

/// What such a page loads.
struct Kind {
    /// What is in its HTML.
    mark: &'static str,
    styles: &'static [&'static str],
    /// In the order in which the page loads them.
    scripts: &'static [&'static str],
}

const KINDS: [Kind; 2] = [
    // The reader is the operating system.
    Kind {
        mark: "class=\"system-board\"",
        styles: &["player", "board"],
        scripts: &[
            "fold", "words", "say", "parts", "lanes", "system", "games", "ways",
            "threads", "board",
        ],
    },
    // The reader has a trace.
    Kind {
        mark: "class=\"own-trace\"",
        styles: &["player", "own"],
        scripts: &[
            "fold", "words", "say", "parts", "lanes", "stops", "controls", "player",
            "trace", "wrong", "own",
        ],
    },
];

/// Returns the HTML of a page, which loads what it needs.
pub(super) fn put_in(file: &str, html: &str) -> String {
    let kind = KINDS.iter().find(|kind| html.contains(kind.mark));
    let Some(kind) = kind.filter(|_| file != PRINTED) else { return html.to_string() };
    let style =
        |name| format!("<link rel=\"stylesheet\" href=\"{FOLDER}/{name}.css\">\n");
    let script = |name| format!("<script defer src=\"{FOLDER}/{name}.js\"></script>\n");
    let styles: String = kind.styles.iter().map(style).collect();
    let scripts: String = kind.scripts.iter().map(script).collect();
    let html = html.replacen("</head>", &format!("{styles}</head>"), 1);
    html.replacen("</body>", &format!("{scripts}</body>"), 1)
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
        assert_eq!(put_in("pin.html", "<head></head>"), "<head></head>");
    }
}
