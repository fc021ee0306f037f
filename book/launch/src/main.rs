//! `cargo book`, `cargo class`, `cargo compare`, `cargo measure` and `cargo exercise`, in any
//! folder of the repository: each runs a program of another workspace. (An alias of cargo's
//! has no path but one that is relative to the folder where it is used.)
#![forbid(unsafe_code)]

use std::ffi::{OsStr, OsString};
use std::process::{Command, ExitCode};
use step::{become_command, cargo, root};

/// What cargo itself measures.
const BENCHES: [&str; 4] = ["executor", "parked", "reading", "recorder"];
/// What programs measure.
const PROGRAMS: [&str; 4] = ["timers", "more_threads", "completion", "slow_pages"];

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let name = arguments.next().unwrap_or_default();
    let launched = command(&name.to_string_lossy(), arguments)
        .and_then(|mut cargo| become_command(&mut cargo));
    launched.unwrap_or_else(|why| {
        eprintln!("error: {why}");
        ExitCode::from(2)
    })
}

/// Returns cargo's command for the program of this name.
///
/// # Errors
/// There is no such program.
fn command(
    name: &str,
    mut arguments: impl Iterator<Item = OsString>,
) -> Result<Command, String> {
    let (workspace, options) = match name {
        "book" => ("book", "run --package book".to_string()),
        "class" => ("book", "run --quiet --package book".to_string()),
        "compare" => ("tests/compare", "run --release --bin compare".to_string()),
        "measure" => {
            ("tests/compare", measured(&arguments.next().unwrap_or_default())?)
        }
        "exercise" => ("tests/exercises", "run --quiet --package runner".to_string()),
        _ => {
            return Err(format!(
                "{name:?} is none of book, class, compare, measure and exercise"
            ));
        }
    };
    let mut cargo = cargo();
    // The first time, cargo says what it compiles: that takes some seconds.
    let options = options.split(' ').filter(|it| *it != "--quiet" || is_built(name));
    cargo.args(options).arg("--locked");
    cargo.arg("--manifest-path").arg(root().join(workspace).join("Cargo.toml"));
    cargo.arg("--");
    if name == "class" {
        cargo.arg(name);
    }
    cargo.args(arguments);
    Ok(cargo)
}

/// Returns whether the program that `cargo class` or `cargo exercise` runs was built before:
/// it is beside this one.
fn is_built(name: &str) -> bool {
    let program = if name == "class" { "book" } else { name };
    let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    std::env::current_exe().is_ok_and(|own| own.with_file_name(file).exists())
}

/// Returns cargo's options for `cargo measure WHAT`.
fn measured(what: &OsStr) -> Result<String, String> {
    let is = |name: &&str| what == *name;
    let bench = BENCHES.into_iter().find(is).map(|it| format!("bench --bench {it}"));
    let run =
        || PROGRAMS.into_iter().find(is).map(|it| format!("run --release --bin {it}"));
    bench.or_else(run).ok_or_else(|| {
        let all = [&BENCHES[..], &PROGRAMS].concat().join(", ");
        format!("cargo measure takes one of {all}")
    })
}
