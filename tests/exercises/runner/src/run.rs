//! A compiled solution as a child process, and what came of it.

use crate::child;
pub use crate::failure::{Failure, How};
use crate::hear::{Ear, End, mark};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long a program may take to end after the end of its report. What it has started may
/// keep its output open.
const GRACE: Duration = Duration::from_secs(2);

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
    let mut ear = Ear::of(&mut program.child, mark);
    let mut report = Report::default();
    let end = report.read(&mut ear, limit);
    if end == End::Closed {
        // It may have closed its output, and run on.
        program.wait_for(limit).map_err(failed)?;
    }
    let status = program.end().map_err(failed)?;
    Ok(report.verdict(ear, end, status))
}

#[derive(Default)]
struct Report {
    verdict: Verdict,
    /// Filled from the `failed` of the report on.
    failure: Failure,
    has_failed: bool,
}

impl Report {
    /// Reads the report. Only a line of it begins the time anew: a solution may print for ever.
    fn read(&mut self, ear: &mut Ear, limit: Duration) -> End {
        let mut until = Instant::now() + limit;
        loop {
            let (kind, text) = match ear.report(until) {
                Ok(line) => line,
                Err(end) => return end,
            };
            if kind == "case" {
                ear.forget();
            }
            self.line(&kind, text);
            let has_ended = self.verdict.total.is_some();
            until = Instant::now() + if has_ended { GRACE } else { limit };
        }
    }

    fn line(&mut self, kind: &str, text: String) {
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

    fn verdict(mut self, ear: Ear, end: End, status: ExitStatus) -> Verdict {
        let held = self.verdict.held.len();
        let is_whole = |total| self.has_failed || (total > 0 && total == held);
        let has_ended = end != End::Flooded && self.verdict.total.is_some_and(is_whole);
        if has_ended && !self.has_failed {
            return self.verdict;
        }
        if !has_ended {
            ear.explain(&mut self.failure, end, status);
        }
        ear.complete(&mut self.failure);
        self.verdict.failure = Some(self.failure);
        self.verdict
    }
}
