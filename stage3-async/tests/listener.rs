//! A listener that awaits, on real sockets.

use stage3_async::{Executor, TcpListener, timeout};
use std::future::{Future, poll_fn};
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::{pin::pin, task::Poll, thread, time::Duration};

/// Much longer than any test takes.
const LONG: Duration = Duration::from_secs(60);

fn start() -> (Executor, TcpListener, SocketAddr) {
    let executor = Executor::new().expect("a selector can be made");
    let any_port = (Ipv4Addr::LOCALHOST, 0).into();
    let listener = TcpListener::bind(any_port, executor.reactor()).expect("a port");
    let address = listener.local_addr().expect("it is bound");
    (executor, listener, address)
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("the listener has room");
    stream.set_read_timeout(Some(LONG)).expect("a socket");
    stream
}

#[test]
fn what_is_accepted_can_be_read_and_written() {
    let (executor, mut listener, address) = start();
    let client = move || {
        let mut stream = connect(address);
        stream.write_all(b"ping").expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers, and closes");
        answer
    };
    let said = executor.block_on(async {
        let mut accept = pin!(listener.accept());
        let first = poll_fn(|cx| Poll::Ready(accept.as_mut().poll(cx))).await;
        assert!(first.is_pending(), "no client has connected yet");
        let client = thread::spawn(client);
        let mut stream = accept.await?;
        let said = stream.read_with(<[u8]>::to_vec).await?;
        stream.write_all(b"pong").await?;
        drop(stream);
        Ok::<_, std::io::Error>((said, client))
    });
    let (said, client) = said.expect("not stuck").expect("no error");
    assert_eq!(said, b"ping");
    assert_eq!(client.join().expect("it does not panic"), "pong");
}

#[test]
fn connections_that_came_together_are_all_accepted() {
    let (executor, mut listener, address) = start();
    let clients: Vec<_> = (0..50).map(|_| connect(address)).collect();
    let accept = async {
        for _ in &clients {
            listener.accept().await.expect("it is there");
        }
    };
    let accepted = executor.block_on(timeout(LONG, accept, executor.reactor()));
    assert_eq!(accepted, Ok(Ok(())));
}

#[test]
fn an_accept_that_was_given_up_loses_no_connection() {
    let (executor, mut listener, address) = start();
    let reactor = executor.reactor();
    let late = timeout(Duration::from_millis(10), listener.accept(), reactor);
    assert!(executor.block_on(late).expect("not stuck").is_err());
    let _client = connect(address);
    let accepted = executor.block_on(timeout(LONG, listener.accept(), reactor));
    assert!(accepted.expect("not stuck").expect("in time").is_ok());
}

#[test]
fn a_dropped_listener_closes_connections_that_wait_for_it() {
    let (_executor, listener, address) = start();
    let mut client = connect(address);
    drop(listener);
    match client.read(&mut [0; 1]) {
        Ok(count) => assert_eq!(count, 0),
        Err(error) => assert_eq!(error.kind(), ErrorKind::ConnectionReset),
    }
}
