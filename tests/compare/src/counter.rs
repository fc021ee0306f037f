//! What a program asks of the system, and what it computes, counted by other programs:
//! system calls by perf or strace, instructions by valgrind. Linux only.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// A program that runs another one and counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// System calls. Hardly slows the program down, but needs a permission.
    Perf,
    /// System calls. Stops the program at each one, so it takes long.
    Strace,
    /// Instructions. Takes some fifty times as long.
    Callgrind,
}

/// The event in which perf counts system calls.
const EVENT: &str = "raw_syscalls:sys_enter";

impl Counter {
    /// The better counter of system calls, of those that work here.
    pub fn of_calls() -> Option<Counter> {
        [Counter::Perf, Counter::Strace].into_iter().find(|counter| counter.works())
    }

    /// The counter of instructions, if it works here.
    pub fn of_instructions() -> Option<Counter> {
        Some(Counter::Callgrind).filter(|counter| counter.works())
    }

    /// Returns whether this counter is installed, and may count here.
    fn works(self) -> bool {
        let Ok(file) = tempfile::NamedTempFile::new() else { return false };
        let words = self.before(file.path());
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).arg("true");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
            && self.read(file.path()).is_some()
    }

    /// What is counted, in words.
    pub fn unit(self) -> &'static str {
        match self {
            Counter::Perf | Counter::Strace => "system calls",
            Counter::Callgrind => "instructions",
        }
    }

    /// Returns the words to put before a command, so that the count goes to this file.
    pub fn before(self, file: &Path) -> Vec<String> {
        let file = file.display();
        let words: &[&str] = match self {
            Counter::Perf => &["perf", "stat", "-x", ",", "-e", EVENT, "-o"],
            Counter::Strace => &["strace", "-f", "-c", "-o"],
            Counter::Callgrind => {
                let out = format!("--callgrind-out-file={file}");
                return ["valgrind", "--quiet", "--tool=callgrind", &out]
                    .map(String::from)
                    .to_vec();
            }
        };
        let words = words.iter().map(|word| word.to_string());
        words.chain([file.to_string()]).collect()
    }

    /// Reads the count from the file that was named in `before`.
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
            Counter::Callgrind => {
                let mut lines = text.lines();
                lines.find_map(|line| line.strip_prefix("totals: "))?.parse().ok()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_counters_write_is_read() {
        let perf = "# started on Thu\n\n29,,raw_syscalls:sys_enter,1009500,100.00,,\n";
        assert_eq!(Counter::Perf.parse(perf), Some(29));
        let refused = "<not supported>,,raw_syscalls:sys_enter,0,100.00,,\n";
        assert_eq!(Counter::Perf.parse(refused), None);
        let strace = "% time     seconds  usecs/call     calls    errors syscall\n\
                      100.00    0.000312           9        33         2 total\n";
        assert_eq!(Counter::Strace.parse(strace), Some(33));
        assert_eq!(Counter::Strace.parse(""), None);
        let callgrind = "events: Ir\nsummary: 254081\nfn=(1)\n0 7\n\ntotals: 254081\n";
        assert_eq!(Counter::Callgrind.parse(callgrind), Some(254_081));
        assert_eq!(Counter::Callgrind.parse("events: Ir\n"), None);
    }
}
