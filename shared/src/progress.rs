//! What a person sees on standard error while the crawl runs.

use crate::error::FetchError;
use crate::escape::for_terminal;
use crate::options::Options;
use crate::page::Page;
use crate::report::Stat;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write, stderr};
use std::time::Duration;

/// A line that changes while the crawl goes on, on terminals only; and with `-v` a line
/// for each URL.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    verbosity: i16,
}

impl Progress {
    pub(crate) fn new(options: &Options) -> Progress {
        let verbosity = i16::from(options.verbose) - i16::from(options.quiet);
        let is_shown = options.progress && verbosity >= 0 && stderr().is_terminal();
        let bar = match is_shown {
            true => ProgressBar::with_draw_target(
                Some(0),
                ProgressDrawTarget::stderr_with_hz(10),
            ),
            false => ProgressBar::hidden(),
        };
        let style =
            ProgressStyle::with_template("{elapsed} {pos}/{len} URLs done{msg}");
        bar.set_style(style.expect("the template is a valid one"));
        if is_shown {
            // The clock goes on while nothing happens.
            bar.enable_steady_tick(Duration::from_millis(250));
        }
        Progress { bar, verbosity }
    }

    /// How many URLs were queued, how many of them are not done, and how many
    /// connections there are.
    pub(crate) fn tell(&self, queued: u64, open: u64, in_flight: usize) {
        if !self.bar.is_hidden() {
            self.bar.set_length(queued);
            self.bar.set_position(queued.saturating_sub(open));
            self.bar.set_message(format!(", connections: {in_flight}"));
        }
    }

    /// One URL is done.
    pub(crate) fn settled(&self, row: &Stat) {
        if self.verbosity >= 1 {
            let status =
                row.status.map_or(String::new(), |status| format!(" {status}"));
            self.line(&format!("{}{status} {}", row.outcome.name(), row.url));
        }
    }

    /// One URL is to be tried again.
    pub(crate) fn retry(
        &self,
        url: &str,
        pause: Duration,
        why: &Result<Page, FetchError>,
    ) {
        if self.verbosity >= 2 {
            let why = match why {
                Ok(page) => format!("status {}", page.status),
                Err(error) => error.to_string(),
            };
            self.line(&format!("again in {:.2} s: {url}: {why}", pause.as_secs_f64()));
        }
    }

    /// Takes the line away.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn line(&self, text: &str) {
        // If standard error is closed there is nobody left to tell.
        self.bar.suspend(|| writeln!(stderr(), "{}", for_terminal(text)).ok());
    }
}
