//! The encoding in which a page is read. No bytes make decoding fail.

use std::borrow::Cow;

use encoding_rs::{
    BIG5, EUC_JP, Encoding, KOI8_R, REPLACEMENT, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE,
    WINDOWS_1251, WINDOWS_1252,
};
use proptest::prelude::*;
use shared::page::charset::{PRESCAN, decode};

/// Returns the encoding of a page whose header names none.
fn found(body: &str) -> &'static Encoding {
    decode(None, body.as_bytes()).1
}

#[test]
fn without_any_hint_a_page_is_utf_8() {
    assert_eq!(decode(None, "<p>\u{e9}".as_bytes()), ("<p>\u{e9}".into(), UTF_8));
    assert_eq!(decode(None, b""), ("".into(), UTF_8));
}

#[test]
fn the_header_names_the_encoding_in_any_case_and_by_any_of_its_labels() {
    assert_eq!(decode(Some("ISO-8859-1"), b"\xE9"), ("\u{e9}".into(), WINDOWS_1252));
    assert_eq!(decode(Some(" Koi8-R "), b"\xC1"), ("\u{430}".into(), KOI8_R));
    assert_eq!(decode(Some("cp1251"), b"\xE0"), ("\u{430}".into(), WINDOWS_1251));
    assert_eq!(decode(Some("sjis"), b"\x82\xA0"), ("\u{3042}".into(), SHIFT_JIS));
    assert_eq!(decode(Some("utf-16be"), b"\0<\0p"), ("<p".into(), UTF_16BE));
}

#[test]
fn the_header_wins_over_meta() {
    let body = b"<meta charset=koi8-r>\xE0";
    let (text, encoding) = decode(Some("windows-1251"), body);
    assert_eq!((&text[21..], encoding), ("\u{430}", WINDOWS_1251));
}

#[test]
fn an_unknown_label_leaves_it_to_meta() {
    let body = b"<meta charset=koi8-r>";
    assert_eq!(decode(Some("no-such-thing"), body).1, KOI8_R);
    assert_eq!(decode(Some(""), body).1, KOI8_R);
    assert_eq!(decode(Some("\u{0}\u{1F600}"), b"x").1, UTF_8);
}

#[test]
fn a_byte_order_mark_wins_over_everything_and_is_removed() {
    let meta = "<meta charset=big5>";
    let utf_8 = [b"\xEF\xBB\xBF", meta.as_bytes()].concat();
    assert_eq!(decode(Some("koi8-r"), &utf_8), (meta.into(), UTF_8));
    let header = Some("koi8-r");
    assert_eq!(decode(header, b"\xFF\xFE<\0p\0"), ("<p".into(), UTF_16LE));
    assert_eq!(decode(header, b"\xFE\xFF\0<\0p"), ("<p".into(), UTF_16BE));
}

#[test]
fn meta_names_the_encoding() {
    for meta in [
        "<meta charset=koi8-r>",
        "<META CHARSET='KOI8-R'>",
        "<meta/charset=\"koi8-r\"/>",
        "<meta\n\tcharset\r=\x0C' koi8-r '>",
        "<meta name=x content=y charset=koi8-r>",
        "<meta charset=koi8-r charset=big5>",
        "<meta charset=koi8-r><meta charset=big5>",
        "<meta charset=no-such-thing><meta charset=koi8-r>",
        "<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>",
        "<meta content='text/html;charset = koi8-r;x' http-equiv=content-type>",
        "<meta http-equiv=content-type content='charset=\"koi8-r\" x'>",
        "<meta http-equiv=content-type content=\"a charset b CHARSET='koi8-r'\">",
        "<meta http-equiv=content-type content='charset=big5' charset=koi8-r>",
        "<!doctype html><html><head><title>x</title><meta charset=koi8-r>",
        "< <3 <> </> <!x> <?x?> <meta charset=koi8-r>",
    ] {
        assert_eq!(found(meta), KOI8_R, "{meta}");
    }
}

#[test]
fn what_only_looks_like_a_meta_names_nothing() {
    for page in [
        "<!-- <meta charset=koi8-r> -->",
        "<!--> <!-- > <meta charset=koi8-r>",
        "<a title='<meta charset=koi8-r>'>",
        "<title><meta charset=koi8-r></title>",
        "<script>'<meta charset=koi8-r>'</script>",
        "<a title=\"<meta charset=koi8-r>\" b>",
        "</a title='<meta charset=koi8-r>'>",
        "<?xml <meta charset=koi8-r>",
        "<!doctype <meta charset=koi8-r>",
        "<metadata charset=koi8-r>",
        "<meta-x charset=koi8-r>",
        "<meta>charset=koi8-r>",
        "<meta =charset=koi8-r>",
        "<meta data-charset=koi8-r>",
        "<meta charset>",
        "<meta charset=>",
        "<meta charset=koi8-r",
        "<meta charset='koi8-r>",
        "<meta charset=no-such-thing>",
        "<meta content='text/html; charset=koi8-r'>",
        "<meta http-equiv=refresh content='1; charset=koi8-r'>",
        "<meta http-equiv=content-type content='charset koi8-r'>",
        "<meta http-equiv=content-type content=\"charset='koi8-r\">",
        "<meta charset=no-such-thing http-equiv=content-type content='charset=koi8-r'>",
    ] {
        assert_eq!(found(page), UTF_8, "{page}");
    }
}

#[test]
fn a_comment_may_be_closed_by_the_dashes_that_open_it() {
    assert_eq!(found("<!--><meta charset=koi8-r>"), KOI8_R);
    assert_eq!(found("<!---><meta charset=koi8-r>"), KOI8_R);
    assert_eq!(found("<!-- -- > ---><meta charset=koi8-r>"), KOI8_R);
}

#[test]
fn meta_is_looked_for_at_the_start_of_a_page_only() {
    let meta = "<meta charset=koi8-r>";
    let inside = " ".repeat(PRESCAN - meta.len()) + meta;
    assert_eq!(found(&inside), KOI8_R);
    assert_eq!(found(&format!(" {inside}")), UTF_8);
}

#[test]
fn a_readable_meta_that_says_utf_16_means_utf_8() {
    assert_eq!(found("<meta charset=utf-16>"), UTF_8);
    assert_eq!(found("<meta charset=utf-16be>"), UTF_8);
    assert_eq!(found("<meta charset=utf-16><meta charset=koi8-r>"), UTF_8);
}

#[test]
fn a_meta_that_says_x_user_defined_means_windows_1252() {
    assert_eq!(found("<meta charset=x-user-defined>"), WINDOWS_1252);
}

#[test]
fn an_encoding_that_is_not_safe_to_read_gives_one_replacement_character() {
    assert_eq!(decode(Some("hz-gb-2312"), b"<a>"), ("\u{FFFD}".into(), REPLACEMENT));
    assert_eq!(found("<meta charset=iso-2022-kr>"), REPLACEMENT);
}

#[test]
fn bytes_that_the_encoding_does_not_allow_become_replacement_characters() {
    assert_eq!(decode(None, b"a\xFFb").0, "a\u{FFFD}b");
    assert_eq!(decode(Some("utf-16le"), b"a\0b").0, "a\u{FFFD}");
    assert_eq!(decode(Some("big5"), b"\x81"), ("\u{FFFD}".into(), BIG5));
    assert_eq!(decode(Some("euc-jp"), b"\xFF<"), ("\u{FFFD}<".into(), EUC_JP));
}

#[test]
fn a_page_in_utf_8_is_not_copied() {
    let body = "\u{FEFF}<p>\u{e9}".as_bytes();
    for body in [body, &body[3..]] {
        assert!(matches!(decode(None, body).0, Cow::Borrowed(_)));
    }
}

proptest! {
    #[test]
    fn no_bytes_and_no_label_make_it_fail(
        label in proptest::option::of(".{0,12}"),
        body in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        decode(label.as_deref(), &body);
    }

    #[test]
    fn no_start_of_a_page_makes_it_fail(
        parts in proptest::collection::vec(
            proptest::sample::select(vec![
                "<", ">", "/", "=", "'", "\"", " ", "!", "--", "?", "a", ";", "<meta ",
                "<!--", "charset", "content=", "http-equiv=content-type ", "koi8-r",
            ]),
            0..30,
        ),
    ) {
        let encoding = found(&parts.concat());
        prop_assert!(encoding == UTF_8 || encoding == KOI8_R);
    }
}
