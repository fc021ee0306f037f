//! `cargo book [build|check|figures|matrix]`

#![forbid(unsafe_code)]

use book::drawing;
use book::place::Place;
use book::problem::Problem;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Builds the book, serves it, and holds it to its rules.
#[derive(Parser)]
#[command(name = "cargo book")]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    places: Places,
}

#[derive(Args)]
struct Places {
    /// The folder that holds src, figures, runs and traces [default: this project's book]
    #[arg(long, value_name = "DIR", global = true)]
    book: Option<PathBuf>,

    /// The project whose files the pages show [default: this one]
    #[arg(long, value_name = "DIR", global = true)]
    root: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    /// Draws figures/*.fig as figures/*.svg
    Figures,
}

fn main() -> ExitCode {
    let line = CommandLine::parse();
    let place = Place::new(line.places.book, line.places.root);
    match line.command {
        _ => tell(drawing::draw_all(&place)),
    }
}

fn tell(problems: Vec<Problem>) -> ExitCode {
    for problem in &problems {
        eprintln!("{problem}");
    }
    if problems.iter().any(|problem| !problem.is_warning) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}
