//! A Future is what a coroutine waits for, and a Task resumes it then: "connected!"
//!
//! `cargo run -p stage2-generators --example ch11_connected`

use polling::{Event, Events, Poller};
use shared::FetchError;
use shared::demo_site::DemoSite;
use shared::error::is_in_progress;
use socket2::{Domain, Type};
use stage2_generators::Socket;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::io::{self, ErrorKind};
use std::mem;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(5);

// ANCHOR: future
/// One event that has not happened yet: Python's Future, a thing waited *for*, which
/// somebody else resolves. (Rust's own is a thing *run*: `std::future::Future`.)
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Future(usize);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct TaskId(usize);

/// Owns all futures. In Python a future is an object, which the callback that resolves
/// it and the task that waits share. Here it is a number: both have a copy.
struct Futures {
    latest: usize,
    /// Who waits for each future that is not resolved yet. (`future._callbacks`)
    pending: HashMap<Future, Vec<TaskId>>,
    /// Who is resumed next.
    ready: VecDeque<TaskId>,
    poller: Arc<Poller>,
}
// ANCHOR_END: future

// ANCHOR: coroutine
/// What a coroutine does when it stops running.
enum Step<T> {
    /// It waits for this future. (`yield future`)
    Yield(Future),
    /// It has come to its end. (`return value`)
    Return(T),
}

/// A function that can pause. All that a task ever sends into it is "go on".
trait Coroutine {
    type Return;

    fn resume(&mut self, futures: &mut Futures) -> Step<Self::Return>;
}
// ANCHOR_END: coroutine

impl Futures {
    fn new() -> io::Result<Futures> {
        let (pending, ready) = (HashMap::new(), VecDeque::new());
        Ok(Futures { latest: 0, pending, ready, poller: Arc::new(Poller::new()?) })
    }

    // ANCHOR: resolve
    /// A new future. (`Future()`)
    fn new_future(&mut self) -> Future {
        self.latest += 1;
        let future = Future(self.latest);
        self.pending.insert(future, Vec::new());
        future
    }

    /// The task is resumed when the future is resolved. (`future.add_done_callback`)
    fn wait(&mut self, future: Future, task: TaskId) {
        match self.pending.get_mut(&future) {
            Some(waiters) => waiters.push(task),
            None => self.ready.push_back(task), // resolved already: nothing to wait for
        }
    }

    /// The event has happened. The original's Future calls its waiters here. Ours
    /// queues them, so that no coroutine runs inside another one.
    /// (`future.set_result(None)`)
    fn resolve(&mut self, future: Future) {
        self.ready.extend(self.pending.remove(&future).unwrap_or_default());
    }
    // ANCHOR_END: resolve

    // ANCHOR: turn
    /// Sleeps until sockets have news, and resolves the futures that stand for it.
    fn poll_events(&mut self) -> io::Result<()> {
        let (mut news, mut events) = (BTreeSet::new(), Events::new());
        // A real loop goes on after the first event. This one waits for all of them,
        // and sorts them, to print the same each time.
        while news.len() < self.pending.len() {
            events.clear();
            self.poller.wait(&mut events, Some(PATIENCE))?;
            if events.is_empty() {
                let who = format!("nothing comes for {:?}", self.pending);
                return Err(io::Error::new(ErrorKind::TimedOut, who));
            }
            // The event names the future that it resolves.
            news.extend(events.iter().map(|event| Future(event.key)));
        }
        for future in news {
            println!("event: future {} is resolved", future.0);
            self.resolve(future);
        }
        Ok(())
    }
    // ANCHOR_END: turn
}

// ANCHOR: socket
/// Starts to connect, and returns at once. (std can only connect and wait.) `Socket` is
/// known to the poller for as long as it lives.
fn start_to_connect(address: SocketAddr, poller: &Arc<Poller>) -> io::Result<Socket> {
    let domain = Domain::for_address(address);
    let socket = socket2::Socket::new(domain, Type::STREAM, None)?;
    socket.set_nonblocking(true)?;
    match socket.connect(&address.into()) {
        Err(error) if !is_in_progress(&error) => Err(error),
        _ => Socket::new(socket, poller),
    }
}

/// A new future, resolved when the socket can be written. The poller tells it once:
/// whoever waits again has to ask again.
fn writable(socket: &Socket, futures: &mut Futures) -> io::Result<Future> {
    let future = futures.new_future();
    futures.poller.modify(socket.inner(), Event::writable(future.0))?;
    Ok(future)
}
// ANCHOR_END: socket

// ANCHOR: fetch
/// The coroutine `fetch`: one variant for each place where it can stand.
enum Fetch {
    /// Called, and not begun.
    Start(SocketAddr),
    /// At its `yield`, with the one local variable that it needs later.
    Connecting(Socket),
    Done,
}

/// Calling `fetch` runs none of it, as in Python: it only makes the coroutine.
fn fetch(address: SocketAddr) -> Fetch {
    Fetch::Start(address)
}

impl Coroutine for Fetch {
    type Return = ();

    fn resume(&mut self, futures: &mut Futures) -> Step<()> {
        // `try:` and `except OSError:` around all of it, the `yield` too.
        self.run(futures).unwrap_or_else(|error| {
            println!("{}", FetchError::from(error));
            Step::Return(())
        })
    }
}
// ANCHOR_END: fetch

impl Fetch {
    // ANCHOR: run
    /// Runs to the next `yield`, or to the end. Whoever leaves with an error is done.
    fn run(&mut self, futures: &mut Futures) -> io::Result<Step<()>> {
        match mem::replace(self, Fetch::Done) {
            Fetch::Start(address) => {
                let socket = start_to_connect(address, &futures.poller)?;
                self.pause(socket, futures)
            }
            // It is writable: it is connected, or it failed. Or it is a false alarm.
            Fetch::Connecting(socket) => {
                if !is_connected(socket.inner())? {
                    return self.pause(socket, futures);
                }
                println!("connected!");
                Ok(Step::Return(()))
            }
            Fetch::Done => panic!("a coroutine that has ended is not resumed"),
        }
    }

    /// `yield future`: the socket is all that is kept until we are resumed.
    fn pause(&mut self, socket: Socket, futures: &mut Futures) -> io::Result<Step<()>> {
        let future = writable(&socket, futures)?;
        *self = Fetch::Connecting(socket);
        Ok(Step::Yield(future))
    }
    // ANCHOR_END: run
}

/// Is the connection there? If it failed, that is the error.
fn is_connected(socket: &socket2::Socket) -> io::Result<bool> {
    if let Some(error) = socket.take_error()? {
        return Err(error);
    }
    match socket.peer_addr() {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotConnected => Ok(false),
        Err(error) => Err(error),
    }
}

// ANCHOR: task
/// Drives one coroutine from future to future, whatever it does.
struct Task {
    id: TaskId,
    coroutine: Box<dyn Coroutine<Return = ()>>,
}

impl Task {
    /// Resumes the coroutine, and parks on the future that it yields.
    fn step(&mut self, futures: &mut Futures) {
        print!("task {} is resumed: ", self.id.0);
        if let Step::Yield(future) = self.coroutine.resume(futures) {
            println!("it yields future {}", future.0);
            futures.wait(future, self.id);
        }
    }
}
// ANCHOR_END: task

// ANCHOR: main
fn main() -> io::Result<()> {
    let site = DemoSite::start()?;
    // This socket has a port, and does not listen on it: whoever connects is refused.
    let deaf = socket2::Socket::new(Domain::IPV4, Type::STREAM, None)?;
    deaf.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into())?;
    let refused = deaf.local_addr()?.as_socket().expect("it was bound to one above");
    let mut futures = Futures::new()?;
    let mut tasks = BTreeMap::new();
    for (number, address) in (1..).zip([site.address(), site.address(), refused]) {
        let (id, coroutine) = (TaskId(number), Box::new(fetch(address)));
        tasks.insert(id, Task { id, coroutine });
        futures.ready.push_back(id);
    }
    println!("fetch was called three times, and nothing of it has run");
    while !futures.ready.is_empty() || !futures.pending.is_empty() {
        while let Some(id) = futures.ready.pop_front() {
            tasks.get_mut(&id).expect("it was inserted above").step(&mut futures);
        }
        futures.poll_events()?;
    }
    println!("nobody waits any more");
    Ok(())
}
// ANCHOR_END: main
