//! Certificates, good and bad, made for a test.

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};
use rustls::ServerConfig;
use rustls::crypto::ring::sign::any_supported_type;
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use std::sync::Arc;

/// What a good certificate is for.
const NAMES: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// What a server shows for a certificate. Only the first one is to be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// For `localhost`, 127.0.0.1 and ::1, signed by the authority.
    Good,
    /// It was valid until the year 2001.
    Expired,
    /// It will be valid from the year 3000 on.
    NotYetValid,
    /// It is for another host.
    WrongName,
    /// It is signed by itself alone.
    SelfSigned,
    /// Signed by an authority that was made on the spot, and that no client knows.
    UnknownCa,
    /// A good one that belongs to another key than that of the server.
    WrongKey,
}

/// A private authority, which signs the certificates of its servers.
pub struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    pem: String,
}

impl Default for Authority {
    fn default() -> Authority {
        Authority::new()
    }
}

impl Authority {
    /// An authority with a key of its own. A client that trusts it trusts no other one.
    pub fn new() -> Authority {
        Authority::named("test authority")
    }

    fn named(name: &str) -> Authority {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        let issuer = CertifiedIssuer::self_signed(params, new_key());
        let issuer = issuer.expect("an authority may sign itself");
        Authority { pem: issuer.pem(), issuer }
    }

    /// The certificate that a client has to trust, as PEM.
    pub fn pem(&self) -> &str {
        &self.pem
    }

    /// What a server needs to show a new certificate.
    pub(super) fn config(&self, certificate: Certificate) -> Arc<ServerConfig> {
        let key = new_key();
        let chain = vec![self.certify(certificate, &key).into()];
        let key = if certificate == Certificate::WrongKey { new_key() } else { key };
        let key = any_supported_type(&key.into()).expect("a key that ring knows");
        // Nothing here checks that the key belongs to the certificate.
        let shown = SingleCertAndKey::from(CertifiedKey::new(chain, key));
        let config = ServerConfig::builder().with_no_client_auth();
        Arc::new(config.with_cert_resolver(Arc::new(shown)))
    }

    fn certify(&self, certificate: Certificate, key: &KeyPair) -> rcgen::Certificate {
        let names = match certificate {
            Certificate::WrongName => vec!["another.test".to_string()],
            _ => NAMES.map(String::from).to_vec(),
        };
        let mut params = CertificateParams::new(names).expect("names are plain");
        params.distinguished_name.push(DnType::CommonName, "test server");
        match certificate {
            Certificate::Expired => params.not_after = date_time_ymd(2001, 1, 1),
            Certificate::NotYetValid => params.not_before = date_time_ymd(3000, 1, 1),
            _ => {}
        }
        let signed = match certificate {
            Certificate::SelfSigned => params.self_signed(key),
            Certificate::UnknownCa => {
                params.signed_by(key, &Authority::named("unknown authority").issuer)
            }
            _ => params.signed_by(key, &self.issuer),
        };
        signed.expect("this key can be certified")
    }
}

fn new_key() -> KeyPair {
    KeyPair::generate().expect("the system has random numbers")
}
