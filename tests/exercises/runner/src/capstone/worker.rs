//! The program that judges, as a process: it is asked about one promise after the other.
//! Whatever the reader's code does costs that promise alone, because the process is ended
//! and another one is started.

use crate::child::{self, Running};
use crate::run::{self, Failure, How};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The most that may be printed while one promise is judged, in bytes.
const MOST_PRINTED: usize = 1024 * 1024;
/// A line that is longer is several.
const LONGEST_LINE: u64 = 4096;
/// Lines that wait to be looked at; then a program that prints has to wait, too.
const LINES_AHEAD: usize = 64;

/// A program that judges, and how it is started.
pub struct Worker<'a> {
    program: &'a Path,
    seconds: u64,
    process: Option<Process>,
}

struct Process {
    running: Running,
    questions: ChildStdin,
    lines: Receiver<Line>,
    mark: String,
}

enum Line {
    Out(String),
    Error(String),
}

/// Why a report ended.
enum End {
    /// With its last line.
    Said(String),
    /// The process has closed its output.
    Closed,
    Silent,
    Flooded,
}

/// Returns the lines that describe all groups and promises.
pub fn list(program: &Path) -> Result<Vec<String>, String> {
    let mark = run::mark();
    let mut command = command(program, &mark, 0);
    let output = command.arg("list").env_remove("PATIENCE").output();
    let output = output.map_err(|error| format!("{}: {error}", program.display()))?;
    if !output.status.success() {
        // Without promises every promise would hold.
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: {}\n{why}", program.display(), output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines().filter_map(|line| line.strip_prefix(&mark));
    Ok(lines.map(|line| line.trim_start().to_string()).collect())
}

fn command(program: &Path, mark: &str, seconds: u64) -> Command {
    let mut command = Command::new(program);
    command.env("CAPSTONE_MARK", mark).env("PATIENCE", seconds.to_string());
    command.env_remove("RUST_BACKTRACE");
    command
}

impl<'a> Worker<'a> {
    /// A worker that has not been started. A promise may take this many seconds.
    pub fn new(program: &'a Path, seconds: u64) -> Worker<'a> {
        Worker { program, seconds, process: None }
    }

    /// Asks about a promise. Returns why it does not hold; `None`: it holds.
    pub fn ask(&mut self, promise: &str) -> Result<Option<Failure>, String> {
        let process = match &mut self.process {
            Some(process) => process,
            None => self.process.insert(Process::start(self.program, self.seconds)?),
        };
        // If this fails, the process has ended: that is what `listen` finds.
        writeln!(process.questions, "{promise}").ok();
        // The program's own watchdog comes first, if it still works.
        let limit = Duration::from_secs(self.seconds + self.seconds / 2 + 5);
        let mut failure = Failure { case: promise.into(), ..Failure::default() };
        let mut errors = Vec::new();
        let end = process.listen(&mut failure, &mut errors, limit);
        if matches!(&end, End::Said(word) if word == "held") {
            return Ok(None);
        }
        // What its threads still do must not disturb the next promise.
        let mut process = self.process.take().expect("it was asked");
        let status = match end {
            // It ends by itself, and its code says how.
            End::Closed => process.running.wait_for(limit).ok().flatten(),
            _ => None,
        };
        let killed = process.running.end().map_err(|error| error.to_string())?;
        explain(&mut failure, end, status.unwrap_or(killed), &errors);
        failure.printed.append(&mut errors);
        Ok(Some(failure))
    }
}

impl Process {
    fn start(program: &Path, seconds: u64) -> Result<Process, String> {
        let mark = run::mark();
        let mut command = command(program, &mark, seconds);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = child::start(&mut command)
            .map_err(|error| format!("{}: {error}", program.display()))?;
        let child = &mut running.child;
        let questions = child.stdin.take().expect("it is a pipe");
        let out = child.stdout.take().expect("it is a pipe");
        let errors = child.stderr.take().expect("it is a pipe");
        let (sender, lines) = sync_channel(LINES_AHEAD);
        let sender_of_errors = sender.clone();
        thread::spawn(move || send_lines(out, Line::Out, &sender));
        thread::spawn(move || send_lines(errors, Line::Error, &sender_of_errors));
        Ok(Process { running, questions, lines, mark })
    }

    fn listen(
        &self,
        failure: &mut Failure,
        errors: &mut Vec<String>,
        limit: Duration,
    ) -> End {
        let (end, mut printed) = (Instant::now() + limit, 0);
        loop {
            let rest = end.saturating_duration_since(Instant::now());
            let line = match self.lines.recv_timeout(rest) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => return End::Silent,
                Err(RecvTimeoutError::Disconnected) => return End::Closed,
            };
            let (Line::Out(text) | Line::Error(text)) = &line;
            printed += text.len() + 1;
            if printed > MOST_PRINTED {
                return End::Flooded;
            }
            match line {
                Line::Error(text) => run::keep(errors, text),
                Line::Out(text) => {
                    let Some(report) = text.strip_prefix(&self.mark) else {
                        if !text.is_empty() {
                            run::keep(&mut failure.printed, text);
                        }
                        continue;
                    };
                    let report = report.trim_start();
                    let (kind, text) = report.split_once(' ').unwrap_or((report, ""));
                    match kind {
                        "why" | "panic" => failure.why.push(text.into()),
                        "at" => failure.at = Some(text.into()),
                        "story" => failure.story.push(text.into()),
                        "end" => return End::Said(text.into()),
                        _ => {}
                    }
                }
            }
        }
    }
}

fn send_lines(from: impl Read, line: fn(String) -> Line, to: &SyncSender<Line>) {
    let mut from = BufReader::new(from);
    let mut bytes = Vec::new();
    while (&mut from)
        .take(LONGEST_LINE)
        .read_until(b'\n', &mut bytes)
        .is_ok_and(|count| count > 0)
    {
        let text = String::from_utf8_lossy(&bytes);
        if to.send(line(text.trim_end().to_string())).is_err() {
            return; // nobody asks any more
        }
        bytes.clear();
    }
}

/// Says how a promise failed.
fn explain(failure: &mut Failure, end: End, status: ExitStatus, errors: &[String]) {
    let has = |what: fn(&str) -> bool| errors.iter().any(|line| what(line));
    failure.how = match (end, status.code()) {
        (End::Said(word), _) if word == "hung" => How::Hung,
        (End::Said(_), _) => How::Panicked,
        (End::Flooded, _) => How::Flooded,
        (End::Silent, _) => How::Hung,
        _ if has(|line| line.contains(run::OVERFLOW)) => How::Overflowed,
        _ if run::has_no_stack(status) => How::Overflowed,
        _ if has(run::is_out_of_memory) => How::OutOfMemory,
        (_, Some(code @ 0..=255)) => {
            failure.why = vec![format!("exit code {code}")];
            How::Left
        }
        _ => {
            failure.why = vec![status.to_string()];
            How::Aborted
        }
    };
    run::name_todo(failure);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_fails_before_it_names_a_promise_is_an_error() {
        let rustc = Path::new("rustc"); // it is asked for a file that is not there
        let error = list(rustc).expect_err("it has no promises");
        assert!(error.starts_with("rustc: exit"), "{error}");
    }
}
