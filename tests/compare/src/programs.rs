//! Builds the programs that crawl, and those that measure.

use std::collections::BTreeMap;
use std::env::{self, consts::EXE_EXTENSION};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The names of programs, and where they are.
pub type Programs = BTreeMap<String, PathBuf>;

/// Runs `cargo build` with these arguments in the folder of a workspace, as the program that
/// asks was built: optimized or not. Returns these of the programs, which are in
/// cargo's folder `target`; the names of examples begin with `examples/`.
///
/// # Errors
/// Cargo cannot be started, or does not succeed. What it says goes to standard error.
pub fn build<'a>(
    workspace: &Path,
    target: &Path,
    arguments: &[&str],
    names: impl IntoIterator<Item = &'a str>,
) -> Result<Programs, String> {
    let mut cargo = cargo_build(workspace, target);
    let status = cargo.args(arguments).status();
    let status = status.map_err(|error| format!("cargo cannot be run: {error}"))?;
    if !status.success() {
        return Err("it cannot be built".to_string());
    }
    let folder = target.join(if cfg!(debug_assertions) { "debug" } else { "release" });
    let program = |name: &str| {
        let file = folder.join(name).with_extension(EXE_EXTENSION);
        let name = Path::new(name).file_name().and_then(OsStr::to_str);
        (name.unwrap_or_default().to_string(), file)
    };
    Ok(names.into_iter().map(program).collect())
}

/// Builds a benchmark, as `build` does a program. Returns the program, whose name cargo
/// chooses.
///
/// # Errors
/// As in [`build`].
pub fn build_bench(
    workspace: &Path,
    target: &Path,
    name: &str,
) -> Result<PathBuf, String> {
    let mut cargo = cargo_build(workspace, target);
    cargo.args(["--bench", name, "--message-format", "json-render-diagnostics"]);
    let output = cargo.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cargo cannot be run: {error}"))?;
    let program = executable(&String::from_utf8_lossy(&output.stdout), name);
    program.filter(|_| output.status.success()).ok_or(format!("{name} cannot be built"))
}

/// Finds the program of a target in cargo's messages, one a line.
fn executable(messages: &str, name: &str) -> Option<PathBuf> {
    let messages = messages.lines().map(serde_json::from_str::<serde_json::Value>);
    let is_it = |message: &serde_json::Value| message["target"]["name"] == name;
    let mut programs = messages.flatten().filter(is_it);
    programs.find_map(|message| Some(message["executable"].as_str()?.into()))
}

fn cargo_build(workspace: &Path, target: &Path) -> Command {
    let mut cargo = step::cargo();
    cargo.current_dir(workspace).args(["build", "--locked"]);
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    cargo.arg("--target-dir").arg(target);
    cargo
}

/// Cargo's folder for what it builds, in which this program is: as
/// `target/debug/deps/compare-0123`, or as `target/release/compare`.
pub fn target() -> PathBuf {
    let me = env::current_exe().unwrap_or_default();
    let mut folders =
        me.ancestors().skip(1).skip_while(|folder| folder.ends_with("deps"));
    folders.nth(1).unwrap_or(&me).to_path_buf()
}
