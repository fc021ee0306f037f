//! `cargo exercise capstone`: a whole crate of a reader, judged promise by promise.
//!
//! | module | is about |
//! |---|---|
//! | [`make`] | `--new`: a crate to begin with |
//! | [`build`] | a program of the reader's crate and of the promises |
//! | [`worker`] | that program as a process, which is asked about one promise after the other |
//! | [`judge`] | several workers side by side, and what came of each group |
//! | [`verdict`] | what is printed |

pub mod build;
pub mod judge;
pub mod make;
pub mod verdict;
pub mod worker;

use crate::material::Project;
use crate::show::{NAME, TODO};
use anstream::println;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// How long a promise may take, in seconds: some wait for several time-outs of two seconds.
pub const SECONDS: u64 = 20;

/// A capstone.
#[derive(Debug)]
pub struct Capstone {
    /// Its name on the command line.
    pub name: &'static str,
    /// What is written, in one line.
    pub title: &'static str,
    /// The page of the chapter that it comes from, without `.md`.
    pub chapter: &'static str,
    /// How long it takes.
    pub hours: &'static str,
    /// What a reader begins with.
    pub start: Start,
}

/// What a reader begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// The files in `tests/exercises/capstones/NAME`, and the dependencies of this name.
    Template(&'static [&'static str]),
    /// A copy of this package.
    CopyOf(&'static str),
}

/// All capstones, in the order in which to do them.
pub const ALL: &[Capstone] = &[
    Capstone {
        name: "phase",
        title: "a report that says in which phase a page was too slow",
        chapter: "the-bill",
        hours: "3 to 5",
        start: Start::CopyOf("stage1-callbacks"),
    },
    Capstone {
        name: "deadlines",
        title: "a short time to connect inside of the whole time",
        chapter: "one-way-to-wait",
        hours: "3 to 5",
        start: Start::CopyOf("stage2-generators"),
    },
    Capstone {
        name: "executor",
        title: "a machine of your own: executor, reactor, timers, queue",
        chapter: "executor",
        hours: "8 to 16",
        start: Start::Template(&["mio"]),
    },
    Capstone {
        name: "hosts",
        title: "at most two requests at a time for one host",
        chapter: "workers",
        hours: "3 to 6",
        start: Start::CopyOf("stage3-async"),
    },
    Capstone {
        name: "fourth",
        title: "a fourth crawler, in whatever way you like",
        chapter: "where-next",
        hours: "6 to 12",
        start: Start::Template(&["shared"]),
    },
];

/// What the command line says.
#[derive(Debug, Default, clap::Args)]
pub struct Order {
    /// A capstone; all are listed, if none is named
    pub name: Option<String>,
    /// Makes a crate to begin with at this path
    #[arg(long, value_name = "DIR", conflicts_with_all = ["path", "all"])]
    pub new: Option<PathBuf>,
    /// Judges the crate at this path
    #[arg(long, value_name = "DIR")]
    pub path: Option<PathBuf>,
    /// Judges all promises, and prints all that is wrong
    #[arg(long, requires = "path")]
    pub all: bool,
    /// Groups of promises; all, if none is named
    #[arg(requires = "path")]
    pub groups: Vec<String>,
}

/// Lists the capstones, describes one, makes a crate for it, or judges one. Returns whether
/// what was asked about holds.
pub fn run(project: &Project, order: &Order, seconds: u64) -> Result<bool, String> {
    let Some(name) = &order.name else {
        list();
        return Ok(true);
    };
    let capstone = ALL.iter().find(|it| it.name == name).ok_or_else(|| {
        let names: Vec<&str> = ALL.iter().map(|it| it.name).collect();
        format!("there is no capstone `{name}`, but {}", names.join(", "))
    })?;
    match (&order.new, &order.path) {
        (Some(folder), _) => make::make(project, capstone, folder),
        (None, Some(folder)) => {
            judge_and_print(project, capstone, folder, order, seconds)
        }
        (None, None) => {
            describe(project, capstone);
            Ok(true)
        }
    }
}

fn judge_and_print(
    project: &Project,
    capstone: &Capstone,
    folder: &Path,
    order: &Order,
    seconds: u64,
) -> Result<bool, String> {
    let (program, _lock) = match build::build(project, capstone, folder)? {
        build::Built::Refused => {
            println!("It does not compile yet.");
            if capstone.name == "executor" {
                println!(
                    "The names and types that a machine needs are in \
                     {NAME}tests/src/machine.rs{NAME:#}."
                );
            }
            return Ok(false);
        }
        build::Built::Program(program, lock) => (program, lock),
    };
    let orders = judge::Orders { seconds, all: order.all, groups: &order.groups };
    let judged = judge::judge(&program, &orders)?;
    let name = format!("{} {}", capstone.name, folder.display());
    verdict::print(project, &name, &judged, order.all, seconds);
    Ok(judged.holds())
}

fn list() {
    println!("Capstones: a day with a crate of your own, in the order of the book.\n");
    for Capstone { name, title, hours, .. } in ALL {
        println!("  {NAME}{name:<10}{NAME:#} {title} ({hours} hours)");
    }
    println!(
        "\nbegin:    {NAME}cargo exercise capstone NAME --new ../mine{NAME:#}\n\
         judge:    {NAME}cargo exercise capstone NAME --path ../mine{NAME:#}\n\
         task:     {NAME}cargo exercise capstone NAME{NAME:#}"
    );
}

fn describe(project: &Project, capstone: &Capstone) {
    let Capstone { name, title, chapter, hours, .. } = capstone;
    println!("{TODO}{name}: {title}{TODO:#} ({hours} hours)\n");
    let task = capstone.folder(project).join("task.md");
    if let Ok(text) = crate::material::read(&task) {
        println!("{}\n", text.trim());
    }
    println!(
        "chapter:  {NAME}book/src/{chapter}.md{NAME:#}\n\
         begin:    {NAME}cargo exercise capstone {name} --new ../mine{NAME:#}\n\
         judge:    {NAME}cargo exercise capstone {name} --path ../mine{NAME:#}"
    );
}

/// Returns what cargo knows about the packages of a manifest and its workspace.
fn packages(manifest: &Path) -> Result<Vec<Value>, String> {
    let mut cargo = step::cargo();
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version=1"]);
    let output = cargo.arg("--manifest-path").arg(manifest).output();
    let output = output.map_err(|error| format!("cargo: {error}"))?;
    let found: Result<Value, _> = serde_json::from_slice(&output.stdout);
    // Without any, it has said why.
    let why = |_| String::from_utf8_lossy(&output.stderr).trim().to_string();
    Ok(found.map_err(why)?["packages"].as_array().cloned().unwrap_or_default())
}

impl Capstone {
    /// Returns where its task and its template are.
    pub fn folder(&self, project: &Project) -> PathBuf {
        project.root.join("tests/exercises/capstones").join(self.name)
    }
}
