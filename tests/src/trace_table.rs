//! A recorded trace, as the table that the book shows of it, and whole, for the player.

use crate::shown_command::{Shown, root};
use regex::Regex;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::ops::RangeInclusive;
use std::time::Duration;

/// The most rows that a reader follows.
const MOST_ROWS: usize = 15;

/// The most events that a reader steps through.
const MOST_EVENTS: usize = 400;

/// In a command, what stands for the file of the trace.
pub const FILE: &str = "TRACE";

/// Events that tables leave out: what the loop itself does, and its timers. The book's
/// players read the same list.
const OF_LOOP: &str = include_str!("../../book/traces/of-loop.txt");

/// What the first line of `traces/NAME.md` asks for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The line itself.
    first: String,
    /// What writes the trace, as the book shows it.
    pub line: String,
    /// Which events, counted from 1 after the others' tasks were left out.
    rows: RangeInclusive<usize>,
    /// The tasks whose events are shown. Empty: all tasks.
    tasks: Vec<u64>,
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
        let (first, line) = (line.to_string(), found[1].to_string());
        Ok(Wanted { first, line, rows: from..=to, tasks })
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

    /// Returns the whole `traces/NAME.md`: its first line, and the table of a trace, in which
    /// each row is a place to which links lead.
    ///
    /// # Errors
    /// It has no such rows.
    pub fn page(&self, name: &str, trace: &Value) -> Result<String, String> {
        Ok(format!("{}\n\n{}", self.first, self.table(name, trace)?))
    }

    /// Returns the table of a trace.
    fn table(&self, name: &str, trace: &Value) -> Result<String, String> {
        let events = events(trace);
        let shown = self.shown(&events)?;
        let of_threads = trace["tasks"] == "threads";
        let unit = if of_threads { "thread" } else { "task" };
        let mut table = format!(
            "| step | time | {unit} | event | state | why |\n|---|--:|---|---|---|---|\n"
        );
        for line in shown {
            table.push_str(&row(name, line, unit));
        }
        Ok(table)
    }
}

/// Runs a command over loopback, and returns the trace that it writes.
///
/// # Errors
/// It wrote none.
pub fn over_loopback(command: &Shown) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("trace.jsonl");
    let printed = command.run(FILE, &file)?;
    fs::read_to_string(&file)
        .map_err(|_| format!("no trace was written: {}", printed.text))
}

/// Returns a trace as the book stores it: what was run, and all events, each with the text
/// of its line. The ports of URLs are left out.
///
/// # Errors
/// It is no trace, or one with too many events.
pub fn whole(line: &str, trace: &str) -> Result<Value, String> {
    let ports = Regex::new(r"127\.0\.0\.1:\d+").expect("it is constant");
    let trace = ports.replace_all(trace, "127.0.0.1");
    let mut lines = trace.lines().map(serde_json::from_str::<Value>);
    let why = |error: serde_json::Error| error.to_string();
    let head = lines.next().ok_or("the trace is empty")?.map_err(why)?;
    let program = head["program"].as_str().ok_or("the trace names no program")?;
    let mut events: Vec<Value> = lines.collect::<Result<_, _>>().map_err(why)?;
    if events.len() > MOST_EVENTS {
        let count = events.len();
        return Err(format!("{count} events: at most {MOST_EVENTS}, so crawl less"));
    }
    let mut texts = BTreeMap::new();
    for event in &mut events {
        let line = event["line"].as_str().ok_or("an event without a line")?;
        if !texts.contains_key(line) {
            texts.insert(line.to_string(), text_of(program, line)?);
        }
        event["line"] = json!(texts[line]);
    }
    let mut whole = json!({ "v": head["trace"], "program": program });
    if head["tasks"].is_string() {
        whole["tasks"] = head["tasks"].clone();
    }
    whole["command"] = json!(line);
    whole["events"] = json!(events);
    Ok(whole)
}

/// Returns for `src/queue.rs:188` of a program `src/queue.rs: GET.parked(); // observe`. Of
/// equal lines ` (2 of 3)` follows.
fn text_of(program: &str, line: &str) -> Result<String, String> {
    let (file, number) = line.rsplit_once(':').ok_or("a line without a number")?;
    let path = root().join(program).join(file);
    let source = fs::read_to_string(&path).map_err(|it| format!("{line}: {it}"))?;
    let number: usize = number.parse().map_err(|_| format!("{line}: no number"))?;
    let lines = || source.lines().map(str::trim);
    let text =
        lines().nth(number - 1).ok_or(format!("{line}: there is no such line"))?;
    let before = lines().take(number).filter(|it| *it == text).count();
    match lines().filter(|it| *it == text).count() {
        1 => Ok(format!("{file}: {text}")),
        all => Ok(format!("{file}: {text} ({before} of {all})")),
    }
}

/// Writes a whole trace as JSON, an event on each line.
///
/// # Panics
/// It is no trace.
pub fn to_text(trace: &Value) -> String {
    let mut keys = Vec::new();
    for key in ["v", "program", "tasks", "command"] {
        if !trace[key].is_null() {
            keys.push(format!("\"{key}\":{}", trace[key]));
        }
    }
    let events: Vec<String> = events(trace).iter().map(Value::to_string).collect();
    keys.push(format!("\"events\":[\n{}\n]", events.join(",\n")));
    format!("{{\n{}\n}}\n", keys.join(",\n"))
}

/// The events of a whole trace.
pub(crate) fn events(trace: &Value) -> Vec<Value> {
    trace["events"].as_array().cloned().unwrap_or_default()
}

/// A row has the number of its event, which is the one that the player shows.
fn row(name: &str, line: &Value, unit: &str) -> String {
    let text = |key: &str| line[key].as_str().unwrap_or_default();
    let code = |text: &str| match text {
        "" => String::new(),
        text => format!("`{}`", text.replace('|', "\\|")),
    };
    let (step, task, state) = (&line["step"], &line["task"], code(text("state")));
    let event = match text("event") {
        "queued" if unit == "thread" => "ready", // threads are in no queue of ours
        event => event,
    };
    let time = Duration::from_micros(line["us"].as_u64().unwrap_or_default());
    let time = time.as_secs_f64() * 1000.0;
    format!(
        "| <a id=\"trace={name}@{step}\"></a>{step} | {time:.1} ms | {task} | {event} | {state} \
         | {} |\n",
        why(line, unit, code)
    )
}

/// What an event tells besides: for what a task is there, what it waits for, and where.
fn why(line: &Value, unit: &str, code: impl Fn(&str) -> String) -> String {
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
        "resumed" if unit == "thread" => place,
        "resumed" if !text("thread").is_empty() => {
            format!("on {}, {place}", text("thread"))
        }
        "resumed" => format!("for {}, {place}", path(text("for"))),
        "moved" => format!("to the {}", text("queue")),
        "arrived" => {
            let sides = ["readable", "writable"];
            let sides = sides.into_iter().filter(|side| line[side] == true);
            sides.collect::<Vec<_>>().join(", ")
        }
        "woken" if line["cancels"] == true => format!("cancelled {}", by(line, unit)),
        _ => by(line, unit),
    }
}

/// What has woken a task; nothing if the event before says it.
fn by(line: &Value, unit: &str) -> String {
    match (&line["by"], line["by"].as_str()) {
        (Value::Null, _) => String::new(),
        (_, Some("thread")) => "by another thread".to_string(),
        (_, Some(of_loop)) => format!("by the {of_loop}"),
        (task, _) if *task == line["task"] => "by itself".to_string(),
        (task, _) if *task == 0 => match line["thread"].as_str() {
            Some(thread) => format!("by {thread}"),
            None => "by the loop".to_string(),
        },
        (task, _) => format!("by {unit} {task}"),
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
        let trace = r#"{"trace":4,"program":"stage3-async"}
{"step":1,"us":1,"task":2,"event":"created","for":"http://127.0.0.1:4711/a","line":"src/lib.rs:1"}
{"step":2,"us":2,"task":1,"event":"queued","line":"src/lib.rs:1"}
{"step":3,"us":3,"task":2,"event":"paused","state":"New","waits":"readable","at":"a.rs:b","line":"src/lib.rs:1"}
{"step":4,"us":9,"task":0,"event":"slept","until":null,"line":"src/lib.rs:1"}
{"step":5,"us":1004321,"task":2,"event":"arrived","readable":true,"writable":false,"line":"src/lib.rs:1"}
"#;
        let trace = whole("x", trace).expect("it is one");
        assert_eq!(trace["events"][0]["for"], "http://127.0.0.1/a");
        let first = include_str!("../../stage3-async/src/lib.rs").lines().next();
        let first = first.expect("it has lines");
        assert_eq!(trace["events"][0]["line"], format!("src/lib.rs: {first}"));
        let table = wanted.table("a-b", &trace).expect("it has three of them");
        let rows: Vec<&str> = table.lines().skip(2).collect();
        let paused = "| <a id=\"trace=a-b@3\"></a>3 | 0.0 ms | 2 | paused | `New` | waits: readable, `a.rs:b` |";
        let arrived =
            "| <a id=\"trace=a-b@5\"></a>5 | 1004.3 ms | 2 | arrived |  | readable |";
        assert_eq!(rows, [paused, arrived]);
        let all = Wanted { rows: 1..=9, ..wanted };
        assert!(all.table("a-b", &trace).is_err(), "there are no nine");
    }

    #[test]
    fn equal_lines_are_counted() {
        let (program, file) = ("stage1-callbacks", "src/fetcher.rs");
        let source = include_str!("../../stage1-callbacks/src/fetcher.rs");
        let wanted = "Err(error) => return self.fail(error, event_loop, crawler),";
        let numbers = (1..).zip(source.lines()).filter(|(_, it)| it.trim() == wanted);
        let texts: Vec<String> = numbers
            .map(|(number, _)| text_of(program, &format!("{file}:{number}")))
            .collect::<Result<_, _>>()
            .expect("they are lines");
        let all = texts.len();
        assert!(all > 1, "the line is repeated");
        let counted = (1..=all).map(|at| format!("{file}: {wanted} ({at} of {all})"));
        assert_eq!(texts, Vec::from_iter(counted));
        assert!(text_of(program, &format!("{file}:99999")).is_err());
    }

    #[test]
    fn a_wake_says_what_has_called_the_waker() {
        let by =
            |it: Value| by(&json!({"event": "woken", "task": 2, "by": it}), "task");
        let said = [json!(1), json!(2), json!(0), json!("timer"), json!("thread")];
        let expected = ["task 1", "itself", "the loop", "the timer", "another thread"];
        assert_eq!(said.map(by), expected.map(|it| format!("by {it}")));
        assert_eq!(by(Value::Null), "");
        let (line, code) = (
            |it| json!({"event": it, "at": "a", "thread": "b", "queue": "c", "by": 1}),
            str::to_string,
        );
        let said = ["resumed", "moved", "woken"].map(|it| why(&line(it), "task", code));
        assert_eq!(said, ["on b, a", "to the c", "by task 1"]);
        let cancelled = json!({"event": "woken", "task": 2, "cancels": true, "by": 1});
        assert_eq!(why(&cancelled, "task", code), "cancelled by task 1");
        let queued = json!({"event": "queued", "by": 0, "thread": "main"});
        assert_eq!(why(&queued, "task", code), "by main");
        let said = ["resumed", "woken"].map(|it| why(&line(it), "thread", code));
        assert_eq!(said, ["a", "by thread 1"]);
        let queued = row("a-b", &line("queued"), "thread");
        assert!(queued.contains("| ready |"), "{queued}");
    }

    #[test]
    fn what_is_written_is_read_back() {
        let events = json!([{"task": 1, "event": "created"}, {"task": 2}]);
        let trace = json!({"v": 3, "command": "x", "events": events});
        assert_eq!(serde_json::from_str::<Value>(&to_text(&trace)).ok(), Some(trace));
    }

    #[test]
    fn a_first_line_that_asks_for_too_much_is_refused() {
        assert!(Wanted::parse(&LINE.replace("2..3", "1..16")).is_err());
        assert!(Wanted::parse("<!-- cargo run -->").is_err());
    }
}
