//! The simulated system itself, without a crawler.

use simulated_os::{
    Interest, Mode, Order, Pick, Ready, Selector, Socket, Then, install,
};
use sites::Script;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::Duration;

const READ: Interest = Interest { read: true, write: false };
const WRITE: Interest = Interest { read: false, write: true };
const BOTH: Interest = Interest { read: true, write: true };

fn address() -> SocketAddr {
    "10.0.0.1:80".parse().expect("it is constant")
}

/// A world with a site that answers in two pieces, and a socket that is connected.
fn connected() -> (Selector, Socket) {
    let script = "/ 1ms 200 text=hello pieces=2 every=1s";
    install(Script::parse(script).expect("a script"), Order::InTime);
    let (selector, socket) = (Selector::new(), Socket::new());
    socket.connect(address()).expect("it may be tried");
    selector.watch(&socket, 1, WRITE, Mode::Edge);
    assert_eq!(keys(&selector), [1]);
    (selector, socket)
}

fn ask(socket: &Socket) {
    socket.write(b"GET / HTTP/1.1\r\n\r\n").expect("it is connected");
}

/// Waits, and returns what is ready.
fn wait(selector: &Selector) -> Vec<Ready> {
    selector.wait(None).expect("something happens").0
}

fn keys(selector: &Selector) -> Vec<usize> {
    wait(selector).into_iter().map(|ready| ready.key).collect()
}

/// Looks, and does not wait.
fn look(selector: &Selector) -> Vec<Ready> {
    selector.wait(Some(Duration::ZERO)).expect("it only looks").0
}

#[test]
fn an_edge_is_reported_once_and_the_next_piece_is_another() {
    let (selector, socket) = connected();
    ask(&socket);
    selector.watch(&socket, 2, READ, Mode::Edge);
    assert_eq!(keys(&selector), [2]);
    assert_eq!(look(&selector), [], "nothing was read, and nothing more has arrived");
    assert_eq!(keys(&selector), [2]);
    assert_eq!(simulated_os::now(), Duration::from_millis(5 + 1 + 1000));
}

#[test]
fn one_shot_means_once_until_it_is_asked_for_again() {
    let (selector, socket) = connected();
    ask(&socket);
    selector.watch(&socket, 3, READ, Mode::Oneshot);
    assert_eq!(keys(&selector), [3]);
    let error = selector.wait(None).expect_err("the second piece is not asked for");
    assert_eq!(error.to_string(), "nothing will ever happen");
    selector.watch(&socket, 4, READ, Mode::Oneshot);
    assert_eq!(keys(&selector), [4], "what is there already is reported");
}

#[test]
fn what_is_ready_already_is_reported_to_those_who_ask_later() {
    let (selector, socket) = connected();
    selector.watch(&socket, 5, BOTH, Mode::Edge);
    let ready = Ready { key: 5, writable: true, ..Ready::default() };
    assert_eq!(look(&selector), [ready]);
    assert_eq!(look(&selector), []);
}

#[test]
fn a_socket_that_is_forgotten_or_closed_is_not_reported() {
    let (selector, socket) = connected();
    selector.watch(&socket, 6, WRITE, Mode::Edge);
    selector.forget(&socket);
    assert_eq!(look(&selector), []);
    selector.watch(&socket, 6, WRITE, Mode::Edge);
    drop(socket);
    assert_eq!(look(&selector), []);
}

#[test]
fn a_wait_ends_when_the_alarm_sounds_also_before_it() {
    let (selector, _socket) = connected();
    selector.alarm().sound();
    let (ready, sounds) = selector.wait(None).expect("the alarm");
    assert_eq!((ready, sounds), (Vec::new(), true));
    let (_, sounds) = selector.wait(Some(Duration::ZERO)).expect("it only looks");
    assert!(!sounds, "it sounds once");
}

#[test]
fn a_native_program_cannot_wait_for_a_timer() {
    let (selector, _socket) = connected();
    let error = selector.wait(Some(Duration::from_secs(1))).expect_err("a timer");
    assert_eq!(error.kind(), ErrorKind::Unsupported);
}

#[test]
fn what_cannot_be_done_yet_would_block() {
    let (_selector, socket) = connected();
    let mut byte = [0];
    let error = socket.read(&mut byte).expect_err("nothing was asked for");
    assert_eq!(error.kind(), ErrorKind::WouldBlock);
    let new = Socket::new();
    assert_eq!(new.write(b"x").expect_err("new").kind(), ErrorKind::NotConnected);
    new.connect(address()).expect("it may be tried");
    assert_eq!(new.write(b"x").expect_err("too early").kind(), ErrorKind::WouldBlock);
    let all = "255.255.255.255:80".parse().expect("it is constant");
    let error = Socket::new().connect(all).expect_err("all hosts");
    assert_eq!(error.kind(), ErrorKind::NetworkUnreachable);
}

/// A world in which these picks happen, and then nothing.
fn chosen(picks: &[Pick]) -> (Selector, Socket) {
    let script = "/ 1ms 200 text=hello pieces=2 every=1s";
    let order = Order::Chosen(picks.to_vec(), Then::Fail);
    install(Script::parse(script).expect("a script"), order);
    let (selector, socket) = (Selector::new(), Socket::new());
    socket.connect(address()).expect("it may be tried");
    selector.watch(&socket, 1, BOTH, Mode::Edge);
    (selector, socket)
}

#[test]
fn two_pieces_before_one_wake_are_one_edge() {
    let [first, second] = [Pick { sleeps_on: true, ..0.into() }, 0.into()];
    let (selector, socket) = chosen(&[0.into(), first, second]);
    assert_eq!(keys(&selector), [1]);
    ask(&socket);
    assert_eq!(keys(&selector), [1]);
    assert_eq!(simulated_os::now(), Duration::from_millis(5 + 1 + 1000));
    let error = selector.wait(None).expect_err("the list has ended");
    assert_eq!(error.to_string(), "the choices have ended");
}

#[test]
fn a_choice_may_refuse_a_connection_or_reset_it() {
    let fails = Pick { fails: true, ..0.into() };
    let (selector, socket) = chosen(&[fails]);
    assert_eq!(keys(&selector), [1]);
    let error = socket.take_error().expect("it was refused");
    assert_eq!(error.kind(), ErrorKind::ConnectionRefused);

    let (selector, socket) = chosen(&[0.into(), fails]);
    assert_eq!(keys(&selector), [1]);
    ask(&socket);
    assert_eq!(keys(&selector), [1]);
    let error = socket.take_error().expect("it was reset");
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);
    assert!(selector.wait(None).is_err(), "nothing follows a reset");
}
