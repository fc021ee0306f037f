//! Turns are answered in their order, whichever is requested first.

use std::io::Read;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use demo_site_tls::DemoSite;

use crate::client::{Answer, ask, get};

const TURNS: u64 = 20;

/// Returns the order in which `clients` clients read all turns. Each takes the next of
/// `order`.
fn read_turns(site: &DemoSite, order: &[u64], clients: usize) -> Vec<u64> {
    assert_eq!(get(site, "/turn?count=20").text().matches("\"/turn/").count(), 20);
    let next = AtomicU64::new(0);
    let read = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..clients {
            scope.spawn(|| {
                while let Some(turn) =
                    order.get(next.fetch_add(1, Ordering::Relaxed) as usize)
                {
                    read_turn(site, *turn, &read);
                }
            });
        }
    });
    read.into_inner().expect("no client panicked")
}

/// Reads a turn, and records it while the connection is still open.
fn read_turn(site: &DemoSite, turn: u64, read: &Mutex<Vec<u64>>) {
    let mut stream = ask(site, &format!("/turn/{turn}"));
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("an answer to the end");
    let answer = Answer::parse(&bytes);
    assert_eq!((answer.status, answer.field("connection")), (200, Some("close")));
    read.lock().expect("no client panicked").push(turn);
}

#[test]
fn ten_clients_read_twenty_turns_in_their_order_on_every_crawl() {
    let site = DemoSite::start().expect("a socket");
    let order: Vec<u64> = (1..=TURNS).collect();
    for _crawl in 0..3 {
        assert_eq!(read_turns(&site, &order, 10), order);
    }
}

#[test]
fn all_turns_at_once_may_be_asked_for_in_any_order() {
    let site = DemoSite::start().expect("a socket");
    let backwards: Vec<u64> = (1..=TURNS).rev().collect();
    let order: Vec<u64> = (1..=TURNS).collect();
    assert_eq!(read_turns(&site, &backwards, TURNS as usize), order);
}

#[test]
fn a_single_client_reads_turns_in_order_and_may_go_back() {
    let site = DemoSite::start().expect("a socket");
    let order: Vec<u64> = (1..=TURNS).collect();
    assert_eq!(read_turns(&site, &order, 1), order);
    assert_eq!(get(&site, "/turn/7").status, 200);
}
