//! The seeds: bytes that are kept, one line for each in `seeds/TARGET.txt`.
//!
//! ```text
//! cut \x00\x00<a href=x>\r\n
//! - \x01\xff
//! ```
//!
//! A line has a name, and the bytes as in a string of Rust. A person has named a seed for what
//! it shows. A `-` marks what the fuzzer has found.

use std::fs;
use std::path::{Path, PathBuf};

/// A seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seed {
    /// What it shows; `None` if the fuzzer has found it.
    pub name: Option<String>,
    /// What a check is called with.
    pub bytes: Vec<u8>,
}

/// Files of seeds without a name begin with this.
pub const FOUND: &str = "found-";

/// Returns whether a file is called as what the fuzzer has found: after the hash of its bytes,
/// or as a seed without a name.
pub fn is_found(name: &str) -> bool {
    let is_hash = name.len() == 40 && name.bytes().all(|it| it.is_ascii_hexdigit());
    is_hash || name.starts_with(FOUND)
}

/// Returns whether a person may call a seed so. It is one word, also the name of a file, and
/// is not taken for that of a seed without one.
pub fn is_name(name: &str) -> bool {
    let is_part = |it: char| it.is_ascii_alphanumeric() || "-_.".contains(it);
    name.starts_with(|it: char| it.is_ascii_alphanumeric())
        && name.chars().all(is_part)
        && !is_found(name)
}

/// Returns the file with the seeds of a target.
pub fn file(target: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
    folder.join(target).with_extension("txt")
}

/// Reads the seeds of a target.
///
/// # Errors
/// The file cannot be read, or a line is no seed.
pub fn read(target: &str) -> Result<Vec<Seed>, String> {
    let file = file(target);
    let wrong = |why: &str| format!("{}: {why}", file.display());
    let text = fs::read_to_string(&file).map_err(|error| wrong(&error.to_string()))?;
    let line = |(number, line): (usize, &str)| {
        seed(line).ok_or_else(|| wrong(&format!("line {number} is no seed")))
    };
    (1..).zip(text.lines()).map(line).collect()
}

/// Writes the seeds of a target: first those with a name, by their names.
///
/// # Errors
/// The file cannot be written.
pub fn write(target: &str, mut seeds: Vec<Seed>) -> Result<(), String> {
    let key = |it: &Seed| (it.name.is_none(), it.name.clone(), it.bytes.clone());
    seeds.sort_by_cached_key(key);
    seeds.dedup_by(|one, before| one.name.is_none() && one.bytes == before.bytes);
    let text: String = seeds.iter().map(line).collect();
    fs::write(file(target), text).map_err(|error| format!("{target}: {error}"))
}

fn line(seed: &Seed) -> String {
    let name = seed.name.as_deref().unwrap_or("-");
    format!("{name} {}\n", seed.bytes.escape_ascii())
}

fn seed(line: &str) -> Option<Seed> {
    let (name, text) = line.split_once(' ')?;
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => match rest.next()? {
                b't' => b'\t',
                b'r' => b'\r',
                b'n' => b'\n',
                b'x' => 16 * digit(rest.next()?)? + digit(rest.next()?)?,
                other => other,
            },
            _ => byte,
        });
    }
    Some(Seed { name: (name != "-").then(|| name.into()), bytes })
}

fn digit(byte: u8) -> Option<u8> {
    let digit = char::from(byte).to_digit(16)?;
    u8::try_from(digit).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_all_bytes() {
        for name in [None, Some("all".to_string())] {
            let all = Seed { name, bytes: (0..=255).collect() };
            let line = line(&all);
            assert!(line.is_ascii() && line.ends_with('\n'), "{line}");
            assert_eq!(seed(&line[..line.len() - 1]), Some(all));
        }
    }

    #[test]
    fn a_name_stays_a_name() {
        let hash = "0123456789abcdef0123456789abcdef01234567";
        for name in ["", "-", "-a", "a b", "a/b", "..", "a\n", "found-3", hash] {
            assert!(!is_name(name), "{name}");
        }
        assert!(["cut", "location-no-utf8", &hash[1..]].into_iter().all(is_name));
    }

    #[test]
    fn a_line_that_is_no_seed_is_found() {
        assert_eq!(
            seed("empty "),
            Some(Seed { name: Some("empty".into()), bytes: vec![] })
        );
        assert!(
            ["name", "a \\x1", "a \\xg0", "a \\"].iter().all(|it| seed(it).is_none())
        );
    }
}
