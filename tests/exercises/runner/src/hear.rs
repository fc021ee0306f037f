//! What a program prints while it is judged: a report, whose lines have a mark, and all else.

use crate::failure::{Failure, How};
use crate::mistakes::{FOUND, RIGHT};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Instant;

/// The most that may be printed, in bytes.
const MOST_PRINTED: usize = 1 << 20;
/// A line with more bytes is cut. It is too much by itself, so no cut hides a report.
const LONGEST_LINE: u64 = MOST_PRINTED as u64 + 1;
/// Lines that wait to be looked at; then a program that prints has to wait, too.
const LINES_AHEAD: usize = 64;
/// The most lines that are kept.
const MOST_LINES: usize = 12;

/// What comes before the message of an `assert_eq!`.
const FAILED: &str = "assertion `left == right` failed: ";

/// Reads what a program prints, as output and as errors.
pub(crate) struct Ear {
    mark: String,
    lines: Receiver<(Way, String)>,
    /// The latest lines that are no report.
    printed: Vec<String>,
    /// The latest errors, since the program began: the two ways are read by two threads, so a
    /// line here may come before the report of its case.
    errors: Vec<String>,
    bytes: usize,
}

#[derive(Clone, Copy)]
enum Way {
    Out,
    Errors,
}

/// Why nothing more is heard.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The program has closed its output.
    Closed,
    Silent,
    Flooded,
}

/// A word that no program prints by chance.
pub(crate) fn mark() -> String {
    use std::hash::{BuildHasher, RandomState};
    format!("@{:016x}", RandomState::new().hash_one(0))
}

impl Ear {
    /// Hears a program that has this mark.
    pub(crate) fn of(child: &mut Child, mark: String) -> Ear {
        let (sender, lines) = sync_channel(LINES_AHEAD);
        let sender_of_errors = sender.clone();
        let out = child.stdout.take().expect("it is a pipe");
        let errors = child.stderr.take().expect("it is a pipe");
        thread::spawn(move || send_lines(out, Way::Out, &sender));
        thread::spawn(move || send_lines(errors, Way::Errors, &sender_of_errors));
        Ear { mark, lines, printed: Vec::new(), errors: Vec::new(), bytes: 0 }
    }

    /// Returns the next line of the report, in two parts: its kind, and a text. It may follow
    /// something printed without a line end.
    pub(crate) fn report(&mut self, until: Instant) -> Result<(String, String), End> {
        loop {
            let rest = until.saturating_duration_since(Instant::now());
            let (way, line) = self.lines.recv_timeout(rest).map_err(|it| match it {
                RecvTimeoutError::Timeout => End::Silent,
                RecvTimeoutError::Disconnected => End::Closed,
            })?;
            self.bytes += line.len();
            if self.bytes > MOST_PRINTED {
                return Err(End::Flooded);
            }
            match (way, line.split_once(&self.mark)) {
                (Way::Errors, _) => keep(&mut self.errors, &line),
                (Way::Out, None) => keep(&mut self.printed, &line),
                (Way::Out, Some((printed, report))) => {
                    keep(&mut self.printed, printed);
                    let report = report.trim();
                    let (kind, text) = report.split_once(' ').unwrap_or((report, ""));
                    return Ok((kind.into(), text.into()));
                }
            }
        }
    }

    /// Forgets what was printed, but no errors: a case begins.
    pub(crate) fn forget(&mut self) {
        self.printed.clear();
    }

    /// Forgets how much was printed, too.
    pub(crate) fn begin(&mut self) {
        (self.bytes, self.errors) = (0, Vec::new());
        self.forget();
    }

    /// Says in the failure how a program has ended in the middle of its report.
    pub(crate) fn explain(&self, failure: &mut Failure, end: End, status: ExitStatus) {
        let has = |what: fn(&str) -> bool| self.errors.iter().any(|line| what(line));
        failure.how = match (end, status.code()) {
            (End::Flooded, _) => How::Flooded,
            (End::Silent, _) => How::Hung,
            _ if has(|line| line.contains("overflowed its stack")) => How::Overflowed,
            // Windows says it like this: there the message may be missing.
            (_, Some(code)) if code as u32 == 0xC000_00FD => How::Overflowed,
            _ if has(is_out_of_memory) => How::OutOfMemory,
            (_, Some(code @ 0..=255)) => {
                failure.why = vec![format!("exit code {code}")];
                How::Left
            }
            _ => {
                failure.why = vec![status.to_string()];
                How::Aborted
            }
        };
    }

    /// Adds what was printed to a failure, and says in our words what std's macros say: of
    /// `assert_eq!`, which value was found, and which is right. A `todo!()` is no failure, but
    /// a part that is still to be written.
    pub(crate) fn complete(self, failure: &mut Failure) {
        failure.printed = [self.printed, self.errors].concat();
        for line in &mut failure.why {
            for (found, said) in
                [("  left: ", FOUND), (" right: ", RIGHT), (FAILED, "")]
            {
                if let Some(rest) = line.strip_prefix(found) {
                    *line = format!("{said}{rest}");
                    break;
                }
            }
        }
        let Some(first) = failure.why.first_mut() else { return };
        if let Some(rest) = first.strip_prefix("not yet implemented") {
            *first = rest.trim_start_matches(": ").to_string();
            failure.how = How::Todo;
        }
    }
}

fn is_out_of_memory(line: &str) -> bool {
    line.contains("memory allocation of ") && line.contains(" bytes failed")
}

fn send_lines(from: impl Read, way: Way, to: &SyncSender<(Way, String)>) {
    let (mut from, mut bytes) = (BufReader::new(from), Vec::new());
    let mut read = |bytes: &mut Vec<u8>| {
        let count = (&mut from).take(LONGEST_LINE).read_until(b'\n', bytes);
        count.is_ok_and(|count| count > 0)
    };
    while read(&mut bytes) {
        let line = String::from_utf8_lossy(&bytes).into_owned();
        if to.send((way, line)).is_err() {
            return; // the `Ear` is gone: the run is over
        }
        bytes.clear();
    }
}

/// Keeps a line that was printed, and the latest ones before it.
fn keep(lines: &mut Vec<String>, line: &str) {
    let line = line.trim_end();
    if line.is_empty() {
        return;
    }
    if lines.len() == MOST_LINES {
        lines.remove(0);
    }
    lines.push(line.chars().take(200).collect());
}
