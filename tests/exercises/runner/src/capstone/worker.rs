//! The program that judges, as a process: it is asked about one promise after the other.
//! Whatever the reader's code does costs that promise alone, because the process is ended
//! and another one is started.

use crate::child::{self, Running};
use crate::hear::{Ear, End, mark};
use crate::run::{Failure, How};
use std::io::Write;
use std::path::Path;
use std::process::{ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

/// A program that judges, and how it is started.
pub struct Worker<'a> {
    program: &'a Path,
    /// Which crate it judges, if it knows several.
    of: &'a str,
    seconds: u64,
    process: Option<Process>,
}

struct Process {
    running: Running,
    questions: ChildStdin,
    ear: Ear,
}

/// A promise that can be asked about.
#[derive(Debug)]
pub struct Promise {
    /// The key of its group.
    pub group: String,
    /// The page of the book that explains it, without `.md`.
    pub page: String,
    /// Its name.
    pub name: String,
}

/// The keys and titles of all groups, and all promises.
type All = (Vec<(String, String)>, Vec<Promise>);

/// Returns all that can be asked about.
pub fn list(program: &Path, of: &str) -> Result<All, String> {
    let mark = mark();
    let mut command = command(program, of, &mark);
    let output = command.arg("list").env_remove("PATIENCE").output();
    let output = output.map_err(|error| format!("{}: {error}", program.display()))?;
    if !output.status.success() {
        // Without promises every promise would hold.
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: {}\n{why}", program.display(), output.status));
    }
    let (mut groups, mut promises) = (Vec::new(), Vec::new());
    let text = String::from_utf8_lossy(&output.stdout);
    for line in text.lines().filter_map(|line| line.strip_prefix(&mark)) {
        let (kind, fields) = line.trim_start().split_once(' ').unwrap_or_default();
        let fields: Vec<String> = fields.split('\t').map(String::from).collect();
        match (kind, &fields[..]) {
            ("group", [key, title]) => {
                groups.push((key.clone(), title.clone()));
            }
            ("promise", [group, page, name]) => {
                let [group, page, name] = [group, page, name].map(String::clone);
                promises.push(Promise { group, page, name });
            }
            _ => {}
        }
    }
    Ok((groups, promises))
}

fn command(program: &Path, of: &str, mark: &str) -> Command {
    let mut command = Command::new(program);
    command.env("CAPSTONE_MARK", mark).env("CAPSTONE_CRATE", of);
    command.env_remove("RUST_BACKTRACE");
    command
}

impl<'a> Worker<'a> {
    /// A worker that has not been started. A promise may take this many seconds.
    pub fn new(program: &'a Path, of: &'a str, seconds: u64) -> Worker<'a> {
        Worker { program, of, seconds, process: None }
    }

    /// Asks about a promise. Returns why it does not hold; `None`: it holds.
    pub fn ask(&mut self, promise: &str) -> Result<Option<Failure>, String> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.start()?,
        };
        process.ear.begin();
        // If this fails, the process has ended: that is what is heard.
        writeln!(process.questions, "{promise}").ok();
        // The program's own watchdog comes first, if it still works.
        let limit = Duration::from_secs(self.seconds + self.seconds / 2 + 5);
        let mut failure = Failure { case: promise.into(), ..Failure::default() };
        let end = answer(&mut process.ear, &mut failure, Instant::now() + limit);
        if matches!(&end, Ok(word) if word == "held") {
            self.process = Some(process);
            return Ok(None);
        }
        // What its threads still do must not disturb the next promise.
        let Process { mut running, ear, .. } = process;
        let status = match end {
            // It ends by itself, and its code says how.
            Err(End::Closed) => running.wait_for(limit).ok().flatten(),
            _ => None,
        };
        let killed = running.end().map_err(|error| error.to_string())?;
        match end {
            Ok(word) if word == "hung" => failure.how = How::Hung,
            Ok(_) => failure.how = How::Panicked,
            Err(end) => ear.explain(&mut failure, end, status.unwrap_or(killed)),
        }
        ear.complete(&mut failure);
        Ok(Some(failure))
    }

    fn start(&self) -> Result<Process, String> {
        let mark = mark();
        let mut command = command(self.program, self.of, &mark);
        command.env("PATIENCE", self.seconds.to_string());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = child::start(&mut command)
            .map_err(|error| format!("{}: {error}", self.program.display()))?;
        let questions = running.child.stdin.take().expect("it is a pipe");
        let ear = Ear::of(&mut running.child, mark);
        Ok(Process { running, questions, ear })
    }
}

/// Reads the answer about one promise, up to its last word.
fn answer(ear: &mut Ear, failure: &mut Failure, until: Instant) -> Result<String, End> {
    loop {
        let (kind, text) = ear.report(until)?;
        match &*kind {
            "why" | "panic" => failure.why.push(text),
            "at" => failure.at = Some(text),
            "story" => failure.story.push(text),
            "end" => return Ok(text),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_fails_before_it_names_a_promise_is_an_error() {
        let rustc = Path::new("rustc"); // it is asked for a file that is not there
        let error = list(rustc, "").expect_err("it has no promises");
        assert!(error.starts_with("rustc: exit"), "{error}");
    }
}
