//! A transfer that may be cancelled wherever it waits.

use checks::cancel_safe::{Account, Bank, Boxed, No, Transfer};
use std::rc::Rc;

struct Mine;

impl Transfer for Mine {
    fn transfer(from: Account, to: Account, bank: Rc<Bank>) -> Boxed {
        Box::pin(transfer(from, to, bank))
    }
}

// ANCHOR: solution
async fn transfer(from: Account, to: Account, bank: Rc<Bank>) -> Result<(), No> {
    // hole 1
    //| // Yours: the bank is asked here, or below. What must not be cut in two?
    bank.ask().await?;
    // end hole
    // No line below here waits, so all of them run, or none.
    let left = from.get().checked_sub(1).ok_or(No::Empty)?;
    from.set(left);
    to.set(to.get() + 1);
    Ok(())
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::cancel_safe::check::<Mine>()
}
