//! What chance does to an answer: one small damage each, told in words.

use proptest::prelude::*;
use proptest::sample::Index;
use std::fmt::{self, Display, Formatter};

/// A damage.
#[derive(Clone, Debug)]
pub(crate) enum Mutation {
    /// One bit is the other one.
    Flip(Place, u8),
    /// Nothing comes from there on.
    Cut(Place),
    /// So many bytes are missing.
    Remove(Place, usize),
    /// So many bytes come twice.
    Double(Place, usize),
    /// These come in between.
    Insert(Place, &'static [u8]),
    /// This stands there instead of what did.
    Overwrite(Place, u8),
    /// A line is missing.
    RemoveLine(Place),
    /// A line comes so often.
    RepeatLine(Place, usize),
    /// Two pieces of this length have changed their places.
    Swap(Place, Place, usize),
    /// The next number is another one.
    Number(Place, &'static str),
    /// These come after the end.
    Append(&'static [u8]),
}

/// A place in an answer: in its first bytes, or anywhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    index: Index,
    is_early: bool,
}

/// Nothing is repeated so often that an answer becomes longer.
const LONGEST: usize = 1_000_000;
/// Bytes that are called early: most of a head.
const EARLY: usize = 200;

const PIECES: &[&[u8]] = &[
    b"\r\n",
    b"\n",
    b"\r",
    b"\r\n\r\n",
    b"\0",
    b" ",
    b"\t",
    b":",
    b",",
    b";",
    b"\xff",
    b"\x1b[2J",
    b"HTTP/1.1 200 OK\r\n\r\n",
    b"HTTP/1.1 100 Continue\r\n\r\n",
    b"\r\nContent-Length: 3\r\n",
    b"\r\nTransfer-Encoding: chunked\r\n",
    b"\r\nContent-Encoding: gzip\r\n",
    b"\r\nConnection: close\r\n",
    b"\r\nLocation: /page/1\r\n",
    b"\r\n0\r\n\r\n",
    b"<!--",
    b"<a href=",
    b"<base href=/x/>",
    b"<script>",
    b"<plaintext>",
    b"&",
    b"\"",
    b"<a href=/page/2>",
];
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "+5",
    "007",
    "0x10",
    "4294967296",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999999",
    "fffffffffffffffff",
    "1e3",
    "1.5",
    "",
];

/// Any damage.
pub(crate) fn mutation() -> impl Strategy<Value = Mutation> {
    let place = || {
        (any::<Index>(), prop::bool::weighted(0.5))
            .prop_map(|(index, is_early)| Place { index, is_early })
    };
    let few = || prop_oneof![3 => 1..8_usize, 1 => 8..3000_usize];
    let piece = || prop::sample::select(PIECES);
    prop_oneof![
        3 => (place(), 0..8_u8).prop_map(|(at, bit)| Mutation::Flip(at, bit)),
        2 => place().prop_map(Mutation::Cut),
        2 => (place(), few()).prop_map(|(at, count)| Mutation::Remove(at, count)),
        2 => (place(), few()).prop_map(|(at, count)| Mutation::Double(at, count)),
        3 => (place(), piece()).prop_map(|(at, piece)| Mutation::Insert(at, piece)),
        2 => (place(), prop_oneof![Just(0), any::<u8>()])
            .prop_map(|(at, byte)| Mutation::Overwrite(at, byte)),
        1 => place().prop_map(Mutation::RemoveLine),
        1 => (place(), prop_oneof![3 => 2..4_usize, 1 => 250..300_usize])
            .prop_map(|(at, times)| Mutation::RepeatLine(at, times)),
        1 => (place(), place(), few())
            .prop_map(|(one, other, count)| Mutation::Swap(one, other, count)),
        2 => (place(), prop::sample::select(NUMBERS))
            .prop_map(|(at, number)| Mutation::Number(at, number)),
        1 => piece().prop_map(Mutation::Append),
    ]
}

impl Place {
    fn of(&self, bytes: &[u8]) -> usize {
        let most = if self.is_early { EARLY.min(bytes.len()) } else { bytes.len() };
        if most == 0 { 0 } else { self.index.index(most) }
    }
}

impl Mutation {
    /// Does the damage. Places that do not exist are left alone.
    pub(crate) fn damage(&self, bytes: &mut Vec<u8>) {
        let span = |bytes: &[u8], at: &Place, count: usize| {
            let begin = at.of(bytes);
            begin..bytes.len().min(begin + count)
        };
        match self {
            Mutation::Flip(at, bit) => {
                let at = at.of(bytes);
                bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << bit);
            }
            Mutation::Overwrite(at, new) => {
                let at = at.of(bytes);
                bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = *new);
            }
            Mutation::Cut(at) => bytes.truncate(at.of(bytes)),
            Mutation::Remove(at, count) => drop(bytes.drain(span(bytes, at, *count))),
            Mutation::Double(at, count) => {
                let span = span(bytes, at, *count);
                let copy = bytes[span.clone()].to_vec();
                bytes.splice(span.start..span.start, copy);
            }
            Mutation::Insert(at, piece) => {
                let at = at.of(bytes);
                bytes.splice(at..at, piece.iter().copied());
            }
            Mutation::RemoveLine(at) => drop(bytes.drain(line(bytes, at))),
            Mutation::RepeatLine(at, times) => {
                let line = line(bytes, at);
                let most = LONGEST.saturating_sub(bytes.len()) / line.len().max(1);
                let copies = bytes[line.clone()].repeat((*times).min(most.max(1)));
                bytes.splice(line, copies);
            }
            Mutation::Swap(one, other, count) => {
                let (one, other) = (one.of(bytes), other.of(bytes));
                let (first, second) = (one.min(other), one.max(other));
                let count = (*count).min(second - first).min(bytes.len() - second);
                let (before, after) = bytes.split_at_mut(second);
                before[first..first + count].swap_with_slice(&mut after[..count]);
            }
            Mutation::Number(at, number) => {
                let digits = next_number(bytes, at.of(bytes));
                bytes.splice(digits, number.bytes());
            }
            Mutation::Append(piece) => bytes.extend_from_slice(piece),
        }
    }
}

/// The line around a place, with its end.
fn line(bytes: &[u8], at: &Place) -> std::ops::Range<usize> {
    let at = at.of(bytes);
    let begin = bytes[..at].iter().rposition(|byte| *byte == b'\n');
    let end = bytes[at..].iter().position(|byte| *byte == b'\n');
    begin.map_or(0, |it| it + 1)..end.map_or(bytes.len(), |it| at + it + 1)
}

/// The first digits from there on.
fn next_number(bytes: &[u8], from: usize) -> std::ops::Range<usize> {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let begin =
        bytes[from..].iter().position(is_digit).map_or(bytes.len(), |it| from + it);
    let count = bytes[begin..].iter().take_while(|byte| is_digit(byte)).count();
    begin..begin + count
}

impl Display for Mutation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Mutation::Flip(at, bit) => write!(f, "bit {bit} flipped, {at}"),
            Mutation::Cut(at) => write!(f, "cut off {at}"),
            Mutation::Remove(at, count) => write!(f, "{count} bytes removed {at}"),
            Mutation::Double(at, count) => write!(f, "{count} bytes twice {at}"),
            Mutation::Insert(at, piece) => {
                write!(f, "\"{}\" inserted {at}", piece.escape_ascii())
            }
            Mutation::Overwrite(at, byte) => write!(f, "byte {byte} written {at}"),
            Mutation::RemoveLine(at) => write!(f, "the line removed {at}"),
            Mutation::RepeatLine(at, times) => write!(f, "the line {times} times {at}"),
            Mutation::Swap(one, other, count) => {
                write!(f, "{count} bytes {one} swapped with those {other}")
            }
            Mutation::Number(at, number) => {
                write!(f, "\"{number}\" in place of the next number {at}")
            }
            Mutation::Append(piece) => {
                write!(f, "\"{}\" after the end", piece.escape_ascii())
            }
        }
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let part = if self.is_early { "of the first bytes" } else { "of all bytes" };
        write!(f, "at {}/1000 {part}", self.index.index(1000))
    }
}
