//! Builds the workspace's programs, and runs them with an eye on the clock.

use crate::processes::{RUNNING, lock};
use crate::watchdog;
use libtest_mimic::Trial;
use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::io::{Read, Seek, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use wait_timeout::ChildExt;

/// What a package can be asked to build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Its programs: `src/main.rs`, `src/bin/`.
    Programs,
    /// Its examples: `examples/`.
    Examples,
}

type Built = HashMap<(String, Kind), BTreeMap<String, PathBuf>>;

/// Builds the programs or examples of a package of this workspace, with the profile and
/// in the folder of the test or program that asks: their names, and where they are.
/// Each is built once; cargo knows what is fresh.
///
/// # Panics
/// Cargo cannot be started, or does not succeed. What it says goes to standard error.
pub fn build(package: &str, kind: Kind) -> BTreeMap<String, PathBuf> {
    static BUILT: Mutex<Option<Built>> = Mutex::new(None);
    let mut built = lock(&BUILT);
    let built = built.get_or_insert_default();
    let key = (package.to_string(), kind);
    built.entry(key).or_insert_with(|| run_cargo(package, kind)).clone()
}

/// Builds the program of a package that has one, of the same name.
pub fn program(package: &str) -> PathBuf {
    build(package, Kind::Programs)
        .remove(package)
        .expect("it has a program of its name")
}

/// A test of libtest-mimic that runs the program of a package, under a watchdog. The program
/// is built before the watchdog looks: a compiler takes its time.
pub fn trial(
    package: &'static str,
    name: String,
    test: impl FnOnce() + Send + 'static,
) -> Trial {
    Trial::test(name.clone(), move || {
        program(package);
        watchdog::guard(&name, test).map_err(Into::into)
    })
}

fn run_cargo(package: &str, kind: Kind) -> BTreeMap<String, PathBuf> {
    let kind = if kind == Kind::Programs { "--bins" } else { "--examples" };
    let built = cargo_build(&["--quiet", "--package", package, kind]);
    built.unwrap_or_else(|why| panic!("{package}: {why}"))
}

fn cargo_build(arguments: &[&str]) -> Result<BTreeMap<String, PathBuf>, String> {
    let (profile, target) = where_i_am();
    let output = step::cargo()
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["build", "--message-format=json"])
        .args(arguments)
        .args(["--profile", &profile, "--target-dir"])
        .arg(target)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo cannot be run: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let messages: Vec<serde_json::Value> =
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    for message in &messages {
        // The messages in JSON hold the compiler's complaints, too.
        eprint!("{}", message["message"]["rendered"].as_str().unwrap_or_default());
    }
    if !output.status.success() {
        return Err("it cannot be built".to_string());
    }
    let executable = |message: &serde_json::Value| {
        let name = message["target"]["name"].as_str()?;
        Some((name.to_string(), PathBuf::from(message["executable"].as_str()?)))
    };
    Ok(messages.iter().filter_map(executable).collect())
}

/// The profile that this program was built with, and cargo's folder for what it builds.
fn where_i_am() -> (String, PathBuf) {
    // target/debug/deps/command_line-0123, or target/debug/soak
    let me = std::env::current_exe().expect("a program knows where it is");
    let mut folders = me.ancestors().skip(1).skip_while(|it| it.ends_with("deps"));
    let (profile, target) = (folders.next(), folders.next());
    let profile = profile.and_then(|folder| folder.file_name()?.to_str());
    match (profile, target) {
        (Some("debug"), Some(target)) => ("dev".to_string(), target.to_path_buf()),
        (Some(profile), Some(target)) => (profile.to_string(), target.to_path_buf()),
        _ => panic!("{me:?}: not in a profile"),
    }
}

/// A program that runs. Dropping it kills it.
pub struct Running {
    child: Child,
    name: OsString,
    began: Instant,
    out: Pipe,
    err: Pipe,
}

/// How a program ended, and what it said.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Its exit code, or by which signal it ended.
    pub status: ExitStatus,
    /// What it wrote to standard output. Bytes that are not UTF-8 fail the test.
    pub out: String,
    /// What it wrote to standard error.
    pub err: String,
}

/// Starts a program, with nothing on its standard input.
pub fn start(command: &mut Command) -> Running {
    start_with(command, Stdio::piped(), Stdio::piped())
}

/// Starts a program that writes where the caller says. What is `Stdio::piped()` is
/// read.
pub fn start_with(command: &mut Command, out: Stdio, err: Stdio) -> Running {
    start_all(command, Stdio::null(), out, err)
}

fn start_all(command: &mut Command, input: Stdio, out: Stdio, err: Stdio) -> Running {
    let name = command.get_program().to_os_string();
    let mut child = command
        .stdin(input)
        .stdout(out)
        .stderr(err)
        .spawn()
        .unwrap_or_else(|error| panic!("{name:?} cannot be started: {error}"));
    lock(&RUNNING).insert(child.id());
    let out = child.stdout.take().map(Pipe::read).unwrap_or_default();
    let err = child.stderr.take().map(Pipe::read).unwrap_or_default();
    Running { child, name, began: Instant::now(), out, err }
}

/// A pipe whose reader is closed: writing to it is an error.
pub fn closed() -> Stdio {
    let (_reader, writer) = std::io::pipe().expect("there are descriptors left");
    writer.into()
}

/// Runs a program to its end.
pub fn run(command: &mut Command) -> Finished {
    start(command).wait()
}

/// Runs a program to its end, with this on its standard input.
pub fn run_with_input(command: &mut Command, input: &[u8]) -> Finished {
    let mut file = tempfile::tempfile().expect("a file for this test");
    file.write_all(input).expect("it can be written");
    file.rewind().expect("it is a file");
    start_all(command, file.into(), Stdio::piped(), Stdio::piped()).wait()
}

impl Running {
    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// What it has said so far.
    pub fn said(&self) -> String {
        format!("{}\n{}", self.out.so_far(), self.err.so_far())
    }

    /// Waits for its end, for this time at the most. Returns whether it has ended.
    pub fn ends_within(&mut self, time: Duration) -> bool {
        self.child.wait_timeout(time).expect("a child of ours").is_some()
    }

    /// Waits for its end.
    ///
    /// # Panics
    /// It does not end in time; then it is killed, and the suite ends.
    pub fn wait(mut self) -> Finished {
        let limit = watchdog::limit();
        let left = limit.saturating_sub(self.began.elapsed());
        let Some(status) = self.child.wait_timeout(left).expect("a child of ours")
        else {
            let (name, said) = (&self.name, self.said());
            let why = format!("{name:?} still runs after {limit:?}; it said:\n{said}");
            watchdog::hangs(why);
        };
        let (out, err) = (self.out.whole(), self.err.whole());
        Finished { status, out, err }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // As a rule it has ended already, and there is nothing to kill.
        self.child.kill().ok();
        self.child.wait().ok();
        lock(&RUNNING).remove(&self.child.id());
    }
}

impl Finished {
    /// Its exit code.
    ///
    /// # Panics
    /// It was ended by a signal.
    pub fn code(&self) -> i32 {
        self.status.code().unwrap_or_else(|| panic!("no exit code: {self:#?}"))
    }

    /// Asserts its exit code. A failure shows what the program has printed.
    #[track_caller]
    pub fn left_with(self, code: i32) -> Finished {
        assert_eq!(self.code(), code, "{self:#?}");
        self
    }
}

/// What comes out of a program, read by a thread so that it never has to wait for us.
#[derive(Default)]
struct Pipe {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
}

impl Pipe {
    fn read(mut source: impl Read + Send + 'static) -> Pipe {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let shared = bytes.clone();
        let reader = thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = source.read(&mut buffer) {
                lock(&shared).extend_from_slice(&buffer[..count]);
            }
        });
        Pipe { bytes, reader: Some(reader) }
    }

    fn so_far(&self) -> String {
        String::from_utf8_lossy(&lock(&self.bytes)).into_owned()
    }

    fn whole(&mut self) -> String {
        if let Some(reader) = self.reader.take() {
            reader.join().expect("a reader does not panic");
        }
        String::from_utf8(lock(&self.bytes).clone()).expect("UTF-8 is written")
    }
}
