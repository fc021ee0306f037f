//! Follows one event: from the OS to the reactor, to the waker, to the second poll.
//!
//! `cargo run -p stage3-async --example ch20_reactor`
//!
//! The exercise `reactor` asks for this table of wakers, the capstone `executor` for
//! a whole reactor. The finished one is `src/machine/reactor.rs`.
//!
//! It does not run in a page: it listens on a socket of std.

use mio::net::TcpStream;
use mio::{Events, Interest, Token};
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::error::Error;
use std::future::{Future, poll_fn};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::Duration;

/// The number by which the OS reports events of our socket.
const TOKEN: Token = Token(1);
const PATIENCE: Duration = Duration::from_secs(10);
const NOT_POISONED: &str = "nothing panics while it holds the queue";

/// The tasks to poll. Wakers add them, and the executor takes them out.
type ReadyQueue = Arc<Mutex<VecDeque<usize>>>;

struct TaskWaker {
    id: usize,
    ready: ReadyQueue,
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        println!("  the waker puts task {} into the ready queue", self.id);
        self.ready.lock().expect(NOT_POISONED).push_back(self.id);
    }
}

// ANCHOR: reactor
/// Asks the OS for events, and maps tokens to wakers. It knows nothing about tasks.
struct Reactor {
    selector: RefCell<mio::Poll>,
    wakers: RefCell<HashMap<Token, Waker>>,
}
// ANCHOR_END: reactor

// ANCHOR: wait
impl Reactor {
    /// Sleeps until the OS reports events, and wakes the tasks that wait for them.
    // ANCHOR: sleep
    fn wait(&self) -> io::Result<()> {
        println!("no task is ready: the reactor asks the OS, and sleeps");
        let mut events = Events::with_capacity(8);
        self.selector.borrow_mut().poll(&mut events, Some(PATIENCE))?;
        if events.is_empty() {
            return Err(ErrorKind::TimedOut.into());
        }
        for Token(number) in events.iter().map(|event| event.token()) {
            println!("  the OS: token {number} is readable");
            let waker = self.wakers.borrow_mut().remove(&Token(number));
            if let Some(waker) = waker {
                println!("  the reactor calls the waker for token {number}");
                waker.wake();
            }
        }
        Ok(())
    }
    // ANCHOR_END: sleep
}
// ANCHOR_END: wait

// ANCHOR: read
/// Waits for bytes and reads them. Only this leaf knows both sides: it gives its
/// task's waker to the reactor, under the token of its socket.
async fn read(mut socket: &TcpStream, reactor: &Reactor) -> io::Result<usize> {
    let mut polls = 0;
    poll_fn(|cx| {
        polls += 1;
        // ANCHOR: leaf
        match socket.read(&mut [0; 64]) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                println!("  poll {polls}: would block, the waker is kept");
                let waker = cx.waker().clone();
                reactor.wakers.borrow_mut().insert(TOKEN, waker);
                Poll::Pending
            }
            result => Poll::Ready(result.inspect(|count| {
                println!("  poll {polls}: {count} bytes");
            })),
        }
        // ANCHOR_END: leaf
    })
    .await
}
// ANCHOR_END: read

// ANCHOR: run
type Task<'a> = Pin<Box<dyn Future<Output = io::Result<()>> + 'a>>;

/// The executor. Every poll of a task is made here, the first and the second.
fn run(tasks: Vec<Task<'_>>, reactor: &Reactor) -> io::Result<()> {
    let ready: ReadyQueue = Arc::new(Mutex::new((1..=tasks.len()).collect()));
    let mut tasks: HashMap<usize, Task<'_>> = (1..).zip(tasks).collect();
    while !tasks.is_empty() {
        let id = ready.lock().expect(NOT_POISONED).pop_front(); // the lock ends here
        let Some(id) = id else {
            reactor.wait()?;
            continue;
        };
        let Some(task) = tasks.get_mut(&id) else { continue };
        println!("the executor polls task {id}");
        let waker = TaskWaker { id, ready: Arc::clone(&ready) };
        let waker = Waker::from(Arc::new(waker));
        let poll = task.as_mut().poll(&mut Context::from_waker(&waker));
        if let Poll::Ready(result) = poll {
            println!("  task {id} has ended");
            tasks.remove(&id);
            result?;
        }
    }
    Ok(())
}
// ANCHOR_END: run

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let socket = std::net::TcpStream::connect(listener.local_addr()?)?;
    let server = thread::spawn(move || answer(&listener));
    socket.set_nonblocking(true)?;
    let (selector, mut socket) = (mio::Poll::new()?, TcpStream::from_std(socket));
    selector.registry().register(&mut socket, TOKEN, Interest::READABLE)?;
    let (selector, wakers) = (RefCell::new(selector), RefCell::default());
    let reactor = Reactor { selector, wakers };
    let read = async { read(&socket, &reactor).await.map(drop) };
    let ask = async {
        println!("  it asks, and now the server may answer");
        (&socket).write_all(b"?") // one byte fits into a new socket's buffer
    };
    run(vec![Box::pin(read), Box::pin(ask)], &reactor)?;
    server.join().expect("it does not panic")?;
    Ok(())
}

// ANCHOR_END: main

// ANCHOR: answer
/// The server answers once it has been asked, and not before.
fn answer(listener: &TcpListener) -> io::Result<()> {
    let (mut client, _) = listener.accept()?;
    client.set_read_timeout(Some(PATIENCE))?;
    client.read_exact(&mut [0])?;
    client.write_all(b"hello")
}
// ANCHOR_END: answer
