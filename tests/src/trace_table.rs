//! A recorded trace, as the table that the book shows of it, and whole, for the player.

use crate::shown_command::{Program, Shown};
use regex::Regex;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::RangeInclusive;
use std::time::Duration;

/// The most rows that a reader follows.
const MOST_ROWS: usize = 15;

/// The most events that a reader steps through.
const MOST_EVENTS: usize = 400;

/// In a command, what stands for the file of the trace.
const FILE: &str = "TRACE";

/// Events that tables leave out: what the loop itself does, and its timers. The book's
/// players read the same list.
const OF_LOOP: &str = include_str!("../../book/traces/of-loop.txt");

/// What the first line of `traces/NAME.md` asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// What writes the trace, as the book shows it.
    pub line: String,
    /// The same, to be run.
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
        let command = Shown::parse(&found[1])?;
        Ok(Wanted { line: found[1].to_string(), command, rows: from..=to, tasks })
    }

    /// Runs the command. Returns the table of its trace, and the whole trace.
    ///
    /// # Errors
    /// It wrote no trace, or one that has no such rows, or too many events.
    pub fn record(&self) -> Result<(String, Value), String> {
        let mut trace = record(&self.line, &self.command)?;
        let events = events(&trace);
        let shown = self.shown(&events)?;
        let table = self.table(&trace)?;
        let step =
            |event: Option<&&Value>| event.map_or(Value::Null, |it| it["step"].clone());
        let rows = json!([step(shown.first()), step(shown.last())]);
        trace["rows"] = rows;
        trace["tasks"] = json!(self.tasks);
        Ok((table, trace))
    }

    /// Returns the rows of the table, of all events of a trace.
    fn shown<'a>(&self, events: &'a [Value]) -> Result<Vec<&'a Value>, String> {
        let is_ours = |event: &&Value| {
            let task = event["task"].as_u64().unwrap_or_default();
            let is_of_loop = event["event"]
                .as_str()
                .is_some_and(|it| OF_LOOP.lines().any(|name| name == it));
            !is_of_loop && (self.tasks.is_empty() || self.tasks.contains(&task))
        };
        let ours: Vec<&Value> = events.iter().filter(is_ours).collect();
        match ours.get(self.rows.start() - 1..*self.rows.end()) {
            Some(shown) => Ok(shown.to_vec()),
            None => Err(format!("the trace has {} such events", ours.len())),
        }
    }

    /// Returns the table of a whole trace.
    ///
    /// # Errors
    /// It has no such rows.
    pub fn table(&self, trace: &Value) -> Result<String, String> {
        let events = events(trace);
        let shown = self.shown(&events)?;
        let mut table = "| step | time | task | event | state | why |\n\
                         |---|--:|---|---|---|---|\n"
            .to_string();
        for (step, line) in (1..).zip(shown) {
            table.push_str(&row(step, line));
        }
        Ok(table)
    }
}

/// Runs a command that writes a trace, and returns it for the player of the book: what was
/// run, where the sources are, and all events. The ports of URLs are left out.
///
/// # Errors
/// It wrote no trace, or one with too many events.
pub fn record(line: &str, command: &Shown) -> Result<Value, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("trace.jsonl");
    let printed = command.run(FILE, &file)?;
    let text = fs::read_to_string(&file)
        .map_err(|_| format!("no trace was written: {}", printed.text))?;
    let Program::Own(package) = &command.program else {
        return Err("only the crawlers write traces".to_string());
    };
    whole(line, package, &text)
}

fn whole(line: &str, package: &str, text: &str) -> Result<Value, String> {
    let ports = Regex::new(r"127\.0\.0\.1:\d+").expect("it is constant");
    let text = ports.replace_all(text, "127.0.0.1");
    let mut lines = text.lines().map(serde_json::from_str::<Value>);
    let why = |error: serde_json::Error| error.to_string();
    let head = lines.next().ok_or("the trace is empty")?.map_err(why)?;
    let events: Vec<Value> = lines.collect::<Result<_, _>>().map_err(why)?;
    if events.len() > MOST_EVENTS {
        let count = events.len();
        return Err(format!("{count} events: at most {MOST_EVENTS}, so crawl less"));
    }
    let mut sources = BTreeMap::new();
    for event in &events {
        let line = event["line"].as_str().ok_or("an event without a line")?;
        let (file, _) = line.rsplit_once(':').ok_or("a line without a number")?;
        sources.insert(file.to_string(), json!({"path": format!("{package}/{file}")}));
    }
    Ok(json!({
        "v": head["trace"],
        "program": head["program"],
        "command": line,
        "sources": sources,
        "events": events,
    }))
}

/// Writes a whole trace as JSON, an event on each line.
///
/// # Panics
/// It is no trace.
pub fn to_text(trace: &Value) -> String {
    let mut keys = Vec::new();
    for key in ["v", "program", "command", "sources", "tasks", "rows"] {
        if !trace[key].is_null() {
            keys.push(format!("\"{key}\":{}", trace[key]));
        }
    }
    let events: Vec<String> = events(trace).iter().map(Value::to_string).collect();
    keys.push(format!("\"events\":[\n{}\n]", events.join(",\n")));
    format!("{{\n{}\n}}\n", keys.join(",\n"))
}

/// Returns a whole trace without what is chance: two runs that did the same have the
/// same. Times are left out, and what depends on which of two tasks came first. So each
/// task has its own events, each once: in how many pieces a page arrives is chance, too.
pub fn without_chance(trace: &Value) -> Value {
    const CHANCE: [&str; 8] =
        ["step", "us", "until", "when", "ready", "readable", "writable", "timer"];
    let mut tasks: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for mut event in events(trace) {
        let task = event["task"].to_string();
        let is_look = matches!(event["event"].as_str(), Some("slept" | "woke"));
        if let Some(event) = event.as_object_mut().filter(|_| !is_look) {
            let fixed = event.iter().filter(|(key, _)| !CHANCE.contains(&key.as_str()));
            let fixed = fixed.map(|(key, value)| format!("{key}: {value}"));
            let text = fixed.collect::<Vec<_>>().join(", ");
            tasks.entry(task).or_default().insert(text);
        }
    }
    let mut rest = trace.clone();
    rest["rows"] = Value::Null;
    rest["events"] = json!(tasks);
    rest
}

fn events(trace: &Value) -> Vec<Value> {
    trace["events"].as_array().expect("a trace has events").clone()
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
    let site = Regex::new(r"^https?://127\.0\.0\.1(:\d+)?").expect("it is constant");
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
        let trace = r#"{"trace":2,"program":"x"}
{"step":1,"us":1,"task":2,"event":"created","for":"http://127.0.0.1:4711/a","line":"src/a.rs:7"}
{"step":2,"us":2,"task":1,"event":"queued","line":"src/b.rs:7"}
{"step":3,"us":3,"task":2,"event":"paused","state":"New","waits":"readable","at":"a.rs:b","line":"src/a.rs:8"}
{"step":4,"us":9,"task":0,"event":"slept","until":null,"line":"src/a.rs:9"}
{"step":5,"us":1004321,"task":2,"event":"arrived","readable":true,"writable":false,"line":"src/a.rs:9"}
"#;
        let trace = whole("x", "stage", trace).expect("it is one");
        assert_eq!(trace["sources"]["src/b.rs"]["path"], "stage/src/b.rs");
        assert_eq!(trace["events"][0]["for"], "http://127.0.0.1/a");
        let table = wanted.table(&trace).expect("it has three of them");
        let rows: Vec<&str> = table.lines().skip(2).collect();
        let paused = "| 1 | 0.0 ms | 2 | paused | `New` | waits: readable, `a.rs:b` |";
        assert_eq!(rows, [paused, "| 2 | 1004.3 ms | 2 | arrived |  | readable |"]);
        let all = Wanted { rows: 1..=9, ..wanted };
        assert!(all.table(&trace).is_err(), "there are no nine");
    }

    #[test]
    fn times_and_the_order_of_tasks_are_chance_and_lines_are_not() {
        let trace = |events: &[Value]| json!({"v": 2, "events": events});
        let event = |task: u64, us: u64, line: &str| json!({"task": task, "event": "queued", "us": us, "ready": us, "line": line});
        let sleep = json!({"task": 0, "event": "slept", "us": 1});
        let stored = trace(&[event(1, 1, "a:1"), event(2, 2, "a:2"), sleep]);
        let same = trace(&[event(2, 3, "a:2"), event(1, 4, "a:1")]);
        assert_eq!(without_chance(&stored), without_chance(&same));
        for other in [
            trace(&[event(1, 1, "a:1")]),
            trace(&[event(1, 1, "a:1"), event(2, 2, "a:3")]),
            trace(&[event(1, 1, "a:1"), event(2, 2, "a:2"), event(1, 3, "a:2")]),
        ] {
            assert_ne!(without_chance(&stored), without_chance(&other));
        }
        assert_eq!(serde_json::from_str::<Value>(&to_text(&stored)).ok(), Some(stored));
    }

    #[test]
    fn a_first_line_that_asks_for_too_much_is_refused() {
        assert!(Wanted::parse(&LINE.replace("2..3", "1..16")).is_err());
        assert!(Wanted::parse("<!-- cargo run -->").is_err());
    }
}
