//! Sockets that await, on real ones; and time-outs.

use stage3_async::{Either, Elapsed, Executor, TcpStream, race, timeout};
use std::future::{pending, ready};
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::thread;
use std::time::{Duration, Instant};

fn executor() -> Executor {
    Executor::new().expect("a selector can be made")
}

fn listener() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = listener.local_addr().expect("it is bound");
    (listener, address)
}

/// Much longer than any test takes.
const LONG: Duration = Duration::from_secs(60);

#[test]
fn an_echo_of_many_bytes_comes_back_whole() {
    let (listener, address) = listener();
    let server = thread::spawn(move || {
        let (mut client, _) = listener.accept().expect("somebody connects");
        let mut all = Vec::new();
        client.read_to_end(&mut all).expect("it sends, and closes");
        all.len()
    });
    let executor = executor();
    let reactor = executor.reactor().clone();
    let bytes = vec![7; 3_000_000];
    let sent = executor.block_on(async {
        let mut stream = TcpStream::connect(address, &reactor).await?;
        stream.write_all(&bytes).await
    });
    sent.expect("not stuck").expect("it is sent");
    assert_eq!(server.join().expect("it does not panic"), 3_000_000);
}

#[test]
fn read_with_hands_over_what_came_and_nothing_at_the_end() {
    let (listener, address) = listener();
    let server = thread::spawn(move || {
        let (mut client, _) = listener.accept().expect("somebody connects");
        client.write_all(&vec![1; 500_000]).expect("it reads");
    });
    let executor = executor();
    let reactor = executor.reactor().clone();
    let count = executor.block_on(async {
        let mut stream = TcpStream::connect(address, &reactor).await?;
        let mut all = 0;
        loop {
            match stream.read_with(|bytes| bytes.len()).await? {
                0 => return Ok::<_, std::io::Error>(all),
                count => all += count,
            }
        }
    });
    assert_eq!(count.expect("not stuck").expect("it reads"), 500_000);
    server.join().expect("it does not panic");
}

#[test]
fn a_refused_connection_is_an_error() {
    let socket =
        socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None);
    let socket = socket.expect("a socket");
    let any: SocketAddr = "127.0.0.1:0".parse().expect("an address");
    socket.bind(&any.into()).expect("a free port");
    let address = socket.local_addr().expect("bound").as_socket().expect("IP");
    let executor = executor();
    let reactor = executor.reactor().clone();
    let connected = executor.block_on(TcpStream::connect(address, &reactor));
    let error = connected.expect("not stuck").err().expect("nobody listens");
    assert_eq!(error.kind(), ErrorKind::ConnectionRefused);
}

#[test]
fn a_read_that_never_ends_is_dropped_by_its_time_out_and_the_socket_is_closed() {
    let (listener, address) = listener();
    let executor = executor();
    let reactor = executor.reactor().clone();
    let result = executor.block_on(async {
        let mut stream =
            TcpStream::connect(address, &reactor).await.expect("it connects");
        let read = async move { stream.read_with(|_| ()).await };
        timeout(Duration::from_millis(20), read, &reactor).await.map(drop)
    });
    assert_eq!(result, Ok(Err(Elapsed)));
    let (mut peer, _) = listener.accept().expect("it was connected");
    peer.set_read_timeout(Some(LONG)).expect("a socket");
    assert_eq!(peer.read(&mut [0; 1]).expect("it was closed"), 0);
}

#[test]
fn of_two_that_are_ready_the_first_wins() {
    assert_eq!(executor().block_on(race(ready(1), ready(2))), Ok(Either::First(1)));
    let second = executor().block_on(race(pending::<()>(), ready(2)));
    assert_eq!(second, Ok(Either::Second(2)));
}

#[test]
fn what_is_ready_at_once_needs_no_time() {
    let executor = executor();
    let reactor = executor.reactor().clone();
    let result = executor.block_on(timeout(Duration::ZERO, ready(3), &reactor));
    assert_eq!(result, Ok(Ok(3)));
}

#[test]
fn thousands_of_timers_are_waited_for_together() {
    let executor = executor();
    let when = Instant::now() + Duration::from_millis(20);
    let sleepers: Vec<_> = (0..10_000)
        .map(|_| executor.spawn(executor.reactor().sleep_until(when)))
        .collect();
    executor
        .block_on(async {
            for sleeper in sleepers {
                sleeper.await.expect("it ends");
            }
        })
        .expect("not stuck");
    assert!(Instant::now() >= when);
}

/// A server that sends for as long as somebody listens.
fn flood() -> SocketAddr {
    let (listener, address) = listener();
    thread::spawn(move || {
        let (mut client, _) = listener.accept().expect("somebody connects");
        while client.write_all(&[1; 65_536]).is_ok() {}
    });
    address
}

#[test]
fn a_socket_that_always_has_data_starves_neither_timers_nor_tasks() {
    let address = flood();
    let executor = executor();
    let reactor = executor.reactor().clone();
    let result = executor.block_on(async {
        let mut stream =
            TcpStream::connect(address, &reactor).await.expect("it connects");
        let read = async {
            loop {
                stream.read_with(|bytes| bytes.len()).await.expect("it sends");
            }
        };
        timeout(Duration::from_millis(50), read, &reactor).await
    });
    assert_eq!(result, Ok(Err(Elapsed)));
}

#[test]
fn a_read_that_was_given_up_is_waited_for_no_longer() {
    let (listener, address) = listener();
    let executor = executor();
    let reactor = executor.reactor().clone();
    let stuck = executor.block_on(async {
        let mut stream =
            TcpStream::connect(address, &reactor).await.expect("it connects");
        let read = stream.read_with(|_| ());
        let late = timeout(Duration::from_millis(10), read, &reactor).await;
        assert!(late.is_err());
        pending::<()>().await;
        drop(stream);
    });
    assert!(stuck.is_err(), "nobody waits for the socket, which is still open");
    drop(listener);
}

#[test]
fn what_comes_with_the_end_is_read_and_then_the_end() {
    let (listener, address) = listener();
    let executor = executor();
    let reactor = executor.reactor().clone();
    let read = executor.block_on(async {
        let mut stream = TcpStream::connect(address, &reactor).await?;
        let (mut server, _) = listener.accept()?;
        // Both are there before the reactor looks: one event tells of them.
        server.write_all(b"bye")?;
        drop(server);
        let bytes = stream.read_with(<[u8]>::to_vec).await?;
        let end = stream.read_with(<[u8]>::to_vec).await?;
        Ok::<_, std::io::Error>((bytes, end))
    });
    assert_eq!(read.expect("not stuck").expect("it reads"), (b"bye".to_vec(), vec![]));
}

#[test]
fn a_connection_is_quiet_until_something_comes() {
    let (listener, address) = listener();
    let executor = executor();
    let reactor = executor.reactor().clone();
    let quiet = executor.block_on(async {
        let mut stream = TcpStream::connect(address, &reactor).await?;
        let (mut server, _) = listener.accept()?;
        server.write_all(b"asked for")?;
        stream.read_with(|_| ()).await?;
        let before = stream.is_quiet();
        server.write_all(b"not asked for")?;
        reactor.sleep_until(Instant::now() + Duration::from_nanos(1)).await;
        let after = stream.is_quiet();
        stream.read_with(|_| ()).await?;
        let read = stream.is_quiet();
        drop(server);
        reactor.sleep_until(Instant::now() + Duration::from_nanos(1)).await;
        Ok::<_, std::io::Error>([before, after, read, stream.is_quiet()])
    });
    let quiet = quiet.expect("not stuck").expect("it reads");
    assert_eq!(quiet, [true, false, true, false]);
}
