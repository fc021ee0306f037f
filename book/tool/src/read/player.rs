//! Traces that are played step by step in a page: what the player's scripts are given.
//!
//! A trace is `traces/NAME.json`, which a test records together with the table `NAME.md`. A
//! page that includes the table gets the player. What is written by hand for it is in
//! `NAME.toml`: the figure, which event lights which of its numbers, and the questions.

mod pages;
mod pieces;
mod settings;
mod stops;
mod table;
mod trace;

use crate::read::place::{Place, files, stem};
pub(crate) use pieces::{Lines, Pieces};
use serde_json::{Value, json};
pub(crate) use settings::Settings;
use std::fs;
use std::path::PathBuf;
pub(crate) use trace::Trace;

/// A player of one run, or of two on one axis of time.
#[derive(Debug)]
pub(crate) struct Player {
    /// The name of its trace.
    pub(crate) name: String,
    /// What is written by hand.
    pub(crate) settings: Settings,
    /// The run whose table the page has.
    pub(crate) trace: Trace,
    /// The run beside it.
    pub(crate) beside: Option<Trace>,
    /// How many polls an executor makes in a second that polls all tasks and never sleeps.
    spins: f64,
}

/// The output of the step that counts the polls of `poll_all`.
const POLL_ALL: &str = "stage3-async/examples/ch16_poll_all.out";

pattern!(COUNTED, r"(?s)(\d+) polls.*time: ([\d.]+) s");

/// Returns how many polls a second the stored run of `poll_all` has made.
fn spins(place: &Place) -> Result<f64, String> {
    let output = fs::read_to_string(place.root.join(POLL_ALL))
        .map_err(|error| format!("{POLL_ALL}: {error}"))?;
    let counted = COUNTED.captures(&output);
    let number =
        |group: usize| counted.as_ref().and_then(|it| it[group].parse::<f64>().ok());
    match (number(1), number(2)) {
        (Some(polls), Some(seconds)) => Ok(polls / seconds),
        _ => Err(format!("{POLL_ALL}: no polls in a time")),
    }
}

impl Player {
    /// Reads the trace of this name, and what is written for its player. `None`: the trace has
    /// a table alone.
    ///
    /// # Errors
    /// A file cannot be read, or the settings do not fit the trace.
    pub(crate) fn read(place: &Place, name: &str) -> Result<Option<Player>, String> {
        if !file(place, name, "json").is_file() {
            return Ok(None);
        }
        let mut trace = Trace::read(place, name)?;
        let settings = Settings::read(&file(place, name, "toml"))?;
        let beside = settings.beside.as_deref().map(|it| Trace::read(place, it));
        let mut beside = beside.transpose()?;
        if let Some(beside) = &mut beside {
            for run in [&mut trace, beside] {
                run.events = pages::by_page(&run.events);
            }
        }
        if let Some((from, to)) = settings.rows {
            trace.rows = trace.between(from, to);
        }
        if let Some(shortest) = settings.sleeps {
            trace.rows =
                trace.sleeps(shortest).into_iter().map(|(from, _)| from).collect();
        }
        let (name, spins) = (name.to_string(), spins(place)?);
        Ok(Some(Player { name, settings, trace, beside, spins }))
    }

    /// The runs, as they are shown: the one beside first.
    fn runs(&self) -> Vec<(&str, &Trace)> {
        let own = self.settings.title.as_deref().unwrap_or_default();
        let other = self.settings.beside_title.as_deref().unwrap_or_default();
        self.beside.iter().map(|it| (other, it)).chain([(own, &self.trace)]).collect()
    }

    /// A table in Markdown, for a trace that has none of its own.
    pub(crate) fn table(&self) -> String {
        let table = match self.settings.sleeps {
            Some(shortest) => table::of_sleeps(&self.runs(), shortest),
            None => table::of_rows(&self.trace),
        };
        table::numbered(&self.name, &table, &self.numbers())
    }

    /// For each row of the table the number of its step in the player, in which the steps of
    /// two runs are in the order of time.
    fn numbers(&self) -> Vec<usize> {
        let (runs, steps) = (self.runs(), self.steps());
        let mut order = Vec::new();
        for (run, (_, trace)) in runs.iter().enumerate() {
            for (at, event) in trace.events.iter().enumerate() {
                if steps.as_ref().is_none_or(|it| it[run].contains(&at)) {
                    order.push((event["us"].as_u64(), run, at));
                }
            }
        }
        order.sort_unstable();
        let number = |(run, at): (usize, usize)| {
            let before = order.iter().position(|it| (it.1, it.2) == (run, at));
            before.map_or(0, |it| it + 1)
        };
        self.rows().into_iter().map(number).collect()
    }

    /// For each row of the table its run, and the place of its event in this run.
    fn rows(&self) -> Vec<(usize, usize)> {
        let Some(shortest) = self.settings.sleeps else {
            return self
                .trace
                .rows
                .iter()
                .map(|at| (self.runs().len() - 1, *at))
                .collect();
        };
        let runs = self.runs();
        let rows = (0..).zip(&runs).flat_map(|(run, (_, trace))| {
            trace.sleeps(shortest).into_iter().map(move |(from, _)| (run, from))
        });
        rows.collect()
    }

    /// The places of the events that are steps, for each run. `None`: all.
    fn steps(&self) -> Option<Vec<Vec<usize>>> {
        let shortest = self.settings.sleeps?;
        let steps = self.runs().into_iter().map(|(_, trace)| {
            let sleeps = trace.sleeps(shortest).into_iter();
            let last = trace.events.len().saturating_sub(1);
            let sleeps = sleeps.flat_map(|(from, to)| [from, to]);
            [0].into_iter().chain(sleeps).chain([last]).collect()
        });
        Some(steps.collect())
    }

    /// What is wrong with its settings.
    pub(crate) fn problems(&self, place: &Place) -> Vec<String> {
        let mut problems = Vec::new();
        let figure = self.settings.figure.as_deref();
        let drawn = figure.map(|name| {
            let file = place.book.join("figures").join(format!("{name}.svg"));
            fs::read_to_string(file).map_err(|_| format!("no figure `{name}`"))
        });
        let svg = match drawn.transpose() {
            Ok(svg) => svg.unwrap_or_default(),
            Err(why) => return vec![why],
        };
        for (event, numbers) in &self.settings.lights {
            if !self.trace.has(event.strip_suffix(" in a poll").unwrap_or(event)) {
                problems.push(format!("lights: the trace has no event `{event}`"));
            }
            for number in numbers {
                if !svg.contains(&format!("fig-step-{number}\"")) {
                    problems.push(format!("lights: the figure has no number {number}"));
                }
            }
        }
        let asks_for_rows =
            self.settings.rows.is_some() || self.settings.sleeps.is_some();
        if asks_for_rows && self.rows().is_empty() {
            problems.push("the table has no rows".to_string());
        }
        for (index, stop) in self.settings.stops.iter().enumerate() {
            let wrong = stops::problems(stop, &self.trace);
            problems.extend(
                wrong.into_iter().map(|why| format!("stop {}: {why}", index + 1)),
            );
        }
        problems
    }

    /// A script that gives the player its data.
    ///
    /// # Errors
    /// A source is not there, or a stop is before no event.
    pub(crate) fn script(&self, sources: &mut dyn Lines) -> Result<String, String> {
        let settings = &self.settings;
        let stops = settings.stops.iter().map(|stop| stops::data(stop, &self.trace));
        let stops: Vec<Value> = stops.collect::<Result<_, _>>()?;
        let runs = self.runs();
        let runs = runs.iter().map(|(title, trace)| run(trace, title, sources));
        let runs: Vec<Value> = runs.collect::<Result<_, _>>()?;
        let data = json!({
            "figure": settings.figure,
            "lights": settings.lights,
            "steps": self.steps(),
            "rows": self.rows(),
            "stops": stops,
            "spins": self.spins,
            "runs": runs,
        });
        // In a script `</` could end it; in a string of JSON `<\/` is the same.
        let data = data.to_string().replace("</", "<\\/");
        let name = &self.name;
        Ok(format!(
            "globalThis.Player ??= {{}};\n(Player.data ??= {{}})[\"{name}\"] = {data};\n"
        ))
    }
}

/// A run, with the lines of the sources that its events name. Of two runs, which have titles,
/// no source is shown.
fn run(trace: &Trace, title: &str, sources: &mut dyn Lines) -> Result<Value, String> {
    let mut pieces = Pieces::default();
    for (file, line) in trace.lines().filter(|_| title.is_empty()) {
        pieces.add(sources, file, &trace.path(file), line)?;
    }
    Ok(json!({
        "title": title,
        "program": trace.tasks.as_ref().unwrap_or(&trace.program),
        "command": trace.command,
        "events": trace.events,
        "pieces": pieces.data(),
        "at": pieces.places(),
    }))
}

/// `traces/NAME.EXTENSION`
pub(crate) fn file(place: &Place, name: &str, extension: &str) -> PathBuf {
    place.book.join("traces").join(format!("{name}.{extension}"))
}

/// The names of all traces that can be played.
pub(crate) fn playable(place: &Place) -> Vec<String> {
    let traces = files(&place.book.join("traces"), "json");
    traces.iter().map(|file| stem(file).to_string()).collect()
}
