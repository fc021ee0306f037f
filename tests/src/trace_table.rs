//! A recorded trace, as the table that the book shows of it.

use crate::shown_command::Shown;
use regex::Regex;
use serde_json::Value;
use std::fs;
use std::ops::RangeInclusive;
use std::time::Duration;

/// The most rows that a reader follows.
const MOST_ROWS: usize = 15;

/// In a command, what stands for the file of the trace.
const FILE: &str = "TRACE";

/// What the first line of `traces/NAME.md` asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// What writes the trace.
    pub command: Shown,
    /// Which events, counted from 1 after the others' tasks were left out.
    pub rows: RangeInclusive<usize>,
    /// The tasks whose events are shown. Empty: all tasks.
    pub tasks: Vec<u64>,
}

impl Wanted {
    /// Reads `<!-- $ cargo run … --trace TRACE … | rows 3..14 tasks 1,2 -->`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(line: &str) -> Result<Wanted, String> {
        let pattern =
            r"^<!-- \$ (.+) \| rows (\d+)\.\.(\d+)(?: tasks (\d+(?:,\d+)*))? -->$";
        let pattern = Regex::new(pattern).expect("it is constant");
        let found = pattern.captures(line).ok_or(
            "begin with `<!-- $ cargo run … --trace TRACE … | rows 1..9 tasks 2 -->`",
        )?;
        let number = |text: &str| text.parse::<usize>().map_err(|_| "too many rows");
        let (from, to) = (number(&found[2])?, number(&found[3])?);
        if from == 0 || to < from || to - from >= MOST_ROWS {
            return Err(format!("rows {from}..{to}: show 1 to {MOST_ROWS}"));
        }
        let tasks = found.get(4).map_or("", |tasks| tasks.as_str()).split(',');
        let tasks = tasks.filter_map(|task| task.parse().ok()).collect();
        Ok(Wanted { command: Shown::parse(&found[1])?, rows: from..=to, tasks })
    }

    /// Runs the command, and makes a table of its trace.
    ///
    /// # Errors
    /// It wrote no trace, or one that has no such rows.
    pub fn table(&self) -> Result<String, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let file = folder.path().join("trace.jsonl");
        let printed = self.command.run(FILE, &file)?;
        let text = fs::read_to_string(&file)
            .map_err(|_| format!("no trace was written: {}", printed.text))?;
        self.rows_of(&text)
    }

    fn rows_of(&self, trace: &str) -> Result<String, String> {
        // The first line names the program.
        let lines = trace.lines().skip(1);
        let lines = lines.map(serde_json::from_str::<Value>);
        let lines: Vec<Value> =
            lines.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        let is_ours = |line: &&Value| {
            let task = line["task"].as_u64().unwrap_or_default();
            self.tasks.is_empty() || self.tasks.contains(&task)
        };
        let ours: Vec<&Value> = lines.iter().filter(is_ours).collect();
        let Some(shown) = ours.get(self.rows.start() - 1..*self.rows.end()) else {
            return Err(format!("the trace has {} such events", ours.len()));
        };
        let mut table = "| step | time | task | event | state | why |\n\
                         |---|--:|---|---|---|---|\n"
            .to_string();
        for (step, line) in (1..).zip(shown) {
            table.push_str(&row(step, line));
        }
        Ok(table)
    }
}

fn row(step: usize, line: &Value) -> String {
    let text = |key: &str| line[key].as_str().unwrap_or_default();
    let code = |text: &str| match text {
        "" => String::new(),
        text => format!("`{}`", text.replace('|', "\\|")),
    };
    let (task, event, state) = (&line["task"], text("event"), code(text("state")));
    let time = Duration::from_micros(line["us"].as_u64().unwrap_or_default());
    let time = time.as_secs_f64() * 1000.0;
    format!(
        "| {step} | {time:.1} ms | {task} | {event} | {state} | {} |\n",
        why(line, code)
    )
}

/// What an event tells besides: for what a task is there, what it waits for, and where.
fn why(line: &Value, code: impl Fn(&str) -> String) -> String {
    let text = |key: &str| line[key].as_str().unwrap_or_default();
    let place = code(text("at"));
    match text("event") {
        "created" => format!("for {}", path(text("for"))),
        "paused" => match &line["waits"] {
            Value::String(what) => format!("waits: {what}, {place}"),
            named => {
                let what = named["named"].as_str().unwrap_or_default();
                format!("waits: {}, {place}", path(what))
            }
        },
        "resumed" => format!("for {}, {place}", path(text("for"))),
        "arrived" => {
            let sides = ["readable", "writable"];
            let sides = sides.into_iter().filter(|side| line[side] == true);
            sides.collect::<Vec<_>>().join(", ")
        }
        _ => String::new(),
    }
}

/// A URL without the site's address, which is another each time.
fn path(text: &str) -> String {
    let site = Regex::new(r"^https?://127\.0\.0\.1:\d+").expect("it is constant");
    site.replace(text, "").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str =
        "<!-- $ cargo run -q -p shared -- --trace TRACE | rows 2..3 tasks 2 -->";

    #[test]
    fn rows_are_counted_after_the_others_were_left_out() {
        let wanted = Wanted::parse(LINE).expect("it is one");
        let trace = r#"{"trace":1,"program":"x"}
{"step":1,"us":1,"task":2,"event":"created","for":"http://127.0.0.1:4711/a"}
{"step":2,"us":2,"task":1,"event":"queued"}
{"step":3,"us":3,"task":2,"event":"paused","state":"New","waits":"readable","at":"a.rs:b"}
{"step":4,"us":1004321,"task":2,"event":"arrived","readable":true,"writable":false}
"#;
        let table = wanted.rows_of(trace).expect("it has three of them");
        let rows: Vec<&str> = table.lines().skip(2).collect();
        let paused = "| 1 | 0.0 ms | 2 | paused | `New` | waits: readable, `a.rs:b` |";
        assert_eq!(rows, [paused, "| 2 | 1004.3 ms | 2 | arrived |  | readable |"]);
        let all = Wanted { rows: 1..=9, ..wanted };
        assert!(all.rows_of(trace).is_err(), "there are no nine");
    }

    #[test]
    fn a_first_line_that_asks_for_too_much_is_refused() {
        assert!(Wanted::parse(&LINE.replace("2..3", "1..16")).is_err());
        assert!(Wanted::parse("<!-- cargo run -->").is_err());
    }
}
