//! Boards on which the reader is the operating system: a page with a `system-board` loads their
//! scripts, and with them those of the step player that they use.

use super::PRINTED;
use super::player::FOLDER;

/// What a page with a board has.
const MARK: &str = "class=\"system-board\"";

/// The scripts, in the order in which a page loads them.
const SCRIPTS: [&str; 10] = [
    "fold", "words", "say", "parts", "lanes", "system", "games", "ways", "threads",
    "board",
];

/// Returns the HTML of a page, which loads what its boards need.
pub(super) fn put_in(file: &str, html: &str) -> String {
    if file == PRINTED || !html.contains(MARK) {
        return html.to_string();
    }
    let style =
        |name| format!("<link rel=\"stylesheet\" href=\"{FOLDER}/{name}.css\">\n");
    let script = |name| format!("<script defer src=\"{FOLDER}/{name}.js\"></script>\n");
    let styles: String = ["player", "board"].into_iter().map(style).collect();
    let scripts: String = SCRIPTS.into_iter().map(script).collect();
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
        assert_eq!(put_in(PRINTED, &html), html);
        assert_eq!(put_in("pin.html", "<head></head>"), "<head></head>");
    }
}
