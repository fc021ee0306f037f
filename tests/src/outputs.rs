//! What programs print, without what differs each time.

use regex::Regex;

/// The compiler whose messages are stored. Other versions word and draw them
/// differently.
pub const COMPILER: &str = "rustc 1.95.";

/// What differs in each run, or on each machine, and what is compared in its place.
const VARIES: &[(&str, &str)] = &[
    (r"\r\n", "\n"),
    (r"127\.0\.0\.1:\d+", "127.0.0.1:PORT"),
    (r"\b\d+(\.\d+)? (ms|s|secs)\b", "TIME"),
    // Of the recorder: when, how often a thread was running, and where it was suspended.
    (r"\b\d+\.\d(ns|µs|ms|s)\b", "TIME"),
    (r"running at [1-5] of 5 moments", "running at SOME of 5 moments"),
    (r"; the kernel suspended it in [^)]+\)", ")"),
    (r"waits in this poll: \d+", "waits in this poll: MANY"),
    (r#""elapsed_ms":\d+(\.\d+)?"#, r#""elapsed_ms":TIME"#),
    (r"\b\d+ KB\b", "SIZE"),
    // The end of an address.
    (r"…[0-9a-f]{3}\b", "ADDRESS"),
    (r"\b\d+ spins\b", "N spins"),
    (r"\b\d+ polls\b", "N polls"),
    (r"sockets at once: \d+", "sockets at once: N"),
    // A program inherits open files from the one that starts it.
    (r" *\d+  (out of sockets on this machine .*)\n *\d+  ", "N  $1\nN  "),
    // Whatever the machine allows.
    (r"(thread \d+ was refused: .*\n)?\d+ threads wait", "N threads wait"),
    // As many edges as the network has made of one page.
    (r"(an event for socket 1: read_response is called\n|  4096 bytes\n)+", "EDGES\n"),
];

/// The text with a name in the place of each time, port and size: two runs that did the
/// same have the same.
///
/// # Panics
/// A pattern of the table above is none.
pub fn normalise(text: &str) -> String {
    VARIES.iter().fold(text.to_string(), |text, (pattern, name)| {
        let pattern = Regex::new(pattern).expect("patterns are constants");
        pattern.replace_all(&text, *name).into_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_varies_is_hidden() {
        let text =
            "http://127.0.0.1:4711/slow?ms=100: status 200 after 102 ms, 58 URLs\n";
        let same =
            "http://127.0.0.1:PORT/slow?ms=100: status 200 after TIME, 58 URLs\n";
        assert_eq!(normalise(text), same);
        let report =
            "for 1.0s (running at 4 of 5 moments; the kernel suspended it in x)\n";
        let same = "for TIME (running at SOME of 5 moments)\n";
        assert_eq!(normalise(report), same);
        let blocked = "running at 0 of 5 moments\n";
        assert_eq!(normalise(blocked), blocked);
        let refused = " 210  out of sockets on this machine (why)\n  91  status 200\n";
        assert_eq!(
            normalise(refused),
            "N  out of sockets on this machine (why)\nN  status 200\n"
        );
    }
}
