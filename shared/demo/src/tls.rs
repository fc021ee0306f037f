//! Serves https, with a certificate that is created at the start.

use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair,
    KeyUsagePurpose,
};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::server::TlsStream;

use crate::connection::Connection;
use crate::http::{self, Site};

/// The names in the certificate, whatever the address of the site.
const NAMES: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// How long a handshake may take.
const PATIENCE: Duration = Duration::from_secs(10);

type Authority = CertifiedIssuer<'static, KeyPair>;

/// Creates a certificate for this site, and an authority that signs only this one.
/// Returns a value that performs handshakes, and the authority's certificate as PEM, for
/// clients to trust.
pub(crate) fn new_acceptor() -> io::Result<(TlsAcceptor, String)> {
    let authority = new_authority().map_err(io::Error::other)?;
    let config = new_config(&authority).map_err(io::Error::other)?;
    Ok((TlsAcceptor::from(Arc::new(config)), authority.pem()))
}

fn new_authority() -> Result<Authority, rcgen::Error> {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, "demo site authority");
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    Authority::self_signed(params, KeyPair::generate()?)
}

fn new_config(
    authority: &Authority,
) -> Result<ServerConfig, Box<dyn Error + Send + Sync>> {
    let key = KeyPair::generate()?;
    let mut params = CertificateParams::new(NAMES.map(String::from))?;
    params.distinguished_name.push(DnType::CommonName, "demo site");
    // Strict clients require the identifier of the signing key (RFC 5280 §4.2.1.1).
    params.use_authority_key_identifier_extension = true;
    let certificate = params.signed_by(&key, authority)?;
    let mut config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.into()], key.into())?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

/// Performs the handshake of a connection, and then answers requests. Drops the
/// connection if the handshake fails.
pub(crate) async fn serve(
    connection: Connection<TcpStream>,
    acceptor: TlsAcceptor,
    site: Arc<impl Site>,
) {
    let info = connection.info.clone();
    if let Some(stream) = shake_hands(&acceptor, connection, PATIENCE).await {
        http::serve(info, stream, site).await;
    }
}

/// Performs a handshake. Returns `None` if the client does not speak TLS or does not
/// trust the certificate, or if it takes longer than `patience`.
async fn shake_hands<S: AsyncRead + AsyncWrite + Unpin>(
    acceptor: &TlsAcceptor,
    stream: S,
    patience: Duration,
) -> Option<TlsStream<S>> {
    time::timeout(patience, acceptor.accept(stream)).await.ok()?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_that_never_speaks_is_given_up() {
        let (acceptor, _) = new_acceptor().expect("keys");
        let mut builder = tokio::runtime::Builder::new_current_thread();
        let runtime = builder.enable_time().build();
        runtime.expect("a runtime without sockets").block_on(async {
            let (server, _client) = tokio::io::duplex(1024);
            assert!(shake_hands(&acceptor, server, Duration::ZERO).await.is_none());
        });
    }
}
