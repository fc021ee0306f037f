//! https: a machine inside a machine. rustls reads and writes bytes, and never a
//! socket; what it asks for we do, and await.

use crate::TcpStream;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{CertificateError, ClientConfig, ClientConnection, Error, RootCertStore};
use shared::{FetchError, HttpError, Url, error::worded};
use std::io::{self, ErrorKind, Read, Write};
use std::{mem, path::Path, sync::Arc};

/// Makes connections safe, where the URL asks for it, by whom we trust.
pub(crate) struct Connector(Arc<ClientConfig>);

/// A connection with TLS, or without.
pub(crate) enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream>),
}

// ANCHOR: stream
/// A connection that is read and written in the clear, and encrypted below.
pub(crate) struct TlsStream {
    stream: TcpStream,
    tls: ClientConnection,
    /// What was decrypted, and nobody has read.
    plain: Vec<u8>,
    /// The peer has said that nothing follows.
    is_closed: bool,
    /// What followed is no TLS, or is broken.
    failure: Option<FetchError>,
}
// ANCHOR_END: stream

impl Connector {
    /// Trusts the roots that browsers trust, and the certificates of a PEM file.
    ///
    /// # Errors
    /// The file cannot be read, or there is no certificate in it.
    pub(crate) fn new(ca_file: Option<&Path>) -> io::Result<Connector> {
        let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.into() };
        if let Some(path) = ca_file {
            let added = add(&mut roots, path);
            added.map_err(|why| {
                io::Error::other(format!("bad --ca-file {}: {why}", path.display()))
            })?;
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("ring speaks TLS 1.2 and 1.3")
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Connector(Arc::new(config)))
    }

    /// With https the server proves that it is the URL's host.
    pub(crate) async fn connect(
        &self,
        stream: TcpStream,
        url: &Url,
    ) -> Result<Stream, FetchError> {
        if url.scheme() != "https" {
            return Ok(Stream::Plain(stream));
        }
        // In a box: who does without TLS is not to have room for it.
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
            .map_err(|error| why(&error))?;
        tls.set_buffer_limit(None); // a request goes out in one piece
        let mut stream = TlsStream {
            stream,
            tls,
            plain: Vec::new(),
            is_closed: false,
            failure: None,
        };
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
            Stream::Tls(stream) => stream.write_all(bytes).await,
        }
    }

    /// Waits for bytes, and hands them over: none, if the peer has closed.
    pub(crate) async fn read_with<T>(
        &mut self,
        take: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, FetchError> {
        match self {
            Stream::Plain(stream) => Ok(stream.read_with(take).await?),
            Stream::Tls(stream) => stream.read_with(take).await,
        }
    }

    /// Has nothing come that nobody has read? As far as the reactor knew.
    pub(crate) fn is_quiet(&self) -> bool {
        match self {
            Stream::Plain(stream) => stream.is_quiet(),
            Stream::Tls(stream) => stream.is_quiet(),
        }
    }
}

fn add(roots: &mut RootCertStore, path: &Path) -> Result<(), String> {
    let pem = std::fs::read(path).map_err(|error| worded(&error))?;
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

    /// If the peer just hangs up, and has not said that nothing follows, that is an
    /// error: anybody on the way could do so.
    async fn read_with<T>(
        &mut self,
        take: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, FetchError> {
        while self.plain.is_empty() && !self.is_closed {
            if let Some(failure) = &self.failure {
                return Err(failure.clone());
            }
            self.fill().await?;
            self.flush().await?; // TLS may have something to say by itself
        }
        Ok(take(&mem::take(&mut self.plain)))
    }

    fn is_quiet(&self) -> bool {
        let is_over = self.is_closed || self.failure.is_some();
        self.plain.is_empty() && !is_over && self.stream.is_quiet()
    }

    // ANCHOR: flush
    /// Sends what TLS wants to say.
    async fn flush(&mut self) -> Result<(), FetchError> {
        let mut bytes = Vec::new();
        while self.tls.wants_write() {
            self.tls.write_tls(&mut bytes)?;
        }
        Ok(self.stream.write_all(&bytes).await?)
    }
    // ANCHOR_END: flush

    // ANCHOR: fill
    /// Reads once, and decrypts.
    async fn fill(&mut self) -> Result<(), FetchError> {
        let TlsStream { stream, tls, plain, is_closed, failure } = self;
        let fill = |mut bytes: &[u8]| {
            if bytes.is_empty() || *is_closed {
                return Err(FetchError::Http(HttpError::Truncated));
            }
            // What follows the notice that nothing follows is not even taken.
            while !bytes.is_empty() && !*is_closed && failure.is_none() {
                tls.read_tls(&mut bytes)?;
                match tls.process_new_packets() {
                    Ok(state) => *is_closed = state.peer_has_closed(),
                    Err(error) => *failure = Some(why(&error)),
                }
                match tls.reader().read_to_end(plain) {
                    Err(error) if error.kind() != ErrorKind::WouldBlock => Err(error)?,
                    _ => {}
                }
            }
            // What came whole before that counts.
            failure.clone().filter(|_| plain.is_empty()).map_or(Ok(()), Err)
        };
        stream.read_with(fill).await?
    }
    // ANCHOR_END: fill
}

/// What went wrong, in our words.
fn why(error: &Error) -> FetchError {
    FetchError::Tls(match error {
        Error::InvalidCertificate(error) => in_words(error),
        Error::InvalidMessage(_) => "the server does not speak TLS",
        Error::AlertReceived(_) => "the server refused it",
        Error::PeerIncompatible(_) => "the server speaks no TLS that we know",
        _ => "TLS failed",
    })
}

fn in_words(error: &CertificateError) -> &'static str {
    match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "the certificate has expired"
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "the certificate is not valid yet"
        }
        CertificateError::NotValidForName
        | CertificateError::NotValidForNameContext { .. } => {
            "the certificate is for another name"
        }
        CertificateError::UnknownIssuer => {
            "the certificate is from an unknown issuer (see --ca-file)"
        }
        CertificateError::Revoked => "the certificate was revoked",
        _ => "the certificate is not valid, or is an authority's and not a server's",
    }
}
