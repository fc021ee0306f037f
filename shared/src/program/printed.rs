//! What a program prints about itself, instead of a crawl.

use crate::output;
use crate::report::schema::schema;
use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::{self, ErrorKind, Write};

/// Each of these options prints something and ends the program.
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
    /// Returns what is to be printed; `None` if none of the options is given.
    pub(super) fn text(&self, command: &mut Command) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        if self.schema {
            text = format!("{:#}\n", schema()).into_bytes();
        } else if let Some(shell) = self.completions {
            let name = command.get_name().to_string();
            clap_complete::generate(shell, command, name, &mut text);
        } else if self.man {
            let written = Man::new(command.clone()).render(&mut text);
            written.expect("a Vec takes everything");
        } else {
            return None;
        }
        Some(text)
    }
}

/// Prints to standard output. A reader that has seen enough is no error.
pub(super) fn print(text: &[u8]) -> io::Result<()> {
    let mut out = output::standard_output()?;
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
