//! In place of `tls.rs` in a build without https: a connection is a plain socket.

use shared::{FetchError, Url};
use std::{io, path::Path};

pub(crate) use crate::TcpStream as Stream;

/// Leaves connections as they are.
pub(crate) struct Connector;

impl Connector {
    pub(crate) fn new(_: Option<&Path>) -> io::Result<Connector> {
        Ok(Connector)
    }

    pub(crate) async fn connect(
        &self,
        stream: Stream,
        _: &Url,
    ) -> Result<Stream, FetchError> {
        Ok(stream)
    }
}
