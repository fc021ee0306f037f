//! A table of callbacks, and a loop that calls them.

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
        self.slots.insert(token, callback);
    }

    fn run(&mut self, os: &mut Os, world: &mut World) {
        while !self.slots.is_empty() {
            for token in os.wait() {
                if let Some(callback) = self.slots.remove(&token) {
                    callback(self, world);
                }
            }
        }
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::event_loop::check::<Mine>()
}
