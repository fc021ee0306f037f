//! A head, read the plain way: all of it at once, line by line, by the grammar of RFC 9112.

use shared::http::{MAX_FIELDS, MAX_HEAD, MAX_INTERIM};

/// What the bytes of a connection begin with.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Reading<'a> {
    /// Not a head, or one beyond the limits.
    Wrong,
    /// The blank line has not come.
    Unfinished,
    /// A head, interim ones before it skipped, and what follows it.
    Whole(Head, &'a [u8]),
}

/// What a head says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) status: u16,
    /// Names and values, each value on one line.
    pub(crate) fields: Vec<(String, Vec<u8>)>,
}

impl Head {
    /// The values of that name, in any case.
    pub(crate) fn all(&self, name: &str) -> Vec<&[u8]> {
        let fields = self.fields.iter();
        let named = fields.filter(|field| field.0.eq_ignore_ascii_case(name));
        named.map(|field| field.1.as_slice()).collect()
    }

    /// The elements of all values of that name, which are lists.
    pub(crate) fn list(&self, name: &str) -> Vec<&[u8]> {
        let values = self.all(name).into_iter();
        let elements = values.flat_map(|value| value.split(|byte| *byte == b','));
        elements.map(<[u8]>::trim_ascii).collect()
    }
}

/// Reads heads until one is not interim.
pub(crate) fn read(mut wire: &[u8]) -> Reading<'_> {
    for _ in 0..=MAX_INTERIM {
        let begin = &wire[..wire.len().min(7)];
        if !b"HTTP/1.".starts_with(begin) {
            return Reading::Wrong;
        }
        let Some(length) = length(wire) else {
            let too_long = wire.len() >= MAX_HEAD;
            return if too_long { Reading::Wrong } else { Reading::Unfinished };
        };
        let (head, rest) = wire.split_at(length);
        match head_of(head).filter(|_| length <= MAX_HEAD) {
            None => return Reading::Wrong,
            Some(head) if head.status >= 200 => return Reading::Whole(head, rest),
            Some(_) => wire = rest,
        }
    }
    Reading::Wrong
}

/// Bytes up to the first blank line, and with it.
fn length(wire: &[u8]) -> Option<usize> {
    let mut length = 0;
    for line in wire.split_inclusive(|byte| *byte == b'\n') {
        length += line.len();
        if length > line.len() && matches!(line, b"\n" | b"\r\n") {
            return Some(length);
        }
    }
    None
}

fn head_of(head: &[u8]) -> Option<Head> {
    let lines = head.strip_suffix(b"\n")?.split(|byte| *byte == b'\n');
    let mut lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let status = status(lines.next()?)?;
    let mut fields: Vec<(String, Vec<u8>)> = Vec::new();
    for line in lines.filter(|line| !line.is_empty()) {
        if !line.iter().all(|byte| is_text(*byte)) {
            return None;
        }
        if line[0] == b' ' || line[0] == b'\t' {
            let (_, value) = fields.last_mut()?;
            *value = [value, line.trim_ascii()].join(&b' ').trim_ascii().to_vec();
        } else {
            fields.push(field(line)?);
        }
    }
    (fields.len() <= MAX_FIELDS).then_some(Head { status, fields })
}

/// `HTTP/1.1 200 OK`: the version has one digit, the status three, the reason may lack.
fn status(line: &[u8]) -> Option<u16> {
    let (minor, rest) = line.strip_prefix(b"HTTP/1.")?.split_first()?;
    let rest = rest.strip_prefix(b" ")?;
    let (digits, reason) = rest.split_at_checked(3)?;
    let is_right = minor.is_ascii_digit()
        && digits.iter().all(u8::is_ascii_digit)
        && (reason.is_empty() || reason[0] == b' ')
        && reason.iter().all(|byte| is_text(*byte));
    let status = str::from_utf8(digits).ok()?.parse().ok()?;
    (is_right && status >= 100).then_some(status)
}

/// `Name: value`; a space before the colon is tolerated.
fn field(line: &[u8]) -> Option<(String, Vec<u8>)> {
    let colon = line.iter().position(|byte| *byte == b':')?;
    let (name, value) = (&line[..colon], &line[colon + 1..]);
    let name = str::from_utf8(name).ok()?.trim_end_matches([' ', '\t']);
    let is_name =
        |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    let is_right = !name.is_empty() && name.bytes().all(is_name);
    is_right.then(|| (name.to_string(), value.trim_ascii().to_vec()))
}

/// Anything but control characters; a tab is none here.
fn is_text(byte: u8) -> bool {
    byte == b'\t' || !byte.is_ascii_control()
}
