//! A generator of lines, which gets its bytes in chunks.

use crate::{cases, story};

/// What a generator is sent.
#[derive(Debug)]
pub enum Sent {
    /// Nothing: at the start, and after a line.
    GoOn,
    /// The next bytes, after `Step::More`.
    Chunk(Vec<u8>),
    /// There are no more bytes, after `Step::More`.
    End,
}

/// Where a `resume` has stopped.
#[derive(Debug, PartialEq, Eq)]
pub enum Step {
    /// Yields the next line, without the `\n` at its end.
    Line(Vec<u8>),
    /// Needs more bytes.
    More,
    /// Returns what is left after the last `\n`.
    Return(Vec<u8>),
    /// Returns: a line has more than [`LONGEST`] bytes.
    TooLong,
}

/// The largest number of bytes in a line.
pub const LONGEST: usize = 65_536;

/// A generator that turns chunks into lines.
pub trait Lines {
    /// Makes a generator, and runs none of its code.
    fn new() -> Self;
    /// Runs to the next line, or until more bytes are needed, or to the end.
    fn resume(&mut self, sent: Sent) -> Step;
}

cases! {
    Lines:
    one_line_in_one_chunk,
    two_lines_in_one_chunk,
    lines_that_are_cut_in_two_at_each_place,
    empty_lines,
    what_is_left_at_the_end,
    many_short_lines_in_one_chunk,
    a_line_that_is_too_long,
    blanks_belong_to_a_line,
    the_lines_before_one_that_is_too_long,
}

/// Sends the chunks. Returns the lines, and what is left at the end: `None` if a line
/// is too long.
fn lines_of<L: Lines>(chunks: &[&[u8]]) -> (Vec<String>, Option<String>) {
    crate::story::begin();
    let (mut generator, mut lines) = (L::new(), Vec::new());
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let (mut sent, mut chunks, mut has_ended) = (Sent::GoOn, chunks.iter(), false);
    loop {
        let shown = match &sent {
            Sent::Chunk(bytes) => {
                let start = &bytes[..bytes.len().min(20)];
                let start = String::from_utf8_lossy(start).into_owned();
                format!("a chunk of {} bytes, {start:?}", bytes.len())
            }
            other => format!("{other:?}"),
        };
        let step = generator.resume(sent);
        match &step {
            Step::Line(line) => {
                story!("it is sent {shown}: a line, {} bytes", line.len())
            }
            Step::Return(rest) => story!("it is sent {shown}: {} are left", rest.len()),
            other => story!("it is sent {shown}: {other:?}"),
        }
        sent = match step {
            Step::Line(line) => {
                lines.push(text(line));
                assert!(lines.len() <= 20_000, "20,000 lines, and no end");
                Sent::GoOn
            }
            Step::More => {
                assert!(!has_ended, "it needs more after the end");
                let chunk = chunks.next();
                has_ended = chunk.is_none();
                chunk.map_or(Sent::End, |chunk| Sent::Chunk(chunk.to_vec()))
            }
            Step::Return(rest) => {
                assert!(has_ended, "it returns before the end");
                return (lines, Some(text(rest)));
            }
            Step::TooLong => return (lines, None),
        };
    }
}

/// Checks that these chunks make these lines, and that nothing is left.
#[track_caller]
fn must_make<L: Lines>(chunks: &[&[u8]], expected: &[&str]) {
    let (lines, rest) = lines_of::<L>(chunks);
    assert_eq!(lines, expected, "the lines");
    assert_eq!(rest.as_deref(), Some(""), "what is left at the end");
}

fn one_line_in_one_chunk<L: Lines>() {
    must_make::<L>(&[b"one\n"], &["one"]);
}

fn two_lines_in_one_chunk<L: Lines>() {
    must_make::<L>(&[b"one\ntwo\n"], &["one", "two"]);
}

fn lines_that_are_cut_in_two_at_each_place<L: Lines>() {
    let bytes = "one\ntwo\nnaïve\n".as_bytes();
    for place in 1..bytes.len() {
        let (first, second) = bytes.split_at(place);
        must_make::<L>(&[first, second], &["one", "two", "naïve"]);
    }
}

fn empty_lines<L: Lines>() {
    must_make::<L>(&[b"\none\n\n", b"\n"], &["", "one", "", ""]);
}

fn what_is_left_at_the_end<L: Lines>() {
    let (lines, rest) = lines_of::<L>(&[b"one\ntw", b"o"]);
    assert_eq!((lines.len(), rest.as_deref()), (1, Some("two")), "lines, and the rest");
}

fn many_short_lines_in_one_chunk<L: Lines>() {
    let (lines, rest) = lines_of::<L>(&[&b"123456789\n".repeat(10_000)]);
    assert_eq!(
        rest.as_deref(),
        Some(""),
        "10,000 lines of nine bytes are not too long"
    );
    assert_eq!(lines.len(), 10_000, "how many lines it returns");
}

fn a_line_that_is_too_long<L: Lines>() {
    let chunk = vec![b'x'; LONGEST / 4];
    let most = [&chunk[..], &chunk, &chunk, &chunk];
    let line = "x".repeat(LONGEST);
    let (lines, _) = lines_of::<L>(&[&most[..], &[b"\n"]].concat());
    let lengths: Vec<usize> = lines.iter().map(String::len).collect();
    assert_eq!(lengths, [LONGEST], "the length of a line that is not too long");
    let (_, rest) = lines_of::<L>(&[&most[..], &[b"x", &chunk]].concat());
    let rest = rest.map(|it| it.len());
    assert_eq!(rest, None, "no `TooLong` for a line that does not end; bytes left");
    let (_, rest) = lines_of::<L>(&[(line + "x\n").as_bytes()]);
    let rest = rest.map(|it| it.len());
    assert_eq!(rest, None, "no `TooLong` for a line of more than {LONGEST} bytes");
}

fn blanks_belong_to_a_line<L: Lines>() {
    must_make::<L>(&[b" one \r\n", b"\t\n"], &[" one \r", "\t"]);
}

fn the_lines_before_one_that_is_too_long<L: Lines>() {
    let long = "x".repeat(LONGEST + 1);
    let (lines, rest) = lines_of::<L>(&[format!("one\ntwo\n{long}\n").as_bytes()]);
    assert_eq!(lines, ["one", "two"], "the lines before the one that is too long");
    assert!(rest.is_none(), "no `TooLong` for the third line");
}
