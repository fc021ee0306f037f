//! The fonts of the text and of the code as a script. A font that a style sheet names comes
//! after the page was painted, and then the text moves. A script in the head of the page has
//! the bytes, so the first line is painted with its font, also from `file://`. Without
//! JavaScript, mdBook's style sheet names the fonts.

use super::why;
use crate::read::place::files;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use std::fs;
use std::path::Path;

/// The folder of the fonts, below the built book.
const FOLDER: &str = "fonts";

const SCRIPT: &str = "fonts.js";

/// The weights and styles that every page has.
const USED: [(&str, &str); 5] = [
    ("400", "normal"),
    ("400", "italic"),
    ("500", "normal"),
    ("600", "normal"),
    ("700", "normal"),
];

/// Bytes that are there at once need no loading, unlike an address.
const ADD: &str = "for (const [family, weight, style, data] of fonts) {
    const bytes = Uint8Array.from(atob(data), (it) => it.charCodeAt(0));
    document.fonts.add(new FontFace(family, bytes, { weight, style }));
}";

pattern!(
    FACE,
    r"font-family: '([^']+)';\s*font-style: (\w+);\s*font-weight: (\d+);\s*src: [^;]*url\('\.\./fonts/([^']+)'\)"
);
pattern!(SHEET, r#"<link rel="stylesheet" href="((?:\.\./)*)fonts/[^"]*">"#);

/// Writes the script.
///
/// # Errors
/// A style sheet or a font of mdBook's cannot be read, or the script not written.
pub(super) fn write(built: &Path) -> Result<(), String> {
    let folder = built.join(FOLDER);
    let mut fonts = Vec::new();
    for sheet in files(&folder, "css") {
        let css = fs::read_to_string(&sheet).map_err(|error| why(&sheet, &error))?;
        for found in FACE.captures_iter(&css) {
            let (_, [family, style, weight, name]) = found.extract();
            if USED.contains(&(weight, style)) {
                let font = folder.join(name);
                let bytes = fs::read(&font).map_err(|error| why(&font, &error))?;
                fonts.push(json!([family, weight, style, STANDARD.encode(bytes)]));
            }
        }
    }
    let script = folder.join(SCRIPT);
    let text = format!("{{\nconst fonts = {};\n{ADD}\n}}\n", json!(fonts));
    fs::write(&script, text).map_err(|error| why(&script, &error))
}

/// The HTML of a page, which has its fonts before it is painted.
pub(super) fn put_in(html: &str) -> String {
    let script = format!("$0\n<script src=\"${{1}}{FOLDER}/{SCRIPT}\"></script>");
    SHEET.replace(html, script).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_its_fonts_after_the_style_sheet_that_names_them() {
        let sheet = r#"<link rel="stylesheet" href="../fonts/fonts-0a.css">"#;
        let page = format!("<head>{sheet}</head>");
        let script = r#"<script src="../fonts/fonts.js"></script>"#;
        assert_eq!(put_in(&page), format!("<head>{sheet}\n{script}</head>"));
    }
}
