//! Waits until a socket is ready. It reports what epoll would, in the order of epoll.

use crate::socket::Source;
use crate::state::{Edge, Interest, Mode, Ready, Watched};
use crate::{clock, world};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

/// A selector of this thread's world.
#[derive(Debug)]
pub struct Selector {
    number: usize,
    alarm: Alarm,
}

/// Ends a wait. It may be used by any thread.
#[derive(Clone, Debug, Default)]
pub struct Alarm(Arc<AtomicBool>);

impl Alarm {
    /// Ends the wait of now, or the next one.
    pub fn sound(&self) {
        self.0.store(true, SeqCst);
    }
}

impl Selector {
    /// A selector that watches no socket yet.
    pub fn new() -> Selector {
        let number = world::with(|world| world.new_selector());
        Selector { number, alarm: Alarm::default() }
    }

    /// What ends its waits.
    pub fn alarm(&self) -> Alarm {
        self.alarm.clone()
    }

    /// Watches a socket, or watches it for something else. What is so already is reported,
    /// too.
    pub fn watch(
        &self,
        source: &(impl Source + ?Sized),
        key: usize,
        interest: Interest,
        mode: Mode,
    ) {
        let selector = self.number;
        world::with(|world| {
            let state = world.socket(source.number());
            let is_listed = state.watched.as_ref().is_some_and(|it| it.is_listed);
            state.watched = Some(Watched { selector, key, interest, mode, is_listed });
            let Ready { readable, writable, broken, .. } = state.ready();
            let edges = [
                (readable, Edge::Readable),
                (writable, Edge::Writable),
                (broken, Edge::Both),
            ];
            for (_, edge) in edges.into_iter().filter(|(is_so, _)| *is_so) {
                world.edge(source.number(), edge);
            }
        });
    }

    /// Forgets a socket.
    pub fn forget(&self, source: &(impl Source + ?Sized)) {
        world::with(|world| world.socket(source.number()).watched = None);
    }

    /// Waits until a socket that it watches is ready, the alarm sounds, or the time is
    /// over. Returns what is ready, and whether the alarm has sounded.
    ///
    /// # Errors
    /// Nothing will ever happen. Or, natively, a timer would be due, and the program
    /// reads a clock that cannot be moved.
    pub fn wait(&self, time: Option<Duration>) -> io::Result<(Vec<Ready>, bool)> {
        let limit = time.map(|time| clock::now() + time);
        let mut sleeps = false;
        loop {
            let ready = world::with(|world| world.look(self.number));
            let sounds = self.alarm.0.swap(false, SeqCst);
            let is_over = limit.is_some_and(|limit| limit <= clock::now());
            if !ready.is_empty() || sounds || is_over {
                if sleeps {
                    world::with(|world| world.wakes());
                }
                return Ok((ready, sounds));
            }
            if !std::mem::replace(&mut sleeps, true) {
                world::with(|world| world.sleeps(limit));
            }
            let interrupted = world::with(|world| world.sleep(limit))?;
            // Called without a borrow: it may sound the alarm.
            interrupted.into_iter().for_each(|handler| handler());
        }
    }
}

impl Default for Selector {
    fn default() -> Selector {
        Selector::new()
    }
}
