//! `cargo book`: builds the book and serves it. `cargo book check` holds it to its rules.
#![forbid(unsafe_code)]

use book::check::drawing;
use book::check::proof;
use book::quiz::{self, Wanted};
use book::read::book::Book;
use book::read::edition::Edition;
use book::read::place::Place;
use book::read::problem::Problem;
use book::{check, class, html, paper, slides, whole};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Builds the book and serves it, until Ctrl-C.
#[derive(Parser)]
#[command(name = "cargo book", version)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    places: Places,

    /// The port to serve on, on 127.0.0.1; 0 lets the system choose one
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
}

#[derive(Args)]
struct Places {
    /// The folder that holds src, figures, runs and traces [default: this project's book]
    #[arg(long, value_name = "DIR", global = true)]
    book: Option<PathBuf>,

    /// The project that the pages show: there `../../` leads [default: this one]
    #[arg(long, value_name = "DIR", global = true)]
    root: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    /// Builds the book into target/book, or target/book-students
    Build {
        /// Which edition is built
        #[arg(long = "for", value_enum, default_value_t)]
        edition: Edition,
    },
    /// Prints the book into target/book.pdf, or target/book-students.pdf; it needs
    /// Chromium, which CHROMIUM may name
    Pdf {
        /// Which edition is printed
        #[arg(long = "for", value_enum, default_value_t)]
        edition: Edition,
    },
    /// Packs the book for e-readers, into target/book.epub
    Epub,
    /// Makes the slides of a plan, in target/slides: open the file in a browser
    Slides {
        /// A plan of book/plans with slides in book/slides: 90
        name: String,
    },
    /// Makes the handout of a plan with slides, to print from a browser, in target/slides
    Handout {
        /// The plan
        name: String,
    },
    /// Checks the rules of the book; for named pages, only those that need no build of it
    Check {
        /// Pages, as book/src/pin.md or pin [default: the whole book]
        pages: Vec<String>,
        /// Prints the PDF as well, and looks at its outline; it needs Chromium
        #[arg(long, conflicts_with = "pages")]
        pdf: bool,
    },
    /// Writes questions of the bank into target/quiz, and their keys into a second file
    Quiz(Wanted),
    /// Runs or shows what settles a question of the bank
    Settle {
        /// The name of its file in book/bank, without the extension
        id: String,
    },
    /// Draws figures/*.fig as figures/*.svg, and waits.svg, the picture of the README
    Figures,
    /// Prints a plan of the teaching guide for the terminal, and builds what it runs;
    /// `check` looks whether this machine is ready for a plan
    Class {
        /// 90, half, two, or check [default: lists the plans]
        what: Option<String>,
        /// The plan to check for
        #[arg(default_value = class::USUAL)]
        plan: String,
        /// Prints only the commands, one on a line, and builds nothing
        #[arg(long)]
        sheet: bool,
    },
    /// Holds the project to the rules of its English alone
    English,
}

fn main() -> ExitCode {
    let line = CommandLine::parse();
    let place = Place::new(line.places.book, line.places.root);
    match line.command {
        None => tell(&failed(html::serve(&place, line.port))),
        Some(Command::Build { edition }) => {
            with_book(&place, |book| failed(html::build(book, edition)))
        }
        Some(Command::Pdf { edition }) => {
            with_book(&place, |book| failed(made(paper::pdf(book, edition))))
        }
        Some(Command::Epub) => {
            with_book(&place, |book| failed(made(paper::epub(book))))
        }
        Some(Command::Quiz(wanted)) => with_book(&place, |book| {
            let files = quiz::write(book, &wanted);
            failed(
                files.map(|all| all.iter().for_each(|it| println!("{}", it.display()))),
            )
        }),
        Some(Command::Settle { id }) => with_book(&place, |book| {
            failed(proof::settle(book, &id).map(|text| print!("{text}")))
        }),
        Some(Command::Figures) => tell(&drawing::draw_all(&place)),
        Some(Command::Slides { name }) => {
            with_book(&place, |book| written(slides::write(book, &name)))
        }
        Some(Command::Handout { name }) => {
            with_book(&place, |book| written(slides::write_handout(book, &name)))
        }
        Some(Command::Class { what, plan, sheet }) => {
            in_class(&place, what.as_deref(), &plan, sheet)
        }
        Some(Command::English) => with_book(&place, check::english::check),
        Some(Command::Check { pages, pdf }) if pages.is_empty() => {
            with_book(&place, |book| {
                let (mut problems, counts) = whole::check(book);
                problems.extend(check::english::check(book));
                if pdf {
                    problems.extend(paper::pdf::check(book));
                }
                println!("{counts}");
                problems
            })
        }
        Some(Command::Check { pages, .. }) => with_book(&place, |book| {
            let mut problems = check::pages(book, &pages);
            problems.extend(check::english::of_pages(book, &pages));
            problems
        }),
    }
}

fn with_book(place: &Place, act: impl FnOnce(&Book) -> Vec<Problem>) -> ExitCode {
    match Book::read(place) {
        Ok(book) => tell(&act(&book)),
        Err(problem) => tell(&[problem]),
    }
}

/// Prepares a class, or looks whether it is prepared.
fn in_class(place: &Place, what: Option<&str>, plan: &str, sheet: bool) -> ExitCode {
    match what {
        None => tell(&failed(class::list(place).map(|text| print!("{text}")))),
        Some("check") => match class::room::look(place, plan) {
            Err(why) => tell(&failed(Err(why))),
            Ok(findings) => {
                findings.iter().for_each(|it| println!("{}", class::room::line(it)));
                let is_ready = findings.iter().all(|(_, result)| result.is_ok());
                if is_ready { ExitCode::SUCCESS } else { ExitCode::FAILURE }
            }
        },
        Some(name) if sheet => {
            tell(&failed(class::sheet(place, name).map(|text| print!("{text}"))))
        }
        Some(name) => tell(&failed(class::prepare(place, name))),
    }
}

/// Prints where a file is.
fn made(file: Result<PathBuf, String>) -> Result<(), String> {
    file.map(|file| println!("{}", file.display()))
}

/// Prints where a file is, or returns why there is none.
fn written(file: Result<PathBuf, Vec<Problem>>) -> Vec<Problem> {
    file.map(|file| println!("{}", file.display())).err().unwrap_or_default()
}

fn failed(result: Result<(), String>) -> Vec<Problem> {
    result.err().map(|why| Problem::new("book", 0, why)).into_iter().collect()
}

/// Prints what is wrong.
fn tell(problems: &[Problem]) -> ExitCode {
    for problem in problems {
        eprintln!("{problem}");
    }
    let count = problems.iter().filter(|problem| !problem.is_warning).count();
    if count == 0 {
        return ExitCode::SUCCESS;
    }
    eprintln!("{count} to fix");
    ExitCode::FAILURE
}
