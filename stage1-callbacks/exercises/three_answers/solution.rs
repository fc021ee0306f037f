//! A read that can answer "nothing yet" and "nothing more", and a deadline.

use checks::three_answers::{Reader, Why};
use std::io::{ErrorKind, Read};

struct Mine;

// ANCHOR: solution
impl Reader for Mine {
    fn read_page(
        socket: &mut dyn Read,
        now: &dyn Fn() -> u64,
        give_up: u64,
    ) -> Result<Vec<u8>, Why> {
        let (mut page, mut chunk) = (Vec::new(), [0; 4096]);
        loop {
            match socket.read(&mut chunk) {
                Ok(0) => return Ok(page),
                Ok(count) => page.extend(&chunk[..count]),
                Err(error) => match error.kind() {
                    // hole 1
                    //| kind => todo!("{kind}: try again, or give up?"),
                    ErrorKind::WouldBlock | ErrorKind::Interrupted => {}
                    kind => return Err(Why::Failed(kind)),
                    // end hole
                },
            }
            // hole 1
            //| // Yours: the time may be up.
            if now() >= give_up {
                return Err(Why::TimedOut);
            }
            // end hole
        }
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::three_answers::check::<Mine>()
}
