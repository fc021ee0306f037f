//! Runs any link checker on the site of `link_kinds`, and compares what it prints with the
//! table: a kind counts as named if the path of its page is printed.
//!
//! `link_kinds COMMAND...`: `ROOT` in the command becomes the URL of the site, `PAGES` the
//! URLs of all its pages. Each kind that is judged wrongly gets a line, then the totals.

use conformance::link_kinds::{Kind, Sites};
use std::process::{Command, ExitCode, Stdio};

fn main() -> ExitCode {
    let command: Vec<String> = std::env::args().skip(1).collect();
    match run(&command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: &[String]) -> Result<(), String> {
    let [program, arguments @ ..] = command else {
        return Err("which link checker? link_kinds COMMAND...".into());
    };
    let Sites { server, elsewhere, kinds } = Sites::serve();
    let mut command = Command::new(program);
    for argument in arguments {
        match &argument[..] {
            "ROOT" => command.arg(server.url("/")),
            "PAGES" => command.args(kinds.iter().map(|kind| server.url(&kind.path()))),
            argument => command.arg(argument),
        };
    }
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("{program}: {error}"))?;
    drop((server, elsewhere));
    if output.stdout.is_empty() {
        return Err(format!(
            "{program} printed nothing, and ended with {}",
            output.status
        ));
    }
    // Broken links may be the reason for a failure, so it decides nothing.
    eprintln!("{program} ended with {}", output.status);
    print_judged(&kinds, &String::from_utf8_lossy(&output.stdout));
    Ok(())
}

fn print_judged(kinds: &[Kind], printed: &str) {
    let (mut found, mut alarms) = (0, 0);
    for kind in kinds {
        match (kind.is_broken, printed.contains(&kind.path())) {
            (true, true) => found += 1,
            (true, false) => println!("missed       {}", kind.name),
            (false, true) => {
                println!("false alarm  {}", kind.name);
                alarms += 1;
            }
            (false, false) => {}
        }
    }
    let broken = kinds.iter().filter(|kind| kind.is_broken).count();
    let fine = kinds.len() - broken;
    println!("found {found} of {broken} broken, {alarms} false alarms of {fine} fine");
}
