//! A Future is what a coroutine waits for. A Task resumes it when that has happened.
//!
//! `cargo run -p stage2-generators --example ch11_connected`
//!
//! Its output is compared on Linux only.

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
/// One event that has not happened yet: Python's Future, which you wait *for*. (Rust's
/// own, `std::future::Future`, is something that you *run*.)
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Future(usize);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct TaskId(usize);

/// Owns what belongs to the futures. A future itself is a number, so the poller and the
/// tasks can have copies of it.
struct Futures {
    latest: usize,
    /// Each future that is not resolved yet, and the tasks that wait for it.
    pending: HashMap<Future, Vec<TaskId>>,
    /// The tasks to resume next.
    ready: VecDeque<TaskId>,
    poller: Arc<Poller>,
}
// ANCHOR_END: future

// ANCHOR: coroutine
/// How a coroutine stops running.
enum Step<T> {
    /// It waits for this future.
    Yield(Future),
    /// It has come to its end.
    Return(T),
}

/// A function that can pause. Resuming it means "go on": it is sent nothing else.
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
    /// Makes a new future, which is pending.
    fn new_future(&mut self) -> Future {
        self.latest += 1;
        let future = Future(self.latest);
        self.pending.insert(future, Vec::new());
        future
    }

    /// Registers the task to be resumed when the future is resolved.
    fn wait(&mut self, future: Future, task: TaskId) {
        match self.pending.get_mut(&future) {
            Some(waiters) => waiters.push(task),
            None => self.ready.push_back(task), // it is resolved already
        }
    }

    /// The event has happened: queues the tasks that wait for it.
    fn resolve(&mut self, future: Future) {
        self.ready.extend(self.pending.remove(&future).unwrap_or_default());
    }
    // ANCHOR_END: resolve

    // ANCHOR: turn
    /// Sleeps until there are events, and resolves the futures that they name.
    fn poll_events(&mut self) -> io::Result<()> {
        for key in self.wait_for_events()? {
            let future = Future(key);
            println!("event: future {} is resolved", future.0);
            self.resolve(future);
        }
        Ok(())
    }
    // ANCHOR_END: turn

    /// Sleeps in the poller, and returns the keys of the events.
    ///
    /// A real loop goes on after the first event. This one waits until each pending
    /// future has had its own, and sorts them, so that each run prints the same.
    fn wait_for_events(&self) -> io::Result<BTreeSet<usize>> {
        let (mut keys, mut events) = (BTreeSet::new(), Events::new());
        while keys.len() < self.pending.len() {
            events.clear();
            self.poller.wait(&mut events, Some(PATIENCE))?;
            if events.is_empty() {
                let text = format!("no event for {:?}", self.pending);
                return Err(io::Error::new(ErrorKind::TimedOut, text));
            }
            keys.extend(events.iter().map(|event| event.key));
        }
        Ok(keys)
    }
}

// ANCHOR: socket
/// Starts to connect, and returns at once. (std's `TcpStream` would wait.)
fn start_to_connect(address: SocketAddr, poller: &Arc<Poller>) -> io::Result<Socket> {
    let domain = Domain::for_address(address);
    let socket = socket2::Socket::new(domain, Type::STREAM, None)?;
    socket.set_nonblocking(true)?;
    match socket.connect(&address.into()) {
        Err(error) if !is_in_progress(&error) => Err(error),
        _ => Socket::new(socket, poller),
    }
}

/// Makes a future that is resolved when the socket is writable. The poller reports that
/// only once: to wait again, ask again.
fn writable(socket: &Socket, futures: &mut Futures) -> io::Result<Future> {
    let future = futures.new_future();
    futures.poller.modify(socket.inner(), Event::writable(future.0))?;
    Ok(future)
}
// ANCHOR_END: socket

// ANCHOR: fetch
/// The coroutine `fetch`: one variant for each place where it can pause.
enum Fetch {
    /// Called, but nothing has run yet.
    Start(SocketAddr),
    /// Paused, with the one local variable that it needs later.
    Connecting(Socket),
    Done,
}

/// Calling `fetch` runs none of its code: it only makes the coroutine.
fn fetch(address: SocketAddr) -> Fetch {
    Fetch::Start(address)
}

impl Coroutine for Fetch {
    type Return = ();

    fn resume(&mut self, futures: &mut Futures) -> Step<()> {
        // One handler for the whole function, its wait included.
        self.run(futures).unwrap_or_else(|error| {
            println!("{}", FetchError::from(error));
            Step::Return(())
        })
    }
}
// ANCHOR_END: fetch

impl Fetch {
    // ANCHOR: run
    /// Runs to the next `yield`, or to the end. An error is an end, too.
    fn run(&mut self, futures: &mut Futures) -> io::Result<Step<()>> {
        match mem::replace(self, Fetch::Done) {
            Fetch::Start(address) => {
                let socket = start_to_connect(address, &futures.poller)?;
                self.pause(socket, futures)
            }
            // Writable: the connection is established, or it failed, or neither yet.
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

    /// Yields a future, and keeps nothing but the socket until it is resumed.
    fn pause(&mut self, socket: Socket, futures: &mut Futures) -> io::Result<Step<()>> {
        let future = writable(&socket, futures)?;
        *self = Fetch::Connecting(socket);
        Ok(Step::Yield(future))
    }
    // ANCHOR_END: run
}

/// Returns whether the connection is established, or the error if it failed.
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
    /// Resumes the coroutine. If it yields a future, parks on that: the task goes back
    /// into the table. If it returns, the task is dropped.
    fn step(mut self, tasks: &mut BTreeMap<TaskId, Task>, futures: &mut Futures) {
        print!("task {} is resumed: ", self.id.0);
        if let Step::Yield(future) = self.coroutine.resume(futures) {
            println!("it yields future {}", future.0);
            futures.wait(future, self.id);
            tasks.insert(self.id, self);
        }
    }
}
// ANCHOR_END: task

// ANCHOR: main
fn main() -> io::Result<()> {
    let site = DemoSite::start()?;
    // This socket has a port and does not listen, so a connection to it is refused.
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
    println!("fetch was called three times, and none of its code has run");
    while !futures.ready.is_empty() || !futures.pending.is_empty() {
        while let Some(id) = futures.ready.pop_front() {
            let task = tasks.remove(&id).expect("a ready task is in the table");
            task.step(&mut tasks, &mut futures);
        }
        futures.poll_events()?;
    }
    println!("no task waits any more");
    Ok(())
}
// ANCHOR_END: main
