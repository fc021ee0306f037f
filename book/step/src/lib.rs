//! The steps of the book: each is one program, and is run by its name.
//!
//! Most are examples of a stage. What the compiler has to refuse, and what needs nightly
//! Rust, is compiled by `rustc` itself: both use std alone.
#![forbid(unsafe_code)]

mod find;
mod header;
mod process;
mod read;

pub use find::{find, of_chapter, unknown};
pub use header::InPage;
pub use process::{
    become_command, cargo, cargo_build, cargo_run, exit_code, from_a_shell, print, run,
    run_as_this_process, target, typed,
};
pub use read::{all, packages};

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its name, as in `ch02_blocking`.
    pub name: String,
    /// The chapter that its name begins with.
    pub chapter: u32,
    /// Its first line: the idea in one sentence.
    pub idea: String,
    /// Its source, from the project's folder.
    pub file: PathBuf,
    /// How it is compiled.
    pub kind: Kind,
    /// Whether other systems than Linux print something else: there it is only run.
    pub is_only_linux: bool,
    /// Whether the tests run no other step beside it, because its output depends on how fast
    /// the machine is, or because it takes much of the machine.
    pub is_run_alone: bool,
    /// How it runs in a page. Only an example does.
    pub in_a_page: InPage,
    /// Whether it uses what only the program with the crawlers has in a page: the demo
    /// site, or the parser of pages.
    pub needs_crawlers: bool,
}

/// How a step is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// As an example of this package.
    Example(String),
    /// By `rustc`, which refuses it.
    Refused,
    /// By `rustc` of the nightly toolchain.
    Nightly,
}

/// The folder of this project.
///
/// # Panics
/// Never: this package lies in it.
pub fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("the workspace holds book/step")
}

impl Step {
    /// Returns the package that it is an example of; `None` if `rustc` compiles it alone.
    pub fn package(&self) -> Option<&str> {
        match &self.kind {
            Kind::Example(package) => Some(package),
            Kind::Refused | Kind::Nightly => None,
        }
    }

    /// Returns the program that runs it in a page: `page`, which has the crawlers, too, or
    /// `steps`, which is a fifth as big.
    pub fn program_in_a_page(&self) -> &'static str {
        if self.needs_crawlers { "page" } else { "steps" }
    }

    /// Returns the file with what it has printed in a real run, or, of a program that the
    /// compiler refuses, what the compiler has printed.
    pub fn output(&self) -> PathBuf {
        let is_refused = self.kind == Kind::Refused;
        let extension = if is_refused { "stderr" } else { "out" };
        root().join(&self.file).with_extension(extension)
    }

    /// Returns the commands that run it in the project's folder, one after the other:
    /// the last one is the step, and the one before compiles it.
    pub fn commands(&self, arguments: &[OsString]) -> Vec<Command> {
        let mut rustc = Command::new("rustc");
        match &self.kind {
            Kind::Example(package) => {
                let mut cargo = cargo_run(package);
                cargo.args(["--example", &self.name]);
                if !arguments.is_empty() {
                    cargo.arg("--").args(arguments);
                }
                vec![cargo]
            }
            Kind::Refused => {
                rustc.args(["--edition", "2024"]).arg(&self.file);
                vec![rustc]
            }
            Kind::Nightly => {
                let program = target().join(&self.name);
                let program = program.with_extension(std::env::consts::EXE_EXTENSION);
                rustc.args(["+nightly", "--edition", "2024", "-o"]).arg(&program);
                rustc.arg(&self.file);
                let mut step = Command::new(program);
                step.args(arguments);
                vec![rustc, step]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps() -> Vec<Step> {
        all(root()).expect("the steps can be read")
    }

    #[test]
    fn an_example_is_run_by_cargo_and_a_refused_program_compiled_by_rustc() {
        let steps = steps();
        let typed_of = |name: &str, arguments: &[&str]| {
            let arguments: Vec<OsString> =
                arguments.iter().map(OsString::from).collect();
            let step = find(&steps, name).expect("it is there");
            step.commands(&arguments).iter().map(typed).collect::<Vec<_>>()
        };
        assert_eq!(
            typed_of("ch02_blocking", &["http://h/?a=1&b"]),
            ["cargo run --package stage1-callbacks --example ch02_blocking -- \
              'http://h/?a=1&b'"]
        );
        let refused = typed_of("ch05_captured_todo", &[]);
        let file = Path::new("stage1-callbacks/examples/refused/ch05_captured_todo.rs");
        assert_eq!(refused, [format!("rustc --edition 2024 {}", file.display())]);
        let nightly = typed_of("ch09_nightly", &[]);
        assert!(nightly[0].starts_with("rustc +nightly --edition 2024 -o "));
        assert_eq!(nightly.len(), 2);
    }
}
