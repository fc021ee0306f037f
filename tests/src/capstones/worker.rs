//! The program that judges: it checks the promises that it is asked about, one at a time.
//!
//! `list` prints all groups and promises. Otherwise each line of standard input names a
//! promise, and what came of it is printed. After a promise that does not hold the program
//! ends: the reader's code may have left threads that run, or a table that is broken.
//!
//! Each line of the report begins with the word in `CAPSTONE_MARK`, as the reader's code
//! may print, too.

use super::Promise;
use super::groups;
use crate::machine::story;
use crate::watchdog::{self, Bad};
use crate::{panics, processes};
use std::collections::HashMap;
use std::io::{self, Write};
use std::process;
use std::sync::Arc;

/// Checks what standard input names, and ends the process.
pub(super) fn run(promises: Vec<Promise>) -> ! {
    let mark = std::env::var("CAPSTONE_MARK").unwrap_or("@".into());
    if std::env::args().nth(1).as_deref() == Some("list") {
        list(&promises, &mark);
        process::exit(0);
    }
    panics::keep();
    let promises: HashMap<String, Arc<_>> =
        promises.into_iter().map(|it| (it.name, it.check.into())).collect();
    for name in io::stdin().lines().map_while(Result::ok) {
        let Some(check) = promises.get(&name).cloned() else {
            eprintln!("there is no promise `{name}`");
            process::exit(2);
        };
        let holds = check_one(&name, check, &mark);
        if !holds {
            processes::kill_all();
            process::exit(1);
        }
    }
    process::exit(0)
}

fn list(promises: &[Promise], mark: &str) {
    for group in groups::ALL {
        println!("{mark} group {}\t{}", group.key, group.title);
    }
    for Promise { group, name, page, .. } in promises {
        println!("{mark} promise {}\t{page}\t{name}", group.key);
    }
}

fn check_one(name: &str, check: Arc<dyn Fn() + Send + Sync>, mark: &str) -> bool {
    story::begin();
    let result = watchdog::watch(name, move || check());
    let panic = panics::take(name);
    let (end, why) = match result {
        Ok(()) => ("held", String::new()),
        Err(Bad::Panicked(text)) => ("panicked", text),
        Err(Bad::Hung(why)) => ("hung", why),
    };
    let mut report = String::from("\n"); // the reader's code may have begun a line
    let mut line = |kind: &str, text: &str| {
        report.push_str(&format!("{mark} {kind} {text}\n"));
    };
    if end != "held" {
        let why = match &panic {
            Some(panic) if end == "panicked" => &panic.message,
            _ => &why,
        };
        why.lines().for_each(|text| line("why", text));
        if let Some(panic) = panic {
            if end == "hung" {
                panic.message.lines().for_each(|text| line("panic", text));
            }
            panic.place.iter().for_each(|place| line("at", place));
        }
        story::end().for_each(|text| line("story", &text));
    }
    line("end", end);
    let mut out = io::stdout().lock();
    // If nothing listens any more, nothing is left to do.
    out.write_all(report.as_bytes()).and_then(|()| out.flush()).ok();
    end == "held"
}
