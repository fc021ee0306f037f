//! The rules of https, one function each.

use crate::scripted::{
    Act, Authority, Certificate, Server, Site, anchors, answer, html,
};
use crate::{Crawl, Rule, comparable, rules, run, url};
use demo_site_tls::DemoSite;
use shared::{Options, Outcome, Report};
use std::io::Write;
use std::iter;
use std::time::Duration;
use tempfile::NamedTempFile;

/// All of them.
pub const ALL: &[(&str, Rule)] = rules![
    the_demo_site_is_the_same_over_https,
    connections_are_kept_over_tls_too,
    a_certificate_proves_the_host,
    a_certificate_that_proves_nothing_is_not_attempted_again,
    without_its_authority_a_certificate_proves_nothing,
    insecure_accepts_any_certificate,
    insecure_still_asks_for_the_key_of_the_certificate,
    a_server_without_tls_is_not_attempted_again,
    plain_text_on_the_port_of_tls,
    noise_on_the_port_of_tls,
    a_handshake_that_never_ends_is_a_time_out,
    a_close_without_notice_is_no_end,
    what_follows_a_whole_answer_is_none_of_our_business,
    a_page_larger_than_a_record_is_read_whole,
    a_server_that_only_hangs_up_has_not_answered,
    an_authority_that_cannot_be_read_is_an_error,
];

/// A file with a certificate.
fn file(pem: &str) -> NamedTempFile {
    let mut file = NamedTempFile::new().expect("a file for this test");
    file.write_all(pem.as_bytes()).expect("it can be written");
    file
}

/// Crawls from one URL, trusting this authority.
fn crawl_safely(crawl: Crawl, root: &str, pem: &str, max_tries: u32) -> Report {
    let file = file(pem);
    let mut options = Options { max_tries, ..Options::with_roots([url(root)]) };
    options.ca_file = Some(file.path().to_path_buf());
    run(crawl, &options)
}

fn the_demo_site_is_the_same_over_https(crawl: Crawl) {
    let (plain, safe) = (DemoSite::start(), DemoSite::start_https());
    let (plain, safe) = (plain.expect("it starts"), safe.expect("it starts"));
    let pem = safe.ca_pem().expect("it has an authority");
    let over_https = crawl_safely(crawl, &safe.url("/wiki/"), pem, 4);
    let over_http = run(crawl, &Options::with_roots([url(&plain.url("/wiki/"))]));
    assert_eq!(over_https.rows.len(), over_http.rows.len());
    let (over_https, over_http) = (comparable(over_https), comparable(over_http));
    let text = |row, site: &DemoSite| format!("{row:?}").replace(&site.url(""), "");
    for (one, other) in over_https.iter().zip(&over_http) {
        assert_eq!(text(one, &safe), text(other, &plain));
    }
}

fn connections_are_kept_over_tls_too(crawl: Crawl) {
    let site = DemoSite::start_https().expect("it starts");
    let pem = site.ca_pem().expect("it has an authority");
    let report = crawl_safely(crawl, &site.url("/wiki/"), pem, 4);
    let (pages, connections) = (report.rows.len(), site.connections());
    assert!(connections < pages / 2, "{pages} pages on {connections} connections");
}

/// How a connection goes on after a response.
#[derive(Clone, Copy, Debug)]
enum End {
    /// With the next request.
    Keep,
    /// TLS announces its end, and then the connection is closed.
    CloseNotify,
    /// TLS announces its end, and then more bytes come all the same, in one piece with
    /// it.
    CloseNotifyAndMore,
    /// It is closed, and TLS has not announced its end: as if it were cut on its way
    /// (RFC 8446 §6.1).
    CutOff,
    /// With bytes that are not TLS, in one piece with the response.
    Garbage,
}

impl End {
    fn after(self, response: &[u8]) -> Vec<Act> {
        let send = Act::Send(response.to_vec());
        match self {
            End::Keep => vec![send, Act::Keep],
            End::CloseNotify => vec![send, Act::CloseNotify],
            End::CloseNotifyAndMore => {
                vec![send, Act::CloseNotify, Act::Bare(vec![b'x'; 50_000])]
            }
            End::CutOff => vec![send],
            End::Garbage => vec![send, Act::Bare(noise())],
        }
    }
}

/// Noise, the same each time. No byte of it can begin a TLS record: that would be one
/// from 20 to 23 (RFC 8446 §5.1), or 24 (RFC 6520).
fn noise() -> Vec<u8> {
    let mut noise: u32 = 1;
    let next = || {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (noise >> 24) as u8 | 0x80
    };
    iter::repeat_with(next).take(1024).collect()
}

/// Serves a page `/` with this end after it, and shows this certificate.
fn serve(authority: &Authority, shows: Certificate, end: End) -> Server {
    serve_bytes(authority, shows, &html(&anchors(&["/a"])), end)
}

fn serve_bytes(
    authority: &Authority,
    shows: Certificate,
    bytes: &[u8],
    end: End,
) -> Server {
    Site::new().acts("/", vec![end.after(bytes)]).serve_tls(authority, shows)
}

fn a_certificate_proves_the_host(crawl: Crawl) {
    let authority = Authority::new();
    let unknown = "the certificate is from an unknown issuer (see --ca-file)";
    let cases = [
        (Certificate::Good, None),
        (Certificate::Expired, Some("the certificate has expired")),
        (Certificate::NotYetValid, Some("the certificate is not valid yet")),
        (Certificate::WrongName, Some("the certificate is for another name")),
        (Certificate::SelfSigned, Some(unknown)),
        (Certificate::UnknownCa, Some(unknown)),
    ];
    for (shows, why) in cases {
        let server = serve(&authority, shows, End::Keep);
        let report = crawl_safely(crawl, &server.url("/"), authority.pem(), 1);
        let why = why.map(|why| format!("no safe connection: {why}"));
        assert_eq!(report.rows[0].error, why, "{shows:?}");
        let is_good = shows == Certificate::Good;
        let outcome = if is_good { Outcome::Ok } else { Outcome::NetworkError };
        assert_eq!(report.rows[0].outcome, outcome, "{shows:?}");
        assert_eq!(server.count("/"), usize::from(is_good), "nothing is asked");
        assert_eq!(report.rows.len(), if is_good { 2 } else { 1 });
    }
}

/// It would be the same one.
fn a_certificate_that_proves_nothing_is_not_attempted_again(crawl: Crawl) {
    let authority = Authority::new();
    for shows in [Certificate::Expired, Certificate::WrongName, Certificate::SelfSigned]
    {
        let server = serve(&authority, shows, End::Keep);
        let report = crawl_safely(crawl, &server.url("/"), authority.pem(), 4);
        let row = &report.rows[0];
        assert_eq!(
            (row.outcome, row.attempts),
            (Outcome::NetworkError, 1),
            "{shows:?}"
        );
    }
}

fn without_its_authority_a_certificate_proves_nothing(crawl: Crawl) {
    let server = serve(&Authority::new(), Certificate::Good, End::Keep);
    let mut options = Options::with_roots([url(&server.url("/"))]);
    options.max_tries = 1;
    let report = run(crawl, &options);
    assert_eq!(report.rows[0].outcome, Outcome::NetworkError);
    assert!(!report.answered);
}

const ALL_CERTIFICATES: [Certificate; 6] = [
    Certificate::Good,
    Certificate::Expired,
    Certificate::NotYetValid,
    Certificate::WrongName,
    Certificate::SelfSigned,
    Certificate::UnknownCa,
];

/// Crawls from the root of a server, with `--insecure`.
fn crawl_insecurely(crawl: Crawl, server: &Server) -> Report {
    let options = Options::with_roots([url(&server.url("/"))]);
    run(crawl, &Options { insecure: true, ..options })
}

fn insecure_accepts_any_certificate(crawl: Crawl) {
    let authority = Authority::new();
    for shows in ALL_CERTIFICATES {
        let server = serve(&authority, shows, End::Keep);
        let report = crawl_insecurely(crawl, &server);
        assert_eq!(report.rows[0].outcome, Outcome::Ok, "{shows:?}");
    }
}

/// Any server can show a certificate. Its key signs the handshake.
fn insecure_still_asks_for_the_key_of_the_certificate(crawl: Crawl) {
    let authority = Authority::new();
    let server = serve(&authority, Certificate::WrongKey, End::Keep);
    for report in [
        crawl_insecurely(crawl, &server),
        crawl_safely(crawl, &server.url("/"), authority.pem(), 4),
    ] {
        let row = &report.rows[0];
        assert_eq!((row.outcome, row.attempts), (Outcome::NetworkError, 1), "{row:?}");
    }
    assert_eq!(server.count("/"), 0);
}

/// It speaks no TLS the next time either.
fn a_server_without_tls_is_not_attempted_again(crawl: Crawl) {
    for bytes in [html("plain"), noise()] {
        let server = Server::unasked(vec![Act::Send(bytes), Act::Stall]);
        let report = crawl_safely(crawl, &server.url("/"), Authority::new().pem(), 4);
        let row = &report.rows[0];
        assert_eq!((row.outcome, row.attempts), (Outcome::NetworkError, 1), "{row:?}");
        let why = "no safe connection: the server does not speak TLS";
        assert_eq!(row.error.as_deref(), Some(why));
    }
}

fn plain_text_on_the_port_of_tls(crawl: Crawl) {
    let plain = Server::unasked(vec![Act::Send(html("plain"))]);
    let report = crawl_safely(crawl, &plain.url("/"), Authority::new().pem(), 1);
    let row = &report.rows[0];
    assert_eq!(row.outcome, Outcome::NetworkError, "{row:?}");
    let good = Site::new().page("/", &[]).serve();
    let tls_on_plain = good.url("/").replace("http:", "https:");
    let mut options = Options::with_roots([url(&tls_on_plain)]);
    options.max_tries = 1;
    options.timeout = Duration::from_millis(500);
    let outcome = run(crawl, &options).rows[0].outcome;
    assert_eq!(outcome, Outcome::Timeout, "that server waits for the end of a head");
}

fn noise_on_the_port_of_tls(crawl: Crawl) {
    let server = Server::unasked(vec![Act::Send(noise()), Act::Stall]);
    let report = crawl_safely(crawl, &server.url("/"), Authority::new().pem(), 1);
    let why = "no safe connection: the server does not speak TLS";
    assert_eq!(report.rows[0].error.as_deref(), Some(why));
}

fn a_handshake_that_never_ends_is_a_time_out(crawl: Crawl) {
    let server = Server::unasked(vec![Act::Stall]);
    let mut options = Options::with_roots([url(&server.url("/"))]);
    options.timeout = Duration::from_millis(300);
    options.max_tries = 2;
    let report = run(crawl, &options);
    assert_eq!(report.rows[0].outcome, Outcome::Timeout);
    assert_eq!(report.rows[0].attempts, 2);
    server.wait_for_connections(2);
    assert_eq!(server.seen().connections, 2);
}

fn a_close_without_notice_is_no_end(crawl: Crawl) {
    let authority = Authority::new();
    let bytes = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nuntil the end";
    for (end, outcome) in [
        (End::CloseNotify, Outcome::Ok),
        (End::CloseNotifyAndMore, Outcome::Ok),
        (End::CutOff, Outcome::Truncated),
    ] {
        let server = serve_bytes(&authority, Certificate::Good, bytes, end);
        let report = crawl_safely(crawl, &server.url("/"), authority.pem(), 1);
        assert_eq!(report.rows[0].outcome, outcome, "{end:?}");
    }
}

fn what_follows_a_whole_answer_is_none_of_our_business(crawl: Crawl) {
    let authority = Authority::new();
    let ends = [End::CloseNotify, End::CloseNotifyAndMore, End::CutOff, End::Garbage];
    for end in ends {
        let server = serve(&authority, Certificate::Good, end);
        let report = crawl_safely(crawl, &server.url("/"), authority.pem(), 1);
        assert_eq!(report.rows[0].outcome, Outcome::Ok, "{end:?}");
        assert_eq!(report.rows[1].attempts, 1, "on a fresh connection");
    }
}

fn a_page_larger_than_a_record_is_read_whole(crawl: Crawl) {
    let authority = Authority::new();
    let body = format!("{}{}", " ".repeat(3_000_000), anchors(&["/a"]));
    let page = answer("200 OK", "Content-Type: text/html\r\n", body.as_bytes());
    let server = Site::new()
        .acts("/", vec![End::Keep.after(&page)])
        .acts("/a", vec![End::Keep.after(&html(""))])
        .serve_tls(&authority, Certificate::Good);
    let report = crawl_safely(crawl, &server.url("/"), authority.pem(), 1);
    assert_eq!(report.rows[0].size, Some(body.len() as u64));
    assert_eq!(report.summary.ok, 2);
}

fn a_server_that_only_hangs_up_has_not_answered(crawl: Crawl) {
    let authority = Authority::new();
    for end in [End::CloseNotify, End::CutOff] {
        let server = serve_bytes(&authority, Certificate::Good, b"", end);
        let report = crawl_safely(crawl, &server.url("/"), authority.pem(), 1);
        assert_eq!(report.rows[0].outcome, Outcome::Truncated, "{end:?}");
        assert!(!report.answered, "{end:?}");
    }
}

fn an_authority_that_cannot_be_read_is_an_error(crawl: Crawl) {
    let text = file("this is no certificate");
    let missing = text.path().with_extension("missing");
    for path in [text.path(), &missing] {
        let mut options = Options::with_roots([url("https://127.0.0.1:1/")]);
        options.ca_file = Some(path.to_path_buf());
        let error = crawl(&options, &shared::Stop::new()).expect_err("it is needed");
        assert!(error.to_string().contains("--ca-file"), "{error}");
    }
}
