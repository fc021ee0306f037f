//! What sockets promise that await, on real ones.

use super::doors::STUCK;
use super::{Elapsed, Executor, LONG, Machine, Rule, SHORT, TcpStream};
use std::future::pending;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::thread;

pub(super) fn rules<M: Machine>() -> Vec<Rule> {
    super::rules![M, "net":
        21 an_echo_of_many_bytes_comes_back_whole,
        21 read_with_hands_over_what_came_and_nothing_at_the_end,
        21 what_comes_with_the_end_is_read_and_then_the_end,
        21 a_refused_connection_is_an_error,
        21 a_read_that_never_ends_is_dropped_by_its_time_out_and_the_socket_is_closed,
        21 a_read_that_was_given_up_is_waited_for_no_longer,
        21 a_socket_that_always_has_data_starves_neither_timers_nor_tasks,
    ]
}

fn listener() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = listener.local_addr().expect("it is bound");
    (listener, address)
}

fn an_echo_of_many_bytes_comes_back_whole<M: Machine>() {
    const COUNT: usize = 3_000_000; // more than any buffer holds
    let (listener, address) = listener();
    let server = thread::spawn(move || {
        let (mut client, _) = listener.accept().expect("a client connects");
        let mut all = Vec::new();
        Read::by_ref(&mut client)
            .take(COUNT as u64)
            .read_to_end(&mut all)
            .expect("it sends");
        client.write_all(&all).expect("it reads");
    });
    let executor = M::executor();
    let reactor = executor.reactor();
    let bytes: Vec<u8> = (0..COUNT).map(|number| (number % 251) as u8).collect();
    let echo = executor.block_on(async {
        let mut stream = M::TcpStream::connect(address, &reactor).await?;
        stream.write_all(&bytes).await?;
        read_to_end::<M>(&mut stream).await
    });
    assert!(echo.expect(STUCK).expect("no error") == bytes, "the same bytes");
    server.join().expect("it does not panic");
}

async fn read_to_end<M: Machine>(stream: &mut M::TcpStream) -> io::Result<Vec<u8>> {
    let mut all = Vec::new();
    loop {
        let count = stream.read_with(|bytes| {
            all.extend_from_slice(bytes);
            bytes.len()
        });
        if count.await? == 0 {
            return Ok(all);
        }
    }
}

fn read_with_hands_over_what_came_and_nothing_at_the_end<M: Machine>() {
    let (listener, address) = listener();
    let server = thread::spawn(move || {
        let (mut client, _) = listener.accept().expect("a client connects");
        client.write_all(&vec![1; 500_000]).expect("it reads");
    });
    let executor = M::executor();
    let reactor = executor.reactor();
    let all = executor.block_on(async {
        let mut stream = M::TcpStream::connect(address, &reactor).await?;
        read_to_end::<M>(&mut stream).await
    });
    assert_eq!(all.expect(STUCK).expect("it reads").len(), 500_000, "bytes read");
    server.join().expect("it does not panic");
}

fn what_comes_with_the_end_is_read_and_then_the_end<M: Machine>() {
    let (listener, address) = listener();
    let executor = M::executor();
    let reactor = executor.reactor();
    let read = executor.block_on(async {
        let mut stream = M::TcpStream::connect(address, &reactor).await?;
        let (mut server, _) = listener.accept()?;
        // Both are there before the reactor looks: one event reports them.
        server.write_all(b"bye")?;
        drop(server);
        let bytes = stream.read_with(<[u8]>::to_vec).await?;
        let end = stream.read_with(<[u8]>::to_vec).await?;
        Ok::<_, io::Error>((bytes, end))
    });
    assert_eq!(
        read.expect(STUCK).expect("it reads"),
        (b"bye".to_vec(), vec![]),
        "what was read, and the end"
    );
}

fn a_refused_connection_is_an_error<M: Machine>() {
    // Bound, so that no other process gets the port, but it does not listen.
    let socket =
        socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None);
    let socket = socket.expect("a socket");
    let any: SocketAddr = "127.0.0.1:0".parse().expect("an address");
    socket.bind(&any.into()).expect("a free port");
    let address = socket.local_addr().expect("bound").as_socket().expect("IP");
    let executor = M::executor();
    let connected =
        executor.block_on(M::TcpStream::connect(address, &executor.reactor()));
    let error = connected.expect(STUCK).err().expect("no socket listens");
    assert_eq!(error.kind(), ErrorKind::ConnectionRefused, "the error");
}

fn a_read_that_never_ends_is_dropped_by_its_time_out_and_the_socket_is_closed<
    M: Machine,
>() {
    let (listener, address) = listener();
    let executor = M::executor();
    let reactor = executor.reactor();
    let result = executor.block_on(async {
        let stream = M::TcpStream::connect(address, &reactor).await;
        let mut stream = stream.expect("it connects");
        let read = async move { stream.read_with(|_| ()).await };
        M::timeout(SHORT, read, &reactor).await.map(drop)
    });
    assert_eq!(result, Ok(Err(Elapsed)), "the time-out");
    let (mut peer, _) = listener.accept().expect("it was connected");
    peer.set_read_timeout(Some(LONG)).expect("a socket");
    assert_eq!(peer.read(&mut [0; 1]).expect("it was closed"), 0, "the end");
}

fn a_read_that_was_given_up_is_waited_for_no_longer<M: Machine>() {
    let (listener, address) = listener();
    let executor = M::executor();
    let reactor = executor.reactor();
    let stuck = executor.block_on(async {
        let stream = M::TcpStream::connect(address, &reactor).await;
        let mut stream = stream.expect("it connects");
        let late = M::timeout(SHORT, stream.read_with(|_| ()), &reactor).await;
        assert!(late.is_err(), "the time-out");
        pending::<()>().await;
        drop(stream);
    });
    assert!(stuck.is_err(), "no task waits for the socket, which is still open");
    drop(listener);
}

/// A server that sends until the connection is closed.
fn flood() -> SocketAddr {
    let (listener, address) = listener();
    thread::spawn(move || {
        let (mut client, _) = listener.accept().expect("a client connects");
        while client.write_all(&[1; 65_536]).is_ok() {}
    });
    address
}

fn a_socket_that_always_has_data_starves_neither_timers_nor_tasks<M: Machine>() {
    let address = flood();
    let executor = M::executor();
    let reactor = executor.reactor();
    let result = executor.block_on(async {
        let stream = M::TcpStream::connect(address, &reactor).await;
        let mut stream = stream.expect("it connects");
        let read = async {
            loop {
                stream.read_with(|bytes| bytes.len()).await.expect("it sends");
            }
        };
        M::timeout(SHORT, read, &reactor).await
    });
    assert_eq!(result, Ok(Err(Elapsed)), "the time-out");
}
