//! The fonts of the text and of the code as a script. A font that a style sheet names comes
//! after the page was painted, and then the text moves. A script in the head of the page has
//! the bytes, so the first line is painted with its font, also from `file://`. Without
//! JavaScript, mdBook's style sheet names the fonts.

use super::why;
use crate::read::place::files;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use regex::Captures;
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
pattern!(pub(super) SHEET, r#"<link rel="stylesheet" href="((?:\.\./)*)fonts/[^"]*">"#);

/// Writes the script.
///
/// # Errors
/// A style sheet or a font of mdBook's cannot be read or is not there, or the script cannot be
/// written.
pub(super) fn write(built: &Path) -> Result<(), String> {
    let folder = built.join(FOLDER);
    let mut fonts = Vec::new();
    let mut missing = USED.to_vec();
    for sheet in files(&folder, "css") {
        let css = fs::read_to_string(&sheet).map_err(|error| why(&sheet, &error))?;
        for found in FACE.captures_iter(&css) {
            let (_, [family, style, weight, name]) = found.extract();
            if USED.contains(&(weight, style)) {
                missing.retain(|used| *used != (weight, style));
                let font = folder.join(name);
                let bytes = fs::read(&font).map_err(|error| why(&font, &error))?;
                fonts.push(json!([family, weight, style, STANDARD.encode(bytes)]));
            }
        }
    }
    if let Some((weight, style)) = missing.first() {
        let folder = folder.display();
        return Err(format!(
            "{folder}: mdBook has no font of weight {weight}, {style}"
        ));
    }
    let script = folder.join(SCRIPT);
    let text = format!("{{\nconst fonts = {};\n{ADD}\n}}\n", json!(fonts));
    fs::write(&script, text).map_err(|error| why(&script, &error))
}

/// Returns what takes the place of a page's style sheet of fonts: the page has them before it is
/// painted.
pub(super) fn put_in(sheet: &Captures<'_>) -> String {
    let (sheet, root) = (&sheet[0], &sheet[1]);
    format!("{sheet}\n<script src=\"{root}{FOLDER}/{SCRIPT}\"></script>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{env, process};

    #[test]
    fn a_page_has_its_fonts_after_the_style_sheet_that_names_them() {
        let sheet = r#"<link rel="stylesheet" href="../fonts/fonts-0a.css">"#;
        let script = r#"<script src="../fonts/fonts.js"></script>"#;
        let page = format!("<head>{sheet}</head>");
        let with = format!("<head>{sheet}\n{script}</head>");
        assert_eq!(SHEET.replace(&page, put_in), with);
    }

    #[test]
    fn a_font_that_is_not_there_is_not_passed_over() {
        let built = env::temp_dir().join(format!("fonts-{}", process::id()));
        fs::create_dir_all(built.join(FOLDER)).unwrap();
        let error = write(&built).unwrap_err();
        fs::remove_dir_all(&built).unwrap();
        assert!(
            error.ends_with(": mdBook has no font of weight 400, normal"),
            "{error}"
        );
    }
}
