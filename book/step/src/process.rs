//! Cargo and other programs: how they are started, what they are in the reader's words, and
//! how they have ended.

use crate::root;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};

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

/// Prints to standard output. A reader that goes away (`cargo step | head`) is no error.
///
/// # Errors
/// Standard output cannot be written.
pub fn print(text: &str) -> Result<ExitCode, String> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("standard output: {error}"))
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// Runs a command to its end. If standard output is a pipe whose reader goes away, as `|
/// head` does, this ends the command, which would panic at its next `println!`.
///
/// # Errors
/// The program cannot be started, or what it prints cannot be written.
pub fn run(command: &mut Command) -> Result<ExitCode, String> {
    let code = match read_by_a_program() {
        Some(out) => pass_on(command, out),
        None => command.status().map(exit_code),
    };
    code.map_err(|error| format!("{}: {error}", typed(command)))
}

/// Does the same in the place of this process, unless standard output is a pipe.
///
/// # Errors
/// As [`run`].
pub fn run_as_this_process(command: &mut Command) -> Result<ExitCode, String> {
    match read_by_a_program() {
        Some(_) => run(command),
        None => become_command(command),
    }
}

/// Returns standard output if it is a pipe.
#[cfg(unix)]
fn read_by_a_program() -> Option<File> {
    use std::os::unix::fs::FileTypeExt;
    let out = as_file(io::stdout())?;
    let kind = out.metadata().ok()?.file_type();
    (kind.is_fifo() || kind.is_socket()).then_some(out)
}

#[cfg(not(unix))]
fn read_by_a_program() -> Option<File> {
    None
}

#[cfg(unix)]
fn as_file(stream: impl std::os::fd::AsFd) -> Option<File> {
    stream.as_fd().try_clone_to_owned().ok().map(File::from)
}

/// Runs a command and writes what it prints to `out`. Its standard error goes the same way
/// if both are one file, so that the order of the lines stays.
fn pass_on(command: &mut Command, mut out: File) -> io::Result<ExitCode> {
    let (mut reader, writer) = io::pipe()?;
    if is_standard_error(&out) {
        command.stderr(writer.try_clone()?);
    }
    command.stdout(writer);
    let mut child = command.spawn()?;
    // The command holds the ends that were for the child. While they are open, the output
    // does not end.
    command.stdout(Stdio::inherit()).stderr(Stdio::inherit());
    match io::copy(&mut reader, &mut out) {
        Ok(_) => child.wait().map(exit_code),
        Err(error) => {
            child.kill()?;
            child.wait()?;
            match error.kind() {
                ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
                _ => Err(error),
            }
        }
    }
}

/// Returns whether standard error is the same file.
#[cfg(unix)]
fn is_standard_error(out: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |file: &File| file.metadata().ok().map(|it| (it.dev(), it.ino()));
    as_file(io::stderr()).is_some_and(|error| place(&error) == place(out))
}

#[cfg(not(unix))]
fn is_standard_error(_: &File) -> bool {
    false
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
