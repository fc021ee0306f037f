//! Writes events as lines of JSON.

use crate::thread::Threads;
use std::fmt::{self, Arguments, Display, Formatter};
use std::io::{self, Write};
use std::panic::Location;

/// The version of the format of this project's traces.
const VERSION: u32 = 3;

pub(crate) struct Trace {
    out: Box<dyn Write + Send>,
    /// The first error of a write. After it nothing is written.
    error: Option<io::Error>,
    /// The number of the last event.
    step: u64,
    /// The time of the last event.
    pub(crate) last: u64,
    pub(crate) threads: Threads,
}

impl Trace {
    /// Writes the first line.
    pub(crate) fn new(mut out: Box<dyn Write + Send>) -> Trace {
        let head = writeln!(out, r#"{{"trace":{VERSION},"program":"recorder"}}"#);
        let (error, threads) = (head.err(), Threads::default());
        Trace { out, error, step: 0, last: 0, threads }
    }

    /// Writes an event of this task. `fields` are more keys with values, each after a comma.
    pub(crate) fn write(
        &mut self,
        us: u64,
        task: u64,
        event: &str,
        place: Place,
        fields: Arguments<'_>,
    ) {
        self.step += 1;
        self.last = us;
        let thread = Json(&self.threads.current().name);
        if self.error.is_none() {
            let (step, line) = (self.step, place.to_string());
            let line = Json(&line);
            let written = writeln!(
                self.out,
                r#"{{"step":{step},"us":{us},"task":{task},"event":"{event}"{fields},"thread":{thread},"line":{line}}}"#
            );
            self.error = written.err();
        }
    }

    pub(crate) fn finish(&mut self) -> io::Result<()> {
        if self.error.is_none() {
            self.error = self.out.flush().err();
        }
        match &self.error {
            Some(error) => Err(io::Error::new(error.kind(), error.to_string())),
            None => Ok(()),
        }
    }
}

/// A text, shown as a string of JSON.
pub(crate) struct Json<'a>(pub(crate) &'a str);

impl Display for Json<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(&serde_json::to_string(self.0).map_err(|_| fmt::Error)?)
    }
}

/// A line of source, shown as `src/main.rs:12` on every system.
#[derive(Clone, Copy)]
pub(crate) struct Place(pub(crate) &'static Location<'static>);

/// The source folders of a crate.
const FOLDERS: [&str; 4] = ["src", "examples", "tests", "benches"];

impl Display for Place {
    /// Leaves out the path of the crate, which is another one on each machine.
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let parts: Vec<&str> = self.0.file().split(['/', '\\']).collect();
        let folder = parts.iter().rposition(|part| FOLDERS.contains(part));
        let path = parts[folder.unwrap_or_default()..].join("/");
        write!(out, "{path}:{}", self.0.line())
    }
}
