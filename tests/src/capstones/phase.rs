//! The capstone `phase`: the report says in which phase a page was too slow, with the last
//! word of its row's error: `connecting`, `sending` or `reading`.

#[cfg(target_os = "linux")]
use crate::rules::full_port;
use crate::rules::silent_port;
use crate::scripted::{Act, Site, html};
use crate::{Crawl, Rule, options, row, rules, run, url};
use shared::report::Row;
use shared::{Options, Outcome};
#[cfg(unix)]
use socket2::{Domain, Socket, Type};
#[cfg(target_os = "linux")]
use std::io::Read;
#[cfg(target_os = "linux")]
use std::net::TcpListener;
#[cfg(unix)]
use std::net::{Ipv4Addr, SocketAddr};
#[cfg(target_os = "linux")]
use std::thread;

/// All of them. A connection that is neither established nor refused is something that only
/// Linux lets us test, and Windows takes a request of any length at once.
pub const ALL: &[(&str, Rule)] = rules![
    #[cfg(target_os = "linux")]
    a_server_that_takes_no_connection_is_too_slow_in_connecting,
    #[cfg(unix)]
    a_server_that_takes_no_request_is_too_slow_in_sending,
    a_server_that_sends_nothing_is_too_slow_in_reading,
    a_server_that_stops_in_the_body_is_too_slow_in_reading,
    #[cfg(target_os = "linux")]
    each_of_three_fetches_has_a_phase_of_its_own,
    #[cfg(target_os = "linux")]
    another_attempt_has_a_phase_of_its_own,
    a_page_that_came_at_the_second_attempt_has_no_error,
    no_other_error_names_a_phase,
];

/// A user agent that makes a request larger than all the buffers between a crawler and a
/// server that does not read.
#[cfg(unix)]
fn large() -> Option<String> {
    Some("x".repeat(8 << 20))
}

const PHASES: [&str; 3] = ["connecting", "sending", "reading"];

/// The names of phases in the error of a row.
fn phases(row: &Row) -> Vec<&str> {
    let error = row.error.as_deref().unwrap_or_default();
    PHASES.into_iter().filter(|phase| error.contains(phase)).collect()
}

/// Panics unless the row says that the page was too slow in this phase.
fn was_too_slow(row: &Row, phase: &str) {
    assert_eq!(row.outcome, Outcome::Timeout, "the outcome of {row:#?}");
    assert_eq!(phases(row), [phase], "{} says {:?}", row.url, row.error);
    let error = row.error.as_deref().unwrap_or_default();
    assert!(error.ends_with(phase), "{error:?} does not end with {phase}");
}

/// One attempt, which is given up.
fn once(options: Options) -> Options {
    Options { max_tries: 1, timeout: super::time_out(), ..options }
}

/// A listener that never accepts. The system establishes `room` connections at the most,
/// and takes a few bytes on each of them.
#[cfg(unix)]
fn deaf(room: i32) -> (Socket, String) {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
    socket.set_recv_buffer_size(4096).expect("a size that is allowed");
    let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    socket.bind(&any_port.into()).expect("loopback has a free port");
    socket.listen(room - 1).expect("it is bound");
    let address = socket.local_addr().expect("bound").as_socket().expect("IPv4");
    (socket, format!("http://{address}/"))
}

/// A server that reads one request, of any length, and answers nothing. Its thread ends
/// when the crawler hangs up.
#[cfg(target_os = "linux")]
fn mute() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = listener.local_addr().expect("bound");
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let mut buffer = vec![0; 1 << 20];
        while stream.read(&mut buffer).is_ok_and(|count| count > 0) {}
    });
    format!("http://{address}/")
}

/// The server's queue of connections is full.
#[cfg(target_os = "linux")]
fn a_server_that_takes_no_connection_is_too_slow_in_connecting(crawl: Crawl) {
    let (_full, address) = full_port().expect("loopback has a free port");
    let root = url(&format!("http://{address}/"));
    let report = run(crawl, &once(Options::with_roots([root])));
    was_too_slow(&report.rows[0], "connecting");
}

/// The connection is established, and the request is larger than all buffers.
#[cfg(unix)]
fn a_server_that_takes_no_request_is_too_slow_in_sending(crawl: Crawl) {
    let (_deaf, root) = deaf(8);
    let options = once(Options::with_roots([url(&root)]));
    let report = run(crawl, &Options { user_agent: large(), ..options });
    was_too_slow(&report.rows[0], "sending");
}

fn a_server_that_sends_nothing_is_too_slow_in_reading(crawl: Crawl) {
    let server = Site::new().acts("/", vec![vec![Act::Stall]]).serve();
    let report = run(crawl, &once(options(&server, "/")));
    was_too_slow(row(&report, &server, "/"), "reading");
}

fn a_server_that_stops_in_the_body_is_too_slow_in_reading(crawl: Crawl) {
    let page = html("a body that is not sent to its end");
    let part = Act::Send(page[..page.len() - 1].to_vec());
    let server = Site::new().acts("/", vec![vec![part, Act::Stall]]).serve();
    let report = run(crawl, &once(options(&server, "/")));
    was_too_slow(row(&report, &server, "/"), "reading");
}

/// They wait at the same time, each in another phase.
#[cfg(target_os = "linux")]
fn each_of_three_fetches_has_a_phase_of_its_own(crawl: Crawl) {
    let (_full, address) = full_port().expect("loopback has a free port");
    let connecting = format!("http://{address}/");
    let (_deaf, sending) = deaf(8);
    let reading = mute();
    let wanted =
        [(&connecting, "connecting"), (&sending, "sending"), (&reading, "reading")];
    let options = once(Options::with_roots(wanted.map(|(root, _)| url(root))));
    let report = run(crawl, &Options { user_agent: large(), ..options });
    for (root, phase) in wanted {
        was_too_slow(report.row(root).expect("a row for each root"), phase);
    }
}

/// The server's queue has room for one connection. The first attempt has it, so it can send
/// its request, and waits for the response. The second one gets no connection.
#[cfg(target_os = "linux")]
fn another_attempt_has_a_phase_of_its_own(crawl: Crawl) {
    let (_deaf, root) = deaf(1);
    let options = once(Options::with_roots([url(&root)]));
    let report = run(crawl, &Options { max_tries: 2, ..options });
    assert_eq!(report.rows[0].attempts, 2, "attempts");
    was_too_slow(&report.rows[0], "connecting");
}

fn a_page_that_came_at_the_second_attempt_has_no_error(crawl: Crawl) {
    let acts = vec![vec![Act::Stall], vec![Act::Send(html(""))]];
    let server = Site::new().acts("/", acts).serve();
    let options = once(options(&server, "/"));
    let report = run(crawl, &Options { max_tries: 2, ..options });
    let row = row(&report, &server, "/");
    assert_eq!(
        (row.outcome, row.attempts),
        (Outcome::Ok, 2),
        "the outcome, and the number of attempts"
    );
    assert_eq!(row.error, None, "the error of a page that came");
}

/// A server that refuses, one that closes the connection, and one that closes it after it
/// was too slow once.
fn no_other_error_names_a_phase(crawl: Crawl) {
    let (_taken, refuses) = silent_port().expect("loopback has a free port");
    let slow_once = vec![vec![Act::Stall], vec![]];
    let server = Site::new()
        .page("/", &["/closes", "/slow-once"])
        .acts("/closes", vec![vec![]])
        .acts("/slow-once", slow_once)
        .serve();
    let mut options = once(options(&server, "/"));
    options.roots.push(url(&format!("http://{refuses}/")));
    let report = run(crawl, &Options { max_tries: 2, ..options });
    assert_eq!(report.summary.failed, 3, "failed pages of {report:#?}");
    for row in &report.rows {
        assert_eq!(phases(row), [""; 0], "{} says {:?}", row.url, row.error);
    }
}
