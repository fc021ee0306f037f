//! Connects to a host with several addresses. One coroutine runs another for each
//! address.

use crate::{ConnectOne, Coroutine, Loop, Result, Resume, Socket, Step, yield_from};
use shared::{Addresses, FetchError::Network, FetchError::OutOfSockets, TimerId};
use std::{io::ErrorKind::TimedOut, net::SocketAddr, rc::Rc, time::Instant};

/// Thrown in when an address has used up its share of the time. When the time of the
/// whole fetch is over, another error is thrown in, which ends this coroutine.
const ADDRESS_LATE: shared::FetchError = Network(TimedOut);

/// Connects to the first of several addresses that accepts, and returns the socket.
pub struct Connect {
    /// The addresses that have not been tried yet.
    addresses: Addresses,
    state: State,
}

enum State {
    /// Nothing has begun.
    Start,
    /// Waits for a connection to one address. When the address has used up its share of
    /// the time, the timer throws an error. (`None` for the last address, which may use
    /// all the time that is left.)
    Trying(ConnectOne, Option<TimerId>),
}

impl Connect {
    /// Creates a coroutine that tries the addresses in this order, until `deadline`.
    pub fn to(addresses: Vec<SocketAddr>, deadline: Instant) -> Connect {
        Connect { addresses: Addresses::new(addresses, deadline), state: State::Start }
    }
}

impl Coroutine for Connect {
    type Return = Result<Rc<Socket>>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        match (&mut self.state, resume) {
            (State::Start, Resume::Send) => {}
            (State::Start, Resume::Throw(error)) => return Step::Return(Err(error)),
            (State::Trying(connect, timer), resume) => {
                let result = yield_from!(connect, event_loop, resume);
                if let Some(timer) = *timer {
                    event_loop.reactor.timers.clear(timer);
                }
                match result {
                    // The address refuses or is late, or no socket was left.
                    Err(error @ (Network(_) | OutOfSockets)) => {
                        self.addresses.on_failure(error)
                    }
                    result => return Step::Return(result),
                }
            }
        }
        let Some((address, ends)) = self.addresses.next_address() else {
            return Step::Return(Err(self.addresses.failure()));
        };
        let timer = ends.map(|when| event_loop.throw_at(when, ADDRESS_LATE));
        // This closes the socket that failed, before the next one is opened.
        self.state = State::Trying(ConnectOne::Start(address), timer);
        self.resume(event_loop, Resume::Send)
    }
}
