//! Builds the programs that crawl, and those that measure.

use std::collections::BTreeMap;
use std::env::{self, consts::EXE_EXTENSION};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

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
    let mut cargo = step::cargo();
    cargo.current_dir(workspace).args(["build", "--locked"]).args(arguments);
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    let status = cargo.arg("--target-dir").arg(target).status();
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

/// Cargo's folder for what it builds, in which this program is: as
/// `target/debug/deps/compare-0123`, or as `target/release/compare`.
pub fn target() -> PathBuf {
    let me = env::current_exe().unwrap_or_default();
    let mut folders =
        me.ancestors().skip(1).skip_while(|folder| folder.ends_with("deps"));
    folders.nth(1).unwrap_or(&me).to_path_buf()
}
