//! The attributes of a block, from the command in its first line.

use super::Step;
use crate::html::highlight::escaped;
use std::collections::BTreeMap;
use std::fmt::Write;

pattern!(
    COMMAND,
    r"^\$ cargo (?:run(?: -q| --release| -p [\w-]+)* --example|step|lab) (?<name>ch\w+)(?: (?:'(?<quoted>[^']*)'|(?<bare>[^\s'|&>]+)))?$"
);

pattern!(CRAWL, r"^\$ cargo lab stage[123](?<options>(?: [^|>]+)?)$");
pattern!(TASKS, r"--max-tasks (\d+)");
pattern!(LATENCY, r"[?&]ms=(\d+)");

/// Returns the attributes of a block with this command. `None` if it runs neither a step
/// nor a crawler.
pub(super) fn attributes(
    steps: &BTreeMap<String, Step>,
    command: &str,
) -> Option<String> {
    let command = command.trim_end();
    if let Some(found) = CRAWL.captures(command) {
        return Some(crawl(&found["options"]));
    }
    let found = COMMAND.captures(command)?;
    let step = steps.get(&found["name"])?;
    let argument = found.name("quoted").or(found.name("bare"));
    let argument = argument.map(|it| it.as_str());
    if argument.is_some_and(is_secure) {
        return Some(data(&[("instead", Some(NO_HTTPS))]));
    }
    match step {
        Step::Not(why) => {
            let why = format!("It does not run in this page: {why}.");
            Some(data(&[("instead", Some(&why))]))
        }
        Step::Runs { program, prints, why, is_older } => Some(data(&[
            ("run", Some(&found["name"])),
            ("program", Some(program)),
            ("prints", Some(prints)),
            ("argument", argument),
            ("why", why.as_deref()),
            ("older", is_older.then_some("")),
        ])),
    }
}

const NO_HTTPS: &str = "It does not run in this page, where there is no https.";

fn is_secure(argument: &str) -> bool {
    argument.contains("https:")
}

/// Of a block that runs a crawler: a link to the playground, with as many tasks and with the
/// latency of its pages, if the command says them.
fn crawl(options: &str) -> String {
    if is_secure(options) {
        return data(&[("instead", Some(NO_HTTPS))]);
    }
    let value =
        |pattern: &regex::Regex| Some(pattern.captures(options)?[1].to_string());
    let settings = [("tasks", value(&TASKS)), ("latency", value(&LATENCY))];
    let settings: Vec<String> = settings
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name}={}", value?)))
        .collect();
    let link = format!("playground.html#{}", settings.join("&"));
    let text = "It does not run in this page. The three crawlers run over a site of their own in the";
    data(&[("instead", Some(text)), ("link", Some(link.trim_end_matches('#')))])
}

/// Attributes `data-NAME`, of those that have a value.
fn data(values: &[(&str, Option<&str>)]) -> String {
    let mut html = String::new();
    for (name, value) in values {
        if let Some(value) = value {
            let value = escaped(value).replace('"', "&quot;");
            let _ = write!(html, " data-{name}=\"{value}\"");
        }
    }
    html
}
