//! Pages that are not in UTF-8, and one that only claims to be.

use crate::answer::{self, Answer, whole};

/// "Nihongo" (the Japanese language) in Shift_JIS. The fourth byte is the ASCII code
/// of `{`, but it is the second half of a character.
const NIHONGO: &[u8] = b"\x93\xfa\x96\x7b\x8c\xea";

/// Responds to `/charset/…`. The pages name their charset in the header, in the page
/// or by a byte order mark, and one names a wrong charset.
pub(crate) fn answer(path: &str, _query: Option<&str>) -> Option<Answer> {
    Some(match path {
        "/charset/latin1" => latin1(),
        "/charset/shift-jis" => shift_jis(),
        "/charset/utf-16" => utf_16(),
        "/charset/wrong" => wrong(),
        _ => return None,
    })
}

fn latin1() -> Answer {
    html("text/html; charset=iso-8859-1", in_latin1("The header says so."))
}

fn shift_jis() -> Answer {
    let mut bytes = br#"<!DOCTYPE html><html><head><meta charset="shift_jis">
        <title>Shift_JIS</title></head><body><p>Only the page itself says so.
        <a href="/wiki/web/charset">"#
        .to_vec();
    bytes.extend(NIHONGO);
    bytes.extend(br#"</a> <a href="/wiki/web/link">Links</a></p></body></html>"#);
    html("text/html", bytes)
}

fn utf_16() -> Answer {
    let text = french_page("The first two bytes say so.");
    let marked = format!("\u{feff}{text}"); // a byte order mark
    html("text/html", marked.encode_utf16().flat_map(u16::to_le_bytes).collect())
}

fn wrong() -> Answer {
    html(
        "text/html; charset=utf-8",
        in_latin1("The header says UTF-8, the bytes are Latin-1."),
    )
}

fn french_page(text: &str) -> String {
    format!(
        r#"<!DOCTYPE html><html><head><title>Jeu de caractères</title></head><body>
        <p>{text} <a href="/wiki/web/charset">Lire la suite, s'il vous plaît</a>
        <a href="/wiki/web/link">Links</a></p></body></html>"#
    )
}

/// Encodes a page in Latin-1, where each of the first 256 characters of Unicode is one
/// byte.
fn in_latin1(text: &str) -> Vec<u8> {
    let letters = french_page(text);
    letters
        .chars()
        .map(|letter| u8::try_from(letter).expect("French fits Latin-1"))
        .collect()
}

fn html(content_type: &'static str, bytes: Vec<u8>) -> Answer {
    answer::answer(content_type, whole(bytes))
}
