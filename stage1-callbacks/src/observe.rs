//! What a trace and a stuck report say about sockets. The loop would run without this file:
//! nothing in here decides anything.

use mio::Token;
use mio::event::Event as Readiness;
use shared::trace::{Event, Location, Trace, WaitReason};
use std::collections::BTreeMap;

/// Writes the trace, and keeps what the stuck report says of each open socket. A task of
/// the trace is a socket with its chain of callbacks.
pub struct Observer {
    pub(crate) trace: Trace,
    sockets: BTreeMap<Token, Observed>,
}

struct Observed {
    /// For what the socket was made: a URL.
    label: String,
    /// Where the callback was saved that waits. None: no callback waits.
    waits_at: Option<Location>,
}

impl Observer {
    pub(crate) fn new(trace: Trace) -> Observer {
        Observer { trace, sockets: BTreeMap::new() }
    }

    /// A socket was made, and registered with the selector. `label` is for the person
    /// who reads the trace or the stuck report.
    #[track_caller]
    pub fn created(&mut self, token: Token, label: &str) {
        self.trace.record(token.0 as u64, Event::Created { label });
        self.trace.record(token.0 as u64, Event::Registered { socket: token.0 as u64 });
        self.sockets
            .insert(token, Observed { label: label.to_string(), waits_at: None });
    }

    /// The operating system has reported something about a socket.
    #[track_caller]
    pub(crate) fn arrived(&self, event: &Readiness) {
        let (readable, writable) = (event.is_readable(), event.is_writable());
        let socket = event.token().0 as u64;
        if self.sockets.contains_key(&event.token()) {
            self.trace.record(socket, Event::Arrived { socket, readable, writable });
        }
    }

    /// A callback was saved: the function `name` of the caller's file.
    #[track_caller]
    pub(crate) fn paused(&mut self, token: Token, name: &'static str, is_turn: bool) {
        let (at, task) = (Location::caller(name), token.0 as u64);
        let waits = if is_turn { WaitReason::Turn } else { WaitReason::Socket };
        let socket = waits.is_socket().then_some(task);
        self.trace.record(task, Event::Paused { state: name, waits, socket, at });
        if let Some(socket) = self.sockets.get_mut(&token) {
            socket.waits_at = Some(at);
        }
    }

    /// The callback that was saved is called now.
    pub(crate) fn resumed(&mut self, token: Token) {
        let Some(socket) = self.sockets.get_mut(&token) else { return };
        let Some(at) = socket.waits_at.take() else { return };
        let resumed = Event::Resumed { state: at.name, label: &socket.label, at };
        self.trace.record(token.0 as u64, resumed);
    }

    /// A socket was closed: by its own callback, or while a callback waited.
    #[track_caller]
    pub(crate) fn ended(&mut self, token: Token) {
        let socket = self.sockets.remove(&token);
        let is_cancelled = socket.is_some_and(|socket| socket.waits_at.is_some());
        let end = if is_cancelled { Event::Cancelled } else { Event::Finished };
        self.trace.record(token.0 as u64, end);
    }

    /// Lists which callback waits for which socket, a line each: for the stuck report.
    pub fn who_waits(&self) -> String {
        let line = |(token, socket): (&Token, &Observed)| {
            let callback = socket.waits_at.map_or("no callback", |at| at.name);
            format!("{}: {callback} waits for socket {}", socket.label, token.0)
        };
        let mut lines: Vec<String> = self.sockets.iter().map(line).collect();
        lines.sort();
        lines.join("\n")
    }
}
