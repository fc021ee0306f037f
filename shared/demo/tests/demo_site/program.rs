//! The program's output, and its error messages.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{RwLock, RwLockReadGuard};

use demo_site_tls::DemoSite;

/// A child process begins with copies of all sockets of this process, which it loses
/// when it becomes another program. Until then, a socket that is closed here stays
/// open. So no process is started while a test counts open connections.
static SOCKETS: RwLock<()> = RwLock::new(());

/// Prevents the start of processes while the returned guard exists.
pub(crate) fn sockets_are_not_copied() -> RwLockReadGuard<'static, ()> {
    SOCKETS.read().expect("nothing panics while it starts a program")
}

pub(crate) fn program() -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_demo-site"));
    program.stdout(Stdio::piped()).stderr(Stdio::piped());
    program
}

/// Starts the program. When this returns, the child has become that program.
pub(crate) fn start(program: &mut Command) -> Child {
    let started = {
        let _alone = SOCKETS.write();
        program.spawn()
    };
    started.expect("it runs")
}

/// Runs the program to its end.
pub(crate) fn output(program: &mut Command) -> Output {
    start(program).wait_with_output().expect("it ends")
}

#[test]
fn the_program_prints_where_it_listens() {
    let mut child = start(program().args(["--port", "0"]));
    let mut line = String::new();
    let output = child.stdout.take().expect("it is piped");
    BufReader::new(output).read_line(&mut line).expect("a line");
    child.kill().expect("it still runs");
    child.wait().expect("it was killed");
    assert!(line.starts_with("demo site on http://127.0.0.1:"), "{line}");
    assert!(line.ends_with("/  (Ctrl-C ends it)\n"), "{line}");
}

#[test]
fn a_taken_port_is_one_line_and_exit_code_2() {
    let site = DemoSite::start().expect("a socket");
    let port = site.address().port().to_string();
    let output = output(program().args(["--port", &port]));
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).expect("text");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.contains("taken") && error.contains(&port), "{error}");
    assert!(output.stdout.is_empty());
}

#[test]
fn a_folder_that_is_not_there_is_one_line_and_exit_code_2() {
    let output = output(program().args(["--port", "0", "--serve", "not-here"]));
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).expect("text");
    assert_eq!(error, "demo-site: not-here is not a folder\n");
}
