//! The program: what it prints, and how it says that it cannot start.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use demo_site::DemoSite;

pub(crate) fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_demo-site"))
}

#[test]
fn the_program_prints_where_it_listens() {
    let mut child =
        program().args(["--port", "0"]).stdout(Stdio::piped()).spawn().expect("it");
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
    let output = program().args(["--port", &port]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).expect("text");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.contains("taken") && error.contains(&port), "{error}");
    assert!(output.stdout.is_empty());
}

#[test]
fn a_folder_that_is_not_there_is_one_line_and_exit_code_2() {
    let output = program()
        .args(["--port", "0", "--serve", "not-here"])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).expect("text");
    assert_eq!(error, "demo-site: not-here is not a folder\n");
}
