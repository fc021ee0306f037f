//! A table of callbacks, and a loop that calls them.
// hole 2
//| //!
//| //! `os.wait()` sleeps until there are events, and returns the tokens of their sockets.
// end hole

use checks::event_loop::{Callback, EventLoop, Os, Token, World};
use std::collections::HashMap;

struct Mine {
    /// The callback of each socket that is waited for.
    slots: HashMap<Token, Callback<Mine>>,
}

// ANCHOR: solution
impl EventLoop for Mine {
    fn new() -> Mine {
        Mine { slots: HashMap::new() }
    }

    fn on_event(&mut self, token: Token, callback: Callback<Mine>) {
        // hole 2
        //| todo!("store the callback of socket {token}")
        self.slots.insert(token, callback);
        // end hole
    }

    fn run(&mut self, os: &mut Os, world: &mut World) {
        // hole 2
        //| todo!("wait for events and call callbacks, until no callback waits")
        while !self.slots.is_empty() {
            for token in os.wait() {
                // hole 1
                //| todo!("call the callback of socket {token}, once")
                if let Some(callback) = self.slots.remove(&token) {
                    callback(self, world);
                }
                // end hole
            }
        }
        // end hole
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::event_loop::check::<Mine>()
}
