//! A connection to Redis over a socket of stage 3. The bytes are the business of a crate that
//! has no sockets.

use redis_protocol::resp2::decode::decode;
use redis_protocol::resp2::encode::encode;
use redis_protocol::resp2::types::{OwnedFrame, Resp2Frame};
use stage3_async::{Reactor, TcpStream, timeout};
use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

/// How long a reply may take.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) struct Redis {
    stream: TcpStream,
    reactor: Reactor,
    /// What has arrived and was not decoded.
    received: Vec<u8>,
}

impl Redis {
    /// Connects to a server on this machine.
    pub(crate) async fn connect(
        port: u16,
        reactor: &Reactor,
    ) -> Result<Redis, Box<dyn Error>> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let connected =
            timeout(PATIENCE, TcpStream::connect(address, reactor), reactor);
        let stream = connected.await??;
        Ok(Redis { stream, reactor: reactor.clone(), received: Vec::new() })
    }

    /// Runs a script. The server runs nothing else until it has ended.
    pub(crate) async fn eval(
        &mut self,
        script: &str,
        keys: &[&str],
        arguments: &[&str],
    ) -> Result<OwnedFrame, Box<dyn Error>> {
        let count = keys.len().to_string();
        let words: Vec<&str> = [&["EVAL", script, &count], keys, arguments].concat();
        self.call(&words).await
    }

    /// Sends a command, and waits for its reply. A reply that is an error is an error.
    pub(crate) async fn call(
        &mut self,
        words: &[&str],
    ) -> Result<OwnedFrame, Box<dyn Error>> {
        let reactor = self.reactor.clone();
        match timeout(PATIENCE, self.exchange(words), &reactor).await?? {
            OwnedFrame::Error(error) => Err(error.into()),
            reply => Ok(reply),
        }
    }

    async fn exchange(&mut self, words: &[&str]) -> Result<OwnedFrame, Box<dyn Error>> {
        let words =
            words.iter().map(|word| OwnedFrame::BulkString(word.as_bytes().to_vec()));
        let command = OwnedFrame::Array(words.collect());
        let mut bytes = vec![0; command.encode_len(false)];
        encode(&mut bytes, &command, false)?;
        self.stream.write_all(&bytes).await?;
        loop {
            if let Some((reply, length)) = decode(&self.received)? {
                self.received.drain(..length);
                return Ok(reply);
            }
            let received = &mut self.received;
            let take = |chunk: &[u8]| {
                received.extend(chunk);
                chunk.is_empty()
            };
            if self.stream.read_with(take).await? {
                return Err("Redis has closed the connection".into());
            }
        }
    }
}
