//! `traces/NAME.toml`: what is written by hand for a player.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// All of it. Without a file there is nothing.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Settings {
    /// The name of the run, above its lanes, if there are two.
    pub(crate) title: Option<String>,
    /// Another trace, which is played on the same axis of time.
    pub(crate) beside: Option<String>,
    /// The name of the run beside.
    pub(crate) beside_title: Option<String>,
    /// The chapter's figure, `figures/NAME.fig`.
    pub(crate) figure: Option<String>,
    /// Which of its numbers an event lights: by its name, or with its state, `paused read`.
    #[serde(default)]
    pub(crate) lights: BTreeMap<String, Vec<usize>>,
    /// Only sleeps of at least so many milliseconds are steps, when they begin and when they
    /// end. None: each event is a step.
    pub(crate) sleeps: Option<u64>,
    /// Of a trace without a table of its own: the first and the last event that its table
    /// shows, by their numbers in the trace.
    pub(crate) rows: Option<(u64, u64)>,
    /// Where the player asks before it goes on.
    #[serde(default)]
    pub(crate) stops: Vec<Stop>,
}

/// A question that is asked before an event is shown.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Stop {
    /// The row of the table, from 1.
    pub(crate) row: usize,
    /// Instead of the row's event: the first one after it that is called so.
    pub(crate) event: Option<String>,
    /// The question.
    pub(crate) ask: String,
    /// What the reader chooses from.
    pub(crate) options: Vec<String>,
    /// Which option is right, from 1.
    pub(crate) right: usize,
    /// Why it is right.
    pub(crate) why: String,
    /// How the right option follows from the trace, if it does: it has this word, and the
    /// others do not.
    pub(crate) computed: Option<Computed>,
}

/// What can be computed.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Computed {
    /// What runs next: `task 2`, or `none` if the thread sleeps before.
    Next,
    /// The event: `woken`.
    Event,
    /// What the task of the next `paused` waits for: `readable`, `an item`.
    Waits,
    /// Where the next task that is resumed goes on: `connect`.
    State,
    /// How long the thread sleeps next: `1.0 s`, or in milliseconds, `200 ms`.
    Sleep,
}

impl Settings {
    /// Reads a file, if it is there.
    ///
    /// # Errors
    /// It cannot be read, is not TOML, or has names that are not these.
    pub(crate) fn read(file: &Path) -> Result<Settings, String> {
        match fs::read_to_string(file) {
            Ok(text) => toml::from_str(&text).map_err(|error| error.to_string()),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Ok(Settings::default())
            }
            Err(error) => Err(error.to_string()),
        }
    }
}
