//! `cargo exercise` in any folder of the repository: runs the program of the workspace
//! `tests/exercises`. An alias has no path but one that is relative to the folder where
//! it is used.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use step::{become_command, cargo, root};

fn main() -> ExitCode {
    let mut cargo = cargo();
    cargo.args(["run", "--quiet", "--manifest-path"]);
    cargo.arg(root().join("tests/exercises/Cargo.toml"));
    cargo.args(["--package", "runner", "--"]).args(std::env::args_os().skip(1));
    match become_command(&mut cargo) {
        Ok(code) => code,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}
