//! Random messages. The parser takes any bytes, and the result does not depend on how
//! they are split.

use super::cases::all;
use super::{MAX_BODY, chunked, parse, whole, without_reusable};
use proptest::{collection::vec, prelude::*, sample::Index};
use shared::http::HttpError;

/// A valid response and its body.
fn message() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let pieces = vec(vec(any::<u8>(), 1..40), 0..6);
    let ends = prop_oneof![Just("\r\n"), Just("\n")];
    let extension = prop_oneof![Just(""), Just("  "), Just(";a"), Just(" ;a=\"b;c\"")];
    let trailers =
        prop_oneof![Just(""), Just("A: b\r\n"), Just("A: b\r\nC:\r\n d\r\n")];
    (0..4_usize, 0..80_usize, 0..3, pieces, ends, extension, trailers).prop_map(
        |(interim, fields, framing, pieces, end, extension, trailers)| {
            let body = pieces.concat();
            let interim =
                format!("HTTP/1.1 103 Hints{end}A: b{end}{end}").repeat(interim);
            let fields = format!("X-Some: thing{end}").repeat(fields);
            let framed = match framing {
                0 => (format!("Content-Length: {}{end}", body.len()), body.clone()),
                1 => {
                    let chunks = in_chunks(&pieces, extension, trailers);
                    (format!("Transfer-Encoding: chunked{end}"), chunks)
                }
                _ => (String::new(), body.clone()),
            };
            let head =
                format!("{interim}HTTP/1.1 200 OK{end}{fields}{}{end}", framed.0);
            ([head.into_bytes(), framed.1].concat(), body)
        },
    )
}

fn in_chunks(pieces: &[Vec<u8>], extension: &str, trailers: &str) -> Vec<u8> {
    let mut wire = Vec::new();
    for piece in pieces {
        wire.extend(format!("{:X}{extension}\r\n", piece.len()).into_bytes());
        wire.extend(piece);
        wire.extend(b"\r\n");
    }
    wire.extend(format!("0{extension}\r\n{trailers}\r\n").into_bytes());
    wire
}

/// Words that occur in responses and some that do not, in any order.
fn salad() -> impl Strategy<Value = Vec<u8>> {
    let words: &[&[u8]] = &[
        b"HTTP/1.1 200 OK",
        b"HTTP/1.1 204 No",
        b"HTTP/1.0 301 Moved",
        b"HTTP/1.1 100 Go on",
        b"\r\n",
        b"\r\n\r\n",
        b"\n",
        b"\r",
        b"\0",
        b" ",
        b",",
        b";",
        b":",
        b"0",
        b"5",
        b"f",
        b"hello",
        b"Content-Length: ",
        b"Transfer-Encoding: chunked",
        b"Transfer-Encoding: gzip",
        b"Connection: close",
        b"Location: /",
        b"\xff",
    ];
    let words = vec(prop::sample::select(words), 0..30);
    let begin = prop_oneof![Just(""), Just("HTTP/1.1 200 OK\r\n")];
    (begin, words)
        .prop_map(|(begin, words)| [begin.as_bytes(), &words.concat()].concat())
}

/// The short cases of the table.
fn case() -> impl Strategy<Value = Vec<u8>> {
    let cases = all().into_iter().map(|case| case.bytes);
    prop::sample::select(cases.filter(|bytes| bytes.len() < 1000).collect::<Vec<_>>())
}

/// A valid response or a case of the table, with some bytes replaced, inserted or
/// removed.
fn mutant() -> impl Strategy<Value = Vec<u8>> {
    let byte =
        prop_oneof![any::<u8>(), prop::sample::select(&b"\r\n\0 :;,0159afx+-"[..])];
    let mutations = vec((any::<Index>(), 0..3, byte), 1..6);
    let wire = prop_oneof![message().prop_map(|(wire, _)| wire), case()];
    (wire, mutations).prop_map(|(mut wire, mutations)| {
        for (index, kind, byte) in mutations {
            match (kind, wire.len()) {
                (1, length) => wire.insert(index.index(length + 1), byte),
                (_, 0) => {}
                (0, length) => wire[index.index(length)] = byte,
                (_, length) => drop(wire.remove(index.index(length))),
            }
        }
        wire
    })
}

fn cuts() -> impl Strategy<Value = Vec<Index>> {
    vec(any::<Index>(), 0..12)
}

/// Returns the pieces between the cuts.
fn split<'a>(wire: &'a [u8], cuts: &[Index]) -> Vec<&'a [u8]> {
    let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(wire.len() + 1)).collect();
    cuts.sort_unstable();
    let begins = [0].into_iter().chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([wire.len()]);
    begins.zip(ends).map(|(begin, end)| &wire[begin..end]).collect()
}

fn check_any_split(wire: &[u8], cuts: &[Index]) {
    let expected = without_reusable(whole(wire));
    assert_eq!(without_reusable(parse(split(wire, cuts), MAX_BODY)), expected);
    assert_eq!(without_reusable(parse(wire.chunks(1), MAX_BODY)), expected);
}

/// Failures are printed, and not stored in a file.
fn without_a_file() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..Default::default() }
}

proptest! {
    #![proptest_config(without_a_file())]

    #[test]
    fn a_valid_answer_gives_its_body_at_any_split(
        (wire, body) in message(),
        cuts in cuts(),
    ) {
        let whole = parse([&wire[..]], 1000).expect("a valid answer");
        prop_assert_eq!(&whole.body, &body);
        prop_assert_eq!(parse(split(&wire, &cuts), 1000), Ok(whole));
    }

    #[test]
    fn a_valid_answer_that_is_cut_short_is_never_whole(
        (wire, body) in message(),
        cut in any::<Index>(),
    ) {
        match parse([&wire[..cut.index(wire.len())]], 1000) {
            // The end of the connection ends the body, so all bytes that arrived are
            // the body.
            Ok(response) => prop_assert!(body.starts_with(&response.body)),
            Err(HttpError::ClosedBeforeResponse | HttpError::Truncated) => {}
            Err(error) => prop_assert!(false, "{}", error),
        }
    }

    #[test]
    fn no_bytes_make_it_panic_or_depend_on_the_split(
        wire in vec(any::<u8>(), 0..300),
        cuts in cuts(),
    ) {
        check_any_split(&wire, &cuts);
        check_any_split(&[b"HTTP/1.1 200 OK\r\n", &wire[..]].concat(), &cuts);
        check_any_split(&[&chunked("")[..], &wire[..]].concat(), &cuts);
    }

    #[test]
    fn no_words_make_it_panic_or_depend_on_the_split(wire in salad(), cuts in cuts()) {
        check_any_split(&wire, &cuts);
    }

    #[test]
    fn no_mutation_makes_it_panic_or_depend_on_the_split(
        wire in mutant(),
        cuts in cuts(),
    ) {
        check_any_split(&wire, &cuts);
    }
}
