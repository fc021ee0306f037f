//! The Cookbook's echo server with `.await`: no yielded events, no states with names.
//!
//! `cargo run -p stage3-async --example ch21_echo_server`
//!
//! It does not run in a page: it listens.

use socket2::SockRef;
use stage3_async::{Executor, TcpListener, TcpStream, timeout};
use std::error::Error;
use std::future::poll_fn;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::net::{self, Ipv4Addr, SocketAddr};
use std::task::Poll;
use std::time::Duration;
use std::{mem, thread};

const PATIENCE: Duration = Duration::from_secs(10);
const LONGEST_LINE: usize = 64 * 1024;

// ANCHOR: handler
/// Answers each line with `GOT:` and the line. By hand this was an enum with a variant
/// for each wait, resumed with a result or an error. Here `.await` returns the result,
/// and `?` passes the error on.
async fn handle(mut client: TcpStream) -> io::Result<()> {
    let mut rest = Vec::new();
    loop {
        let line = read_line(&mut client, &mut rest).await?;
        if line.is_empty() {
            return Ok(());
        }
        client.write_all(&[b"GOT:", &line[..]].concat()).await?;
    }
}
// ANCHOR_END: handler

// ANCHOR: readline
/// Returns the next line, or no bytes at the end of the stream. Takes all bytes that
/// are there, and leaves those of the next lines in `rest`.
async fn read_line(client: &mut TcpStream, rest: &mut Vec<u8>) -> io::Result<Vec<u8>> {
    loop {
        if let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            return Ok(rest.drain(..=end).collect());
        }
        if rest.len() > LONGEST_LINE {
            return Err(ErrorKind::InvalidData.into());
        }
        let before = rest.len();
        client.read_with(|chunk| rest.extend(chunk)).await?;
        if rest.len() == before {
            return Ok(mem::take(rest)); // the client has closed
        }
    }
}
// ANCHOR_END: readline

// ANCHOR: server
/// Spawns a task for each client. The recipe accepts clients forever; this server
/// accepts a given number. Returns the errors with which their tasks ended.
async fn serve(
    mut listener: TcpListener,
    clients: usize,
    executor: &Executor,
) -> Vec<io::Error> {
    let (mut tasks, mut errors) = (Vec::new(), Vec::new());
    for _ in 0..clients {
        match listener.accept().await {
            Ok(client) => tasks.push(executor.spawn(handle(client))),
            Err(error) => errors.push(error), // the next client may still succeed
        }
    }
    for task in tasks {
        errors.extend(task.await.expect("a handler does not panic").err());
    }
    errors
}
// ANCHOR_END: server

// ANCHOR: run
/// Serves the clients on this thread, while they `talk` on another. Returns the
/// result of `talk`, and the errors of the tasks.
fn run<T: Send + 'static>(
    executor: &Executor,
    clients: usize,
    talk: fn(Vec<Client>) -> io::Result<T>,
) -> Result<(T, Vec<io::Error>), Box<dyn Error>> {
    let reactor = executor.reactor();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0).into(), reactor)?;
    let address = listener.local_addr()?;
    let server = serve(listener, clients, executor);
    let clients = (0..clients).map(move |_| Client::connect(address));
    let clients = thread::spawn(move || talk(clients.collect::<io::Result<_>>()?));
    let errors = executor.block_on(timeout(PATIENCE, server, reactor))??;
    Ok((clients.join().expect("clients do not panic")?, errors))
}
// ANCHOR_END: run

/// An ordinary client, which blocks.
struct Client(BufReader<net::TcpStream>);

impl Client {
    fn connect(address: SocketAddr) -> io::Result<Client> {
        let stream = net::TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Client(BufReader::new(stream)))
    }

    fn ask(&mut self, words: &str) -> io::Result<String> {
        self.0.get_mut().write_all(format!("{words}\n").as_bytes())?;
        let mut line = String::new();
        self.0.read_line(&mut line)?;
        Ok(line.trim_end().to_string())
    }

    /// Resets the connection: the server reads an error, not the end of the stream.
    fn reset(self) -> io::Result<()> {
        SockRef::from(self.0.get_ref()).set_linger(Some(Duration::ZERO))
    }
}

// ANCHOR: talks
/// All are connected, and the last one talks first. Returns the number of right
/// answers.
fn all_talk(mut clients: Vec<Client>) -> io::Result<usize> {
    let mut right = 0;
    for words in ["one", "two", "three"] {
        for client in clients.iter_mut().rev() {
            right += usize::from(client.ask(words)? == format!("GOT:{words}"));
        }
    }
    Ok(right)
}

/// One client resets its connection. Returns the answers that the others get after
/// that.
fn one_resets(mut clients: Vec<Client>) -> io::Result<Vec<String>> {
    clients.iter_mut().try_for_each(|client| client.ask("hello").map(drop))?;
    clients.pop().expect("there are three").reset()?;
    clients.iter_mut().map(|client| client.ask("still there?")).collect()
}
// ANCHOR_END: talks

// ANCHOR: main
/// Always ready, and never finished. It is dropped when `block_on` returns.
async fn spin() {
    poll_fn(|context| {
        context.waker().wake_by_ref();
        Poll::<()>::Pending
    })
    .await;
}

fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    executor.spawn(spin());
    let (right, _) = run(&executor, 50, all_talk)?;
    println!("50 clients, 3 lines each, and a task that is always ready");
    println!("  {right} right answers");
    let (answers, errors) = run(&executor, 3, one_resets)?;
    println!("one client of three resets its connection");
    errors.iter().for_each(|error| println!("  its task ends with: {}", error.kind()));
    println!("  the others get {}", answers.join(", "));
    Ok(())
}
// ANCHOR_END: main
