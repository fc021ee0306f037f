//! What a program asks of the system, what it computes, and what it allocates, counted by
//! other programs: system calls by perf or strace, the others by valgrind. Linux only.

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
    /// Bytes on the heap at its peak, those of the allocator itself included.
    Massif,
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

    /// The counter of what is on the heap, if it works here.
    pub fn of_heap() -> Option<Counter> {
        Some(Counter::Massif).filter(|counter| counter.works())
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
            Counter::Massif => "bytes of heap",
        }
    }

    /// Returns the words to put before a command, so that the count goes to this file.
    pub fn before(self, file: &Path) -> Vec<String> {
        let file = file.display();
        let words: &[&str] = match self {
            Counter::Perf => &["perf", "stat", "-x", ",", "-e", EVENT, "-o"],
            Counter::Strace => &["strace", "-f", "-c", "-o"],
            Counter::Callgrind => {
                return valgrind("callgrind", &format!("--callgrind-out-file={file}"));
            }
            // Each peak is recorded, not only what is 1 % higher than the one before.
            Counter::Massif => {
                let mut words =
                    valgrind("massif", &format!("--massif-out-file={file}"));
                words.push("--peak-inaccuracy=0".to_string());
                return words;
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
            Counter::Massif => {
                let all = |key: &str| -> Vec<u64> {
                    let values = text.lines().filter_map(|line| line.strip_prefix(key));
                    values.filter_map(|value| value.parse().ok()).collect()
                };
                let (heap, extra) = (all("mem_heap_B="), all("mem_heap_extra_B="));
                heap.iter().zip(extra).map(|(heap, extra)| heap + extra).max()
            }
            Counter::Callgrind => {
                let mut lines = text.lines();
                lines.find_map(|line| line.strip_prefix("totals: "))?.parse().ok()
            }
        }
    }
}

fn valgrind(tool: &str, out: &str) -> Vec<String> {
    let tool = format!("--tool={tool}");
    ["valgrind", "--quiet", &tool, out].map(String::from).to_vec()
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
        let snapshots = [(100, 8), (300, 24), (200, 90)].map(|(heap, extra)| {
            format!("time=1\nmem_heap_B={heap}\nmem_heap_extra_B={extra}\n")
        });
        assert_eq!(Counter::Massif.parse(&snapshots.concat()), Some(324));
        assert_eq!(Counter::Massif.parse("desc: (none)\n"), None);
    }
}
