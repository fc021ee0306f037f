//! `cargo book`: builds the book and serves it. `cargo book check` holds it to its rules.
#![forbid(unsafe_code)]

use anstream::{print, println};
use book::check::drawing;
use book::check::proof;
use book::quiz::{self, Wanted};
use book::read::book::Book;
use book::read::edition::Edition;
use book::read::place::Place;
use book::read::plan;
use book::read::problem::Problem;
use book::{check, class, html, paper, slides, whole};
use clap::{Args, Parser, Subcommand};
use std::path::{Path, PathBuf};
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
        /// A plan of book/plans with slides in book/slides
        #[arg(default_value = class::USUAL)]
        name: String,
        /// Makes a PDF, with all that appears on each slide; it needs Chromium
        #[arg(long)]
        pdf: bool,
    },
    /// Makes the handout of a plan with slides, to print from a browser, in target/slides
    Handout {
        /// The plan
        #[arg(default_value = class::USUAL)]
        name: String,
        /// Makes a PDF of it; it needs Chromium
        #[arg(long)]
        pdf: bool,
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
    /// Draws figures/*.fig as figures/*.svg, and waits.svg, the picture of the README; and
    /// writes the tables and numbers that pages include from made/
    Figures,
    /// Prints a plan of the teaching guide for the terminal, and builds what it runs;
    /// `check` checks whether this machine is ready for a plan, `students` makes a folder for a
    /// USB stick with what the students need, and `export` writes the tree for students
    Class {
        /// A plan, check, students, or export [default: lists the plans]
        what: Option<String>,
        /// The plan to check or to make a folder for [default: 90], or the folder to export to
        plan: Option<String>,
        /// Prints only the commands, one on a line, and builds nothing
        #[arg(long)]
        sheet: bool,
    },
    /// Holds the project to the rules of its English alone
    English,
}

/// How a command ends.
type Done = Result<ExitCode, String>;

fn main() -> ExitCode {
    let line = CommandLine::parse();
    let place = Place::new(line.places.book, line.places.root);
    let done = match line.command {
        None => succeeded(html::serve(&place, line.port)),
        Some(command) => act(command, &place),
    };
    done.unwrap_or_else(|why| {
        eprintln!("error: {why}");
        ExitCode::from(2)
    })
}

/// Does what a command asks for.
///
/// # Errors
/// It cannot be done.
fn act(command: Command, place: &Place) -> Done {
    match command {
        Command::Build { edition } => {
            let first = edition.built(place).join("index.html");
            with_book(place, |book| made(html::build(book, edition).map(|()| first)))
        }
        Command::Pdf { edition } => {
            with_book(place, |book| made(paper::pdf(book, edition)))
        }
        Command::Epub => with_book(place, |book| made(paper::epub(book))),
        Command::Quiz(wanted) => with_book(place, |book| {
            for file in quiz::write(book, &wanted)? {
                println!("{}", file.display());
            }
            Ok(ExitCode::SUCCESS)
        }),
        Command::Settle { id } => {
            with_book(place, |book| printed(proof::settle(book, &id)))
        }
        Command::Figures => with_book(place, |book| {
            let mut problems = drawing::draw_all(place);
            problems.extend(html::made::write(book));
            Ok(tell(&problems))
        }),
        Command::Slides { name, pdf } => {
            plan::read(place, &name)?;
            with_book(place, |book| written(slides::write(book, &name, form(pdf))))
        }
        Command::Handout { name, pdf } => {
            plan::read(place, &name)?;
            let write = |book: &Book| slides::write_handout(book, &name, form(pdf));
            with_book(place, |book| written(write(book)))
        }
        Command::Class { what, plan, sheet } => {
            in_class(place, what.as_deref(), plan.as_deref(), sheet)
        }
        Command::English => {
            with_book(place, |book| Ok(tell(&check::english::check(book))))
        }
        Command::Check { pages, pdf } if pages.is_empty() => with_book(place, |book| {
            let (mut problems, counts) = whole::check(book);
            problems.extend(check::english::check(book));
            if pdf {
                problems.extend(paper::pdf::check(book));
            }
            println!("{counts}");
            Ok(tell(&problems))
        }),
        Command::Check { pages, .. } => with_book(place, |book| {
            let pages = check::named(book, &pages)?;
            let mut problems = check::pages(book, &pages);
            problems.extend(check::english::of_pages(book, &pages));
            Ok(tell(&problems))
        }),
    }
}

fn form(pdf: bool) -> slides::Form {
    if pdf { slides::Form::Pdf } else { slides::Form::Page }
}

fn with_book(place: &Place, act: impl FnOnce(&Book) -> Done) -> Done {
    match Book::read(place) {
        Ok(book) => act(&book),
        Err(problem) => Ok(tell(&[problem])),
    }
}

/// Prepares a class, or looks whether it is prepared.
fn in_class(
    place: &Place,
    what: Option<&str>,
    plan: Option<&str>,
    sheet: bool,
) -> Done {
    match what {
        None => printed(class::list(place)),
        Some("check") => {
            let findings = class::room::look(place, plan.unwrap_or(class::USUAL))?;
            findings.iter().for_each(|it| println!("{}", class::room::line(it)));
            let is_ready = findings.iter().all(|(_, result)| result.is_ok());
            Ok(if is_ready { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        Some("students") => {
            let name = plan.unwrap_or(class::USUAL);
            plan::read(place, name)?;
            with_book(place, |book| made(class::students::stick(book, name)))
        }
        Some("export") => {
            let to = plan.ok_or("which folder? `cargo class export FOLDER`")?;
            succeeded(class::export::export(place, Path::new(to)))
        }
        Some(name) if sheet => printed(class::sheet(place, name)),
        Some(name) => succeeded(class::prepare(place, name)),
    }
}

fn succeeded(result: Result<(), String>) -> Done {
    result.map(|()| ExitCode::SUCCESS)
}

fn printed(text: Result<String, String>) -> Done {
    succeeded(text.map(|text| print!("{text}")))
}

/// Prints where a file is.
fn made(file: Result<PathBuf, String>) -> Done {
    succeeded(file.map(|file| println!("{}", file.display())))
}

/// Prints where a file is, or why there is none.
fn written(file: Result<PathBuf, Vec<Problem>>) -> Done {
    match file {
        Ok(file) => made(Ok(file)),
        Err(problems) => Ok(tell(&problems)),
    }
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
