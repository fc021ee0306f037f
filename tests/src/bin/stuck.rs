//! A crawler with a bug: it forgets its jobs. The tests run it to see what a person is
//! told then.

use shared::{Ending, Ledger, Stage, program};
use std::process::ExitCode;

const STAGE: Stage = Stage { name: "stuck", version: "1", speaks_https: false };

fn main() -> ExitCode {
    program::run(&STAGE, |options, _| {
        let (ledger, forgotten) = Ledger::open(options, &STAGE);
        let who: Vec<String> =
            forgotten.iter().map(|job| job.url.to_string()).collect();
        Ok(ledger.close(Ending::Stuck(format!("nobody fetches {}", who.join(", ")))))
    })
}
