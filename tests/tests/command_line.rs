//! The programs as a person meets them: command line in; report, complaints and exit
//! code out. A test for each program and rule.

mod crawls;
mod flags;
mod hostile;
mod https;
#[cfg(unix)]
mod machine;
mod report;
mod serve;
#[cfg(unix)]
mod signals;
mod usage;

use conformance::programs::{self, Finished};
use conformance::scripted::Server;
use libtest_mimic::Trial;
use serde_json::Value;
use std::process::Command;

/// The programs under test.
const STAGES: &[Stage] = &[
    Stage { name: "stage1", package: "stage1-callbacks", speaks_https: false },
    Stage { name: "stage2", package: "stage2-generators", speaks_https: false },
    Stage { name: "stage3", package: "stage3-async", speaks_https: true },
];

/// One of the three programs.
#[derive(Clone, Copy)]
struct Stage {
    name: &'static str,
    package: &'static str,
    speaks_https: bool,
}

/// A rule of the command line: panics if a program breaks it.
type Rule = fn(&Stage);

/// Names functions once: `rules![a, b]` is `[("a", a), ("b", b)]`.
macro_rules! rules {
    ($($rule:ident),* $(,)?) => {
        &[$((stringify!($rule), $rule as $crate::command_line::Rule)),*]
    };
}
use rules;

/// Returns a test for each program and rule.
pub(crate) fn trials() -> Vec<Trial> {
    let parts = [
        ("usage", usage::ALL),
        ("crawls", crawls::ALL),
        ("flags", flags::ALL),
        ("report", report::ALL),
        ("serve", serve::ALL),
        ("hostile", hostile::ALL),
        #[cfg(unix)]
        ("machine", machine::ALL),
        #[cfg(unix)]
        ("signals", signals::ALL),
    ];
    let mut trials = Vec::new();
    let own = [
        ("https", https::ALL),
        #[cfg(unix)]
        ("https", https::SIGNALS),
    ];
    for stage in STAGES {
        let own = own.iter().filter(|_| stage.speaks_https);
        for (part, rules) in parts.iter().chain(own) {
            for &(name, rule) in *rules {
                let name = format!("command_line::{}::{part}::{name}", stage.name);
                trials.push(programs::trial(stage.package, name, move || rule(stage)));
            }
        }
    }
    trials
}

impl Stage {
    /// The program with these arguments.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(programs::program(self.package));
        command.args(arguments);
        command
    }

    /// Runs the program with these arguments to its end.
    fn run(&self, arguments: &[&str]) -> Finished {
        programs::run(&mut self.command(arguments))
    }

    /// Crawls `path` on `server` with these arguments: the rows, then the summary.
    fn crawl(&self, server: &Server, path: &str, arguments: &[&str]) -> Vec<Value> {
        let root = server.url(path);
        let common = [root.as_str(), "--format", "jsonl"];
        json_lines(&self.run(&[&common, arguments].concat()).left_with(0).out)
    }
}

/// Reads JSON lines.
fn json_lines(text: &str) -> Vec<Value> {
    let read = |line: &str| {
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
    };
    text.lines().map(read).collect()
}

/// The paths of the rows, in the order of the report.
fn paths(lines: &[Value], server: &Server) -> Vec<String> {
    let path = |url: &str| url.strip_prefix(&server.url("")).unwrap_or(url).to_string();
    lines.iter().filter_map(|line| line["url"].as_str().map(path)).collect()
}

/// The row of a URL.
#[track_caller]
fn row<'a>(lines: &'a [Value], url: &str) -> &'a Value {
    let is_it = |line: &&Value| line["url"] == url;
    lines.iter().find(is_it).unwrap_or_else(|| panic!("no row for {url} in {lines:#?}"))
}
