//! A table of callbacks, and a loop that calls them.
//!
//! `os.wait()` sleeps until there are events, and returns the tokens of their sockets.
//!
//! The types of `checks` are in `tests/exercises/checks/src/exercises/event_loop.rs`.

use checks::event_loop::{Callback, EventLoop, Os, Token, World};
use std::collections::HashMap;

struct Mine {
    /// The callback of each socket that is waited for.
    slots: HashMap<Token, Callback<Mine>>,
}

// ANCHOR: task
impl EventLoop for Mine {
    fn new() -> Mine {
        Mine { slots: HashMap::new() }
    }

    fn on_event(&mut self, token: Token, callback: Callback<Mine>) {
        todo!("store the callback of socket {token}")
    }

    fn run(&mut self, os: &mut Os, world: &mut World) {
        todo!("wait for events and call callbacks, until no callback waits")
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::event_loop::check::<Mine>()
}
