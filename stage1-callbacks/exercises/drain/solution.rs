//! A callback that reads until the socket has no more. Events are edges.

use checks::drain::{Fetcher, Next, READS_A_TURN, Socket};
use std::io::{ErrorKind, Read};

struct Mine {
    page: Vec<u8>,
}

// ANCHOR: solution
impl Fetcher for Mine {
    fn new() -> Mine {
        Mine { page: Vec::new() }
    }

    fn read_response(mut self, socket: &mut Socket) -> Next<Mine> {
        let mut chunk = [0; 4096];
        for _ in 0..READS_A_TURN {
            match socket.read(&mut chunk) {
                Ok(0) => return Next::Done(self.page),
                Ok(count) => self.page.extend(&chunk[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    return Next::OnEvent(self);
                }
                // hole 1
                //| Err(error) if error.kind() == ErrorKind::Interrupted => {
                //|     todo!("the socket may have more: what now?")
                //| }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // end hole
                Err(error) => return Next::Failed(error.kind()),
            }
        }
        // hole 1
        //| todo!("the turn is over, and the socket may have more: what calls this again?")
        Next::CallSoon(self) // no event comes for what is left in the socket
        // end hole
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::drain::check::<Mine>()
}
