//! Corrects the bookmarks that Chromium makes from headings. It doubles the title of a heading
//! that was moved to the next page, and drops the space where a title goes on in a second
//! line. A title is replaced in its place, so that nothing else in the file moves.

use regex::bytes::{Captures, Regex};
use std::collections::BTreeMap;
use std::sync::LazyLock;

static TITLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?-u)/Title (\((?:[^()\\]|\\.)*\)|<FEFF[0-9A-F]*>)\n/Dest \[")
        .expect("constant")
});

pattern!(HEADING, r"(?s)<h[1-6][^>]*>(.*?)</h[1-6]>");
pattern!(TAG, r"<[^>]*>");

/// The PDF with the titles that the headings of its text have.
pub(super) fn corrected(pdf: &[u8], xhtml: &str) -> Vec<u8> {
    let titles: BTreeMap<String, String> = HEADING
        .captures_iter(xhtml)
        .map(|found| plain(&found[1]))
        .map(|title| (squeezed(&title), title))
        .collect();
    let replaced = TITLE.replace_all(pdf, |found: &Captures<'_>| {
        let own = found[0].to_vec();
        let now = decoded(&found[1]);
        let Some(title) = expected(&titles, &now).filter(|title| **title != now) else {
            return own;
        };
        let text = encoded(title);
        // The space of what is left out stays, and one that is missing is taken from those
        // that mean nothing.
        let Some(space) = own.len().checked_sub(text.len() + "/Title /Dest[".len())
        else {
            return own;
        };
        [b"/Title ", text.as_slice(), &vec![b' '; space], b"/Dest["].concat()
    });
    replaced.into_owned()
}

fn expected<'a>(titles: &'a BTreeMap<String, String>, now: &str) -> Option<&'a String> {
    let now = squeezed(now);
    let (half, rest) = now.split_at_checked(now.len() / 2)?;
    titles.get(&now).or(titles.get(half).filter(|_| half == rest))
}

/// The words of a heading.
fn plain(xhtml: &str) -> String {
    let text = TAG.replace_all(xhtml, "");
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&amp;", "&").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// A string of a PDF: in brackets, or as the digits of UTF-16.
fn decoded(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    if let Some(digits) = text.strip_prefix("<FEFF").and_then(|it| it.strip_suffix('>'))
    {
        let units =
            (0..digits.len()).step_by(4).filter_map(|at| digits.get(at..at + 4));
        let units: Vec<u16> =
            units.filter_map(|it| u16::from_str_radix(it, 16).ok()).collect();
        return String::from_utf16_lossy(&units);
    }
    let inner = text.get(1..text.len() - 1).unwrap_or_default();
    let mut is_escaped = false;
    let is_text = |it: &char| {
        is_escaped = *it == '\\' && !is_escaped;
        !is_escaped
    };
    inner.chars().filter(is_text).collect()
}

fn encoded(title: &str) -> Vec<u8> {
    if title.is_ascii() {
        let safe = title.replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)");
        return format!("({safe})").into_bytes();
    }
    let digits: String =
        title.encode_utf16().map(|unit| format!("{unit:04X}")).collect();
    format!("<FEFF{digits}>").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_those_of_headings_and_nothing_moves() {
        let xhtml =
            "<h1 id=\"a\">1. The <code>a()</code> b</h1>\n<h2>R &amp; x</h2><h2>↔</h2>";
        for (before, after) in [
            ("(1. The a\\(\\)b)\n/Dest [", "(1. The a\\(\\) b)/Dest["),
            ("(R & xR & x)\n/Dest [", "(R & x)      /Dest["),
            ("<FEFF21942194>\n/Dest [", "<FEFF2194>     /Dest["),
            ("(R & x)\n/Dest [", "(R & x)\n/Dest ["),
            ("(no heading)\n/Dest [", "(no heading)\n/Dest ["),
        ] {
            let pdf = format!("7 0 obj\n<</Title {before}1 0 R");
            let now = String::from_utf8(corrected(pdf.as_bytes(), xhtml)).unwrap();
            assert_eq!(now.len(), pdf.len(), "{now}");
            assert_eq!(
                now.replace(' ', ""),
                format!("7 0 obj\n<</Title {after}1 0 R").replace(' ', "")
            );
        }
    }
}
