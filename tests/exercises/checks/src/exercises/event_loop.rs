//! A table of callbacks, and a loop that calls them.

use crate::{cases, story};
use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;

/// The number by which the OS reports a socket.
pub type Token = usize;

/// Called once, at an event of its socket.
pub type Callback<Loop> = Box<dyn FnOnce(&mut Loop, &mut World)>;

/// What all callbacks share: here, the names of those that were called.
#[derive(Default)]
pub struct World {
    called: Vec<&'static str>,
}

/// The operating system, with a list of the events that will happen.
pub struct Os {
    batches: VecDeque<Vec<Token>>,
}

impl Os {
    /// Sleeps until there are events, and returns their tokens. Now and then it returns
    /// without an event.
    pub fn wait(&mut self) -> Vec<Token> {
        let Some(batch) = self.batches.pop_front() else {
            panic!("the loop sleeps, and no event will ever wake it");
        };
        story!("the OS reports events for sockets {batch:?}");
        batch
    }
}

/// An event loop: a table with a callback for each socket that is waited for.
pub trait EventLoop: Sized + 'static {
    /// Returns a loop in which no callback waits.
    fn new() -> Self;
    /// Stores a callback for the next event of this socket, in place of the previous one.
    fn on_event(&mut self, token: Token, callback: Callback<Self>);
    /// Waits for events and calls callbacks, until no callback waits any longer.
    fn run(&mut self, os: &mut Os, world: &mut World);
}

cases! {
    EventLoop:
    the_loop_ends_when_no_callback_waits,
    callbacks_are_called_in_the_order_of_the_events,
    an_event_that_no_callback_waits_for,
    the_os_returns_without_an_event,
    a_callback_that_waits_for_the_next_event,
    a_callback_that_is_replaced,
    a_callback_that_is_replaced_in_the_same_tick,
    two_events_of_a_socket_in_one_tick,
    an_event_calls_one_callback,
    a_callback_that_is_stored_in_the_tick_of_its_event,
}

/// Returns a callback that does nothing but add its name to the world.
fn named<E: EventLoop>(name: &'static str) -> Callback<E> {
    Box::new(move |_, world| call(world, name))
}

fn call(world: &mut World, name: &'static str) {
    story!("  {name} is called");
    world.called.push(name);
}

/// Runs the loop with these events. Returns the names of the callbacks, as called.
fn run<E: EventLoop>(event_loop: &mut E, batches: &[&[Token]]) -> Vec<&'static str> {
    let mut os = Os { batches: batches.iter().map(|batch| batch.to_vec()).collect() };
    let mut world = World::default();
    event_loop.run(&mut os, &mut world);
    story!("run returns");
    world.called
}

fn the_loop_ends_when_no_callback_waits<E: EventLoop>() {
    assert_eq!(run(&mut E::new(), &[]), [""; 0], "callbacks that were called");
    let mut event_loop = E::new();
    event_loop.on_event(1, named("connected"));
    let called = run(&mut event_loop, &[&[1]]);
    assert_eq!(called, ["connected"], "callbacks that were called");
}

fn callbacks_are_called_in_the_order_of_the_events<E: EventLoop>() {
    let mut event_loop = E::new();
    for (token, name) in [(1, "one"), (2, "two"), (3, "three"), (4, "four")] {
        event_loop.on_event(token, named(name));
    }
    let called = run(&mut event_loop, &[&[3, 1], &[4, 2]]);
    assert_eq!(
        called,
        ["three", "one", "four", "two"],
        "the callbacks, in the order of their calls"
    );
}

fn an_event_that_no_callback_waits_for<E: EventLoop>() {
    let mut event_loop = E::new();
    event_loop.on_event(1, named("one"));
    event_loop.on_event(2, named("two"));
    let called = run(&mut event_loop, &[&[7, 1, 1], &[2]]);
    assert_eq!(called, ["one", "two"], "such events are normal and mean nothing");
}

fn the_os_returns_without_an_event<E: EventLoop>() {
    let mut event_loop = E::new();
    event_loop.on_event(1, named("one"));
    let called = run(&mut event_loop, &[&[], &[], &[1]]);
    assert_eq!(called, ["one"], "a callback still waits, so the loop sleeps again");
}

fn a_callback_that_waits_for_the_next_event<E: EventLoop>() {
    let mut event_loop = E::new();
    let first: Callback<E> = Box::new(|event_loop, world| {
        call(world, "first");
        event_loop.on_event(1, named("second"));
    });
    event_loop.on_event(1, first);
    let called = run(&mut event_loop, &[&[1], &[1]]);
    assert_eq!(called, ["first", "second"], "`first` has stored `second`");
}

fn a_callback_that_is_replaced<E: EventLoop>() {
    let (mut event_loop, fetcher) = (E::new(), Rc::new(Cell::new(0)));
    let kept = Rc::clone(&fetcher);
    event_loop.on_event(1, Box::new(move |_, _| kept.set(1)));
    event_loop.on_event(1, named("latest"));
    assert_eq!(
        Rc::strong_count(&fetcher),
        1,
        "owners of the fetcher: the replaced callback is no longer one"
    );
    assert_eq!(
        run(&mut event_loop, &[&[1]]),
        ["latest"],
        "the callbacks, in the order of their calls"
    );
}

fn a_callback_that_is_replaced_in_the_same_tick<E: EventLoop>() {
    let mut event_loop = E::new();
    let first: Callback<E> = Box::new(|event_loop, world| {
        call(world, "first");
        event_loop.on_event(2, named("stored by first"));
    });
    event_loop.on_event(1, first);
    event_loop.on_event(2, named("second"));
    let called = run(&mut event_loop, &[&[1, 2], &[2]]);
    let expected = ["first", "stored by first"];
    assert_eq!(called, expected, "socket 2 has a new callback by then");
}

/// Some systems report separately that a socket is writable and that it is readable.
fn two_events_of_a_socket_in_one_tick<E: EventLoop>() {
    let mut event_loop = E::new();
    let first: Callback<E> = Box::new(|event_loop, world| {
        call(world, "first");
        event_loop.on_event(1, named("second"));
    });
    event_loop.on_event(1, first);
    let called = run(&mut event_loop, &[&[1, 1]]);
    assert_eq!(
        called,
        ["first", "second"],
        "the second event is for the callback that `first` has stored"
    );
}

fn an_event_calls_one_callback<E: EventLoop>() {
    let mut event_loop = E::new();
    let first: Callback<E> = Box::new(|event_loop, world| {
        call(world, "first");
        event_loop.on_event(1, named("second"));
    });
    event_loop.on_event(1, first);
    event_loop.on_event(2, named("other"));
    let called = run(&mut event_loop, &[&[1], &[2, 1]]);
    assert_eq!(
        called,
        ["first", "other", "second"],
        "`second` waits for its own event"
    );
}

fn a_callback_that_is_stored_in_the_tick_of_its_event<E: EventLoop>() {
    let mut event_loop = E::new();
    let first: Callback<E> = Box::new(|event_loop, world| {
        call(world, "first");
        event_loop.on_event(2, named("second"));
    });
    event_loop.on_event(1, first);
    let called = run(&mut event_loop, &[&[1, 2]]);
    assert_eq!(called, ["first", "second"], "socket 2 had no callback before `first`");
}
