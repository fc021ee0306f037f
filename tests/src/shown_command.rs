//! The commands that the book shows, run as a reader would run them.

use crate::programs::{self, Kind};
use regex::Regex;
use shared::demo_site::DemoSite;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What `cargo run` runs where no package is named.
const DEFAULT_PACKAGE: &str = "stage3-async";

/// Where the reader has the demo site, in another terminal.
const SITE: &str = "127.0.0.1:8000";

/// Programs besides cargo that the book runs: those that compare files of ours.
const OTHERS: &[&str] = &["diff"];

/// What a command runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// The program of this package.
    Own(String),
    /// An example of a package.
    Example(String, String),
    /// One that is not ours.
    Other(String),
}

/// A command line of the book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Words before `cargo`: `NAME=value`, or a program that runs another.
    pub before: Vec<String>,
    /// What is run.
    pub program: Program,
    /// What the program gets.
    pub arguments: Vec<String>,
}

/// How a command ended, and what it printed: standard output, then standard error, then
/// `(exit code N)` where that is not 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// All of it.
    pub text: String,
    /// `None`: it was ended by a signal.
    pub code: Option<i32>,
}

impl Shown {
    /// Reads `[NAME=value] cargo run [-q] [-p PACKAGE] [--example NAME] [--] …`,
    /// `cargo lab [PROGRAM-OR-STEP] …`, or one of the few other programs that the book
    /// runs.
    ///
    /// # Errors
    /// It is no such command, or one with options that tests cannot follow.
    pub fn parse(line: &str) -> Result<Shown, String> {
        let all = words(line)?;
        if let Some((first, rest)) = all.split_first()
            && OTHERS.contains(&first.as_str())
        {
            let program = Program::Other(first.clone());
            return Ok(Shown { before: vec![], program, arguments: rest.to_vec() });
        }
        let mut words = all.into_iter();
        let before = words.by_ref().take_while(|word| word != "cargo").collect();
        match words.next().as_deref() {
            Some("run") => {}
            Some("lab") => {
                let (program, arguments) = beside_site(words.collect())?;
                return Ok(Shown { before, program, arguments });
            }
            _ => return Err(format!("`{line}` is no `cargo run`")),
        }
        let (mut package, mut example) = (DEFAULT_PACKAGE.to_string(), None);
        let mut arguments = Vec::new();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("`{line}` ends in {word}"));
            match word.as_str() {
                "-q" | "--quiet" => {}
                "-p" | "--package" => package = value()?,
                "--example" => example = Some(value()?),
                "--" => break,
                option if option.starts_with('-') => {
                    return Err(format!("`{line}`: {option} cannot be run by a test"));
                }
                _ => arguments.push(word),
            }
        }
        arguments.extend(words);
        let program = match example {
            Some(example) => Program::Example(package, example),
            None => Program::Own(package),
        };
        Ok(Shown { before, program, arguments })
    }

    /// Runs it, with a demo site of its own in the place of the reader's. In the
    /// arguments `replace` stands for `with`.
    ///
    /// # Errors
    /// There is no such program.
    ///
    /// # Panics
    /// It does not end in time.
    pub fn run(&self, replace: &str, with: &Path) -> Result<Printed, String> {
        let site = DemoSite::start().map_err(|error| error.to_string())?;
        let here = site.address().to_string();
        let arguments = self.arguments.iter().map(|argument| {
            let argument = argument.replace(SITE, &here);
            match replace.is_empty() {
                true => argument,
                false => argument.replace(replace, &with.display().to_string()),
            }
        });
        let mut command = self.command()?;
        command.args(arguments).current_dir(root()).env_remove("RUST_BACKTRACE");
        let finished = programs::run(&mut command);
        let code = finished.status.code();
        let mut text = finished.out + &finished.err;
        if code != Some(0) {
            let code = code.map_or("a signal".to_string(), |code| code.to_string());
            text.push_str(&format!("(exit code {code})\n"));
        }
        Ok(Printed { text: text.replace(&here, SITE), code })
    }

    fn command(&self) -> Result<Command, String> {
        let program = self.program()?;
        let is_variable = |word: &&String| word.contains('=') && !word.starts_with('-');
        let (variables, others): (Vec<&String>, Vec<&String>) =
            self.before.iter().partition(is_variable);
        let mut command = match others.split_first() {
            None => Command::new(program),
            Some((first, rest)) => {
                let mut command = Command::new(first);
                command.args(rest).arg(program);
                command
            }
        };
        command.envs(variables.into_iter().filter_map(|word| word.split_once('=')));
        Ok(command)
    }

    fn program(&self) -> Result<PathBuf, String> {
        let (package, kind, name) = match &self.program {
            Program::Other(name) => return Ok(name.into()),
            Program::Own(package) => (package, Kind::Programs, package),
            Program::Example(package, name) => (package, Kind::Examples, name),
        };
        let built = programs::build(package, kind);
        built.get(name).cloned().ok_or(format!("{package} has no {name}"))
    }
}

/// Returns what `cargo lab` runs with these words, and what that program gets. (The site
/// that it starts is the one that [`Shown::run`] starts for all commands.)
fn beside_site(words: Vec<String>) -> Result<(Program, Vec<String>), String> {
    let Some(first) = words.first().filter(|word| !word.starts_with('-')) else {
        return Ok((Program::Own(DEFAULT_PACKAGE.to_string()), words));
    };
    let own = match first.as_str() {
        "stage1" => Some("stage1-callbacks"),
        "stage2" => Some("stage2-generators"),
        "stage3" => Some(DEFAULT_PACKAGE),
        _ => None,
    };
    let program = match own {
        Some(package) => Program::Own(package.to_string()),
        None => {
            let steps = step::all(root()).map_err(|error| error.to_string())?;
            match &step::find(&steps, first)?.kind {
                step::Kind::Example(package) => {
                    Program::Example(package.clone(), first.clone())
                }
                _ => return Err(format!("{first} is no example of a stage")),
            }
        }
    };
    Ok((program, words[1..].to_vec()))
}

/// The words of a line as a shell has them, quotes taken off. Nothing else of a shell.
fn words(line: &str) -> Result<Vec<String>, String> {
    let word = Regex::new(r#"(?:[^\s'"|&;<>$`\\]|'[^']*'|"[^"$`\\]*\$?")+|(\S)"#);
    let mut words = Vec::new();
    for found in word.expect("it is constant").captures_iter(line) {
        if found.get(1).is_some() {
            return Err(format!("`{line}` needs a shell: {} cannot be run", &found[0]));
        }
        // A variable before the command may be in quotes as well; no word holds
        // both.
        words.push(found[0].replace(['\'', '"'], ""));
    }
    Ok(words)
}

/// The folder of the workspace.
///
/// # Panics
/// Never: the tests lie in it.
pub fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("the workspace holds the tests")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_read_as_a_shell_would_read_it() {
        let line =
            "A=1 cargo run -q -p shared --example x -- --to 'http://h/?a=1&b=2' -v";
        let shown = Shown::parse(line).expect("it is one");
        assert_eq!(shown.before, ["A=1"]);
        assert_eq!(shown.program, Program::Example("shared".into(), "x".into()));
        assert_eq!(shown.arguments, ["--to", "http://h/?a=1&b=2", "-v"]);
        let own = Shown::parse("cargo run").expect("it is one");
        assert_eq!(own.program, Program::Own(DEFAULT_PACKAGE.into()));
        let end = Shown::parse("cargo run -- --exclude \"/$\"").expect("it is one");
        assert_eq!(end.arguments, ["--exclude", "/$"]);
    }

    #[test]
    fn a_program_beside_the_site_is_a_stage_or_a_step() {
        let of = |line: &str| {
            let shown = Shown::parse(line).expect("it is one");
            (shown.program, shown.arguments.len())
        };
        let stage = |name: &str| Program::Own(name.to_string());
        assert_eq!(of("cargo lab stage1 -q http://h/"), (stage("stage1-callbacks"), 2));
        assert_eq!(of("cargo lab -q http://h/"), (stage(DEFAULT_PACKAGE), 2));
        let step = Program::Example("stage3-async".into(), "ch23_workers".into());
        assert_eq!(of("timeout 3 cargo lab ch23_workers http://h/"), (step, 1));
        assert!(Shown::parse("cargo lab ch99_none").is_err());
    }

    #[test]
    fn what_a_test_cannot_run_is_refused() {
        for line in [
            "cargo run --release",
            "cargo run | head",
            "cargo run &",
            "cargo test",
            "ls",
            "cargo run > out",
            "cargo run -- $HOME",
        ] {
            assert!(Shown::parse(line).is_err(), "{line}");
        }
    }
}
