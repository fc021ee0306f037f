//! What traces and stuck reports say about sockets. The loop would run without this
//! file, since nothing in it decides anything.

use mio::Token;
use mio::event::Event as Readiness;
use shared::trace::{Event, Location, Trace, WaitReason};
use std::collections::BTreeMap;

/// Writes the trace, and keeps what the stuck report says of each open socket. In the
/// trace, each socket with its chain of callbacks is shown as a task.
pub struct Observer {
    pub(crate) trace: Trace,
    sockets: BTreeMap<Token, Observed>,
}

struct Observed {
    /// The URL that it was opened for.
    label: String,
    /// Where the callback that waits was registered. `None` while no callback waits.
    waits_at: Option<Location>,
}

impl Observer {
    pub(crate) fn new(trace: Trace) -> Observer {
        Observer { trace, sockets: BTreeMap::new() }
    }

    /// Records that a socket was opened, and registered with the selector. `label`
    /// names it in the trace and in the stuck report.
    #[track_caller]
    pub fn created(&mut self, token: Token, label: &str) {
        self.trace.record(token.0 as u64, Event::Created { label });
        self.trace.record(token.0 as u64, Event::Registered { socket: token.0 as u64 });
        self.sockets
            .insert(token, Observed { label: label.to_string(), waits_at: None });
    }

    /// Records that the operating system has reported an event of a socket.
    #[track_caller]
    pub(crate) fn arrived(&self, event: &Readiness) {
        let (readable, writable) = (event.is_readable(), event.is_writable());
        let socket = event.token().0 as u64;
        if self.sockets.contains_key(&event.token()) {
            self.trace.record(socket, Event::Arrived { socket, readable, writable });
        }
    }

    /// Records that a socket was put into the ready list, unless it was there already.
    #[track_caller]
    pub(crate) fn queued(&mut self, token: Token, is_ready: bool) {
        if !is_ready && self.sockets.contains_key(&token) {
            self.trace.record(token.0 as u64, Event::Queued);
        }
    }

    /// Records that a callback was registered: the function `name` of the caller's
    /// file. It waits for its turn if its socket is in the ready list, or else for an
    /// event.
    #[track_caller]
    pub(crate) fn paused(&mut self, token: Token, name: &'static str, is_ready: bool) {
        let (at, task) = (Location::caller(name), token.0 as u64);
        let waits = if is_ready { WaitReason::Turn } else { WaitReason::Socket };
        let socket = waits.is_socket().then_some(task);
        self.trace.record(task, Event::Paused { state: name, waits, socket, at });
        if let Some(socket) = self.sockets.get_mut(&token) {
            socket.waits_at = Some(at);
        }
    }

    /// Records that the callback that waits is called now.
    pub(crate) fn resumed(&mut self, token: Token) {
        let Some(socket) = self.sockets.get_mut(&token) else { return };
        let Some(at) = socket.waits_at.take() else { return };
        let resumed = Event::Resumed { state: at.name, label: &socket.label, at };
        self.trace.record(token.0 as u64, resumed);
    }

    /// Records that a socket was closed: by its own callback, or while a callback
    /// waited.
    #[track_caller]
    pub(crate) fn ended(&mut self, token: Token) {
        let socket = self.sockets.remove(&token);
        let is_cancelled = socket.is_some_and(|socket| socket.waits_at.is_some());
        let end = if is_cancelled { Event::Cancelled } else { Event::Finished };
        self.trace.record(token.0 as u64, end);
    }

    /// Lists which callback waits for which socket, one per line, for the stuck report.
    pub fn waiters_report(&self) -> String {
        let line = |(token, socket): (&Token, &Observed)| {
            let callback = socket.waits_at.map_or("no callback", |at| at.name);
            format!("{}: {callback} waits for socket {}", socket.label, token.0)
        };
        let mut lines: Vec<String> = self.sockets.iter().map(line).collect();
        lines.sort();
        lines.join("\n")
    }
}
