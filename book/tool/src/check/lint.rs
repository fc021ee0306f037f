//! Asks the linter of `book/lint`, which is built when it is first asked.

use crate::read::place::Place;
use crate::read::prose::{Kind, Passage};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// What the linter says of a passage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The place of the passage among those that were given.
    pub passage: usize,
    /// The line in the file.
    pub line: usize,
    /// What is wrong, and what to write.
    pub text: String,
}

/// Returns what is wrong in pages and documentation comments. Words in
/// `english/dictionary.txt` are right.
///
/// # Errors
/// The linter cannot be built or run.
pub fn ask(place: &Place, passages: &[Passage]) -> Result<Vec<Remark>, String> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("lint");
    let mut linter = step::cargo()
        // A profile of its own, which says why.
        .args(["run", "--quiet", "--locked", "--profile", "lint", "--manifest-path"])
        .arg(manifest.join("Cargo.toml"))
        .arg("--")
        .arg(place.english("dictionary.txt"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cargo does not run: {error}"))?;
    let mut input = linter.stdin.take().expect("it is piped");
    // It reads all before it writes, so neither waits for the other.
    let sent = input.write_all(question(passages).as_bytes());
    drop(input);
    let output = linter.wait_with_output().map_err(|error| error.to_string())?;
    if !output.status.success() || sent.is_err() {
        return Err("the linter in book/lint cannot be built or run".to_string());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| remark(passages, line)).collect())
}

/// Writes for each passage its number, and its text from the next line on.
fn question(passages: &[Passage]) -> String {
    let is_asked = |passage: &Passage| passage.kind != Kind::Text;
    let asked = passages.iter().enumerate().filter(|(_, passage)| is_asked(passage));
    asked.map(|(number, passage)| format!("\x0c{number}\n{}", passage.text)).collect()
}

/// Reads `passage line text`, in which lines of a passage are counted from 0.
fn remark(passages: &[Passage], line: &str) -> Option<Remark> {
    let mut parts = line.splitn(3, ' ');
    let passage: usize = parts.next()?.parse().ok()?;
    let line: usize = parts.next()?.parse().ok()?;
    let line = passages.get(passage)?.line + line;
    Some(Remark { passage, line, text: parts.next()?.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn passage(line: usize, kind: Kind) -> Passage {
        let (path, file) = (PathBuf::new(), "book/src/pin.md".to_string());
        Passage { path, file, line, kind, text: "One\ntwo.\n".to_string() }
    }

    #[test]
    fn only_markdown_is_asked_about() {
        let passages = [passage(1, Kind::Text), passage(7, Kind::Documentation)];
        assert_eq!(question(&passages), "\x0c1\nOne\ntwo.\n");
    }

    #[test]
    fn lines_are_those_of_the_file() {
        let passages = [passage(1, Kind::Text), passage(7, Kind::Documentation)];
        let text = "`twoo` is no word".to_string();
        let expected = Remark { passage: 1, line: 8, text };
        assert_eq!(remark(&passages, "1 1 `twoo` is no word"), Some(expected));
        assert_eq!(remark(&passages, "2 1 no such passage"), None);
    }
}
