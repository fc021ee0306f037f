//! One file, compiled with rustc against the checks, which cargo has built. That takes
//! about a second; cargo would also look at all other files of the learner.

use crate::material::Project;
use std::env::{consts::EXE_SUFFIX, var_os};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The built checks.
pub struct Library {
    /// Beside it is what it uses.
    rlib: PathBuf,
    root: PathBuf,
    /// For the programs of this run. It is removed with all that is in it.
    work: TempDir,
}

/// A compiled solution. Its file is removed when this is dropped.
pub struct Program {
    /// What to run.
    pub path: PathBuf,
    /// What the compiler has remarked. Empty, if nothing.
    pub warnings: String,
}

impl Drop for Program {
    fn drop(&mut self) {
        fs::remove_file(&self.path).ok(); // it takes only room, if it stays
    }
}

fn tool(variable: &str, usual: &str) -> OsString {
    var_os(variable).unwrap_or(usual.into())
}

impl Library {
    /// Builds the checks, or finds that they are built: with those of threads, or without.
    /// Cargo keeps both.
    pub fn build(project: &Project, with_threads: bool) -> Result<Library, String> {
        let place = project.work().join(if with_threads { "threads" } else { "plain" });
        if !place.exists() {
            let what = if with_threads { "with threads " } else { "" };
            anstream::eprintln!(
                "The checks {what}are built first: this takes a while, once."
            );
        }
        let mut cargo = step::cargo();
        cargo.current_dir(&project.root);
        cargo.args(["build", "--quiet", "--locked", "--package", "checks", "--lib"]);
        cargo.args(["--message-format=json-render-diagnostics", "--manifest-path"]);
        cargo.arg("tests/exercises/Cargo.toml").stderr(Stdio::inherit());
        cargo.args((!with_threads).then_some("--no-default-features"));
        let output = cargo.output().map_err(|error| format!("cargo: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let built = text.lines().find_map(built).filter(|_| output.status.success());
        let rlib = built.ok_or("the checks of the exercises cannot be built")?;
        let work =
            fs::create_dir_all(&place).and_then(|()| tempfile::tempdir_in(&place));
        let work = work.map_err(|error| format!("{}: {error}", place.display()))?;
        Ok(Library { rlib, root: project.root.clone(), work })
    }

    /// Returns a folder for the files of this run.
    pub fn work(&self) -> &Path {
        self.work.path()
    }

    /// Compiles a file to a program of this name, which knows the lines of its calls. The
    /// error is what the compiler prints, in color if wanted.
    pub fn compile(
        &self,
        source: &Path,
        name: &str,
        color: bool,
    ) -> Result<Program, String> {
        self.link(
            source,
            name,
            &[
                if color { "--color=always" } else { "--color=never" },
                "-C",
                "debuginfo=line-tables-only",
            ],
        )
    }

    /// Compiles a file as `compile` does, to a program of a tenth of the size: for programs
    /// of which many are kept at the same time.
    pub(crate) fn compile_stripped(
        &self,
        source: &Path,
        name: &str,
    ) -> Result<Program, String> {
        self.link(
            source,
            name,
            &["--color=never", "-C", "debuginfo=0", "-C", "strip=symbols"],
        )
    }

    fn link(
        &self,
        source: &Path,
        name: &str,
        options: &[&str],
    ) -> Result<Program, String> {
        let path = self.work().join(format!("{name}{EXE_SUFFIX}"));
        let mut rustc = self.command(tool("RUSTC", "rustc"), source);
        rustc.args(options).arg("-o").arg(&path);
        let warnings = stderr_of(&mut rustc)?;
        Ok(Program { path, warnings })
    }

    /// Returns what clippy says about a file: an error if it remarks anything.
    pub fn clippy(&self, source: &Path, name: &str) -> Result<(), String> {
        let mut clippy = self.command("clippy-driver".into(), source);
        clippy.args(["-D", "warnings", "-W", "clippy::all", "--emit=metadata", "-o"]);
        clippy.arg(self.work().join(format!("{name}.rmeta")));
        stderr_of(&mut clippy).map(drop)
    }

    /// Returns whether a file compiles, in a quarter of the time that a program takes.
    ///
    /// # Errors
    /// The compiler does not run.
    pub(crate) fn accepts(&self, source: &Path, name: &str) -> Result<bool, String> {
        let mut rustc = self.command(tool("RUSTC", "rustc"), source);
        rustc.args(["--emit=metadata", "-o"]);
        rustc.arg(self.work().join(format!("{name}.rmeta")));
        let output = rustc.output().map_err(|error| format!("rustc: {error}"))?;
        Ok(output.status.success())
    }

    /// The compiler runs in the root, so that it names files as seen from there.
    fn command(&self, compiler: OsString, source: &Path) -> Command {
        let mut command = Command::new(compiler);
        command
            .current_dir(&self.root)
            .args(["--edition=2024", "--crate-name=solution"]);
        command.args(["--crate-type=bin", "-F", "unsafe_code", "--extern"]);
        command.arg(with_path("checks=", &self.rlib));
        let deps = self.rlib.parent().unwrap_or(&self.root);
        command.arg("-L").arg(with_path("dependency=", deps));
        command.arg(source.strip_prefix(&self.root).unwrap_or(source));
        command
    }
}

fn with_path(before: &str, path: &Path) -> OsString {
    let mut argument = OsString::from(before);
    argument.push(path);
    argument
}

/// Returns what the command has printed as errors, as an error if it has failed.
fn stderr_of(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{program}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(text) } else { Err(text) }
}

/// Returns the path of the checks, if this message of cargo has it: the one beside their
/// metadata, and not the copy in `target/debug`, which is that of the latest build.
fn built(message: &str) -> Option<PathBuf> {
    let message: serde_json::Value = serde_json::from_str(message).ok()?;
    if message["reason"] != "compiler-artifact" || message["target"]["name"] != "checks"
    {
        return None;
    }
    let files = message["filenames"].as_array()?.iter().filter_map(|it| it.as_str());
    let metadata =
        files.map(Path::new).find(|it| it.extension() == Some("rmeta".as_ref()));
    Some(metadata?.with_extension("rlib"))
}
