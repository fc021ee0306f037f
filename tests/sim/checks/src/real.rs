//! The stages as they are: programs on the sockets of this machine.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::{env, fs, thread};

/// Starts a stage as a program.
///
/// # Panics
/// It cannot be built, or run.
pub fn start(stage: &str, arguments: &[&str]) -> Child {
    let program = folder().join(format!("{stage}{}", env::consts::EXE_SUFFIX));
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    child.expect("the program was built")
}

/// Waits until the main thread of a process sleeps: until its selector has nothing to
/// report. Also returns when the process has ended.
pub fn wait_until_asleep(process: u32) {
    let state = || {
        let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        text.rsplit_once(") ")?.1.chars().next()
    };
    while state().is_some_and(|state| state != 'S' && state != 'Z') {
        thread::yield_now();
    }
}

/// Builds the programs, and returns where they are.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--locked", "--quiet", "--bins"]);
        for (stage, _) in super::STAGES {
            cargo.args(["--package", stage]);
        }
        let target = root.join("target");
        // Another workspace: what this test was started with is not for it.
        cargo.current_dir(&root).env("CARGO_TARGET_DIR", &target);
        let status = cargo.status().expect("cargo runs");
        assert!(status.success(), "the stages do not compile");
        target.join("debug")
    })
}
