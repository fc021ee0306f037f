//! Crawls over the simulated system (`tests/sim`): a connection takes a millisecond, what the
//! program computes takes a microsecond at a time, and each run is the same.

use crate::shown_command::{Program, Shown, root};
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Stdio};

/// Where a crawl of the simulated system writes its trace.
const FILE: &str = "/trace";

/// The options of a crawler that the simulated system has not, since it has no threads.
const HELPERS: &str = "--helpers";

/// Returns whether the simulated system can run a command: it has neither threads nor TLS.
pub fn can_run(command: &Shown) -> bool {
    !has_helpers(command)
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
/// Node or the target is missing, the crawlers do not compile, or one of them wrote no trace.
pub fn traces(commands: &[&Shown], file: &str) -> Result<Vec<String>, String> {
    let words: Vec<Vec<String>> =
        commands.iter().map(|it| words(it, file)).collect::<Result<_, _>>()?;
    let words = serde_json::to_vec(&words).map_err(|it| it.to_string())?;
    let mut node = Command::new("node");
    node.arg("tests/sim/record.mjs").current_dir(root());
    node.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut node = node.spawn().map_err(|it| format!("node: {it}"))?;
    // It fails if Node has ended early, and then its status says so.
    drop(node.stdin.take().map(|mut stdin| stdin.write_all(&words)));
    let output = node.wait_with_output().map_err(|it| format!("node: {it}"))?;
    if !output.status.success() {
        return Err(format!("tests/sim/record.mjs: {}", output.status));
    }
    let crawled: Vec<Value> =
        serde_json::from_slice(&output.stdout).map_err(|it| it.to_string())?;
    crawled.iter().map(trace).collect()
}

/// The name of the program, and its arguments.
fn words(command: &Shown, file: &str) -> Result<Vec<String>, String> {
    let Program::Own(package) = &command.program else {
        return Err("only the crawlers write traces".to_string());
    };
    let mut arguments = command.arguments.clone();
    // There are none, and no option for them.
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
