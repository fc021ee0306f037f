//! A learner's folder, for each test its own. Its name has a blank.
#![allow(dead_code)] // each test uses a part of it

use runner::commands::{Desk, Outcome, try_file};
use runner::holes;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use tempfile::TempDir;

/// A right solution.
pub(crate) static LEAF: LazyLock<String> = LazyLock::new(|| {
    let solution =
        include_str!("../../../../../stage3-async/exercises/leaf/solution.rs");
    holes::filled(solution).expect("its marks are right")
});

/// For what must not hang, also on a busy machine.
pub(crate) const PATIENT: u64 = 60;

pub(crate) struct Folder {
    folder: TempDir,
}

impl Folder {
    pub(crate) fn new() -> Folder {
        let folder = tempfile::Builder::new().prefix("a folder ").tempdir();
        Folder { folder: folder.expect("temporary files are possible") }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.file(name), text).expect("the folder can be written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).expect(name)
    }

    pub(crate) fn desk(&self) -> Desk {
        Desk::new(Some(self.path().into()), None).expect("the material is fine")
    }

    /// Compiles and runs a solution.
    pub(crate) fn outcome(&self, exercise: &str, text: &str) -> Outcome {
        let file = format!("{exercise}.rs");
        self.write(&file, text);
        let desk = self.desk();
        let checks = desk.find(exercise).and_then(|it| desk.library_for(&it));
        let library = checks.expect("they compile");
        let outcome = try_file(&library, &self.file(&file), exercise, PATIENT, false);
        outcome.expect("a compiler is there")
    }

    /// The command with these arguments, for this learner.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command(self.path());
        command.args(arguments);
        command
    }

    /// Runs it. Returns its exit code, and all that it prints.
    pub(crate) fn run(&self, arguments: &[&str]) -> (i32, String) {
        let Output { status, stdout, stderr } =
            self.command(arguments).output().expect("the command was built");
        let text =
            String::from_utf8([stderr, stdout].concat()).expect("it prints text");
        (status.code().expect("it ends by itself"), text)
    }
}

/// The command for a learner whose files are in this folder.
pub(crate) fn command(answers: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_exercise"));
    command.arg("--answers").arg(answers);
    command.env("EXERCISE_SECONDS", PATIENT.to_string());
    command
}
