//! Host names to addresses. The tests look up only localhost, and names that cannot
//! exist.

use shared::{FetchError, Resolver, Stop};
use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};
use url::Url;

const TIMEOUT: Duration = Duration::from_secs(60);

fn resolve(
    resolver: &mut Resolver,
    url: &str,
    deadline: Instant,
    stop: &Stop,
) -> Result<Vec<SocketAddr>, FetchError> {
    resolver.resolve(&Url::parse(url).unwrap(), TIMEOUT, deadline, stop)
}

fn in_time() -> Instant {
    Instant::now() + TIMEOUT
}

fn addresses(list: &[&str]) -> Vec<SocketAddr> {
    list.iter().map(|text| text.parse().unwrap()).collect()
}

#[test]
fn an_address_is_its_own_answer_at_any_time() {
    let stop = Stop::new();
    stop.request();
    for (url, address) in [
        ("http://127.0.0.1:8000/", "127.0.0.1:8000"),
        ("http://127.1/", "127.0.0.1:80"),
        ("https://10.0.0.1/", "10.0.0.1:443"),
        ("http://[::1]:8000/", "[::1]:8000"),
        ("https://[2001:db8::1]/", "[2001:db8::1]:443"),
    ] {
        // Neither the deadline, which has passed, nor the stop matters: an address
        // needs no look-up.
        let found = resolve(&mut Resolver::new(), url, Instant::now(), &stop);
        assert_eq!(found, Ok(addresses(&[address])), "{url}");
    }
}

#[test]
fn localhost_is_a_loopback_address_with_the_port_of_the_url() {
    let mut resolver = Resolver::new();
    for (url, port) in [
        ("http://localhost:8000/", 8000),
        ("http://localhost/", 80),
        ("https://localhost/", 443),
    ] {
        let found = resolve(&mut resolver, url, in_time(), &Stop::new()).unwrap();
        assert!(!found.is_empty());
        for address in found {
            assert!(address.ip().is_loopback() && address.port() == port, "{address}");
        }
    }
}

#[test]
fn a_name_once_found_needs_no_time_and_no_second_look_for_another_port() {
    let mut resolver = Resolver::new();
    let stop = Stop::new();
    resolve(&mut resolver, "http://localhost/", in_time(), &stop).unwrap();
    stop.request();
    let long_ago = Instant::now();
    let again = resolve(&mut resolver, "http://localhost:8000/", long_ago, &stop);
    assert!(again.is_ok());
}

#[test]
fn a_name_without_address_is_told_by_name_each_time() {
    // A label has at most 63 bytes (RFC 1035 §2.3.4), so no name server is asked.
    let name = "a".repeat(64);
    let url = format!("http://{name}.invalid/");
    let mut resolver = Resolver::new();
    for _ in 0..2 {
        let found = resolve(&mut resolver, &url, in_time(), &Stop::new());
        assert_eq!(found, Err(FetchError::NoSuchName(format!("{name}.invalid"))));
    }
}

#[test]
fn a_deadline_that_has_passed_is_a_time_out_and_the_look_up_serves_the_next_try() {
    let mut resolver = Resolver::new();
    let (url, stop) = ("http://localhost/", Stop::new());
    match resolve(&mut resolver, url, Instant::now(), &stop) {
        // The look-up may have ended before the deadline was checked.
        Err(error) => assert_eq!(error, FetchError::TimedOut(TIMEOUT)),
        Ok(found) => assert!(!found.is_empty()),
    }
    assert!(resolve(&mut resolver, url, in_time(), &stop).is_ok());
}

#[test]
fn a_stop_requested_before_interrupts_a_look_up() {
    let stop = Stop::new();
    stop.request();
    // The look-up may be faster than the stop, which is requested before the first
    // wait.
    let url = format!("http://{}.invalid/", "a".repeat(64));
    let found = resolve(&mut Resolver::new(), &url, in_time(), &stop);
    assert!(
        matches!(found, Err(FetchError::Interrupted | FetchError::NoSuchName(_))),
        "{found:?}"
    );
}

#[test]
fn a_stop_requested_meanwhile_ends_the_wait() {
    let stop = Stop::new();
    let requester = thread::spawn({
        let stop = stop.clone();
        move || stop.request()
    });
    // Either result may come first, but both come long before the deadline.
    let found = resolve(&mut Resolver::new(), "http://localhost/", in_time(), &stop);
    assert!(matches!(found, Ok(_) | Err(FetchError::Interrupted)), "{found:?}");
    requester.join().unwrap();
}
