//! How a connection with TLS ends, as the server hears it: with `close_notify` after a
//! response, with an alert that says why where the crawler trusts it not.

use rcgen::{CertificateParams, KeyPair};
use rustls::{AlertDescription, Error, ServerConfig, ServerConnection, StreamOwned};
use shared::{Options, Stop, Url};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

/// How a connection ended.
#[derive(Debug, PartialEq, Eq)]
enum End {
    CloseNotify,
    Alert(AlertDescription),
    /// Without a word.
    CutOff,
    Other(String),
}

/// Serves one page, and returns how the crawler ends the connection.
fn serve(stream: TcpStream, config: Arc<ServerConfig>) -> io::Result<()> {
    let session = ServerConnection::new(config).map_err(io::Error::other)?;
    let mut tls = StreamOwned::new(session, stream);
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        if tls.read(&mut byte)? == 0 {
            return Ok(());
        }
        head.push(byte[0]);
    }
    tls.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")?;
    tls.flush()?;
    tls.read(&mut [0]).map(drop) // none: the crawler has nothing else to ask
}

fn end(result: io::Result<()>) -> End {
    let Err(error) = result else { return End::CloseNotify };
    let alert = error.get_ref().and_then(|inner| inner.downcast_ref::<Error>());
    match (alert, error.kind()) {
        (Some(Error::AlertReceived(alert)), _) => End::Alert(*alert),
        (_, ErrorKind::UnexpectedEof) => End::CutOff,
        _ => End::Other(error.to_string()),
    }
}

/// Crawls one page, from a server that the crawler trusts or not.
fn end_of_a_crawl(is_trusted: bool) -> End {
    let key = KeyPair::generate().expect("the system has random numbers");
    let params = CertificateParams::new(vec!["127.0.0.1".to_string()]);
    let certificate = params.expect("an address").self_signed(&key).expect("signed");
    let pem = tempfile::NamedTempFile::new().expect("a file for this test");
    std::fs::write(pem.path(), certificate.pem()).expect("it can be written");
    let config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.into()], key.into())
        .expect("this key belongs to this certificate");
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = listener.local_addr().expect("it is bound");
    let server = thread::spawn(move || {
        let (stream, _) = listener.accept().expect("the crawler connects");
        end(serve(stream, Arc::new(config)))
    });
    let root = Url::parse(&format!("https://{address}/")).expect("a URL");
    let mut options = Options { max_tries: 1, ..Options::with_roots([root]) };
    options.ca_file = is_trusted.then(|| pem.path().to_path_buf());
    stage3_async::crawl(&options, &Stop::new()).expect("the loop itself works");
    server.join().expect("the server does not panic")
}

#[test]
fn a_connection_ends_with_close_notify() {
    assert_eq!(end_of_a_crawl(true), End::CloseNotify);
}

#[test]
fn a_server_that_is_not_trusted_hears_why() {
    let end = end_of_a_crawl(false);
    assert_eq!(end, End::Alert(AlertDescription::UnknownCA));
}
