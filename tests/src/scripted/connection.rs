//! Serves one connection: performs on it what the script says.

use super::Act;
use super::head::without_body;
use super::state::{Manner, State};
use crate::{request, watchdog};
use rustls::{ServerConnection, Stream};
use socket2::SockRef;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// One connection, with TLS or without.
pub(super) struct Connection<'a> {
    socket: &'a TcpStream,
    tls: Option<ServerConnection>,
    /// Records of TLS that are not sent yet. `flush` sends them.
    unsent: Vec<u8>,
    state: &'a State,
}

impl<'a> Connection<'a> {
    pub(super) fn new(
        socket: &'a TcpStream,
        state: &'a State,
    ) -> io::Result<Connection<'a>> {
        socket.set_nodelay(true)?;
        // A crawler that is silent for so long has forgotten its connection.
        socket.set_read_timeout(Some(watchdog::limit()))?;
        socket.set_write_timeout(Some(watchdog::limit()))?;
        Ok(Connection { socket, tls: None, unsent: Vec::new(), state })
    }

    pub(super) fn serve(mut self) -> io::Result<()> {
        match &self.state.manner {
            Manner::Http => {}
            Manner::Https(config) => {
                let session = ServerConnection::new(Arc::clone(config));
                let mut session = session.map_err(io::Error::other)?;
                session.complete_io(&mut self.socket)?;
                session.set_buffer_limit(None);
                self.tls = Some(session);
                self.state.now().seen.handshakes += 1;
            }
            Manner::Unasked(acts) => {
                self.perform(acts.clone())?;
                return self.close();
            }
        }
        while self.answer_next()? {}
        self.close()
    }

    /// Closes this half. The other half is read first: else the close would be a reset.
    fn close(mut self) -> io::Result<()> {
        self.socket.shutdown(Shutdown::Write)?;
        self.wait_for_hang_up()
    }

    /// Answers a request, if one comes. Returns whether another one is to be answered.
    fn answer_next(&mut self) -> io::Result<bool> {
        let Some(head) = self.read_head()? else { return Ok(false) };
        if self.state.is_strict
            && let Err(fault) = request::check(&head, self.state.address)
        {
            self.state.fault(fault);
            return Ok(false);
        }
        let asked = self.state.admit_request(&String::from_utf8_lossy(&head));
        let mut acts = (self.state.script)(&asked);
        if asked.method == "HEAD" {
            acts = without_body(acts);
        }
        let (is_kept, listens) =
            (acts.contains(&Act::Keep), acts.contains(&Act::Listen));
        self.perform(acts)?;
        if listens && let Some(head) = self.read_head()? {
            let head = head.escape_ascii();
            self.state.fault(format!("on a connection that was over: {head}"));
        }
        Ok(is_kept)
    }

    /// Reads what comes up to a blank line, and what came with it.
    fn read_head(&mut self) -> io::Result<Option<Vec<u8>>> {
        let (mut head, mut buffer) = (Vec::new(), [0; 4096]);
        while !head.windows(4).any(|end| end == b"\r\n\r\n") {
            match self.read(&mut buffer)? {
                0 => return Ok(None),
                count => head.extend_from_slice(&buffer[..count]),
            }
        }
        Ok(Some(head))
    }

    fn perform(&mut self, acts: Vec<Act>) -> io::Result<()> {
        for act in acts {
            if !matches!(act, Act::Bare(_)) {
                self.flush()?;
            }
            match act {
                Act::Send(bytes) => self.send(&bytes)?,
                Act::Drip(bytes, pause) => {
                    for byte in bytes {
                        self.state.pause(pause); // the drip itself: no test waits for it
                        self.send(&[byte])?;
                        self.flush()?;
                    }
                }
                Act::Flood(bytes) => loop {
                    self.send(&bytes)?;
                    self.flush()?;
                },
                Act::Stall => self.wait_for_hang_up()?,
                Act::Meet(count) => self.state.meet(count),
                Act::Reset => {
                    SockRef::from(self.socket).set_linger(Some(Duration::ZERO))?;
                    return Err(ErrorKind::ConnectionReset.into());
                }
                Act::Urgent => {
                    SockRef::from(self.socket).send_out_of_band(b"!")?;
                }
                Act::Keep | Act::Listen => {}
                Act::CloseNotify => {
                    self.tls.iter_mut().for_each(|tls| tls.send_close_notify());
                    self.encrypt()?;
                }
                Act::Bare(bytes) => self.unsent.extend(bytes),
            }
        }
        self.flush()
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.tls {
            Some(tls) => Stream::new(tls, &mut self.socket).read(buffer),
            None => self.socket.read(buffer),
        }
    }

    /// Sends bytes, or prepares them for `flush` where they are encrypted.
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.tls {
            Some(tls) => tls.writer().write_all(bytes)?,
            None => self.socket.write_all(bytes)?,
        }
        self.encrypt()?;
        self.state.now().seen.sent += bytes.len();
        Ok(())
    }

    /// Takes over what TLS has to send.
    fn encrypt(&mut self) -> io::Result<()> {
        let Some(tls) = &mut self.tls else { return Ok(()) };
        while tls.wants_write() {
            tls.write_tls(&mut self.unsent)?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.socket.write_all(&std::mem::take(&mut self.unsent))
    }

    fn wait_for_hang_up(&mut self) -> io::Result<()> {
        while self.socket.read(&mut [0; 1024])? > 0 {}
        Ok(())
    }
}
