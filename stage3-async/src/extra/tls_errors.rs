//! Turns TLS errors into errors of the report.

use rustls::{CertificateError, Error};
use shared::FetchError;

/// Describes a TLS error in the words of the report.
pub(super) fn to_fetch_error(error: &Error) -> FetchError {
    FetchError::Tls(match error {
        Error::InvalidCertificate(error) => {
            return FetchError::Certificate(describe(error));
        }
        Error::InvalidMessage(_) => {
            return FetchError::NoTls("the server does not speak TLS");
        }
        Error::PeerIncompatible(_) => {
            return FetchError::NoTls("the server speaks no TLS that we know");
        }
        Error::AlertReceived(_) => "the server refused it",
        _ => "TLS failed",
    })
}

fn describe(error: &CertificateError) -> &'static str {
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
