//! The parts of a command-line tool: options that print something, files, signals,
//! traces.

pub mod program; // the `main` of all three programs
pub mod trace; // traces: what a loop does, event by event

mod output; // complete writes to files and pipes
