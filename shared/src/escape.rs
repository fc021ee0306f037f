//! What a server sends never reaches a terminal raw.

use std::borrow::Cow;
use std::fmt::Write;

/// Text for a terminal: control characters, escapes and marks that turn the direction
/// of writing are shown as `\u{1b}`.
pub fn for_terminal(text: &str) -> Cow<'_, str> {
    escape(text, |out, character| out.extend(character.escape_unicode()))
}

/// A line of JSON for a terminal: the same characters, as JSON writes them. (serde
/// escapes what JSON demands, which leaves DEL and the C1 controls as they are.)
pub(crate) fn for_json(line: &str) -> Cow<'_, str> {
    escape(line, |out, character| {
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
