//! The `main` of all three programs: command line in, report and exit code out.

use crate::address::{normalise, parse_root};
use crate::error::worded;
use crate::escape::for_terminal;
use crate::options::{Options, Stage};
use crate::report::Report;
use crate::stop::Stop;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, ValueEnum};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use url::Url;

/// Wrong usage, or no root answered.
const FAILED: u8 = 2;
/// A bug of ours: jobs remain and nothing can happen any more.
const STUCK: u8 = 3;
/// Ended by a signal.
const INTERRUPTED: u8 = 130;

const EXIT_CODES: &str = "\
Exit codes: 0 the crawl ran to its end, 1 with --check some URL failed, 2 wrong usage or
no root answered, 3 stuck (a bug of ours), 130 interrupted";

#[derive(Parser)]
#[command(after_help = EXIT_CODES)]
struct CommandLine {
    /// Where to start: URLs; where there is no ://, http:// is put before it
    /// [default: the demo site, started in the process]
    #[arg(value_name = "ROOT")]
    roots: Vec<String>,

    /// Serve a folder on 127.0.0.1 and crawl it; ROOTs are then paths in it [default:
    /// /]
    #[arg(long, value_name = "DIR")]
    serve: Option<PathBuf>,

    /// What the report looks like; summary is the last line of jsonl alone
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Exit with 1 if any URL failed: any outcome but ok and redirect
    #[arg(long)]
    check: bool,

    /// Write the report there instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    options: Options,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Jsonl,
    Summary,
}

/// What is crawled has to live as long as the crawl.
#[cfg(feature = "demo")]
type Site = demo_site::DemoSite;
#[cfg(not(feature = "demo"))]
type Site = std::convert::Infallible;

/// Runs a stage as a program: reads the command line, crawls, prints the report.
/// `crawl` is the stage's own. Leaves the process itself where the usage is wrong.
pub fn run(
    stage: &Stage,
    crawl: impl FnOnce(&Options, &Stop) -> io::Result<Report>,
) -> ExitCode {
    let mut command = CommandLine::command()
        .name(stage.name)
        .version(stage.version)
        .about("Crawls a web site and reports what every URL gave")
        // `--timeout -1` is a wrong time-out, not an option of its own.
        .mut_args(|arg| {
            let has_value = !arg.is_positional() && arg.get_action().takes_values();
            arg.allow_negative_numbers(has_value)
        });
    let matches = command.get_matches_mut();
    let line = CommandLine::from_arg_matches(&matches)
        .unwrap_or_else(|error| error.format(&mut command).exit());
    match run_line(line, crawl) {
        Ok(code) => ExitCode::from(code),
        Err(Trouble::Usage(why)) => {
            command.error(ErrorKind::ValueValidation, for_terminal(&why)).exit()
        }
        Err(Trouble::System(error)) => {
            complain(&for_terminal(&format!("error: {}", worded(&error))));
            ExitCode::from(FAILED)
        }
    }
}

/// Why there is no report.
enum Trouble {
    /// The command line asks for something that cannot be.
    Usage(String),
    /// This machine does not let us.
    System(io::Error),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble::System(error)
    }
}

fn run_line(
    line: CommandLine,
    crawl: impl FnOnce(&Options, &Stop) -> io::Result<Report>,
) -> Result<u8, Trouble> {
    let (roots, _site) = roots(&line).map_err(Trouble::Usage)?;
    let output = open_output(&line).map_err(Trouble::Usage)?;
    let options = Options { roots, progress: true, ..line.options };
    // A system that refuses more descriptors leaves us with those that we have.
    rlimit::increase_nofile_limit(u64::MAX).ok();
    let stop = Stop::new();
    tie_to_signals(&stop)?;
    let report = crawl(&options, &stop)?;
    for warning in report.warnings.iter().filter(|_| options.quiet < 2) {
        complain(&format!("warning: {warning}"));
    }
    match write_report(&report, line.format, output) {
        // Whoever read the report has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        result => result.map_err(|error| cannot_report(&error))?,
    }
    let is_demo = line.roots.is_empty() && line.serve.is_none();
    if is_demo && line.format == Format::Text && options.quiet == 0 {
        complain(WHAT_NEXT);
    }
    Ok(exit_code(&report, line.check))
}

const WHAT_NEXT: &str = "
That was the demo site. To see it in a browser:  cargo run -p demo-site -- --port 8000
To crawl a site of your own, as a link check:    cargo run --release -- --check URL";

fn exit_code(report: &Report, check: bool) -> u8 {
    if let Some(who) = &report.stuck {
        complain(&format!("stuck: jobs remain and nothing can happen any more\n{who}"));
        return STUCK;
    }
    if report.interrupted {
        return INTERRUPTED;
    }
    if !report.answered {
        complain("error: no root gave an HTTP answer");
        return FAILED;
    }
    u8::from(check && report.rows.iter().any(|row| row.outcome.is_failure()))
}

fn write_report(
    report: &Report,
    format: Format,
    output: Option<File>,
) -> io::Result<()> {
    let mut out: Box<dyn Write> = match output {
        Some(file) if file.metadata()?.is_file() => {
            file.set_len(0)?; // only now what was in it is not worth more
            Box::new(BufWriter::new(file))
        }
        Some(device) => Box::new(BufWriter::new(device)),
        None => Box::new(BufWriter::new(io::stdout())),
    };
    match format {
        Format::Text => report.write_text(&mut out)?,
        Format::Jsonl => report.write_json_lines(&mut out)?,
        Format::Summary => report.write_summary(&mut out)?,
    }
    out.flush()
}

/// Opens the file of the report before the crawl, so that nobody crawls in vain; what
/// is in it stays there until there is a report.
fn open_output(line: &CommandLine) -> Result<Option<File>, String> {
    let Some(path) = &line.output else { return Ok(None) };
    if line.options.trace.as_ref().is_some_and(|trace| is_same(trace, path)) {
        return Err("--output and --trace name the same file".into());
    }
    let opened = File::options().write(true).create(true).truncate(false).open(path);
    let why = |error| format!("cannot write {}: {}", path.display(), worded(&error));
    opened.map(Some).map_err(why)
}

/// Do both lead to one place, however it is written?
fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        path.canonicalize().ok().or(Some(folder.join(path.file_name()?)))
    };
    one == other || place(one).is_some_and(|one| Some(one) == place(other))
}

fn cannot_report(error: &io::Error) -> io::Error {
    io::Error::other(format!("cannot write the report: {}", worded(error)))
}

/// The first signal stops the crawl, the second the program.
fn tie_to_signals(stop: &Stop) -> io::Result<()> {
    let stop = stop.clone();
    ctrlc::set_handler(move || {
        if stop.is_pulled() {
            std::process::exit(i32::from(INTERRUPTED));
        }
        stop.pull();
    })
    .map_err(io::Error::other)
}

fn roots(line: &CommandLine) -> Result<(Vec<Url>, Option<Site>), String> {
    let Some(site) = local_site(line)? else {
        let roots = line.roots.iter().map(|text| {
            parse_root(text).map_err(|why| format!("bad ROOT '{text}': {why}"))
        });
        return Ok((roots.collect::<Result<_, _>>()?, None));
    };
    let start = Url::parse(&url_of(&site)).expect("a server's own address is a URL");
    let mut roots = Vec::new();
    for path in &line.roots {
        let root = start.join(path).ok().and_then(normalise);
        let root = root.filter(|root| root.origin() == start.origin());
        roots.push(root.ok_or(format!("bad ROOT '{path}': not a path in the folder"))?);
    }
    if roots.is_empty() {
        roots.push(start);
    }
    Ok((roots, Some(site)))
}

#[cfg(feature = "demo")]
fn local_site(line: &CommandLine) -> Result<Option<Site>, String> {
    let site = match &line.serve {
        Some(folder) => Site::serve_folder(folder).map_err(|error| {
            format!("cannot serve {}: {}", folder.display(), worded(&error))
        })?,
        None if line.roots.is_empty() => Site::start().map_err(|error| {
            format!("cannot start the demo site: {}", worded(&error))
        })?,
        None => return Ok(None),
    };
    Ok(Some(site))
}

#[cfg(not(feature = "demo"))]
fn local_site(line: &CommandLine) -> Result<Option<Site>, String> {
    if line.serve.is_some() || line.roots.is_empty() {
        return Err("built without the demo site: name a ROOT".to_string());
    }
    Ok(None)
}

#[cfg(feature = "demo")]
fn url_of(site: &Site) -> String {
    site.url("/")
}

#[cfg(not(feature = "demo"))]
fn url_of(site: &Site) -> String {
    match *site {}
}

/// A line on standard error. If that is closed there is nobody left to tell.
fn complain(text: &str) {
    writeln!(io::stderr(), "{text}").ok();
}
