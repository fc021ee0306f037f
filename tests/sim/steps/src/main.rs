//! The steps of the book that need no server, as one program: its name (`argv[0]`) is that
//! of the step, or that of the puzzle with two threads.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let name = env::args().next().unwrap_or_default();
    if name == steps::turns::NAME {
        return steps::turns::run();
    }
    steps::run(&name).unwrap_or_else(|| {
        eprintln!("error: {name}: not a step of this program");
        ExitCode::from(2)
    })
}
