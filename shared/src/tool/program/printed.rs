//! Options that print something about the program instead of crawling.

use crate::report::schema::schema;
use crate::tool::output;
use clap::{Arg, Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::{self, ErrorKind, Write};

/// The exit codes and their meanings.
const EXIT_CODES: [(&str, &str); 6] = [
    ("0", "the crawl ran to its end"),
    ("1", "with --check something is broken or --max-time was over"),
    ("2", "wrong usage or no root gave an HTTP response"),
    ("3", "stuck (a bug)"),
    ("130", "SIGINT (Ctrl-C)"),
    ("143", "SIGTERM"),
];

/// The limits that no option changes.
const LIMITS: [&str; 9] = [
    "Known URLs and their rows: 1 GiB, in which an excluded URL takes 24 bytes. If the \
     URLs that a level discovers do not fit, that level is the last, and the report is \
     not complete",
    "One URL: 16 KiB",
    "The links of a page: 128 KiB, and 64 bytes for each byte of the page, but at most \
     128 MiB. Further links are ignored, and the report is not complete",
    "Links that cannot be parsed or are too long: 256 MiB. The first ones are listed",
    "Links that do not belong to the crawl (--links): 256 MiB. If they do not fit, none \
     is listed",
    "Ids and fragments (--fragments): 512 MiB. If they do not fit, none is checked, and \
     --check fails. Missing fragments: 64 MiB. The first ones are listed",
    "All bodies in flight: 256 MiB. Above that, the oldest ones may take as much again, \
     and each other one 16 KiB, with a head of 256 KiB. A body that has to wait does so \
     within its --timeout",
    "Pages that wait to be settled: another 256 MiB",
    "Standard input: 64 MiB of ROOTs",
];

const DESCRIPTION: &str = "Crawls a web site: begins with the ROOTs, follows the links \
    of each page within their sites, and reports what every URL gave. With --check it \
    is a link checker.";

/// Returns the text that follows the options in the help.
pub(super) fn after_help() -> String {
    let codes = EXIT_CODES.map(|(code, what)| format!("{code} {what}")).join(", ");
    let limits = LIMITS.map(|limit| format!("\n  {limit}")).concat();
    format!("Exit codes: {codes}\n\nLimits without an option, at most:{limits}")
}

/// The options that print something and end the program.
#[derive(Args)]
#[command(next_help_heading = "Print and end")]
pub(super) struct Printed {
    /// The JSON schema of the lines that --format jsonl writes
    #[arg(long)]
    schema: bool,

    /// The completions of this command line for a shell
    #[arg(long, value_name = "SHELL")]
    completions: Option<Shell>,

    /// The manual page, as roff
    #[arg(long)]
    man: bool,
}

impl Printed {
    /// Returns the text to print; `None` if none of the options is given.
    pub(super) fn text(&self, command: &mut Command) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        if self.schema {
            text = format!("{:#}\n", schema()).into_bytes();
        } else if let Some(shell) = self.completions {
            let name = command.get_name().to_string();
            clap_complete::generate(shell, command, name, &mut text);
        } else if self.man {
            write_manual(command, &mut text).expect("a Vec takes everything");
        } else {
            return None;
        }
        Some(text)
    }
}

/// Writes the manual page, since the crate `clap_mangen` cannot name the last sections
/// and leaves out the aliases of options.
fn write_manual(command: &Command, out: &mut Vec<u8>) -> io::Result<()> {
    let with_aliases = |arg: Arg| {
        let Some(names) = arg.get_visible_aliases().filter(|names| !names.is_empty())
        else {
            return arg;
        };
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let help = format!("{help}. The same as --{}", names.join(", --"));
        arg.help(help)
    };
    let command = command
        .clone()
        .override_usage(format!("{} [OPTIONS] [ROOT]...", command.get_name()))
        .long_about(DESCRIPTION)
        .mut_args(with_aliases);
    let manual = Man::new(command);
    manual.render_title(out)?;
    manual.render_name_section(out)?;
    manual.render_synopsis_section(out)?;
    manual.render_description_section(out)?;
    manual.render_options_section(out)?;
    writeln!(out, ".SH \"EXIT STATUS\"")?;
    for (code, what) in EXIT_CODES {
        writeln!(out, ".TP\n{code}\n{}", as_roff(what))?;
    }
    writeln!(out, ".SH LIMITS\nWithout an option, at most:")?;
    for limit in LIMITS {
        writeln!(out, ".IP \\(bu 2\n{}", as_roff(limit))?;
    }
    manual.render_version_section(out)
}

/// Escapes hyphens, since otherwise roff may break lines there.
fn as_roff(text: &str) -> String {
    text.replace('-', r"\-")
}

/// Prints to standard output. A reader that closes the pipe early is no error.
pub(super) fn print(text: &[u8]) -> io::Result<()> {
    let mut out = output::standard_output()?;
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
