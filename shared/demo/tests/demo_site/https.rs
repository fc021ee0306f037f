//! The same pages over https, for clients that trust the site's authority.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::{fs, str};

use demo_site_tls::DemoSite;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::version::{TLS12, TLS13};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::client::{Answer, ask, ask_on, connect, get, get_and_keep};
use crate::folder::new_folder;
use crate::program::{self, program};

type TlsStream = StreamOwned<ClientConnection, TcpStream>;

fn start() -> DemoSite {
    DemoSite::start_https().expect("keys and a socket")
}

/// A client's trust in this authority only.
fn roots(ca_pem: &str) -> RootCertStore {
    let mut roots = RootCertStore::empty();
    let certificate = CertificateDer::from_pem_slice(ca_pem.as_bytes());
    roots.add(certificate.expect("a certificate")).expect("an authority");
    roots
}

fn trusting(ca_pem: &str) -> ClientConfig {
    ClientConfig::builder().with_root_certificates(roots(ca_pem)).with_no_client_auth()
}

fn trusting_site(site: &DemoSite) -> ClientConfig {
    trusting(site.ca_pem().expect("a site with TLS"))
}

/// Returns a connection after its handshake.
fn connect_to(
    address: SocketAddr,
    name: &'static str,
    config: ClientConfig,
) -> io::Result<TlsStream> {
    let name = name.try_into().expect("a name or an address");
    let session = ClientConnection::new(Arc::new(config), name).expect("good settings");
    let mut stream = StreamOwned::new(session, connect(address));
    stream.conn.complete_io(&mut stream.sock)?;
    Ok(stream)
}

fn connect_tls(site: &DemoSite) -> TlsStream {
    connect_to(site.address(), "localhost", trusting_site(site)).expect("a handshake")
}

fn get_tls_bytes(site: &DemoSite, path: &str) -> io::Result<Vec<u8>> {
    let mut stream = connect_tls(site);
    ask_on(&mut stream, path);
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?; // fails unless TLS was closed, too
    Ok(bytes)
}

fn get_tls(site: &DemoSite, path: &str) -> Answer {
    Answer::parse(&get_tls_bytes(site, path).expect("an answer to the end"))
}

#[test]
fn a_page_over_tls_is_the_same_page() {
    let (site, plain) = (start(), DemoSite::start().expect("a socket"));
    for path in ["/", "/chunked", "/no-length", "/big?bytes=1000000", "/drip", "/foo"] {
        let (over_tls, over_tcp) = (get_tls(&site, path), get(&plain, path));
        assert_eq!(over_tls.status, over_tcp.status, "{path}");
        assert!(over_tls.body == over_tcp.body, "{path}");
    }
}

#[test]
fn a_url_begins_with_https_where_there_is_an_authority_to_trust() {
    let (site, plain) = (start(), DemoSite::start().expect("a socket"));
    let port = site.address().port();
    assert_eq!(site.url("/a?b"), format!("https://127.0.0.1:{port}/a?b"));
    assert!(site.ca_pem().is_some_and(|pem| pem.starts_with("-----BEGIN CERTIFICATE")));
    assert_eq!(plain.ca_pem(), None);
}

#[test]
fn the_certificate_is_for_the_names_of_this_machine_and_no_other() {
    let site = start();
    let connect_as = |name| connect_to(site.address(), name, trusting_site(&site));
    for name in ["localhost", "127.0.0.1", "::1"] {
        let mut stream = connect_as(name).expect(name);
        assert_eq!(get_and_keep(&mut stream, "/wiki/").status, 200, "{name}");
    }
    assert!(connect_as("example.com").is_err());
}

#[test]
fn a_client_that_trusts_another_site_goes_and_the_next_is_served() {
    let (site, other) = (start(), start());
    assert!(connect_to(site.address(), "localhost", trusting_site(&other)).is_err());
    assert_eq!(get_tls(&site, "/wiki/").status, 200);
}

#[test]
fn http_1_is_agreed_on_and_a_client_that_wants_only_more_is_refused() {
    let site = start();
    let connect_with = |protocols: &[&[u8]]| {
        let mut config = trusting_site(&site);
        config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
        connect_to(site.address(), "localhost", config)
    };
    let stream = connect_with(&[b"h2", b"http/1.1"]).expect("a handshake");
    assert_eq!(stream.conn.alpn_protocol(), Some(&b"http/1.1"[..]));
    assert!(connect_with(&[b"h2"]).is_err());
}

#[test]
fn tls_is_spoken_in_both_versions() {
    let site = start();
    for version in [&TLS12, &TLS13] {
        let config = ClientConfig::builder_with_protocol_versions(&[version])
            .with_root_certificates(roots(site.ca_pem().expect("a site with TLS")))
            .with_no_client_auth();
        let mut stream = connect_to(site.address(), "localhost", config).expect("it");
        get_and_keep(&mut stream, "/wiki/");
        assert_eq!(stream.conn.protocol_version(), Some(version.version));
    }
}

#[test]
fn connections_and_requests_are_counted() {
    let site = start();
    let mut at_once: Vec<_> = (0..7).map(|_| connect_tls(&site)).collect();
    for stream in &mut at_once {
        get_and_keep(stream, "/wiki/");
        get_and_keep(stream, "/slow/1?ms=1");
    }
    assert_eq!((site.connections(), site.most_connections_at_once()), (7, 7));
    assert_eq!((site.requests("/wiki/"), site.requests("/slow/1")), (7, 7));
}

#[test]
fn one_connection_after_another_is_one_at_once() {
    let _counted = program::sockets_are_not_copied();
    let site = start();
    for _ in 0..50 {
        get_and_keep(&mut connect_tls(&site), "/wiki/");
        get_tls(&site, "/wiki/");
    }
    assert_eq!((site.connections(), site.most_connections_at_once()), (100, 1));
}

#[test]
fn clients_that_say_nothing_do_not_stop_the_others() {
    let site = start();
    let _silent: Vec<_> = (0..50).map(|_| connect(site.address())).collect();
    assert_eq!(get_tls(&site, "/wiki/").status, 200);
    assert_eq!((site.connections(), site.requests("/wiki/")), (51, 1));
}

#[test]
fn a_client_that_speaks_plain_http_gets_no_page() {
    let site = start();
    let mut bytes = Vec::new();
    let end = ask(&site, "/wiki/").read_to_end(&mut bytes);
    let waited = |kind| matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut);
    assert!(!end.as_ref().is_err_and(|error| waited(error.kind())), "{end:?}");
    assert!(!String::from_utf8_lossy(&bytes).contains("HTTP"), "{bytes:?}");
    assert_eq!(site.requests("/wiki/"), 0);
}

#[test]
fn a_flaky_page_hangs_up_without_a_byte_of_http() {
    let site = start();
    for _drop in 0..2 {
        let error = get_tls_bytes(&site, "/flaky").expect_err("no end of TLS");
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
    }
    assert_eq!(get_tls(&site, "/flaky").status, 200);
}

#[test]
fn turns_pass_when_their_connections_end() {
    let site = start();
    for path in ["/turn?count=3", "/turn/1", "/turn/2", "/turn/3"] {
        assert_eq!(get_tls(&site, path).status, 200, "{path}");
    }
}

#[test]
fn dropping_the_site_ends_a_handshake_that_still_waits() {
    let site = start();
    let mut silent = connect(site.address());
    get_tls(&site, "/wiki/");
    drop(site);
    assert_eq!(silent.read(&mut [0; 10]).expect("an end, not a reset"), 0);
}

#[test]
fn the_program_writes_the_authority_and_says_what_to_do_with_it() {
    let file = new_folder("ca").join("ca.pem");
    let mut child = program::start(
        program().args(["--port", "0", "--https", "--ca-out"]).arg(&file),
    );
    let output = BufReader::new(child.stdout.take().expect("it is piped"));
    let lines: Vec<_> =
        output.lines().take(2).map(|line| line.expect("text")).collect();
    let ca_pem = fs::read_to_string(&file);
    let (_, port) =
        lines[0].split_once("https://127.0.0.1:").expect("where it listens");
    let port: u16 = port.split('/').next().expect("a part").parse().expect("digits");
    let page = connect_to(
        ([127, 0, 0, 1], port).into(),
        "localhost",
        trusting(&ca_pem.expect("a file")),
    );
    let status = page.map(|mut stream| get_and_keep(&mut stream, "/").status);
    child.kill().expect("it still runs");
    child.wait().expect("it was killed");
    assert_eq!(status.expect("a handshake"), 200);
    let file = file.display();
    assert_eq!(
        lines[1],
        format!(
            "crawl it with  cargo run -- --ca-file {file} https://localhost:{port}/"
        )
    );
}

#[test]
fn a_file_that_cannot_be_written_is_one_line_and_exit_code_2() {
    let nowhere = new_folder("no-ca").join("not-here").join("ca.pem");
    let mut program = program();
    program.args(["--port", "0", "--https", "--ca-out"]).arg(&nowhere);
    let output = program::output(&mut program);
    assert_eq!(output.status.code(), Some(2));
    let error = str::from_utf8(&output.stderr).expect("text");
    assert_eq!(
        error,
        format!("demo-site: cannot write {} (entity not found)\n", nowhere.display())
    );
}
