//! The thread of a server that accepts.

use super::connection::Connection;
use super::state::State;
use std::io::ErrorKind;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

/// Accepts connections, and serves each on a thread, until the server is dropped.
/// Leaving the scope waits for all connections.
pub(super) fn accept(listener: &TcpListener, state: &State) {
    thread::scope(|scope| {
        loop {
            let stream = match next_connection(listener) {
                Ok(stream) => Arc::new(stream),
                Err(failure) => {
                    state.now().failure = Some(failure);
                    state.changed.notify_all();
                    return;
                }
            };
            if !state.admit(&stream) {
                return;
            }
            scope.spawn(move || {
                // A crawler that hangs up in the middle is no error of the server.
                Connection::new(&stream, state).and_then(Connection::serve).ok();
            });
        }
    });
}

/// Returns the next connection. One that was closed before it was accepted does not
/// count.
///
/// # Errors
/// No connection can be accepted any more, mostly because there is no descriptor left.
fn next_connection(listener: &TcpListener) -> Result<TcpStream, String> {
    loop {
        match listener.accept() {
            Ok((stream, _)) => return Ok(stream),
            Err(error) => match error.kind() {
                ErrorKind::ConnectionAborted
                | ErrorKind::ConnectionReset
                | ErrorKind::Interrupted => {}
                _ => return Err(format!("the server cannot accept: {error}")),
            },
        }
    }
}
