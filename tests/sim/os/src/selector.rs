//! Waits until a socket is ready. It reports what epoll would, in the order of epoll.

use crate::socket::{Phase, Source, State};
use crate::{clock, world};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

/// What a program wants to know of a socket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interest {
    /// Whether it can be read.
    pub read: bool,
    /// Whether it can be written.
    pub write: bool,
}

/// How often a selector reports that a socket is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// At each change.
    Edge,
    /// Once. Then the program has to ask again.
    Oneshot,
}

/// What a selector reports of one socket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ready {
    /// The number that the program gave to the socket.
    pub key: usize,
    /// There are bytes, or the peer has closed, or it has failed.
    pub readable: bool,
    /// The connection is established, or it has failed.
    pub writable: bool,
    /// The peer has closed its half.
    pub read_closed: bool,
    /// The connection is broken: refused, or reset.
    pub broken: bool,
}

/// What a socket's registration says.
#[derive(Debug)]
pub(crate) struct Watched {
    /// The number of the selector.
    pub(crate) selector: usize,
    key: usize,
    interest: Interest,
    mode: Mode,
    /// It is in the selector's list.
    is_listed: bool,
}

/// What has changed about a socket.
#[derive(Clone, Copy)]
pub(crate) enum Edge {
    Readable,
    Writable,
    Both,
}

impl Watched {
    /// Returns whether the socket has to be listed because of this.
    pub(crate) fn notices(&mut self, edge: Edge) -> bool {
        let Interest { read, write } = self.interest;
        let wanted = match edge {
            Edge::Readable => read,
            Edge::Writable => write,
            // A failure is reported to each that asks for anything.
            Edge::Both => read || write,
        };
        wanted && !std::mem::replace(&mut self.is_listed, true)
    }

    /// Returns what is to be reported of a socket that was listed.
    fn report(&mut self, now: Ready) -> Option<Ready> {
        self.is_listed = false;
        let Interest { read, write } = self.interest;
        let ready = Ready {
            key: self.key,
            readable: now.readable && (read || now.broken && write),
            writable: now.writable && (write || now.broken && read),
            read_closed: now.read_closed && read,
            broken: now.broken && (read || write),
        };
        if !(ready.readable || ready.writable) {
            return None;
        }
        if self.mode == Mode::Oneshot {
            self.interest = Interest::default();
        }
        Some(ready)
    }
}

impl State {
    /// How the socket is now, whoever asks.
    fn ready(&self) -> Ready {
        let broken = self.phase == Phase::Broken;
        Ready {
            key: 0,
            readable: !self.inbox.is_empty() || self.is_closed || broken,
            writable: self.phase == Phase::Connected || broken,
            read_closed: self.is_closed || broken,
            broken,
        }
    }
}

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

/// Takes what is to be reported of the sockets that are listed.
pub(crate) fn report(state: &mut State) -> Option<Ready> {
    let now = state.ready();
    state.watched.as_mut()?.report(now)
}
