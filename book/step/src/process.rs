//! Cargo and other programs: how they are started, what they are in the reader's words, and
//! how they have ended.

use crate::root;
use std::ffi::OsStr;
#[cfg(unix)]
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};

/// Returns `cargo run` for this package, into the folder and with the profile with which
/// the program that asks was built.
pub fn cargo_run(package: &str) -> Command {
    cargo_for("run", package)
}

/// Returns `cargo build` for what [`cargo_run`] runs, once it has `--bins` or an example.
pub fn cargo_build(package: &str) -> Command {
    cargo_for("build", package)
}

fn cargo_for(verb: &str, package: &str) -> Command {
    let mut cargo = cargo();
    cargo.env("CARGO_TARGET_DIR", target()).args([verb, "--package", package]);
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    cargo
}

/// Returns cargo, as a shell would start it.
pub fn cargo() -> Command {
    from_a_shell(std::env::var_os("CARGO").unwrap_or("cargo".into()))
}

/// Returns a program as a shell would start it.
///
/// `cargo run` and `cargo test` set variables that describe the package of the program that
/// they run. A build script that looks at them (ring's) would run again after each change
/// between a shell and a program, and what depends on it would be compiled again, under the
/// hands of a test that uses it.
pub fn from_a_shell(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    let ours = |name: &str| {
        name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
    };
    for (name, _) in std::env::vars_os().filter(|it| it.0.to_str().is_some_and(ours)) {
        command.env_remove(name);
    }
    command
}

/// Cargo's folder for what it builds: this program lies in it, as `target/debug/step`.
pub fn target() -> PathBuf {
    let me = std::env::current_exe().unwrap_or_default();
    let folder = me.ancestors().nth(2).map(Path::to_path_buf);
    folder.unwrap_or_else(|| root().join("target"))
}

/// Runs a command in the place of this process, where the system can do that: then a
/// Ctrl-C is for that program alone.
///
/// # Errors
/// The program cannot be started.
pub fn become_command(command: &mut Command) -> Result<ExitCode, String> {
    #[cfg(unix)]
    let result: io::Result<ExitStatus> = {
        use std::os::unix::process::CommandExt;
        Err(command.exec())
    };
    #[cfg(not(unix))]
    let result = command.status();
    let status = result.map_err(|error| format!("{}: {error}", typed(command)))?;
    Ok(exit_code(status))
}

/// Returns the exit code with which to pass on how a program has ended; 1 after a signal.
pub fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    ExitCode::from(code.unwrap_or(1))
}

/// Returns a command as one would type it.
pub fn typed(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let mut words = vec![program.file_stem().unwrap_or_default().to_string_lossy()];
    words.extend(command.get_args().map(|argument| argument.to_string_lossy()));
    let needs_quotes = |c: char| !(c.is_alphanumeric() || "-_./:+=,%@".contains(c));
    let quoted = words.iter().map(|word| match word.contains(needs_quotes) {
        true => format!("'{}'", word.replace('\'', r"'\''")),
        false => word.to_string(),
    });
    quoted.collect::<Vec<_>>().join(" ")
}
