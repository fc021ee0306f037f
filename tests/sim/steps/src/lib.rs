//! The steps of the book, each compiled as it is, over the simulated system. One of them also
//! runs with two threads whose turns are chosen: see [`turns`].

#![expect(clippy::duplicate_mod, reason = "a step may be a module of another one, too")]

pub mod turns;

use std::process::{ExitCode, Termination as _};

/// The `main` of a step.
type Start = fn() -> ExitCode;

include!(concat!(env!("OUT_DIR"), "/steps.rs"));

/// Runs the step of this name, if there is one.
pub fn run(name: &str) -> Option<ExitCode> {
    let step = STEPS.iter().find(|(step, _)| *step == name);
    step.map(|(_, start)| start())
}
