//! The picture of the README: what waits and what runs in two stored traces. It is a figure
//! like those of the pages, with its colors in it, because no style sheet is around it.

use crate::read::colors::{self, Theme};
use crate::read::place::Place;
use figure::{Drawing, Trouble};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::{Display, Write};
use std::fs;

/// The file, in the folder of the book.
pub(super) const FILE: &str = "waits.svg";

/// The traces that it shows: the name of the file, and a heading.
const TRACES: [(&str, &str); 2] = [
    ("introduction-one-at-a-time", "One page at a time (--max-tasks 1)"),
    ("introduction-five-at-once", "Five pages at once (--max-tasks 5)"),
];

const ALT: &str = "Two crawls of five pages, each of which takes a second to arrive. One page \
                   at a time, a task waits five times, one second each, and the thread sleeps \
                   through five seconds. Five at once, five tasks wait during the same second, \
                   on one thread, which sleeps through one second.";

/// How many moments of the picture a second has. What begins and ends in one moment is not
/// drawn, so a trace that is recorded again draws the same picture.
const MOMENTS: u64 = 20;

#[derive(Deserialize)]
struct Trace {
    events: Vec<Event>,
}

#[derive(Deserialize)]
struct Event {
    us: u64,
    task: u64,
    event: String,
    /// What the task does: the URL that it fetches, for instance.
    #[serde(default, rename = "for")]
    purpose: String,
    /// What it waits for: a word, or an object.
    #[serde(default)]
    waits: Value,
}

impl Event {
    /// When it happened, in moments.
    fn moment(&self) -> u64 {
        (self.us * MOMENTS + 500_000) / 1_000_000
    }
}

/// A time in which a task waits for a socket, or the thread sleeps.
#[derive(Debug, PartialEq)]
struct Wait {
    from: u64,
    to: u64,
    /// The path of the page, or that the thread sleeps.
    text: String,
}

/// Returns whether this book has a trace of the picture.
pub(super) fn has_a_trace(place: &Place) -> bool {
    TRACES.iter().any(|(name, _)| place.book.join(path(name)).is_file())
}

fn path(name: &str) -> String {
    format!("traces/{name}.json")
}

/// Draws the picture.
///
/// # Errors
/// A trace or the style sheet cannot be read.
pub(super) fn draw(place: &Place) -> Result<Drawing, Vec<Trouble>> {
    let trouble = |path: &str, why: &dyn Display| {
        vec![Trouble { line: 0, text: format!("{path}: {why}") }]
    };
    let read = |path: &str| {
        fs::read_to_string(place.book.join(path)).map_err(|why| trouble(path, &why))
    };
    let css = read("theme/figures.css")?;
    let mut traces: Vec<Trace> = Vec::new();
    for (name, _) in TRACES {
        let path = path(name);
        let trace = serde_json::from_str(&read(&path)?);
        traces.push(trace.map_err(|why| trouble(&path, &why))?);
    }
    let drawn = figure::draw("waits", &written(&traces))?;
    Ok(Drawing { svg: alone(&drawn.svg, &css), ..drawn })
}

/// What the picture shows, beside the shorter run.
const KEY: [&str; 3] = [
    "Dashed: a task waits for a page, or the thread sleeps.",
    "A stroke: the thread runs. All its work fits into strokes.",
    "Nothing here needs a second thread.",
];

/// The figure, in the language of figures.
fn written(traces: &[Trace]) -> String {
    let (mut y, mut end, mut text) = (18, 0, String::new());
    for (trace, (_, heading)) in traces.iter().zip(TRACES) {
        let _ = writeln!(text, "note 22 {y} \"{heading}\"");
        y += 24;
        for (task, waits) in of_tasks(&trace.events) {
            lane(&mut text, y, &format!("task {task}"), "os", &waits);
            y += 32;
        }
        let sleeps = of_thread(&trace.events);
        lane(&mut text, y, "the thread", "loop", &sleeps);
        // It runs before its first sleep and after each.
        let first = sleeps.first().map(|it| it.from);
        for at in first.into_iter().chain(sleeps.iter().map(|it| it.to)) {
            let _ = writeln!(text, "mark lane{y} {}", seconds(at));
            end = end.max(at);
        }
        y += 48;
    }
    let axis = y - 22;
    for (line, y) in KEY.iter().zip((axis - 118..).step_by(22)) {
        let _ = writeln!(text, "note 330 {y} \"{line}\"");
    }
    let head = format!("size 762 {}\nalt {ALT}\n", axis + 60);
    let end = seconds(end);
    format!("{head}axis 120 {axis} 620 0 {end} 1 \"seconds\"\n{text}")
}

fn lane(text: &mut String, y: u32, name: &str, role: &str, waits: &[Wait]) {
    let _ = writeln!(text, "lane lane{y} {y} \"{name}\" as {role}");
    for Wait { from, to, text: label } in waits {
        let (from, to) = (seconds(*from), seconds(*to));
        let _ = writeln!(text, "wait lane{y} {from} {to} \"{label}\"");
    }
}

fn seconds(moment: u64) -> f64 {
    moment as f64 / MOMENTS as f64
}

/// When each task waits for a socket, and for which page.
fn of_tasks(events: &[Event]) -> BTreeMap<u64, Vec<Wait>> {
    let mut waiting: BTreeMap<u64, &Event> = BTreeMap::new();
    let mut all: BTreeMap<u64, Vec<Wait>> = BTreeMap::new();
    for event in events {
        match &*event.event {
            "paused" if event.waits == "readable" => {
                waiting.insert(event.task, event);
            }
            "resumed" => {
                let Some(from) = waiting.remove(&event.task) else { continue };
                let path = event.purpose.splitn(4, '/').nth(3).unwrap_or_default();
                let path = path.split('?').next().unwrap_or_default();
                let (from, to) = (from.moment(), event.moment());
                if from < to {
                    let text = format!("`/{path}`");
                    all.entry(event.task).or_default().push(Wait { from, to, text });
                }
            }
            _ => {}
        }
    }
    all
}

/// When the loop sleeps.
fn of_thread(events: &[Event]) -> Vec<Wait> {
    let mut asleep = None;
    let mut all = Vec::new();
    for event in events {
        match &*event.event {
            "slept" => asleep = Some(event.moment()),
            "woke" => {
                let (Some(from), to) = (asleep.take(), event.moment()) else {
                    continue;
                };
                if from < to {
                    all.push(Wait { from, to, text: "sleeps".to_string() });
                }
            }
            _ => {}
        }
    }
    all
}

/// The figure with a ground and with colors, for light pages and for dark ones.
fn alone(svg: &str, css: &str) -> String {
    let ground = "<rect class=\"fig-plate\" width=\"100%\" height=\"100%\" rx=\"6\"/>";
    let (title, rest) = svg.split_once("</title>\n").unwrap_or(("", svg));
    let is_used = |rule: &&str| {
        let selector = rule.split('{').next().unwrap_or_default();
        let classes = selector.split('.').skip(1);
        classes
            .filter_map(|it| it.split([' ', ',']).next())
            .all(|class| svg.contains(class) || ground.contains(class))
    };
    let rules = |theme| -> String {
        let all = colors::plain(css, theme);
        all.lines().filter(is_used).map(|rule| format!("{rule}\n")).collect()
    };
    format!(
        "{title}</title>\n<style>\n{}@media (prefers-color-scheme: dark) {{\n{}}}\n\
         </style>\n{ground}\n{rest}",
        rules(Theme::Light),
        rules(Theme::Dark)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_wait_is_drawn_with_its_page_unless_it_is_too_short_to_see() {
        let events = json!([
            {"us": 900, "task": 2, "event": "paused", "waits": "readable"},
            {"us": 901, "task": 0, "event": "slept"},
            {"us": 1_001_000, "task": 0, "event": "woke"},
            {"us": 1_001_001, "task": 2, "event": "resumed", "for": "http://h/slow/1?ms=1000"},
            {"us": 1_001_002, "task": 2, "event": "paused", "waits": {"named": "an item"}},
            {"us": 2_001_002, "task": 2, "event": "resumed", "for": "worker"},
            {"us": 2_001_003, "task": 2, "event": "paused", "waits": "readable"},
            {"us": 2_002_003, "task": 2, "event": "resumed", "for": "http://h/"},
        ]);
        let events: Vec<Event> = serde_json::from_value(events).unwrap();
        let wait = |text: &str| Wait { from: 0, to: 20, text: text.to_string() };
        assert_eq!(of_tasks(&events), BTreeMap::from([(2, vec![wait("`/slow/1`")])]));
        assert_eq!(of_thread(&events), [wait("sleeps")]);
    }

    #[test]
    fn the_picture_has_colors_for_light_and_dark_pages_and_no_rule_without_use() {
        let svg = "<svg class=\"fig\">\n<title>a</title>\n<rect class=\"fig-shape\"/>\n</svg>\n";
        let css = ".fig .fig-shape { fill: light-dark(#fff, #000); }\n\
                   .fig .fig-plate { fill: var(--bg); }\n.fig .fig-other { fill: none; }\n";
        let style = "<style>\n.fig .fig-shape { fill: #fff }\n.fig .fig-plate { fill: #ffffff }\n\
                     @media (prefers-color-scheme: dark) {\n\
                     .fig .fig-shape { fill: #000 }\n.fig .fig-plate { fill: #161923 }\n}\n";
        let drawn = alone(svg, css);
        assert!(drawn.contains(style), "{drawn}");
        assert!(drawn.contains("</style>\n<rect class=\"fig-plate\""), "{drawn}");
    }
}
