//! Traces that are played step by step in a page: what the player's scripts are given.
//!
//! A trace is `traces/NAME.json`, which a test records together with the table `NAME.md`. A
//! page that includes the table gets the player. What is written by hand for it is in
//! `NAME.toml`: the figure, which event lights which of its numbers, and the questions.

mod pieces;
mod settings;
mod stops;
mod trace;

use crate::place::Place;
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
        let trace = Trace::read(place, name)?;
        let settings = Settings::read(&file(place, name, "toml"))?;
        let beside = settings.beside.as_deref().map(|it| Trace::read(place, it));
        let beside = beside.transpose()?;
        Ok(Some(Player { name: name.to_string(), settings, trace, beside }))
    }

    /// What is wrong with its settings, each with the line of the file, as far as it is known.
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
            if !self.trace.has(event) {
                problems.push(format!("lights: the trace has no event `{event}`"));
            }
            for number in numbers {
                if !svg.contains(&format!("fig-step-{number}\"")) {
                    problems.push(format!("lights: the figure has no number {number}"));
                }
            }
        }
        for event in self.settings.steps.iter().flatten() {
            if !self.trace.has(event) {
                problems.push(format!("steps: the trace has no event `{event}`"));
            }
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
        let mut runs = vec![run(&self.trace, settings.title.as_deref(), sources)?];
        if let Some(beside) = &self.beside {
            runs.push(run(beside, settings.beside_title.as_deref(), sources)?);
        }
        let data = json!({
            "figure": settings.figure,
            "lights": settings.lights,
            "steps": settings.steps,
            "stops": stops,
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

/// A run, with the lines of the sources that its events name.
fn run(
    trace: &Trace,
    title: Option<&str>,
    sources: &mut dyn Lines,
) -> Result<Value, String> {
    let mut pieces = Pieces::default();
    for (file, line) in trace.lines() {
        let path = trace.path(file).ok_or(format!("`{file}` is none of `sources`"))?;
        pieces.add(sources, file, path, line)?;
    }
    Ok(json!({
        "title": title,
        "program": trace.program,
        "command": trace.command,
        "rows": trace.rows,
        "events": trace.events,
        "pieces": pieces.data(),
        "at": pieces.places(),
    }))
}

/// `traces/NAME.EXTENSION`
pub(crate) fn file(place: &Place, name: &str, extension: &str) -> PathBuf {
    place.book.join("traces").join(format!("{name}.{extension}"))
}
