//! A compiled solution as a child process, and what came of it.

use crate::child;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The most that a solution may print.
const MOST_PRINTED: u64 = 1024 * 1024;

/// How long a program may take to end after the end of its report. What it has started may
/// keep its output open.
const GRACE: Duration = Duration::from_secs(2);

/// The most lines of it that are kept.
const MOST_LINES: usize = 12;

/// What came of a run.
#[derive(Debug, Default)]
pub struct Verdict {
    /// The cases that hold, in their order.
    pub held: Vec<String>,
    /// How many cases there are, if the program came to its end.
    pub total: Option<usize>,
    /// Why the rest does not hold. `None`: all cases hold.
    pub failure: Option<Failure>,
}

/// The first case that does not hold.
#[derive(Debug, Default)]
pub struct Failure {
    /// Its name; empty, if the program ended before the first one.
    pub case: String,
    /// What happened to the program.
    pub how: How,
    /// The reason, in lines.
    pub why: Vec<String>,
    /// The place, `FILE:LINE`, if it is in the learner's file.
    pub at: Option<String>,
    /// What happened in the case.
    pub story: Vec<String>,
    /// The last lines that the solution itself has printed in this case.
    pub printed: Vec<String>,
}

/// How a case fails.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// A case, or the learner's code, panics.
    #[default]
    Panicked,
    /// A `todo!()` is reached.
    Todo,
    /// The case does not end.
    Hung,
    /// The process died.
    Aborted,
    /// Calls are nested without end.
    Overflowed,
    /// It wants more memory than it may have.
    OutOfMemory,
    /// The program ended by itself before its last case.
    Left,
    /// It prints without end.
    Flooded,
}

/// A line of the child, or its end.
enum Line {
    Out(String),
    Error(String),
    Flood,
}

/// What std prints when no stack is left.
pub(crate) const OVERFLOW: &str = "overflowed its stack";

/// Returns whether std prints this line when the system gives no more memory.
pub(crate) fn is_out_of_memory(line: &str) -> bool {
    line.contains("memory allocation of ") && line.contains(" bytes failed")
}

/// Returns what Windows says if the stack is used up: there the message may be missing.
pub(crate) fn has_no_stack(status: ExitStatus) -> bool {
    status.code().is_some_and(|code| code as u32 == 0xC000_00FD)
}

/// Runs a program. Each case has this many seconds, which only a hang needs.
pub fn run(mut command: Command, seconds: u64) -> Result<Verdict, String> {
    let mark = mark();
    command.env("EXERCISE_REPORT", &mark).env("EXERCISE_SECONDS", seconds.to_string());
    command.env_remove("RUST_BACKTRACE").env_remove("LOOM_MAX_PREEMPTIONS");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let path = command.get_program().to_string_lossy().into_owned();
    let failed = |error| format!("{path}: {error}");
    let mut program = child::start(&mut command).map_err(failed)?;
    // The program's own watchdog comes first, if it still works.
    let limit = Duration::from_secs(seconds + seconds / 2 + 2);
    let mut listener = Listener { mark, ..Listener::default() };
    let end = listener.listen(lines_of(&mut program.child), limit);
    if end == End::Closed {
        // It may have closed its output, and run on.
        program.wait_for(limit).map_err(failed)?;
    }
    let status = program.end().map_err(failed)?;
    Ok(listener.verdict(end, status))
}

/// A word that no solution prints by chance.
pub(crate) fn mark() -> String {
    use std::hash::{BuildHasher, RandomState};
    format!("@{:016x}", RandomState::new().hash_one(0))
}

/// Returns the lines that the child prints, on both ways.
fn lines_of(child: &mut Child) -> Receiver<Line> {
    let (sender, receiver) = channel();
    let out = child.stdout.take().expect("it is a pipe");
    let errors = child.stderr.take().expect("it is a pipe");
    let sender_of_errors = sender.clone();
    thread::spawn(move || send_lines(out, Line::Out, &sender));
    thread::spawn(move || send_lines(errors, Line::Error, &sender_of_errors));
    receiver
}

fn send_lines(from: impl Read, line: fn(String) -> Line, to: &Sender<Line>) {
    let mut from = BufReader::new(from.take(MOST_PRINTED));
    let mut bytes = Vec::new();
    while from.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
        let text = String::from_utf8_lossy(&bytes);
        to.send(line(text.trim_end().to_string())).ok();
        bytes.clear();
    }
    if from.get_ref().limit() == 0 {
        to.send(Line::Flood).ok();
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Closed,
    Silent,
    Flooded,
}

#[derive(Default)]
struct Listener {
    mark: String,
    verdict: Verdict,
    /// Filled from the `failed` of the report on.
    failure: Failure,
    has_failed: bool,
    /// What it has printed as errors, in whatever case: the two ways are read by two
    /// threads, so that a line here may come before the report of its case.
    errors: Vec<String>,
    has_overflowed: bool,
    is_out_of_memory: bool,
}

impl Listener {
    /// Only a line of the report begins the time anew: a solution may print for ever.
    fn listen(&mut self, lines: Receiver<Line>, limit: Duration) -> End {
        let mut end = Instant::now() + limit;
        loop {
            let rest = end.saturating_duration_since(Instant::now());
            match lines.recv_timeout(rest) {
                Ok(Line::Out(line)) => {
                    if self.out(&line) {
                        let has_ended = self.verdict.total.is_some();
                        end = Instant::now() + if has_ended { GRACE } else { limit };
                    }
                }
                Ok(Line::Error(line)) => {
                    self.has_overflowed |= line.contains(OVERFLOW);
                    self.is_out_of_memory |= is_out_of_memory(&line);
                    keep(&mut self.errors, line);
                }
                Ok(Line::Flood) => return End::Flooded,
                Err(RecvTimeoutError::Timeout) => return End::Silent,
                Err(RecvTimeoutError::Disconnected) => return End::Closed,
            }
        }
    }

    /// Returns whether a line is one of the report. It may follow something printed without
    /// a line end.
    fn out(&mut self, line: &str) -> bool {
        let Some((printed, report)) = line.split_once(&self.mark) else {
            keep(&mut self.failure.printed, line.into());
            return false;
        };
        if !printed.is_empty() {
            keep(&mut self.failure.printed, printed.into());
        }
        let report = report.trim_start();
        let (kind, text) = report.split_once(' ').unwrap_or((report, ""));
        self.report(kind, text.to_string());
        true
    }

    fn report(&mut self, kind: &str, text: String) {
        match kind {
            "case" => self.failure = Failure { case: text, ..Failure::default() },
            "held" => self.verdict.held.push(text),
            "failed" => self.has_failed = true,
            "how" if text == "hung" => self.failure.how = How::Hung,
            "why" => self.failure.why.push(text),
            "at" => self.failure.at = Some(text),
            "story" => self.failure.story.push(text),
            "end" => {
                self.verdict.total =
                    text.split_once(' ').and_then(|it| it.1.parse().ok())
            }
            _ => {}
        }
    }

    fn verdict(mut self, end: End, status: ExitStatus) -> Verdict {
        let has_ended = end != End::Flooded && self.verdict.total.is_some();
        if has_ended && !self.has_failed {
            return self.verdict;
        }
        if has_ended {
            name_todo(&mut self.failure);
        } else {
            self.failure.how = self.how(end, status);
        }
        self.failure.printed.append(&mut self.errors);
        self.verdict.failure = Some(self.failure);
        self.verdict
    }

    /// The program ended without the end of its report.
    fn how(&mut self, end: End, status: ExitStatus) -> How {
        match (end, status.code()) {
            (End::Flooded, _) => How::Flooded,
            (End::Silent, _) => How::Hung,
            _ if self.has_overflowed || has_no_stack(status) => How::Overflowed,
            _ if self.is_out_of_memory => How::OutOfMemory,
            (_, Some(code @ 0..=255)) => {
                self.failure.why = vec![format!("exit code {code}")];
                How::Left
            }
            _ => {
                self.failure.why = vec![status.to_string()];
                How::Aborted
            }
        }
    }
}

/// A `todo!()` is no failure, but a part that is still to be written.
pub(crate) fn name_todo(failure: &mut Failure) {
    let Some(first) = failure.why.first_mut() else { return };
    if let Some(rest) = first.strip_prefix("not yet implemented") {
        *first = rest.trim_start_matches(": ").to_string();
        failure.how = How::Todo;
    }
}

/// Keeps a line that the solution has printed, and the latest ones before it.
pub(crate) fn keep(lines: &mut Vec<String>, line: String) {
    if lines.len() == MOST_LINES {
        lines.remove(0);
    }
    lines.push(line.chars().take(200).collect());
}
