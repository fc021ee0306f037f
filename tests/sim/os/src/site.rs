//! What is at the other end of the wire.

use std::net::SocketAddr;
use std::time::Duration;

/// The servers of the simulated network, all of them.
///
/// A scripted site plans what it will do about the bytes that it receives, and returns the
/// plan. A site that runs by itself returns empty plans, and is asked for its `next` act.
pub trait Site {
    /// A connection to this address is begun at `now`. Returns how it is answered, and
    /// after what time.
    fn connect(
        &mut self,
        connection: usize,
        to: SocketAddr,
        now: Duration,
    ) -> (Duration, Answers);

    /// Bytes arrive from a client. Returns what the site will do, and when: each time is
    /// counted from `now`. What belongs to one connection happens in the order of the
    /// plan, after all that was planned for it before.
    fn receive(&mut self, connection: usize, bytes: &[u8], now: Duration) -> Plan;

    /// The client has closed the connection.
    fn hung_up(&mut self, connection: usize, now: Duration) {
        let _ = (connection, now);
    }

    /// Lets the site run, at the latest until `until`; returns the first thing that it
    /// does to a connection, and when.
    fn next(&mut self, until: Duration) -> Option<(Duration, usize, Act)> {
        let _ = until;
        None
    }
}

/// What a site will do about a request, and how long after it.
pub type Plan = Vec<(Duration, Act)>;

/// How a server answers an attempt to connect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// It accepts the connection.
    Accepts,
    /// It refuses.
    Refuses,
    /// It says nothing, as a machine that is switched off.
    Nothing,
}

/// What a site does to a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// It sends these bytes, in one piece.
    Send(Vec<u8>),
    /// It closes its half of the connection.
    Close,
    /// It resets the connection.
    Reset,
}

/// A network without a server: each connection is refused at once.
pub struct Nothing;

impl Site for Nothing {
    fn connect(&mut self, _: usize, _: SocketAddr, _: Duration) -> (Duration, Answers) {
        (Duration::ZERO, Answers::Refuses)
    }

    fn receive(&mut self, _: usize, _: &[u8], _: Duration) -> Plan {
        Plan::new()
    }
}
