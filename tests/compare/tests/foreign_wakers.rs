//! Stage 3's executor, and wakes that come from code that it does not know: a channel's
//! sender on another thread, and the reactor of async-io.

use futures::channel::oneshot;
use stage3_async::Executor;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

fn executor() -> Executor {
    Executor::new().expect("a selector can be made")
}

#[test]
fn a_channel_whose_sender_is_on_another_thread_is_awaited() {
    let (sender, receiver) = oneshot::channel();
    let (asks, asked) = oneshot::channel();
    let thread = thread::spawn(move || {
        // Not before the executor has nothing else to do.
        let number: u32 = futures::executor::block_on(asked).expect("it is asked");
        sender.send(number + 1).expect("it is awaited");
    });
    let output = executor().run_until(async {
        asks.send(1).expect("the thread waits");
        receiver.await
    });
    assert_eq!(output, Ok(2));
    thread.join().expect("it does not panic");
}

#[test]
fn a_work_guard_does_the_same_for_a_part_of_a_run() {
    let executor = executor();
    let reactor = executor.reactor().clone();
    let (sender, receiver) = oneshot::channel();
    let ended = executor.block_on(async {
        let work = reactor.work_guard();
        let thread = thread::spawn(move || sender.send(3).expect("it is awaited"));
        let output = receiver.await;
        drop(work);
        thread.join().expect("it does not panic");
        assert_eq!(output, Ok(3));
        std::future::pending::<()>().await;
    });
    assert!(ended.is_err(), "without the guard it is stuck");
}

#[test]
fn timers_of_async_io_work() {
    executor().run_until(async_io::Timer::after(Duration::from_millis(1)));
}

#[test]
fn sockets_of_async_io_work_in_tasks() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = listener.local_addr().expect("it is bound");
    let server = thread::spawn(move || {
        let (mut client, _) = listener.accept().expect("a client connects");
        let mut bytes = [0; 4];
        client.read_exact(&mut bytes).expect("it sends");
        client.write_all(&bytes).expect("it reads");
    });
    let executor = executor();
    let echo = executor.spawn(async move {
        let stream = async_io::Async::<TcpStream>::connect(address).await?;
        stream.write_with(|mut stream| stream.write(b"ping")).await?;
        let mut bytes = [0; 4];
        stream.read_with(|mut stream| stream.read(&mut bytes)).await?;
        Ok::<_, std::io::Error>(bytes)
    });
    let echo = executor.run_until(echo).expect("it ends").expect("it is connected");
    assert_eq!(&echo, b"ping");
    server.join().expect("it does not panic");
}

#[test]
fn a_future_that_keeps_no_waker_is_still_stuck() {
    let stuck = executor().block_on(std::future::pending::<()>());
    assert!(stuck.is_err());
}
