//! `polling` over the simulated system: as much of it as stage 2 uses, with the signatures
//! of the real one. Each event is one-shot.

use simulated_os::{Alarm, Interest, Mode, Selector};
use std::io;
use std::num::NonZeroUsize;
use std::time::Duration;

pub use simulated_os::{Source as AsSource, Source as AsRawSource};

/// What a program wants to know of a socket, or what has happened to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The number that the program gave to the socket.
    pub key: usize,
    /// It can be read.
    pub readable: bool,
    /// It can be written.
    pub writable: bool,
}

impl Event {
    /// Both.
    pub const fn all(key: usize) -> Event {
        Event { key, readable: true, writable: true }
    }

    /// It can be read.
    pub const fn readable(key: usize) -> Event {
        Event { key, readable: true, writable: false }
    }

    /// It can be written.
    pub const fn writable(key: usize) -> Event {
        Event { key, readable: false, writable: true }
    }

    /// Nothing.
    pub const fn none(key: usize) -> Event {
        Event { key, readable: false, writable: false }
    }

    fn interest(self) -> Interest {
        Interest { read: self.readable, write: self.writable }
    }
}

/// What one wait has brought.
#[derive(Debug, Default)]
pub struct Events(Vec<Event>);

impl Events {
    /// No events.
    pub fn new() -> Events {
        Events::default()
    }

    /// Room for so many events. The simulated system has always room.
    pub fn with_capacity(capacity: NonZeroUsize) -> Events {
        Events(Vec::with_capacity(capacity.get()))
    }

    /// The events, in the order in which they have happened.
    pub fn iter(&self) -> impl Iterator<Item = Event> + '_ {
        self.0.iter().copied()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Forgets all events.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// Waits for events.
#[derive(Debug)]
pub struct Poller {
    /// Used by the thread that has made it.
    selector: Selector,
    alarm: Alarm,
}

impl Poller {
    /// A selector.
    ///
    /// # Errors
    /// None: polling has some.
    pub fn new() -> io::Result<Poller> {
        let selector = Selector::new();
        Ok(Poller { alarm: selector.alarm(), selector })
    }

    /// Registers a socket.
    ///
    /// # Errors
    /// None: polling has some.
    ///
    /// # Safety
    /// As polling's, so that it is called in the same way. Here nothing depends on it.
    #[allow(unsafe_code, reason = "the signature is polling's; nothing unsafe is done")]
    pub unsafe fn add(
        &self,
        source: impl AsRawSource,
        interest: Event,
    ) -> io::Result<()> {
        self.modify(source, interest)
    }

    /// Asks for the next event of a socket.
    ///
    /// # Errors
    /// None: polling has some.
    pub fn modify(&self, source: impl AsSource, interest: Event) -> io::Result<()> {
        self.selector.watch(&source, interest.key, interest.interest(), Mode::Oneshot);
        Ok(())
    }

    /// Forgets a socket.
    ///
    /// # Errors
    /// None: polling has some.
    pub fn delete(&self, source: impl AsSource) -> io::Result<()> {
        self.selector.forget(&source);
        Ok(())
    }

    /// Waits until something has happened, the time is over, or `notify` is called.
    /// Returns how many events there are.
    ///
    /// # Errors
    /// Nothing will ever happen.
    pub fn wait(
        &self,
        events: &mut Events,
        timeout: Option<Duration>,
    ) -> io::Result<usize> {
        let (ready, _) = self.selector.wait(timeout)?;
        let event = |it: simulated_os::Ready| Event {
            key: it.key,
            readable: it.readable,
            writable: it.writable,
        };
        let before = events.len();
        events.0.extend(ready.into_iter().map(event));
        Ok(events.len() - before)
    }

    /// Ends the wait of now, or the next one. It may be called by any thread.
    ///
    /// # Errors
    /// None: polling has some.
    pub fn notify(&self) -> io::Result<()> {
        self.alarm.sound();
        Ok(())
    }
}
