//! Crawls over the simulated system (`tests/sim`): a connection takes a millisecond, what the
//! program computes takes a microsecond at a time, and each run is the same.

use crate::programs;
use crate::shown_command::{Program, Shown, root};
use serde_json::Value;

/// Where a crawl of the simulated system writes its trace.
const FILE: &str = "/trace";

/// The option for helper threads. The simulated system has no threads.
const HELPERS: &str = "--helpers";

/// Returns whether the simulated system can run a command: it has neither threads, which
/// all steps that write a trace have, nor TLS.
pub fn can_run(command: &Shown) -> bool {
    matches!(command.program, Program::Own(_))
        && !has_helpers(command)
        && !command.arguments.iter().any(|it| it.starts_with("https:"))
}

fn has_helpers(command: &Shown) -> bool {
    let helpers = command.arguments.windows(2).find(|pair| pair[0] == HELPERS);
    helpers.is_some_and(|pair| pair[1] != "0")
}

/// Runs crawlers there, with `file` in their arguments for the file of the trace. Returns
/// the traces.
///
/// # Errors
/// The target is missing, the crawlers do not compile, or one of them wrote no trace.
///
/// # Panics
/// There is no Node, or it does not end in time.
pub fn traces(commands: &[&Shown], file: &str) -> Result<Vec<String>, String> {
    let words: Vec<Vec<String>> =
        commands.iter().map(|it| words(it, file)).collect::<Result<_, _>>()?;
    let words = serde_json::to_string(&words).map_err(|it| it.to_string())?;
    let mut node = step::from_a_shell("node");
    let finished =
        programs::run(node.args(["tests/sim/record.mjs", &words]).current_dir(root()));
    if !finished.status.success() {
        return Err(format!("tests/sim/record.mjs: {}", finished.err));
    }
    let crawled: Vec<Value> =
        serde_json::from_str(&finished.out).map_err(|it| it.to_string())?;
    crawled.iter().map(trace).collect()
}

/// The name of the program, and its arguments.
fn words(command: &Shown, file: &str) -> Result<Vec<String>, String> {
    let Program::Own(package) = &command.program else {
        return Err("only the crawlers write traces".to_string());
    };
    let mut arguments = command.arguments.clone();
    // Its programs are built without helpers, and without the option for them.
    if let Some(at) = arguments.iter().position(|word| word == HELPERS) {
        arguments.drain(at..at + 2);
    }
    let arguments = arguments.into_iter().map(|word| word.replace(file, FILE));
    Ok([package.clone()].into_iter().chain(arguments).collect())
}

fn trace(crawled: &Value) -> Result<String, String> {
    match crawled["trace"].as_str() {
        Some(trace) if !trace.is_empty() => Ok(trace.to_string()),
        _ => Err(format!("no trace was written: {}", crawled["err"])),
    }
}
