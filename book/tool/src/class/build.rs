//! Builds what a plan runs, in the way in which it is run: one package at a time, because
//! a build of several turns on other features, and `cargo run` would compile again.

use crate::class::needs::Needs;
use runner::groups;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

/// The exercises, a workspace of their own, and what `cargo exercise` builds of it: the checks
/// with those of threads, and without.
const EXERCISES: &str = "tests/exercises/Cargo.toml";
const CHECKS: [(&str, &[&str]); 3] = [
    ("runner", &["--bins"]),
    ("checks", &["--lib"]),
    ("checks", &["--lib", "--no-default-features"]),
];

/// One build.
pub struct Build {
    /// What is built, for a person.
    pub what: String,
    cargo: fn(&str) -> Command,
    package: String,
    arguments: Vec<String>,
}

/// What a build would have to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Nothing.
    Built,
    /// To compile something, which cargo has named.
    Missing(String),
    /// It cannot be built without a network: what cargo has said.
    Failed(String),
}

/// Returns the builds for a plan.
pub fn all(needs: &Needs) -> Vec<Build> {
    let mut all = Vec::new();
    for package in &needs.programs {
        all.push(of_workspace(package.clone(), package, &["--bins"]));
    }
    for (package, steps) in &needs.steps {
        let what = format!("{} of the steps in {package}", steps.len());
        let each = steps.iter().flat_map(|step| ["--example", step]);
        all.push(of_workspace(what, package, &each.collect::<Vec<_>>()));
    }
    if needs.exercises {
        for (package, arguments) in CHECKS {
            all.push(Build {
                what: format!("{package} of the exercises"),
                cargo: |package| {
                    let mut cargo = step::cargo();
                    let manifest = ["build", "--manifest-path", EXERCISES];
                    cargo.args(manifest).args(["--package", package]);
                    cargo
                },
                package: package.to_string(),
                arguments: arguments.iter().map(|it| it.to_string()).collect(),
            });
        }
    }
    all
}

fn of_workspace(what: String, package: &str, arguments: &[&str]) -> Build {
    Build {
        what,
        cargo: step::cargo_build,
        package: package.to_string(),
        arguments: arguments.iter().map(|it| it.to_string()).collect(),
    }
}

impl Build {
    fn command(&self) -> Command {
        let mut command = (self.cargo)(&self.package);
        command.arg("--locked").args(&self.arguments).current_dir(step::root());
        command
    }

    /// Builds it. It needs the network only if a library was never downloaded.
    ///
    /// # Errors
    /// Cargo says why, on standard error.
    pub fn run(&self) -> Result<(), String> {
        let what = &self.what;
        let status =
            self.command().status().map_err(|error| format!("cargo: {error}"))?;
        if status.success() {
            return Ok(());
        }
        Err(format!(
            "{what}: not built. If a library is missing, connect to a network once"
        ))
    }

    /// Returns what building it would do, without doing it.
    pub fn state(&self) -> State {
        dry(self.command().arg("--offline"))
    }
}

/// Begins a build, and ends it as soon as it compiles something.
fn dry(cargo: &mut Command) -> State {
    cargo.env("CARGO_TERM_QUIET", "false").env("CARGO_TERM_COLOR", "never");
    cargo.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    // A process group, so that it ends with the compilers that it has started.
    let mut child = match groups::spawn(cargo) {
        Ok(child) => child,
        Err(error) => return State::Failed(format!("cargo: {error}")),
    };
    let mut said = BufReader::new(child.stderr.take().expect("it is piped"));
    let (mut all, mut line) = (String::new(), String::new());
    // What is no UTF-8 ends it like the end of the output.
    while said.read_line(&mut line).is_ok_and(|count| count > 0) {
        if let Some(package) = line.trim().strip_prefix("Compiling ") {
            end(&mut child);
            let package = package.split(" (").next().unwrap_or_default();
            return State::Missing(package.to_string());
        }
        all += &line;
        line.clear();
    }
    let _ = said.read_to_string(&mut all); // a child that still writes would wait for us
    groups::forget(&child);
    match child.wait() {
        Ok(status) if status.success() => State::Built,
        Ok(_) => State::Failed(why(&all)),
        Err(error) => State::Failed(format!("cargo: {error}")),
    }
}

/// Ends cargo, and the compilers that it has started: the next build would write the same
/// files. (On other systems a compiler may go on for a moment.)
fn end(cargo: &mut Child) {
    groups::end(cargo);
    let _ = cargo.wait();
}

/// The first line of what cargo says of an error.
fn why(said: &str) -> String {
    let line = said.lines().find_map(|line| line.strip_prefix("error: "));
    line.unwrap_or("cargo says no reason").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tempfile::TempDir;

    /// A package of one line.
    fn package(dependencies: &str) -> TempDir {
        let folder = tempfile::tempdir().expect("a folder for this test");
        let manifest = format!(
            "[package]\nname = \"tiny\"\nedition = \"2024\"\n\n[dependencies]\n\
             {dependencies}\n\n[workspace]\n"
        );
        fs::write(folder.path().join("Cargo.toml"), manifest).expect("it is ours");
        fs::create_dir(folder.path().join("src")).expect("it is ours");
        fs::write(folder.path().join("src/lib.rs"), "//! Tiny.\n").expect("it is ours");
        folder
    }

    fn build(folder: &TempDir) -> Command {
        let mut cargo = step::cargo();
        cargo.current_dir(folder).args(["build", "--offline"]);
        cargo.env("CARGO_TARGET_DIR", folder.path().join("target"));
        cargo
    }

    #[test]
    fn a_dry_build_tells_what_is_missing() {
        let folder = package("");
        assert_eq!(dry(&mut build(&folder)), State::Missing("tiny v0.0.0".to_string()));
        let output = build(&folder).output().expect("cargo is here");
        assert!(output.status.success(), "{output:?}");
        assert_eq!(dry(&mut build(&folder)), State::Built);
    }

    #[test]
    fn a_library_that_was_never_downloaded_is_a_failure() {
        let folder = package("no-such-library-anywhere = \"1\"");
        let State::Failed(why) = dry(&mut build(&folder)) else {
            panic!("it was built");
        };
        assert!(why.contains("no-such-library-anywhere"), "{why}");
    }

    #[test]
    fn each_package_is_built_alone() {
        let mut needs = Needs { exercises: true, ..Needs::default() };
        needs.programs.insert("lab".to_string());
        let steps = ["ch04_selector", "ch02_blocking"].map(String::from);
        needs.steps.insert("stage1-callbacks".to_string(), steps.into());
        let typed: Vec<String> =
            all(&needs).iter().map(|build| step::typed(&build.command())).collect();
        let profile = if cfg!(debug_assertions) { "" } else { " --release" };
        assert_eq!(
            typed,
            [
                format!("cargo build --package lab{profile} --locked --bins"),
                format!(
                    "cargo build --package stage1-callbacks{profile} --locked --example \
                 ch02_blocking --example ch04_selector"
                ),
                format!(
                    "cargo build --manifest-path {EXERCISES} --package runner --locked --bins"
                ),
                format!(
                    "cargo build --manifest-path {EXERCISES} --package checks --locked --lib"
                ),
                format!(
                    "cargo build --manifest-path {EXERCISES} --package checks --locked --lib \
                 --no-default-features"
                ),
            ]
        );
    }
}
