//! Escapes text from servers, so that a terminal can show it safely.

use std::borrow::Cow;
use std::fmt::Write;

/// Escapes text for a terminal: control characters, escape sequences, and marks that
/// change the direction of writing. They are shown like `\u{1b}`.
pub fn escape_for_terminal(text: &str) -> Cow<'_, str> {
    escape(text, |out, character| out.extend(character.escape_unicode()))
}

/// Escapes the same characters in JSON, with the escapes of JSON. (serde escapes only
/// what JSON requires, which leaves out DEL and the C1 controls.)
pub(crate) fn escape_for_json(text: &str) -> Cow<'_, str> {
    escape(text, |out, character| {
        for unit in character.encode_utf16(&mut [0; 2]) {
            write!(out, "\\u{unit:04x}").expect("a String takes everything");
        }
    })
}

fn escape(text: &str, show: impl Fn(&mut String, char)) -> Cow<'_, str> {
    if !text.contains(is_dangerous) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_dangerous(character) {
            show(&mut out, character);
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

fn is_dangerous(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
        || ('\u{e0000}'..='\u{e007f}').contains(&character)
}
