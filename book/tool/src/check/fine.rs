//! What is remembered of short programs: those that were fine once are not compiled again.

use crate::read::place::Place;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;
use wait_timeout::ChildExt;

/// The programs that were fine, by what was asked about them.
pub(crate) struct Fine {
    file: PathBuf,
    known: BTreeSet<String>,
    compiler: String,
}

/// The compiler.
pub(crate) fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()))
}

/// Runs a program, and ends it if it takes longer than this.
pub(crate) fn run(program: &mut Command, limit: Duration) -> Result<(), String> {
    let child = program.stdin(Stdio::null()).spawn();
    let mut child = child.map_err(|error| format!("cannot be run: {error}"))?;
    let Ok(Some(status)) = child.wait_timeout(limit) else {
        let _ = child.kill();
        let _ = child.wait();
        return Err(format!("still runs after {limit:?}"));
    };
    if status.success() { Ok(()) } else { Err(format!("ends with {status}")) }
}

impl Fine {
    /// Reads what is known.
    pub(crate) fn read(place: &Place) -> Fine {
        let output = rustc().arg("--version").output();
        let compiler =
            output.map(|it| String::from_utf8_lossy(&it.stdout).into_owned());
        let text = fs::read_to_string(&place.fine).unwrap_or_default();
        Fine {
            file: place.fine.clone(),
            known: text.lines().map(String::from).collect(),
            compiler: compiler.unwrap_or_default(),
        }
    }

    /// Tries something out, unless the same was fine before with this compiler.
    pub(crate) fn unless_known(
        &mut self,
        what: impl Hash,
        try_out: impl FnOnce() -> Result<(), String>,
    ) -> Result<(), String> {
        let mut hasher = DefaultHasher::new();
        (&self.compiler, what).hash(&mut hasher);
        let key = format!("{:016x}", hasher.finish());
        if self.known.contains(&key) {
            return Ok(());
        }
        try_out()?;
        // If this cannot be stored, the program is compiled again. A line is added at once,
        // so two programs of this kind can run at the same time.
        if let Ok(mut file) = File::options().create(true).append(true).open(&self.file)
        {
            let _ = file.write_all(format!("{key}\n").as_bytes());
        }
        self.known.insert(key);
        Ok(())
    }
}
