//! What has happened in the system. A program sees only a part of it: what its selector
//! reports, and when it asks.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

/// One thing that has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happened {
    /// When: the time since the world began.
    pub at: Duration,
    /// What it was.
    pub what: What,
}

/// What can happen in the system. Sockets are numbered from 1, in the order in which they
/// were made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A socket's connection was established.
    Connected(usize),
    /// A socket's connection was refused.
    Refused(usize),
    /// So many bytes have arrived for a socket.
    Bytes(usize, usize),
    /// The peer of a socket has closed its half of the connection.
    Closed(usize),
    /// The peer has reset the connection.
    Reset(usize),
    /// The program sleeps from now on, in its selector. It has set a timer for then.
    Sleeps(Option<Duration>),
    /// The program is woken.
    Wakes,
    /// The program sleeps, and any of these can happen next. The number is the one that
    /// was chosen; `None`: the list of choices has ended.
    Asked(Vec<Choice>, Option<usize>),
}

/// One thing that can happen next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// To which socket. `None`: the program's next timer is due.
    pub socket: Option<usize>,
    /// What would happen: `connected`, `refused`, `bytes`, `closed`, `reset`, `timer`.
    pub what: &'static str,
}

impl Display for Happened {
    /// Writes a line of JSON, with microseconds as the traces of the crawlers have them.
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{{\"us\":{},", self.at.as_micros())?;
        match &self.what {
            What::Connected(socket) => named(out, "connected", *socket)?,
            What::Refused(socket) => named(out, "refused", *socket)?,
            What::Bytes(socket, count) => {
                named(out, "bytes", *socket)?;
                write!(out, ",\"count\":{count}")?;
            }
            What::Closed(socket) => named(out, "closed", *socket)?,
            What::Reset(socket) => named(out, "reset", *socket)?,
            What::Sleeps(None) => out.write_str("\"os\":\"sleeps\"")?,
            What::Sleeps(Some(until)) => {
                write!(out, "\"os\":\"sleeps\",\"until\":{}", until.as_micros())?;
            }
            What::Wakes => out.write_str("\"os\":\"wakes\"")?,
            What::Asked(choices, chosen) => {
                out.write_str("\"os\":\"asked\",\"choices\":[")?;
                for (index, choice) in choices.iter().enumerate() {
                    let comma = if index > 0 { "," } else { "" };
                    write!(out, "{comma}{{\"what\":\"{}\"", choice.what)?;
                    match choice.socket {
                        Some(socket) => write!(out, ",\"socket\":{socket}}}")?,
                        None => out.write_str("}")?,
                    }
                }
                out.write_str("]")?;
                if let Some(chosen) = chosen {
                    write!(out, ",\"chosen\":{chosen}")?;
                }
            }
        }
        out.write_str("}")
    }
}

fn named(out: &mut Formatter<'_>, what: &str, socket: usize) -> fmt::Result {
    write!(out, "\"os\":\"{what}\",\"socket\":{socket}")
}
