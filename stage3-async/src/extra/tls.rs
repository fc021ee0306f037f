//! https: a machine inside a machine. rustls turns bytes into bytes and never sees a
//! socket. This file reads and writes these bytes, and awaits the socket.

use super::any_certificate::AnyCertificate;
use super::tls_errors::to_fetch_error;
use crate::TcpStream;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore};
use shared::{FetchError, HttpError, Options, Url, error::describe};
use std::io::{self, ErrorKind, Read, Write};
use std::{mem, path::Path, sync::Arc};

/// Upgrades https connections to TLS. It owns the certificates to trust.
pub(crate) struct Connector(Arc<ClientConfig>);

/// A connection with TLS or without.
pub(crate) enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream>),
}

// ANCHOR: stream
/// A TLS connection. Plain bytes are written to it and read from it, and the socket
/// carries encrypted bytes.
pub(crate) struct TlsStream {
    stream: TcpStream,
    tls: ClientConnection,
    /// Decrypted bytes. The next `read_with` takes them all.
    plain: Vec<u8>,
    /// Set when the peer announces that no more bytes follow (`close_notify`).
    is_closed: bool,
    /// Set when the peer sends invalid TLS. Reported after the bytes before it have
    /// been read.
    failure: Option<FetchError>,
}
// ANCHOR_END: stream

impl Connector {
    /// Trusts the authorities that browsers trust, and the certificates of `--ca-file`;
    /// with `--insecure` any certificate.
    ///
    /// # Errors
    /// The file cannot be read, or it has no certificate in it.
    pub(crate) fn new(options: &Options) -> io::Result<Connector> {
        let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.into() };
        if let Some(path) = &options.ca_file {
            let added = add(&mut roots, path);
            added.map_err(|why| {
                io::Error::other(format!("bad --ca-file {}: {why}", path.display()))
            })?;
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .expect("ring speaks TLS 1.2 and 1.3")
            .with_root_certificates(roots)
            .with_no_client_auth();
        if options.insecure {
            let any = Arc::new(AnyCertificate(provider));
            config.dangerous().set_certificate_verifier(any);
        }
        Ok(Connector(Arc::new(config)))
    }

    /// Upgrades a connection if the URL is https. The server must prove that it is the
    /// host of the URL.
    pub(crate) async fn connect(
        &self,
        stream: TcpStream,
        url: &Url,
    ) -> Result<Stream, FetchError> {
        if url.scheme() != "https" {
            return Ok(Stream::Plain(stream));
        }
        // Boxed, so that a connection without TLS needs no space for it.
        Ok(Stream::Tls(Box::pin(self.shake_hands(stream, url)).await?))
    }

    async fn shake_hands(
        &self,
        stream: TcpStream,
        url: &Url,
    ) -> Result<Box<TlsStream>, FetchError> {
        let host = url.host_str().unwrap_or_default();
        let host = host.trim_matches(['[', ']']).to_string(); // an IPv6 address
        let host = ServerName::try_from(host)
            .map_err(|_| FetchError::Tls("no certificate can have this name"))?;
        let mut tls = ClientConnection::new(Arc::clone(&self.0), host)
            .map_err(|error| to_fetch_error(&error))?;
        tls.set_buffer_limit(None); // a request goes out in one piece
        let (plain, is_closed, failure) = (Vec::new(), false, None);
        let mut stream = TlsStream { stream, tls, plain, is_closed, failure };
        // ANCHOR: shake_hands
        while stream.tls.is_handshaking() {
            stream.flush().await?;
            stream.fill().await.map_err(|error| match error {
                FetchError::Http(_) => FetchError::Tls("the server hung up"),
                error => error,
            })?;
        }
        stream.flush().await?;
        Ok(Box::new(stream))
        // ANCHOR_END: shake_hands
    }
}

impl Stream {
    /// Sends all these bytes.
    pub(crate) async fn write_all(&mut self, bytes: &[u8]) -> Result<(), FetchError> {
        match self {
            Stream::Plain(stream) => Ok(stream.write_all(bytes).await?),
            // Boxed, so that a request without TLS needs no space for it.
            Stream::Tls(stream) => Box::pin(stream.write_all(bytes)).await,
        }
    }

    /// Waits for bytes and lends them to `take`. The slice is empty if the peer has
    /// closed.
    pub(crate) async fn read_with<T>(
        &mut self,
        take: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, FetchError> {
        match self {
            Stream::Plain(stream) => Ok(stream.read_with(take).await?),
            Stream::Tls(stream) => Box::pin(stream.read_with(take)).await,
        }
    }

    /// Returns whether nothing arrived since the last read, as far as the reactor
    /// knows.
    pub(crate) fn is_unused(&self) -> bool {
        match self {
            Stream::Plain(stream) => stream.is_unused(),
            Stream::Tls(stream) => stream.is_unused(),
        }
    }
}

/// Adds the certificates of a PEM file.
fn add(roots: &mut RootCertStore, path: &Path) -> Result<(), String> {
    let pem = std::fs::read(path).map_err(|error| describe(&error))?;
    let mut count = 0;
    for certificate in CertificateDer::pem_slice_iter(&pem) {
        let certificate = certificate.map_err(|_| "it is not a PEM file")?;
        roots.add(certificate).map_err(|_| "a certificate in it is broken")?;
        count += 1;
    }
    if count == 0 { Err("there is no certificate in it".to_string()) } else { Ok(()) }
}

impl TlsStream {
    async fn write_all(&mut self, bytes: &[u8]) -> Result<(), FetchError> {
        self.tls.writer().write_all(bytes)?;
        self.flush().await
    }

    /// A connection that ends without `close_notify` is an error, because an attacker
    /// may have cut it (RFC 8446 §6.1).
    async fn read_with<T>(
        &mut self,
        take: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, FetchError> {
        while self.plain.is_empty() && !self.is_closed {
            if let Some(failure) = &self.failure {
                return Err(failure.clone());
            }
            self.fill().await?;
            self.flush().await?; // TLS may have to answer, for example with a new key
        }
        Ok(take(&mem::take(&mut self.plain)))
    }

    fn is_unused(&self) -> bool {
        let is_over = self.is_closed || self.failure.is_some();
        self.plain.is_empty() && !is_over && self.stream.is_unused()
    }

    // ANCHOR: flush
    /// Sends the bytes that TLS has ready.
    async fn flush(&mut self) -> Result<(), FetchError> {
        let mut bytes = Vec::new();
        while self.tls.wants_write() {
            self.tls.write_tls(&mut bytes)?;
        }
        Ok(self.stream.write_all(&bytes).await?)
    }
    // ANCHOR_END: flush

    // ANCHOR: fill
    /// Reads once and decrypts.
    async fn fill(&mut self) -> Result<(), FetchError> {
        let TlsStream { stream, tls, plain, is_closed, failure } = self;
        let fill = |mut bytes: &[u8]| {
            if bytes.is_empty() || *is_closed {
                return Err(FetchError::Http(HttpError::Truncated));
            }
            // Bytes after `close_notify` are ignored.
            while !bytes.is_empty() && !*is_closed && failure.is_none() {
                tls.read_tls(&mut bytes)?;
                match tls.process_new_packets() {
                    Ok(state) => *is_closed = state.peer_has_closed(),
                    Err(error) => *failure = Some(to_fetch_error(&error)),
                }
                match tls.reader().read_to_end(plain) {
                    Err(error) if error.kind() != ErrorKind::WouldBlock => Err(error)?,
                    _ => {}
                }
            }
            // Bytes that were valid before a failure are read first.
            failure.clone().filter(|_| plain.is_empty()).map_or(Ok(()), Err)
        };
        stream.read_with(fill).await?
    }
    // ANCHOR_END: fill
}

impl Drop for TlsStream {
    /// Tells the server why the connection ends: with the alert that is ready if TLS
    /// has failed, otherwise with `close_notify`. A drop cannot wait, so these bytes
    /// are lost if the socket does not take them at once.
    fn drop(&mut self) {
        let mut bytes = Vec::new();
        self.tls.send_close_notify();
        let sent = self.tls.write_tls(&mut bytes);
        // Fails if the connection has failed already.
        let _ = sent.and_then(|_| self.stream.0.socket.write(&bytes));
    }
}
