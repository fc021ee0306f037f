//! Writes events as lines of JSON.

use crate::json::Json;
use crate::thread::Threads;
use std::collections::BTreeMap;
use std::fmt::{self, Arguments, Display, Formatter, Write as _};
use std::io::{self, Write};
use std::panic::Location;

/// The version of the format of this project's traces.
const VERSION: u32 = 4;

pub(crate) struct Trace {
    out: Box<dyn Write + Send>,
    /// The last line. Its memory is used again.
    text: String,
    /// Lines of source as JSON, by the addresses of their `Location`s, which live as long
    /// as the program.
    places: BTreeMap<usize, String>,
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
        let (text, places) = (String::new(), BTreeMap::new());
        Trace { out, text, places, error, step: 0, last: 0, threads }
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
        let step = self.step;
        let thread = &self.threads.current().json;
        let address = std::ptr::from_ref(place.0).addr();
        let line =
            self.places.entry(address).or_insert_with(|| Json(place).to_string());
        if self.error.is_some() {
            return;
        }
        self.text.clear();
        let written = writeln!(
            self.text,
            r#"{{"step":{step},"us":{us},"task":{task},"event":"{event}"{fields},"thread":{thread},"line":{line}}}"#
        );
        let written = written.map_err(io::Error::other);
        let written = written.and_then(|()| self.out.write_all(self.text.as_bytes()));
        self.error = written.err();
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

/// A line of source, shown as `src/main.rs:12` on every system.
#[derive(Clone, Copy)]
pub(crate) struct Place(pub(crate) &'static Location<'static>);

/// The source folders of a crate.
const FOLDERS: [&str; 4] = ["src", "examples", "tests", "benches"];

impl Display for Place {
    /// Leaves out the path of the crate, which is another one on each machine.
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let parts = || self.0.file().split(['/', '\\']).enumerate();
        let folder = parts().filter(|(_, part)| FOLDERS.contains(part)).last();
        let first = folder.map_or(0, |(index, _)| index);
        for (index, part) in parts().skip(first) {
            let slash = if index == first { "" } else { "/" };
            write!(out, "{slash}{part}")?;
        }
        write!(out, ":{}", self.0.line())
    }
}
