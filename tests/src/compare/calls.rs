//! How many system calls a program makes: perf counts them, or strace. Linux only.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// What counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// Hardly slows the program down; needs the right to look into the system.
    Perf,
    /// Stops the program at each call, so it takes long.
    Strace,
}

const EVENT: &str = "raw_syscalls:sys_enter";

impl Counter {
    /// The better one of those that work here.
    pub fn find() -> Option<Counter> {
        [Counter::Perf, Counter::Strace].into_iter().find(|counter| counter.works())
    }

    fn works(self) -> bool {
        let Ok(file) = tempfile::NamedTempFile::new() else { return false };
        let words = self.before(file.path());
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).arg("true");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
            && self.read(file.path()).is_some()
    }

    /// What is written before a command, so that its calls are counted into this file.
    pub fn before(self, file: &Path) -> Vec<String> {
        let words: &[&str] = match self {
            Counter::Perf => &["perf", "stat", "-x", ",", "-e", EVENT, "-o"],
            Counter::Strace => &["strace", "-f", "-c", "-o"],
        };
        let words = words.iter().map(|word| word.to_string());
        words.chain([file.display().to_string()]).collect()
    }

    /// How many were counted.
    pub fn read(self, file: &Path) -> Option<u64> {
        self.parse(&fs::read_to_string(file).ok()?)
    }

    fn parse(self, text: &str) -> Option<u64> {
        match self {
            Counter::Perf => {
                let line = text.lines().find(|line| line.contains(EVENT))?;
                line.split(',').next()?.parse().ok()
            }
            // % time, seconds, usecs/call, calls, errors (if there are any), "total"
            Counter::Strace => {
                let line = text.lines().find(|line| line.ends_with(" total"))?;
                line.split_whitespace().nth(3)?.parse().ok()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_perf_and_strace_write_is_read() {
        let perf = "# started on Thu\n\n29,,raw_syscalls:sys_enter,1009500,100.00,,\n";
        assert_eq!(Counter::Perf.parse(perf), Some(29));
        let refused = "<not supported>,,raw_syscalls:sys_enter,0,100.00,,\n";
        assert_eq!(Counter::Perf.parse(refused), None);
        let strace = "% time     seconds  usecs/call     calls    errors syscall\n\
                      100.00    0.000312           9        33         2 total\n";
        assert_eq!(Counter::Strace.parse(strace), Some(33));
        assert_eq!(Counter::Strace.parse(""), None);
    }
}
