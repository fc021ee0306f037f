//! The `main` of all three programs. It reads the command line, crawls, prints the
//! report and returns the exit code.

mod printed; // what is printed instead of a crawl
mod report_file; // the output file of the report
mod roots; // the roots on the command line
#[cfg_attr(not(feature = "demo"), path = "program/unserved.rs")]
mod served; // the site that the program serves
mod signals; // stopping by Ctrl-C

use self::report_file::{Format, cannot_report, open_output, write_report};
use self::served::Served;
use self::signals::Signals;
use crate::error::describe;
use crate::options::{CRAWLED, Options, Program, REPORT};
use crate::report::Report;
use crate::report::terminal::escape_for_terminal;
use crate::stop::Stop;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser};
use std::borrow::Cow;
use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};
use std::time::{Duration, Instant};
use url::Url;

/// The exit code for wrong usage, and for a crawl in which no root gave an HTTP
/// response.
const FAILED: u8 = 2;
/// The exit code for a bug of this program: jobs remain, but no event can come any
/// more.
const STUCK: u8 = 3;

#[derive(Parser)]
#[command(after_help = printed::after_help())]
struct CommandLine {
    /// URLs where the crawl starts. Without ://, http:// is added. `-` reads ROOTs from
    /// standard input, one per line; lines that begin with # are skipped [default: the
    /// demo site, started in the process]
    #[arg(value_name = "ROOT")]
    roots: Vec<String>,

    /// Serve a folder on 127.0.0.1 and crawl it. ROOTs are then paths of the site, and the
    /// text shows paths. As on many hosts, /guide is answered with guide.html, and a
    /// missing page with 404.html if there is one. A folder without index.html is
    /// answered with a list
    #[arg(long, value_name = "DIR", help_heading = CRAWLED)]
    serve: Option<PathBuf>,

    /// With --serve: put the site below this path, such as /project/. This path is then
    /// the default ROOT
    #[arg(long, value_name = "PATH", requires = "serve", default_value = "/",
          hide_default_value = true, value_parser = roots::base_path,
          help_heading = CRAWLED)]
    base_path: String,

    #[command(flatten)]
    options: Options,

    /// The form of the report: text; jsonl, a JSON object per line; summary, only the last
    /// line of jsonl; failures, only what failed and the totals [default: text; failures
    /// with --check]
    #[arg(long, value_name = "FORMAT", hide_possible_values = true,
          help_heading = REPORT)]
    format: Option<Format>,

    /// The same as --format jsonl
    #[arg(long, conflicts_with = "format", help_heading = REPORT)]
    json: bool,

    /// Exit with 1 if anything is broken or was not checked. Broken: any outcome but ok
    /// and redirect, so also a link that cannot be parsed and a loop of redirects. Not
    /// checked: a root that could not be searched for links, a served folder without a
    /// page, all but the roots because of --exclude, the rest after --max-time
    #[arg(long, help_heading = REPORT)]
    check: bool,

    /// Write the report to this file instead of standard output. `-` is standard output
    #[arg(short, long, value_name = "FILE", help_heading = REPORT)]
    output: Option<PathBuf>,

    #[command(flatten)]
    printed: printed::Printed,
}

impl CommandLine {
    fn format(&self) -> Format {
        match self.format {
            _ if self.json => Format::Jsonl,
            Some(format) => format,
            None if self.check => Format::Failures,
            None => Format::Text,
        }
    }

    /// Returns why these options cannot be used together, or not in this program.
    fn conflict(&self, program: &Program) -> Option<String> {
        let Options { links, ca_file, insecure, helpers, headers, user, .. } =
            &self.options;
        if self.options.trace.as_deref() == Some(Path::new("-")) {
            return Some(
                "--trace needs a file: standard output is the report's".into(),
            );
        }
        let is_authorized = headers.iter().any(|it| it.is_named("authorization"));
        if *links && self.format() != Format::Jsonl {
            return Some(
                "--links needs --format jsonl: no other format lists links".into(),
            );
        }
        if user.is_some() && is_authorized {
            return Some("--user and --header both set Authorization".into());
        }
        let https = "this stage speaks http only; https is for stage 3 (stage3-async)";
        let threads = "helper threads are for stage 3 (stage3-async)";
        let of_stage_3 = [
            ("--ca-file", ca_file.is_some(), https),
            ("--insecure", *insecure, https),
            ("--helpers", helpers.is_some(), threads),
        ];
        let (name, _, why) = of_stage_3.iter().find(|(_, is_given, _)| *is_given)?;
        // Only stage 3 speaks https.
        (!program.speaks_https).then(|| format!("{name} cannot be used: {why}"))
    }
}

/// Runs a stage as a program. `crawl` is the function of the stage. On wrong usage it
/// prints the reason and ends the process.
pub fn run(
    program: &Program,
    crawl: impl FnOnce(&Options, &Stop) -> io::Result<Report>,
) -> ExitCode {
    let began = Instant::now();
    let mut command = CommandLine::command()
        .name(program.name)
        .version(program.version)
        .about("Crawls a web site and reports what every URL gave")
        // Allows `--timeout -1`: the value is refused with a clear message, instead of
        // being read as an unknown option.
        .mut_args(|arg| {
            let has_value = !arg.is_positional() && arg.get_action().takes_values();
            arg.allow_negative_numbers(has_value)
        });
    let matches = command.try_get_matches_from_mut(env::args_os());
    let matches = matches.unwrap_or_else(|error| exit_with(&error));
    let line = CommandLine::from_arg_matches(&matches)
        .unwrap_or_else(|error| exit_with(&error.format(&mut command)));
    let done = match line.printed.text(&mut command) {
        Some(text) => printed::print(&text).map(|()| 0).map_err(StartError::System),
        None => run_line(line, program, began, crawl),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(StartError::Usage(why)) => {
            command.error(ErrorKind::ValueValidation, escape_for_terminal(&why)).exit()
        }
        Err(StartError::System(error)) => {
            warn(&escape_for_terminal(&format!("error: {}", describe(&error))));
            ExitCode::from(FAILED)
        }
    }
}

/// Ends the program with an error message of clap. The message may repeat arguments,
/// which are escaped: they may have been pasted from anywhere.
fn exit_with(error: &clap::Error) -> ! {
    let plain = error.render().to_string();
    let is_safe = |line: &str| matches!(escape_for_terminal(line), Cow::Borrowed(_));
    if !error.use_stderr() || plain.lines().all(is_safe) {
        error.exit() // in color on a terminal
    }
    let lines: Vec<_> = plain.lines().map(escape_for_terminal).collect();
    warn(&lines.join("\n"));
    process::exit(error.exit_code())
}

/// Why the program ends without a report.
enum StartError {
    /// The command line asks for something impossible.
    Usage(String),
    /// An error of the operating system.
    System(io::Error),
}

impl From<io::Error> for StartError {
    fn from(error: io::Error) -> StartError {
        StartError::System(error)
    }
}

fn run_line(
    line: CommandLine,
    program: &Program,
    began: Instant,
    crawl: impl FnOnce(&Options, &Stop) -> io::Result<Report>,
) -> Result<u8, StartError> {
    line.conflict(program).map_or(Ok(()), Err).map_err(StartError::Usage)?;
    let format = line.format();
    let (roots, served) = roots(&line).map_err(StartError::Usage)?;
    let trace = line.options.trace.as_deref();
    let output =
        open_output(line.output.as_deref(), trace).map_err(StartError::Usage)?;
    if line.options.insecure && line.options.quiet < 2 {
        warn("warning: --insecure: no certificate is checked");
    }
    if let (Some(served), Some(folder)) = (&served, &line.serve)
        && line.options.quiet < 2
        && served.begins_with_list(&roots)
    {
        let folder = folder.display();
        warn(&escape_for_terminal(&format!(
            "warning: {folder} has no index.html: a list of it is crawled"
        )));
    }
    let max_time = line.options.max_time.map(|all| time_left(all, began.elapsed()));
    let options = Options { roots, max_time, progress: true, ..line.options.clone() };
    // If the limit cannot be raised, the crawl runs with fewer descriptors.
    rlimit::increase_nofile_limit(u64::MAX).ok();
    let stop = Stop::new();
    let signals = Signals::handle(&stop)?;
    let mut report = crawl(&options, &stop)?;
    if let (Some(served), Some(folder)) = (&served, &line.serve) {
        served.explain(&mut report, &options.roots);
        if line.check && served.lacks_a_page(&report) {
            report.is_unchecked = true;
            let folder = folder.display();
            report.warnings.push(format!("no page of {folder} was checked"));
        }
    }
    report.warnings.extend(unused_ca_file(&options, &report));
    report.warnings.extend(unused_exclude(&options, &report));
    for warning in report.warnings.iter().filter(|_| options.quiet < 2) {
        warn(&escape_for_terminal(&format!("warning: {warning}")));
    }
    match write_report(&report, format, output) {
        // A closed pipe is not an error: `head` closes it early.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        result => result.map_err(|error| cannot_report(&error))?,
    }
    let is_demo = line.roots.is_empty() && line.serve.is_none();
    if is_demo && format == Format::Text && options.quiet == 0 {
        warn(WHAT_NEXT);
    }
    Ok(exit_code(&report, line.check, &signals))
}

/// Returns a warning if `--ca-file` was given and no URL was https.
fn unused_ca_file(options: &Options, report: &Report) -> Option<String> {
    let is_used = report.rows.iter().any(|row| row.url.starts_with("https:"));
    let is_unused = options.ca_file.is_some() && !is_used;
    is_unused.then(|| "--ca-file was not used: no URL was https".to_string())
}

/// Returns a warning if `--exclude` was given and kept no URL out of the whole crawl. It may
/// have been meant for a fragment, which is not counted.
fn unused_exclude(options: &Options, report: &Report) -> Option<String> {
    let is_given = !options.exclude.is_empty() && !options.fragments;
    let is_unused = report.summary.complete && report.summary.excluded == 0;
    (is_given && is_unused).then(|| "--exclude kept no URL out".to_string())
}

/// Returns the rest of `--max-time` after reading the roots, which may take long if a
/// pipe is slow. At least a nanosecond, because each crawl has to begin.
fn time_left(all: Duration, spent: Duration) -> Duration {
    all.saturating_sub(spent).max(Duration::from_nanos(1))
}

const WHAT_NEXT: &str = "
That was the demo site. To see it in a browser:  cargo lab
To crawl a site of your own, as a link check:    cargo run -- --check URL";

/// Returns the exit code, and says on standard error why it is not 0.
fn exit_code(report: &Report, check: bool, signals: &Signals) -> u8 {
    if let Some(waits) = &report.stuck {
        warn(&format!("stuck: jobs remain and nothing can happen any more\n{waits}"));
        return STUCK;
    }
    if report.interrupted {
        return signals.exit_code();
    }
    if !report.answered {
        warn(match report.out_of_time {
            true => "error: --max-time was over before any root gave an HTTP response",
            false => "error: no root gave an HTTP response",
        });
        return FAILED;
    }
    if report.out_of_time {
        return u8::from(check);
    }
    let is_broken = report.rows.iter().any(|row| row.outcome.is_failure());
    u8::from(check && (is_broken || report.is_unchecked))
}

/// Returns the roots, and the site if the program serves one.
fn roots(line: &CommandLine) -> Result<(Vec<Url>, Option<Served>), String> {
    let texts = roots::root_texts(&line.roots, io::stdin().lock())?;
    let served = match &line.serve {
        Some(folder) => Served::folder(folder, &line.base_path)?,
        None if line.roots.is_empty() => Served::demo()?,
        None => return Ok((roots::as_urls(&texts)?, None)),
    };
    Ok((roots::as_paths(&texts, &served.start())?, Some(served)))
}

/// Writes a line to standard error. An error is ignored, since there is no place to
/// report it.
fn warn(text: &str) {
    writeln!(io::stderr(), "{text}").ok();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_the_roots_is_part_of_the_time() {
        let seconds = Duration::from_secs;
        assert_eq!(time_left(seconds(5), seconds(2)), seconds(3));
        for spent in [5, 6] {
            let left = time_left(seconds(5), seconds(spent));
            assert!(!left.is_zero() && left < Duration::from_millis(1));
        }
    }
}
