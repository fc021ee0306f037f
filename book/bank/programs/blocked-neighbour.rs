//! A task that blocks the thread, beside one that waits for data inside a time-out.

use stage3_async::{Executor, Reactor, TcpStream, timeout};
use std::cell::Cell;
use std::error::Error;
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::rc::Rc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

const LIMIT: Duration = Duration::from_millis(500);

async fn wait(
    address: SocketAddr,
    reactor: Reactor,
    waits: Rc<Cell<bool>>,
) -> io::Result<()> {
    let mut stream = TcpStream::connect(address, &reactor).await?;
    waits.set(true);
    let data = timeout(LIMIT, stream.read_with(|bytes| bytes.len()), &reactor).await;
    let result = if data.is_ok() { "Ok" } else { "Err" };
    println!("the other task has {result}");
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;
    let executor = Executor::new()?;
    let reactor = executor.reactor();
    let waits = Rc::new(Cell::new(false));
    let waiting = executor.spawn(wait(address, reactor.clone(), waits.clone()));
    let ((send, may_send), (sent, is_sent)) = (channel(), channel());
    let server = thread::spawn(move || -> io::Result<()> {
        let (mut client, _) = listener.accept()?;
        may_send.recv().ok();
        client.write_all(b"data")?;
        sent.send(()).ok();
        Ok(())
    });
    executor.block_on(async {
        while !waits.get() {
            stage3_async::yield_now().await;
        }
        println!("the thread is blocked");
        send.send(()).ok();
        is_sent.recv().ok();
        thread::sleep(2 * LIMIT);
        println!("the data has arrived, and the time is over");
        println!("the thread is free");
        waiting.await
    })???;
    server.join().expect("it does not panic")?;
    Ok(())
}
