//! Shows the progress of a crawl on standard error.

use crate::error::FetchError;
use crate::options::Options;
use crate::page::Page;
use crate::report::Row;
use crate::report::terminal::escape_for_terminal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write, stderr};
use std::time::Duration;

/// Draws a line that changes while the crawl runs, if standard error is a terminal.
/// With `-v` it also prints a line for each URL.
#[derive(Debug)]
pub(crate) struct Progress {
    /// Hidden if standard error is not a terminal, and with `--quiet`.
    bar: ProgressBar,
    /// How often `-v` was given.
    verbosity: u8,
}

impl Progress {
    pub(crate) fn new(options: &Options) -> Progress {
        let is_wanted = options.progress && options.quiet == 0;
        let is_shown = is_wanted && stderr().is_terminal();
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
            // Redraws the clock even if nothing happens.
            bar.enable_steady_tick(Duration::from_millis(250));
        }
        Progress { bar, verbosity: options.verbose }
    }

    /// Updates the line: the number of queued URLs, how many of them are still open,
    /// and the number of attempts in flight.
    pub(crate) fn tell(&self, queued: u64, open: u64, in_flight: usize) {
        if !self.bar.is_hidden() {
            self.bar.set_length(queued);
            self.bar.set_position(queued.saturating_sub(open));
            self.bar.set_message(format!(", connections: {in_flight}"));
        }
    }

    /// With `-v`, prints that a URL is settled, and the target if it is a redirect.
    pub(crate) fn settled(&self, row: &Row) {
        if self.verbosity >= 1 {
            let status =
                row.status.map_or(String::new(), |status| format!(" {status}"));
            let next = row.next_url.as_ref();
            let next = next.map_or(String::new(), |next| format!(" -> {next}"));
            self.line(&format!("{}{status} {}{next}", row.outcome.name(), row.url));
        }
    }

    /// With `-vv`, prints that a URL will be attempted again.
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

    /// Removes the line.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn line(&self, text: &str) {
        // Standard error may be closed. The crawl continues nevertheless.
        self.bar.suspend(|| writeln!(stderr(), "{}", escape_for_terminal(text)).ok());
    }
}
