//! The site of a comparison, in a process of its own; each wait has a limit.

use crate::Seen;
use crate::numbers::failed_to;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use wait_timeout::ChildExt;

/// How long the site may take to say where it is, or what it saw; and the program that
/// measures, to end what is late.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// The site, in a process of its own.
pub struct Site {
    child: Child,
    /// Its host and port.
    pub address: String,
    /// Closed to end it.
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Site {
    /// Starts this program, and waits until it serves: the demo site, or this folder.
    ///
    /// # Errors
    /// It does not start, or does not say where it is: a sentence.
    pub fn start(program: &Path, folder: Option<&Path>) -> Result<Site, String> {
        let mut command = Command::new(program);
        command.args(folder);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.map_err(|error| format!("no site: {error}"))?;
        let input = child.stdin.take().expect("a pipe was asked for");
        let output = child.stdout.take().expect("a pipe was asked for");
        let Some((address, output)) = first_line_within(output, PATIENCE) else {
            wait_or_kill(child, Duration::ZERO)?;
            return Err("no site: it does not say where it is".to_string());
        };
        Ok(Site { child, address, input, output })
    }

    /// Ends the site: what it saw.
    ///
    /// # Errors
    /// It does not end, or not in order: a sentence.
    pub fn end(self) -> Result<Seen, String> {
        let Site { child, input, mut output, .. } = self;
        drop(input);
        wait_or_kill(child, PATIENCE).map_err(|error| format!("the site: {error}"))?;
        let mut text = String::new();
        output.read_line(&mut text).map_err(failed_to("read its output"))?;
        serde_json::from_str(&text).map_err(|_| "the site saw nothing".to_string())
    }
}

/// A pipe's first line, and the pipe; none if it does not come in time.
fn first_line_within(
    output: ChildStdout,
    limit: Duration,
) -> Option<(String, BufReader<ChildStdout>)> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        let mut line = String::new();
        let read = output.read_line(&mut line);
        // The receiver may have given up.
        sender.send((read, line, output)).ok();
    });
    let (read, line, output) = receiver.recv_timeout(limit).ok()?;
    read.ok().filter(|&count| count > 0).map(|_| (line.trim().to_string(), output))
}

/// Waits for its end, and brings it about if it does not come.
pub(crate) fn wait_or_kill(mut child: Child, limit: Duration) -> Result<(), String> {
    match child.wait_timeout(limit) {
        Ok(Some(_)) => Ok(()),
        Ok(None) | Err(_) => {
            child.kill().and_then(|()| child.wait()).map_err(failed_to("end it"))?;
            Err(format!("it did not end in {} s", limit.as_secs()))
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_site_that_says_nothing_or_does_not_end_is_not_waited_for() {
        let mut command = Command::new("sleep");
        let mut child =
            command.arg("600").stdout(Stdio::piped()).spawn().expect("sleep");
        let output = child.stdout.take().expect("a pipe was asked for");
        assert!(first_line_within(output, Duration::ZERO).is_none());
        assert!(wait_or_kill(child, Duration::ZERO).is_err());
    }

    #[test]
    fn a_line_is_heard_and_an_end_is_not_one() {
        for (shell, expected) in [("echo here", Some("here")), ("exit", None)] {
            let mut command = Command::new("sh");
            command.args(["-c", shell]).stdout(Stdio::piped());
            let mut child = command.spawn().expect("a shell");
            let output = child.stdout.take().expect("a pipe was asked for");
            let line = first_line_within(output, PATIENCE).map(|(line, _)| line);
            assert_eq!(line.as_deref(), expected);
            assert_eq!(wait_or_kill(child, PATIENCE), Ok(()));
        }
    }
}
