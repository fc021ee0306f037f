//! A read that can answer "nothing yet" and "nothing more", and a deadline.
//!
//! This program returns half of some pages and never finishes others. Fix it. An
//! interrupted read is tried again, and a failed read is `Why::Failed`. As soon as
//! `now()` has reached `give_up`, return `Why::TimedOut`.
//!
//! The types of `checks` are in
//! `tests/exercises/checks/src/exercises/three_answers.rs`.

use checks::three_answers::{Reader, Why};
use std::io::Read; // and ErrorKind

struct Mine;

// ANCHOR: task
impl Reader for Mine {
    fn read_page(
        socket: &mut dyn Read,
        now: &dyn Fn() -> u64,
        give_up: u64,
    ) -> Result<Vec<u8>, Why> {
        let (mut page, mut chunk) = (Vec::new(), [0; 4096]);
        loop {
            match socket.read(&mut chunk) {
                Ok(0) | Err(_) => return Ok(page),
                Ok(count) => page.extend(&chunk[..count]),
            }
        }
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::three_answers::check::<Mine>()
}
