//! `cargo book`, `cargo class`, `cargo compare`, `cargo measure` and `cargo exercise`, in any
//! folder of the repository: each runs a program of another workspace. (An alias of cargo's
//! has no path but one that is relative to the folder where it is used.)
#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::process::{Command, ExitCode};
use step::{become_command, cargo, root};

/// What cargo itself measures; the other programs of `cargo measure` are run.
const BENCHES: [&str; 3] = ["executor", "parked", "reading"];

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let name = arguments.next().unwrap_or_default();
    let launched = match command(&name.to_string_lossy(), arguments) {
        Some(mut cargo) => become_command(&mut cargo),
        None => Err(format!(
            "{name:?} is none of book, class, compare, measure and exercise"
        )),
    };
    launched.unwrap_or_else(|why| {
        eprintln!("error: {why}");
        ExitCode::from(2)
    })
}

/// Returns cargo's command for the program of this name; `None` if there is none.
fn command(
    name: &str,
    mut arguments: impl Iterator<Item = OsString>,
) -> Option<Command> {
    let (workspace, options) = match name {
        "book" => ("book", "run --package book"),
        "class" => ("book", "run --quiet --package book"),
        "compare" => ("tests/compare", "run --release --bin compare"),
        "measure" => ("tests/compare", ""),
        "exercise" => ("tests/exercises", "run --quiet --package runner"),
        _ => return None,
    };
    let mut cargo = cargo();
    if name == "measure" {
        match arguments.next() {
            Some(what) if BENCHES.iter().any(|bench| what == *bench) => {
                cargo.args(["bench", "--bench"]).arg(what)
            }
            Some(what) => cargo.args(["run", "--release", "--bin"]).arg(what),
            // Cargo lists them, and says that one is missing.
            None => cargo.args(["bench", "--bench"]),
        };
    } else {
        cargo.args(options.split(' '));
    }
    cargo
        .arg("--locked")
        .arg("--manifest-path")
        .arg(root().join(workspace).join("Cargo.toml"));
    cargo.arg("--");
    if name == "class" {
        cargo.arg(name);
    }
    cargo.args(arguments);
    Some(cargo)
}
