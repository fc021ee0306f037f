//! Writes the report: to a file or standard output, in one of the formats.

use crate::error::describe;
use crate::report::Report;
use crate::tool::output::{self, Output};
use clap::ValueEnum;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The format of the report.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Text,
    Jsonl,
    Summary,
    Failures,
}

/// Writes the report to the file, or to standard output.
pub(super) fn write_report(
    report: &Report,
    format: Format,
    output: Option<File>,
) -> io::Result<()> {
    let mut out: Box<dyn Write> = match output {
        Some(file) => {
            if file.metadata()?.is_file() {
                file.set_len(0)?; // no earlier: a failed crawl keeps the old report
            }
            Box::new(BufWriter::new(Output::new(file, None)))
        }
        None => Box::new(BufWriter::new(output::standard_output()?)),
    };
    match format {
        Format::Text => report.write_text(&mut out)?,
        Format::Jsonl => report.write_json_lines(&mut out)?,
        Format::Summary => report.write_summary(&mut out)?,
        Format::Failures => report.write_failures(&mut out)?,
    }
    out.flush()
}

/// Opens the file for the report before the crawl, so that a bad path fails early. The
/// old content stays until the report is written. `None` and `-` mean standard output.
pub(super) fn open_output(
    output: Option<&Path>,
    trace: Option<&Path>,
) -> Result<Option<File>, String> {
    let Some(path) = output.filter(|path| path.as_os_str() != "-") else {
        return Ok(None);
    };
    if trace.is_some_and(|trace| is_same_file(trace, path)) {
        return Err("--output and --trace name the same file".into());
    }
    let opened = output::open(File::options().truncate(false), path);
    let why = |error| format!("cannot write {}: {}", path.display(), describe(&error));
    opened.map(Some).map_err(why)
}

/// Returns whether both paths lead to the same file, which need not exist yet.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        path.canonicalize().ok().or(Some(folder.join(path.file_name()?)))
    };
    one == other || place(one).is_some_and(|one| Some(one) == place(other))
}

/// Turns an error of [`write_report`] into a message for the user.
pub(super) fn cannot_report(error: &io::Error) -> io::Error {
    io::Error::other(format!("cannot write the report: {}", describe(error)))
}
