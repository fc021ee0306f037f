//! `cargo book`, `cargo class`, `cargo compare` and `cargo exercise`, in any folder of the
//! repository: each runs a program of another workspace. (An alias of cargo's has no path
//! but one that is relative to the folder where it is used.)
#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::process::{Command, ExitCode};
use step::{become_command, cargo, root};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let name = arguments.next().unwrap_or_default();
    let launched = match command(&name.to_string_lossy(), arguments) {
        Some(mut cargo) => become_command(&mut cargo),
        None => Err(format!("{name:?} is none of book, class and exercise")),
    };
    launched.unwrap_or_else(|why| {
        eprintln!("error: {why}");
        ExitCode::from(2)
    })
}

/// Returns cargo's command for the program of this name; `None` if there is none.
fn command(name: &str, arguments: impl Iterator<Item = OsString>) -> Option<Command> {
    let (workspace, options, first): (&str, &[&str], &[&str]) = match name {
        "book" => ("book", &["--package", "book"], &[]),
        "class" => ("book", &["--quiet", "--package", "book"], &["class"]),
        "exercise" => ("tests/exercises", &["--quiet", "--package", "runner"], &[]),
        _ => return None,
    };
    let mut cargo = cargo();
    cargo.arg("run").args(options).arg("--manifest-path");
    cargo.arg(root().join(workspace).join("Cargo.toml"));
    cargo.arg("--").args(first).args(arguments);
    Some(cargo)
}
