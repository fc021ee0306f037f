//! A transfer that may be cancelled wherever it waits.
//!
//! The types of `checks` are in `tests/exercises/checks/src/exercises/cancel_safe.rs`.

use checks::cancel_safe::{Account, Bank, Boxed, No, Transfer};
use std::rc::Rc;

struct Mine;

impl Transfer for Mine {
    fn transfer(from: Account, to: Account, bank: Rc<Bank>) -> Boxed {
        Box::pin(transfer(from, to, bank))
    }
}

// ANCHOR: task
// `bank.ask()` waits, and returns `Err(No::Refused)` if the bank does not agree.
// There is a bug: after some transfers, the two accounts have less than before.
async fn transfer(from: Account, to: Account, bank: Rc<Bank>) -> Result<(), No> {
    if from.get() == 0 {
        return Err(No::Empty);
    }
    from.set(from.get() - 1);
    bank.ask().await?;
    to.set(to.get() + 1);
    Ok(())
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::cancel_safe::check::<Mine>()
}
