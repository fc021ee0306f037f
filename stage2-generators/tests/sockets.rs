//! The machine on real sockets: what it promises to tasks that wait for one.

use shared::http::{ConnectionOption, request};
use shared::{FetchError, Needs, Stop, Trace, Url};
use stage2_generators::{
    Connect, Coroutine, Fetch, Loop, RESOLVED, Read, Result, Resume, Step, yield_from,
};
use std::cell::Cell;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

fn event_loop() -> Loop {
    Loop::new(&Stop::new(), Trace::off()).expect("a selector can be made")
}

fn connect_to(addresses: Vec<SocketAddr>) -> Connect {
    Connect::to(addresses, Instant::now() + Duration::from_secs(30))
}

fn listener() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = listener.local_addr().expect("it is bound");
    (listener, address)
}

/// Connects, and waits for the first bytes; then for nothing more.
fn first_bytes(
    address: SocketAddr,
) -> impl FnMut(&mut Loop, Resume) -> Step<Result<Vec<u8>>> {
    let mut connect = connect_to(vec![address]);
    let mut read = None;
    move |event_loop, resume| {
        let mut resume = resume;
        if read.is_none() {
            match yield_from!(connect, event_loop, resume) {
                Ok(socket) => (read, resume) = (Some(Read { socket }), Resume::Send),
                Err(error) => return Step::Return(Err(error)),
            }
        }
        let read = read.as_mut().expect("it is connected");
        Step::Return(yield_from!(read, event_loop, resume))
    }
}

/// The coroutine around it yields to the other tasks first, and resumes it while its
/// own future is pending.
#[test]
fn a_read_that_is_resumed_too_early_waits_on() {
    let (listener, address) = listener();
    let mut event_loop = event_loop();
    let (mut bytes, mut early) = (first_bytes(address), 0);
    let (mut client, answer) = (None, b"late");
    let task = move |event_loop: &mut Loop, resume: Resume| {
        let step = bytes.resume(event_loop, resume);
        if client.is_none() && matches!(step, Step::Yield(_)) {
            client = Some(listener.accept().expect("the task connects").0);
        }
        match (&step, &mut client) {
            (Step::Yield(_), _) if early < 10 => {
                early += 1;
                return Step::Yield(RESOLVED);
            }
            (Step::Yield(_), Some(client)) if early == 10 => {
                early += 1;
                client.write_all(answer).expect("it listens");
            }
            _ => {}
        }
        step
    };
    let task = event_loop.spawn(task);
    let bytes = event_loop.run_until_complete(task).expect("the selector works");
    assert_eq!(bytes, Ok(b"late".to_vec()));
}

#[test]
fn read_returns_exactly_the_bytes_that_arrived() {
    let (listener, address) = listener();
    let server = thread::spawn(move || {
        let (mut client, _) = listener.accept().expect("the task connects");
        client.write_all(b"exactly these").expect("it listens");
    });
    let mut event_loop = event_loop();
    let task = event_loop.spawn(first_bytes(address));
    let bytes = event_loop.run_until_complete(task).expect("the selector works");
    assert_eq!(bytes, Ok(b"exactly these".to_vec()));
    server.join().expect("it does not panic");
}

/// The second wait would take the place of the first, which would wait for ever.
#[test]
fn two_tasks_that_wait_for_one_socket_are_a_panic() {
    let (listener, address) = listener();
    let mut event_loop = event_loop();
    let connect = connect_to(vec![address]);
    let task = event_loop.spawn(connect);
    let socket =
        event_loop.run_until_complete(task).expect("it works").expect("connects");
    let (peer, _) = listener.accept().expect("it is connected");
    let first = event_loop.spawn(Read { socket: Rc::clone(&socket) });
    drop(event_loop.spawn(Read { socket }));
    let run = AssertUnwindSafe(|| event_loop.run_until_complete(first).map(drop));
    let panic = catch_unwind(run).expect_err("it panics");
    let said = panic.downcast_ref::<&str>().expect("words");
    assert_eq!(*said, "one task at a time waits for a socket");
    drop(peer);
}

/// Where few are allowed there are fewer.
#[cfg(unix)]
fn most_sockets() -> usize {
    rlimit::increase_nofile_limit(4096).map_or(256, |limit| limit as usize)
}

#[cfg(not(unix))]
fn most_sockets() -> usize {
    4096
}

/// More answers than one wait of the selector is used to give, all there before their
/// deadline, while one task keeps the others from running until it is over.
#[test]
fn bytes_that_arrive_before_the_deadline_are_not_late_because_others_ran() {
    const MOST: usize = 1500;
    // With more of them a listener's queue is full, and may lose a connection for ever.
    const QUEUED: usize = 100;
    let many = MOST.min(most_sockets() / 2 - 50);
    let (listener, address) = listener();
    let (answer, is_time) = mpsc::channel();
    let accepted = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&accepted);
    let server = thread::spawn(move || {
        let accept = |_| {
            let client = listener.accept().expect("each client connects").0;
            count.fetch_add(1, Ordering::SeqCst);
            client
        };
        let clients: Vec<TcpStream> = (0..many).map(accept).collect();
        is_time.recv().expect("the test tells");
        for mut client in &clients {
            client.write_all(b"x").expect("it listens");
        }
        clients
    });
    let mut event_loop = event_loop();
    // The first task sets it for all, once all are connected: how long that takes is up to the
    // machine.
    let deadline: Rc<Cell<Option<Instant>>> = Rc::default();
    let reading: Rc<Cell<usize>> = Rc::default();
    let mut joins = Vec::new();
    for number in 0..many {
        let (mut connect, mut socket, mut read) =
            (connect_to(vec![address]), None, None);
        let (accepted, deadline, reading) =
            (Arc::clone(&accepted), Rc::clone(&deadline), Rc::clone(&reading));
        let task = move |event_loop: &mut Loop,
                         resume: Resume|
              -> Step<Result<Vec<u8>>> {
            let mut resume = resume;
            if accepted.load(Ordering::SeqCst) + QUEUED < number {
                return Step::Yield(RESOLVED);
            }
            if socket.is_none() {
                let connected = yield_from!(connect, event_loop, resume);
                (socket, resume) =
                    (Some(connected.expect("it connects")), Resume::Send);
            }
            if read.is_none() {
                if accepted.load(Ordering::SeqCst) < many {
                    return Step::Yield(RESOLVED);
                }
                let soon = || Instant::now() + Duration::from_secs(3);
                let when = deadline.get().unwrap_or_else(soon);
                deadline.set(Some(when));
                event_loop.throw_at(when, FetchError::TimedOut(Duration::from_secs(3)));
                reading.set(reading.get() + 1);
                read = socket.clone().map(|socket| Read { socket });
            }
            let read = read.as_mut().expect("it was made above");
            Step::Return(yield_from!(read, event_loop, resume))
        };
        joins.push(event_loop.spawn(task));
    }
    // It computes from before all answers are sent until the deadline is over.
    let mut server = Some(server);
    let busy = move |_: &mut Loop, _: Resume| -> Step<Result<Vec<TcpStream>>> {
        if reading.get() < many {
            return Step::Yield(RESOLVED);
        }
        let deadline = deadline.get().expect("all read by then");
        answer.send(()).expect("the server is there");
        let clients = server.take().expect("once").join().expect("it does not panic");
        while Instant::now() <= deadline {
            thread::yield_now();
        }
        Step::Return(Ok(clients))
    };
    let busy = event_loop.spawn(busy);
    let _clients =
        event_loop.run_until_complete(busy).expect("it works").expect("it ends");
    for join in joins {
        let bytes = event_loop.run_until_complete(join).expect("it works");
        assert_eq!(bytes, Ok(b"x".to_vec()));
    }
}

/// The socket that failed is closed before another one is made: one at a time.
#[test]
fn the_next_address_is_tried_when_one_refuses() {
    let (listener, good) = listener();
    let refusing = {
        let socket =
            socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None)
                .expect("a socket");
        let any: SocketAddr = "127.0.0.1:0".parse().expect("an address");
        socket.bind(&any.into()).expect("a free port");
        socket
    };
    let bad = refusing.local_addr().expect("it is bound").as_socket().expect("IP");
    let server = thread::spawn(move || {
        let (mut client, _) = listener.accept().expect("the task connects");
        let mut asked = [0; 1024];
        let count = client.read(&mut asked).expect("it asks");
        client.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").expect("it listens");
        String::from_utf8_lossy(&asked[..count]).into_owned()
    });
    let url = Url::parse("http://127.0.0.1/page").expect("a URL");
    let connect = connect_to(vec![bad, bad, good]);
    let request = request(&url, "a test", ConnectionOption::Close);
    let needs = Needs::Whole { max_body: 1000 };
    let fetch = Fetch::Connecting { connect, request, needs };
    let mut event_loop = event_loop();
    let task = event_loop.spawn(fetch);
    let answer = event_loop.run_until_complete(task).expect("the selector works");
    assert_eq!(answer.map(|response| response.status), Ok(204));
    assert!(server.join().expect("it does not panic").starts_with("GET /page "));
}
