//! A recorded trace, and which of its events the rows of the table are.

use super::file;
use crate::read::place::Place;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

pattern!(ROW, r#"^\| <a id="trace=[\w-]+@(\d+)"></a>"#);
pattern!(EQUAL, r"^(.*) \((\d+) of (\d+)\)$");

/// `traces/NAME.json`
#[derive(Debug)]
pub(crate) struct Trace {
    /// The package that was traced.
    pub(crate) program: String,
    /// What the events number, if they number no tasks: `threads`.
    pub(crate) tasks: Option<String>,
    /// What recorded it.
    pub(crate) command: String,
    /// The events, in order. The `line` of each is the one that the source has today:
    /// `src/queue.rs:188`.
    pub(crate) events: Vec<Value>,
    /// For each row of the table the place of its event.
    pub(crate) rows: Vec<usize>,
}

#[derive(Deserialize)]
struct Stored {
    v: u32,
    program: String,
    tasks: Option<String>,
    command: String,
    events: Vec<Value>,
}

/// The version that the player understands.
const VERSION: u32 = 4;

impl Trace {
    /// Reads a trace and its table.
    ///
    /// # Errors
    /// One of them is not there, or the table has a row that is no event.
    pub(super) fn read(place: &Place, name: &str) -> Result<Trace, String> {
        let text = |extension| {
            let file = file(place, name, extension);
            fs::read_to_string(&file)
                .map_err(|error| format!("{}: {error}", place.shown(&file)))
        };
        let stored: Stored = serde_json::from_str(&text("json")?)
            .map_err(|error| format!("traces/{name}.json: {error}"))?;
        if stored.v != VERSION {
            return Err(format!(
                "traces/{name}.json: version {}, and not {VERSION}: record it again with \
                 {RECORD}",
                stored.v
            ));
        }
        let Stored { program, tasks, command, mut events, .. } = stored;
        number(&mut events, &place.root.join(&program)).map_err(|why| {
            format!("traces/{name}.json: {why}: record it again with {RECORD}")
        })?;
        let rows = match text("md") {
            Ok(table) => rows(&events, &table)
                .ok_or(format!("traces/{name}.json has not the rows of {name}.md"))?,
            Err(_) => Vec::new(),
        };
        Ok(Trace { program, tasks, command, events, rows })
    }

    /// A trace of these events, all of which are rows.
    #[cfg(test)]
    pub(super) fn of(events: Vec<Value>) -> Trace {
        let (program, tasks, command) = Default::default();
        let rows = (0..events.len()).collect();
        Trace { program, tasks, command, events, rows }
    }

    /// The events that a table shows, from one number of the trace to another one.
    pub(super) fn between(&self, from: u64, to: u64) -> Vec<usize> {
        let is_shown = |at: &usize| {
            let event = &self.events[*at];
            let is_in =
                event["step"].as_u64().is_some_and(|it| (from..=to).contains(&it));
            is_in && is_in_tables(event)
        };
        (0..self.events.len()).filter(is_shown).collect()
    }

    /// When the loop sleeps for at least so many milliseconds: the places of the events at
    /// its begin and at its end.
    pub(super) fn sleeps(&self, shortest: u64) -> Vec<(usize, usize)> {
        let us = |at: usize| self.events[at]["us"].as_u64().unwrap_or_default();
        let is = |at: &usize, name: &str| self.events[*at]["event"] == name;
        // Another thread may wake a task while the loop sleeps: `queued` comes in between.
        let begin = |end: usize| (0..end).rev().find(|at| is(at, "slept"));
        let ends = (0..self.events.len()).filter(|at| is(at, "woke"));
        let sleeps = ends.filter_map(|end| Some((begin(end)?, end)));
        sleeps.filter(|(from, to)| us(*to) - us(*from) >= shortest * 1000).collect()
    }

    /// The lines that its events name, as `("src/machine/net.rs", 60)`.
    pub(super) fn lines(&self) -> impl Iterator<Item = (&str, usize)> {
        let lines = self.events.iter().filter_map(|event| event["line"].as_str());
        let lines: BTreeSet<&str> = lines.collect();
        lines.into_iter().filter_map(|line| {
            let (file, number) = line.rsplit_once(':')?;
            Some((file, number.parse().ok()?))
        })
    }

    /// Where a file is in the project.
    pub(super) fn path(&self, file: &str) -> String {
        format!("{}/{file}", self.program)
    }

    /// Returns whether there is such an event: `paused`, or `paused read` with its state.
    pub(super) fn has(&self, name: &str) -> bool {
        let (name, state) = name.split_once(' ').unwrap_or((name, ""));
        let is_it = |event: &&Value| {
            event["event"] == name && (state.is_empty() || event["state"] == state)
        };
        self.events.iter().any(|event| is_it(&event))
    }
}

/// Records all traces again.
const RECORD: &str = "`UPDATE_OUTPUTS=1 cargo test -p conformance --test book trace -- \
                      --include-ignored`";

/// Finds the line of each event in the sources of a package, and puts its number in the place
/// of its text.
fn number(events: &mut [Value], package: &Path) -> Result<(), String> {
    let mut numbered: BTreeMap<String, String> = BTreeMap::new();
    for event in events {
        let line = event["line"].as_str().ok_or("an event without a line")?;
        let known = match numbered.get(line) {
            Some(known) => known,
            None => {
                let (file, text) =
                    line.split_once(": ").ok_or("a line without a file")?;
                let source = fs::read_to_string(package.join(file))
                    .map_err(|error| format!("{file}: {error}"))?;
                let number =
                    number_of(&source, text).map_err(|why| format!("{file} {why}"))?;
                numbered.entry(line.to_string()).or_insert(format!("{file}:{number}"))
            }
        };
        event["line"] = known.as_str().into();
    }
    Ok(())
}

/// Returns the number of the line with this text. It is the only one; of equal lines, the text
/// ends in ` (2 of 3)`.
fn number_of(source: &str, text: &str) -> Result<usize, String> {
    let found = EQUAL.captures(text);
    let group =
        |number| found.as_ref().and_then(|it| it.get(number)).map(|it| it.as_str());
    let (text, at, all) =
        (group(1).unwrap_or(text), group(2).unwrap_or("1"), group(3).unwrap_or("1"));
    let equal = (1..).zip(source.lines()).filter(|(_, line)| line.trim() == text);
    let equal: Vec<usize> = equal.map(|(number, _)| number).collect();
    let number = at.parse().ok().and_then(|at: usize| equal.get(at.checked_sub(1)?));
    match (number, equal.len()) {
        (Some(number), count) if count.to_string() == all => Ok(*number),
        (_, 0) => Err(format!("has no line `{text}`")),
        (_, count) => Err(format!("has {count} lines `{text}`, and not {all}")),
    }
}

/// What the loop itself does, and its timers. The tests that record tables read the same list.
const OF_LOOP: &str = include_str!("../../../../traces/of-loop.txt");

/// Tables have what happens to tasks.
fn is_in_tables(event: &Value) -> bool {
    event["event"].as_str().is_some_and(|name| OF_LOOP.lines().all(|it| it != name))
}

/// Finds the events that are in the table: each row has the number of its event.
fn rows(events: &[Value], table: &str) -> Option<Vec<usize>> {
    let rows = table.lines().filter_map(|line| ROW.captures(line));
    let place = |number: &str| {
        let number: u64 = number.parse().ok()?;
        events.iter().position(|event| event["step"] == number)
    };
    rows.map(|row| place(&row[1])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_sleep_begins_where_the_loop_fell_asleep_whatever_came_in_between() {
        let trace = Trace::of(vec![
            json!({"event": "slept", "us": 1_000}),
            json!({"event": "queued", "us": 9_000}),
            json!({"event": "woke", "us": 9_001}),
            json!({"event": "slept", "us": 9_500}),
            json!({"event": "woke", "us": 10_000}),
        ]);
        assert_eq!(trace.sleeps(8), [(0, 2)]);
        assert_eq!(trace.sleeps(0), [(0, 2), (3, 4)]);
    }

    #[test]
    fn a_line_is_found_by_its_text_wherever_it_is() {
        let source = "fn a() {\n    wake();\n    sleep();\n    wake();\n}\n";
        let found = ["sleep();", "wake(); (1 of 2)", "wake(); (2 of 2)"];
        assert_eq!(found.map(|text| number_of(source, text)), [Ok(3), Ok(2), Ok(4)]);
        let moved = format!("//! A line more.\n{source}");
        assert_eq!(found.map(|text| number_of(&moved, text)), [Ok(4), Ok(3), Ok(5)]);
        for (text, why) in [
            ("park();", "has no line `park();`"),
            ("wake();", "has 2 lines `wake();`, and not 1"),
            ("wake(); (2 of 3)", "has 2 lines `wake();`, and not 3"),
            ("sleep(); (1 of 2)", "has 1 lines `sleep();`, and not 2"),
        ] {
            assert_eq!(number_of(source, text), Err(why.to_string()));
        }
    }

    #[test]
    fn a_row_is_the_event_with_its_number() {
        let events: Vec<Value> = (1..=5).map(|step| json!({"step": step})).collect();
        let table = "| step | time |\n|---|--:|\n\
                     | <a id=\"trace=a-b@2\"></a>2 | 0.1 ms |\n\
                     | <a id=\"trace=a-b@5\"></a>5 | 0.2 ms |\n";
        assert_eq!(rows(&events, table), Some(vec![1, 4]));
        assert_eq!(rows(&events[..2], table), None);
    }
}
