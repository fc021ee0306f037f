//! Which encoding a page is read in: never fails, and a byte order mark wins over the
//! header, which wins over `<meta>`.

use arbitrary::{Arbitrary, Unstructured};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, X_USER_DEFINED};
use shared::page::charset::{PRESCAN, decode};

use crate::made_page::{Part, encode, expected, label};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    mark: Mark,
    header: Header<'a>,
    page: Page<'a>,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Mark {
    None,
    Utf8,
    Utf16Le,
    Utf16Be,
}

#[derive(Arbitrary, Debug)]
enum Header<'a> {
    None,
    Known(u8),
    Any(&'a str),
}

#[derive(Arbitrary, Debug)]
enum Page<'a> {
    Any(&'a [u8]),
    Made(Vec<Part<'a>>),
}

/// Checks whose word counts, and that the text is what the encoding says.
pub fn check(data: &[u8]) {
    let Ok(input) = Input::arbitrary_take_rest(Unstructured::new(data)) else { return };
    let (mark, marked) = input.mark.encoding();
    let page = match &input.page {
        Page::Any(bytes) => bytes.to_vec(),
        Page::Made(parts) => encode(parts).into_bytes(),
    };
    let body = [mark, &page].concat();
    let label = input.header.label();
    let (text, encoding) = decode(label, &body);
    let named = label.and_then(|label| Encoding::for_label(label.as_bytes()));
    let by_mark =
        marked.or_else(|| Encoding::for_bom(&body).map(|(encoding, _)| encoding));
    match by_mark.or(named) {
        Some(expected) => assert_eq!(encoding, expected),
        None => check_meta(&input.page, &body, encoding),
    }
    let begin = Encoding::for_bom(&body).map_or(0, |(_, length)| length);
    assert_eq!(text, slowly(encoding, &body[begin..]));
}

impl Mark {
    fn encoding(self) -> (&'static [u8], Option<&'static Encoding>) {
        match self {
            Mark::None => (b"", None),
            Mark::Utf8 => (b"\xEF\xBB\xBF", Some(UTF_8)),
            Mark::Utf16Le => (b"\xFF\xFE", Some(UTF_16LE)),
            Mark::Utf16Be => (b"\xFE\xFF", Some(UTF_16BE)),
        }
    }
}

impl<'a> Header<'a> {
    fn label(&self) -> Option<&'a str> {
        match self {
            Header::None => None,
            Header::Known(index) => Some(label(*index)),
            Header::Any(text) => Some(text),
        }
    }
}

/// Only a made page says what its `<meta>` is; any page is searched at its start alone.
fn check_meta(page: &Page<'_>, body: &[u8], encoding: &'static Encoding) {
    let start = &body[..body.len().min(PRESCAN)];
    assert_eq!(decode(None, start).1, encoding);
    let lower = start.to_ascii_lowercase();
    let has_word = lower.windows(7).any(|word| word == b"charset");
    assert!(has_word || encoding == UTF_8);
    assert!(![UTF_16LE, UTF_16BE, X_USER_DEFINED].contains(&encoding));
    if let Page::Made(parts) = page {
        assert_eq!(encoding, expected(parts), "{}", body.escape_ascii());
    }
}

/// The same text, decoded a few bytes at a time.
fn slowly(encoding: &'static Encoding, mut bytes: &[u8]) -> String {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = String::new();
    loop {
        let (piece, rest) = bytes.split_at(bytes.len().min(3));
        text.reserve(64);
        let (_, read, _) = decoder.decode_to_string(piece, &mut text, rest.is_empty());
        assert_eq!(read, piece.len());
        if rest.is_empty() {
            return text;
        }
        bytes = rest;
    }
}
