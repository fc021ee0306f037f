//! The selector.

use crate::Interest;
use crate::event::{Event, Source};
use crate::token::Token;
use simulated_os::{Alarm, Mode, Ready, Selector};
use std::cell::Cell;
use std::io;
use std::rc::Rc;
use std::slice::Iter;
use std::time::Duration;

/// What one wait has brought.
#[derive(Debug)]
pub struct Events {
    events: Vec<Event>,
    capacity: usize,
}

impl Events {
    /// Room for so many events.
    pub fn with_capacity(capacity: usize) -> Events {
        Events { events: Vec::new(), capacity }
    }

    /// For how many events there is room. The simulated system has always room.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Whether the wait has brought nothing.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The events, in the order in which they have happened.
    pub fn iter(&self) -> Iter<'_, Event> {
        self.events.iter()
    }

    /// Forgets all events.
    pub fn clear(&mut self) {
        self.events.clear();
    }
}

impl<'a> IntoIterator for &'a Events {
    type Item = &'a Event;
    type IntoIter = Iter<'a, Event>;

    fn into_iter(self) -> Iter<'a, Event> {
        self.iter()
    }
}

/// Waits for events.
#[derive(Debug)]
pub struct Poll {
    registry: Registry,
}

/// Registers sockets.
#[derive(Debug)]
pub struct Registry {
    selector: Selector,
    /// The number by which the waker's alarm is reported.
    waker: Rc<Cell<Option<Token>>>,
}

impl Poll {
    /// A selector.
    ///
    /// # Errors
    /// None: mio has some.
    pub fn new() -> io::Result<Poll> {
        let registry = Registry { selector: Selector::new(), waker: Rc::default() };
        Ok(Poll { registry })
    }

    /// Registers sockets.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Waits until something has happened, or the time is over.
    ///
    /// # Errors
    /// Nothing will ever happen.
    pub fn poll(
        &mut self,
        events: &mut Events,
        time: Option<Duration>,
    ) -> io::Result<()> {
        events.clear();
        let (ready, alarm) = self.registry.selector.wait(time)?;
        let alarm = self.registry.waker.get().filter(|_| alarm);
        let alarm =
            alarm.map(|Token(key)| Ready { key, readable: true, ..Ready::default() });
        events.events.extend(ready.into_iter().chain(alarm).map(Event));
        Ok(())
    }
}

impl Registry {
    /// Registers a socket.
    ///
    /// # Errors
    /// None: mio has some.
    pub fn register<S: Source + ?Sized>(
        &self,
        source: &mut S,
        token: Token,
        interest: Interest,
    ) -> io::Result<()> {
        self.selector.watch(source, token.0, interest.of_system(), Mode::Edge);
        Ok(())
    }

    /// Registers a socket for something else.
    ///
    /// # Errors
    /// None: mio has some.
    pub fn reregister<S: Source + ?Sized>(
        &self,
        source: &mut S,
        token: Token,
        interest: Interest,
    ) -> io::Result<()> {
        self.register(source, token, interest)
    }

    /// Forgets a socket.
    ///
    /// # Errors
    /// None: mio has some.
    pub fn deregister<S: Source + ?Sized>(&self, source: &mut S) -> io::Result<()> {
        self.selector.forget(source);
        Ok(())
    }
}

/// Ends a wait. It may be used by any thread.
#[derive(Debug)]
pub struct Waker(Alarm);

impl Waker {
    /// A waker whose events have this number.
    ///
    /// # Errors
    /// None: mio has some.
    pub fn new(registry: &Registry, token: Token) -> io::Result<Waker> {
        registry.waker.set(Some(token));
        Ok(Waker(registry.selector.alarm()))
    }

    /// Ends the wait of now, or the next one.
    ///
    /// # Errors
    /// None: mio has some.
    pub fn wake(&self) -> io::Result<()> {
        self.0.sound();
        Ok(())
    }
}
