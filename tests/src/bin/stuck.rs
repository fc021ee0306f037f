//! A crawler with a bug: it forgets its jobs. The tests run it to see what it reports
//! then.

use shared::{CrawlEnd, Ledger, Program, program};
use std::process::ExitCode;

const PROGRAM: Program = Program { name: "stuck", version: "1", speaks_https: false };

fn main() -> ExitCode {
    program::run(&PROGRAM, |options, _| {
        let (ledger, forgotten) = Ledger::open(options, &PROGRAM);
        let urls: Vec<String> =
            forgotten.iter().map(|job| job.url.to_string()).collect();
        Ok(ledger
            .close(CrawlEnd::Stuck(format!("no task fetches {}", urls.join(", ")))))
    })
}
