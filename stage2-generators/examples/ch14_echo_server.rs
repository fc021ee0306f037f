//! Tasks yield what they want to read or write, and are resumed with the result.
//!
//! After recipe 12.12 of the Python Cookbook. In chapters 11 to 13 a future says *when*
//! a socket is ready, and the task reads. Here it yields the read, and the scheduler
//! does it. Two bugs are shown and fixed: an error of one socket ends the scheduler,
//! and the sockets are not checked while any task is ready.
//!
//! `cargo run -p stage2-generators --example ch14_echo_server`
//!
//! With a port as its argument (`-- 16000`) it only serves, until you press Ctrl-C:
//! connect to it with `nc 127.0.0.1 16000`, and type a line.
//!
//! It does not run in a page: it listens on a socket of std.

use polling::{Event, Events, Poller};
use socket2::SockRef;
use stage2_generators::Socket;
use std::collections::{HashMap, VecDeque};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{env, mem, thread};

const PATIENCE: Duration = Duration::from_secs(5);
const LONGEST_LINE: usize = 64 * 1024;

// ANCHOR: generator
/// A function that can pause. It has Python's three ways out: `Ok(Yield)` is `yield`,
/// `Ok(Return)` is `return`, and `Err` is `raise`.
trait Generator {
    type Return;

    /// `sent` is the result of the `yield` where it is paused. (`sent = yield event`)
    /// With `sent?` an error is raised there.
    fn resume(&mut self, scheduler: &mut Scheduler, sent: Sent) -> Exit<Self::Return>;
}

type Exit<T> = io::Result<Step<T>>;

enum Step<T> {
    Yield(YieldEvent),
    Return(T),
}

type Task = Box<dyn Generator<Return = ()>>;
// ANCHOR_END: generator

// ANCHOR: events
/// What a task can request with a `yield`.
enum YieldEvent {
    /// Read up to this many bytes.
    Read(Rc<Socket>, usize),
    /// Write as many of these bytes as fit.
    Write(Rc<Socket>, Vec<u8>),
    Accept(Rc<Socket>),
    /// Nothing: let the other tasks run first.
    Turn,
}

/// What is sent into a task: the answer to its request, or the error.
type Sent = io::Result<Answer>;

enum Answer {
    Nothing,
    Bytes(Vec<u8>),
    Count(usize),
    Connection(EventSocket),
}
// ANCHOR_END: events

// ANCHOR: event_socket
/// A socket whose methods return requests, to be yielded. (The recipe's class `Socket`)
#[derive(Clone)]
struct EventSocket(Rc<Socket>);

impl EventSocket {
    /// `data = yield sock.recv(100)`
    fn recv(&self, size: usize) -> YieldEvent {
        YieldEvent::Read(Rc::clone(&self.0), size)
    }

    fn send(&self, bytes: Vec<u8>) -> YieldEvent {
        YieldEvent::Write(Rc::clone(&self.0), bytes)
    }

    fn accept(&self) -> YieldEvent {
        YieldEvent::Accept(Rc::clone(&self.0))
    }
}
// ANCHOR_END: event_socket

// ANCHOR: deref
/// All other methods are those of the socket inside. (`__getattr__`)
impl Deref for EventSocket {
    type Target = socket2::Socket;

    fn deref(&self) -> &socket2::Socket {
        self.0.inner()
    }
}
// ANCHOR_END: deref

// ANCHOR: perform
impl YieldEvent {
    /// Performs what the task has requested, now that the socket is ready.
    /// (`handle_resume`)
    fn perform(&self, poller: &Arc<Poller>) -> Sent {
        match self {
            YieldEvent::Read(socket, size) => {
                let mut bytes = vec![0; *size];
                let count = socket.inner().read(&mut bytes)?;
                bytes.truncate(count);
                Ok(Answer::Bytes(bytes))
            }
            YieldEvent::Write(socket, bytes) => {
                Ok(Answer::Count(socket.inner().write(bytes)?))
            }
            YieldEvent::Accept(listener) => {
                let (connection, _) = listener.inner().accept()?;
                Ok(Answer::Connection(prepare(connection, poller)?))
            }
            YieldEvent::Turn => Ok(Answer::Nothing),
        }
    }
}
// ANCHOR_END: perform

// ANCHOR: socket
/// Makes a socket non-blocking, and registers it with the poller.
fn prepare(socket: socket2::Socket, poller: &Arc<Poller>) -> io::Result<EventSocket> {
    socket.set_nonblocking(true)?;
    Ok(EventSocket(Rc::new(Socket::new(socket, poller)?)))
}
// ANCHOR_END: socket

// ANCHOR: scheduler
/// Owns all tasks. Each of them is either ready or waiting.
struct Scheduler {
    rules: Rules,
    /// Tasks that can run, each with what will be sent into it.
    ready: VecDeque<(Task, Sent)>,
    /// Tasks that wait, each with its request, by the number of the poller's event.
    waiting: HashMap<usize, (Task, YieldEvent)>,
    latest: usize,
    poller: Arc<Poller>,
    /// How long it waits for an event before it gives up. With `None`, it waits on.
    patience: Option<Duration>,
    /// Errors that no task has caught.
    uncaught: Vec<io::Error>,
}

#[derive(PartialEq, Eq)]
enum Rules {
    /// With two bugs.
    Recipe,
    Fixed,
}
// ANCHOR_END: scheduler

impl Scheduler {
    fn new(rules: Rules) -> io::Result<Scheduler> {
        let (ready, waiting, uncaught) = (VecDeque::new(), HashMap::new(), Vec::new());
        let poller = Arc::new(Poller::new()?);
        let patience = Some(PATIENCE);
        Ok(Scheduler { rules, ready, waiting, latest: 0, poller, patience, uncaught })
    }

    /// Adds a task, which starts when its turn comes. (`sched.new(task)`)
    fn spawn(&mut self, task: impl Generator<Return = ()> + 'static) {
        self.ready.push_back((Box::new(task), Ok(Answer::Nothing)));
    }

    // ANCHOR: run
    /// Runs until no task is left.
    fn run(&mut self) -> io::Result<()> {
        while !self.ready.is_empty() || !self.waiting.is_empty() {
            // The recipe checks the sockets only when no task is ready.
            if self.ready.is_empty() || self.rules == Rules::Fixed {
                self.poll_io()?;
            }
            // One turn for each task that is ready now.
            for _ in 0..self.ready.len() {
                let (mut task, sent) = self.ready.pop_front().expect("it was counted");
                match task.resume(self, sent) {
                    Ok(Step::Yield(event)) => self.wait(task, event),
                    Ok(Step::Return(())) => {} // the task is dropped, with its sockets
                    Err(error) if self.rules == Rules::Recipe => return Err(error),
                    Err(error) => self.uncaught.push(error),
                }
            }
        }
        Ok(())
    }
    // ANCHOR_END: run

    // ANCHOR: wait
    /// Parks a task until its request can be performed. (`event.handle_yield`)
    fn wait(&mut self, task: Task, event: YieldEvent) {
        self.latest += 1;
        let number = self.latest;
        let (socket, interest) = match &event {
            YieldEvent::Read(socket, _) => (socket, Event::readable(number)),
            YieldEvent::Write(socket, _) => (socket, Event::writable(number)),
            YieldEvent::Accept(listener) => (listener, Event::readable(number)),
            YieldEvent::Turn => {
                return self.ready.push_back((task, Ok(Answer::Nothing)));
            }
        };
        // One event for each call; a second call replaces the first.
        match self.poller.modify(socket.inner(), interest) {
            Ok(()) => _ = self.waiting.insert(number, (task, event)),
            Err(error) => self.ready.push_back((task, Err(error))),
        }
    }
    // ANCHOR_END: wait

    // ANCHOR: poll_io
    /// Performs the requests whose sockets are ready, and queues their tasks.
    /// (`_iopoll`)
    fn poll_io(&mut self) -> io::Result<()> {
        let is_idle = self.ready.is_empty();
        let time = if is_idle { self.patience } else { Some(Duration::ZERO) };
        let mut events = Events::new();
        self.poller.wait(&mut events, time)?;
        if is_idle && events.is_empty() && time.is_some() {
            let text = format!("no event for {} tasks", self.waiting.len());
            return Err(io::Error::new(ErrorKind::TimedOut, text));
        }
        for event in events.iter() {
            let Some((task, event)) = self.waiting.remove(&event.key) else { continue };
            match event.perform(&self.poller) {
                // A false alarm: the task waits again.
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.wait(task, event);
                }
                // In the recipe the error passes all tasks by, and ends the scheduler.
                Err(error) if self.rules == Rules::Recipe => return Err(error),
                sent => self.ready.push_back((task, sent)),
            }
        }
        Ok(())
    }
    // ANCHOR_END: poll_io
}

// ANCHOR: readline
/// `readline(sock)`. It has only one `yield`, so a struct is enough for its frame.
struct ReadLine {
    socket: EventSocket,
    line: Vec<u8>,
}

impl Generator for ReadLine {
    type Return = Vec<u8>;

    fn resume(&mut self, _: &mut Scheduler, sent: Sent) -> Exit<Vec<u8>> {
        if let Answer::Bytes(byte) = sent? {
            self.line.extend(&byte);
            if byte.is_empty() || byte == b"\n" {
                return Ok(Step::Return(mem::take(&mut self.line)));
            }
            if self.line.len() == LONGEST_LINE {
                return Err(io::Error::new(ErrorKind::InvalidData, "line too long"));
            }
        }
        // One byte at a time, as in the recipe, so no byte of the next line is taken.
        Ok(Step::Yield(self.socket.recv(1)))
    }
}
// ANCHOR_END: readline

// ANCHOR: handler
/// `client_handler(client)`: answers each line with `GOT:` and the line.
enum ClientHandler {
    /// It waits for a line.
    Reading(ReadLine),
    /// It waits to write the rest of its answer.
    Writing(EventSocket, Vec<u8>),
}

impl ClientHandler {
    fn new(socket: EventSocket) -> ClientHandler {
        ClientHandler::Reading(ReadLine { socket, line: Vec::new() })
    }

    fn write(&mut self, client: EventSocket, line: Vec<u8>) -> Exit<()> {
        *self = ClientHandler::Writing(client.clone(), line.clone());
        Ok(Step::Yield(client.send(line)))
    }
}
// ANCHOR_END: handler

impl Generator for ClientHandler {
    type Return = ();

    // ANCHOR: handler_resume
    fn resume(&mut self, scheduler: &mut Scheduler, sent: Sent) -> Exit<()> {
        match self {
            // `yield from`: what is sent goes in, and what is yielded comes out.
            ClientHandler::Reading(readline) => {
                match readline.resume(scheduler, sent)? {
                    Step::Yield(event) => Ok(Step::Yield(event)),
                    Step::Return(line) if line.is_empty() => Ok(Step::Return(())),
                    Step::Return(line) => {
                        let client = readline.socket.clone();
                        self.write(client, [b"GOT:", &line[..]].concat())
                    }
                }
            }
            ClientHandler::Writing(client, line) => {
                let Answer::Count(count) = sent? else { panic!("a write is counted") };
                let (client, rest) = (client.clone(), line.split_off(count));
                if !rest.is_empty() {
                    return self.write(client, rest);
                }
                *self = ClientHandler::new(client);
                self.resume(scheduler, Ok(Answer::Nothing))
            }
        }
    }
    // ANCHOR_END: handler_resume
}

// ANCHOR: server
/// `server_loop(address)`: accepts clients, and starts a task for each.
struct EchoServer {
    listener: EventSocket,
    /// How many more clients it accepts. With `None`, it serves until the program ends,
    /// as the recipe's does, and prints what happens.
    clients: Option<usize>,
}
// ANCHOR_END: server

impl Generator for EchoServer {
    type Return = ();

    // ANCHOR: server_resume
    fn resume(&mut self, scheduler: &mut Scheduler, sent: Sent) -> Exit<()> {
        match sent {
            Ok(Answer::Connection(client)) => {
                let peer = client.peer_addr().ok().and_then(|peer| peer.as_socket());
                if let (None, Some(peer)) = (self.clients, peer) {
                    println!("a client has connected from {peer}");
                }
                scheduler.spawn(ClientHandler::new(client));
            }
            Ok(_) => {} // this is the start, before the first `yield`
            Err(error) => scheduler.uncaught.push(error),
        }
        match &mut self.clients {
            Some(0) => return Ok(Step::Return(())),
            Some(clients) => *clients -= 1,
            None => {
                for error in scheduler.uncaught.drain(..) {
                    println!("a task has ended with: {error}");
                }
            }
        }
        Ok(Step::Yield(self.listener.accept()))
    }
    // ANCHOR_END: server_resume
}

/// Starts a server for this many clients, as a new task. Returns its address.
fn start_server(
    scheduler: &mut Scheduler,
    port: u16,
    clients: Option<usize>,
) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    let address = listener.local_addr()?;
    let listener = prepare(listener.into(), &scheduler.poller)?;
    scheduler.spawn(EchoServer { listener, clients });
    Ok(address)
}

// ANCHOR: spinner
/// A task that is always ready, until the client has ended, or its turns are used up.
struct Spinner {
    client_has_ended: Arc<AtomicBool>,
    /// How many turns it has left.
    turns: usize,
}

impl Generator for Spinner {
    type Return = ();

    fn resume(&mut self, _: &mut Scheduler, _: Sent) -> Exit<()> {
        if self.client_has_ended.load(Ordering::SeqCst) {
            println!("    the client has ended, and now the spinner ends");
            return Ok(Step::Return(()));
        }
        if self.turns == 0 {
            println!("    the spinner ends, and the client has no answer yet");
            return Ok(Step::Return(()));
        }
        self.turns -= 1;
        Ok(Step::Yield(YieldEvent::Turn))
    }
}
// ANCHOR_END: spinner

// ANCHOR: client
/// An ordinary client, which blocks.
struct Client(BufReader<TcpStream>);

impl Client {
    fn connect(address: SocketAddr) -> io::Result<Client> {
        let stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Client(BufReader::new(stream)))
    }

    fn write_line(&mut self, words: &str) -> io::Result<()> {
        self.0.get_mut().write_all(format!("{words}\n").as_bytes())
    }

    fn read_line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        self.0.read_line(&mut line)?;
        Ok(line.trim_end().to_string())
    }
    // ANCHOR_END: client

    fn ask(&mut self, words: &str) -> io::Result<String> {
        self.write_line(words)?;
        self.read_line()
    }

    // ANCHOR: reset
    /// Hangs up without a goodbye: the server gets a reset instead of an end of file.
    fn reset(self) -> io::Result<()> {
        SockRef::from(self.0.get_ref()).set_linger(Some(Duration::ZERO))
    }
    // ANCHOR_END: reset
}

// ANCHOR: serve
/// Serves this many clients on this thread, while they talk on another. Returns
/// what `talk` returns, and the errors that no task has caught.
fn serve<T: Send + 'static>(
    rules: Rules,
    clients: usize,
    talk: fn(Vec<Client>) -> io::Result<T>,
) -> io::Result<(T, Vec<io::Error>)> {
    let mut scheduler = Scheduler::new(rules)?;
    let address = start_server(&mut scheduler, 0, Some(clients))?;
    let clients = (0..clients).map(move |_| Client::connect(address));
    let clients = thread::spawn(move || talk(clients.collect::<io::Result<_>>()?));
    scheduler.run()?;
    let result = clients.join().expect("clients do not panic")?;
    Ok((result, scheduler.uncaught))
}
// ANCHOR_END: serve

// ANCHOR: talks
/// All clients talk at the same time. Returns how many right answers they get.
fn all_talk(mut clients: Vec<Client>) -> io::Result<usize> {
    let mut right = 0;
    for line in 1..=3 {
        for (number, client) in clients.iter_mut().enumerate() {
            client.write_line(&format!("line {line} of client {number}"))?;
        }
        // The last one reads its answer first.
        for (number, client) in clients.iter_mut().enumerate().rev() {
            let answer = format!("GOT:line {line} of client {number}");
            right += usize::from(client.read_line()? == answer);
        }
    }
    Ok(right)
}

/// One client resets its connection. Returns what the others get after that.
fn one_resets(mut clients: Vec<Client>) -> io::Result<Vec<String>> {
    clients.iter_mut().try_for_each(|client| client.ask("hello").map(drop))?;
    clients.pop().expect("there are three").reset()?;
    clients.iter_mut().map(|client| client.ask("still there?")).collect()
}
// ANCHOR_END: talks

// ANCHOR: spin
/// A client asks a server while another task spins. Returns the answer.
fn ask_beside_spinner(rules: Rules, turns: usize) -> io::Result<String> {
    let mut scheduler = Scheduler::new(rules)?;
    let address = start_server(&mut scheduler, 0, Some(1))?;
    let client_has_ended = Arc::new(AtomicBool::new(false));
    scheduler.spawn(Spinner { client_has_ended: Arc::clone(&client_has_ended), turns });
    // The client asks before the first turn, so the server can answer from the start.
    let mut client = Client::connect(address)?;
    client.write_line("are you there?")?;
    let client = thread::spawn(move || {
        let answer = client.read_line();
        client_has_ended.store(true, Ordering::SeqCst);
        answer
    });
    scheduler.run()?;
    client.join().expect("clients do not panic")
}
// ANCHOR_END: spin

// ANCHOR: port
/// Serves on this port, until the program is ended.
fn serve_port(port: &str) -> io::Result<()> {
    let port = port.parse().map_err(|error| {
        io::Error::new(
            ErrorKind::InvalidInput,
            format!("{port} is not a port: {error}"),
        )
    })?;
    let mut scheduler = Scheduler::new(Rules::Fixed)?;
    scheduler.patience = None;
    let address = start_server(&mut scheduler, port, None)?;
    println!("an echo server on {address}; Ctrl-C ends it");
    scheduler.run()
}
// ANCHOR_END: port

// ANCHOR: main
fn main() -> io::Result<()> {
    if let Some(port) = env::args().nth(1) {
        return serve_port(&port);
    }
    let (right, _) = serve(Rules::Fixed, 50, all_talk)?;
    println!("50 clients at once, 3 lines each: {right} right answers");

    println!("one client of three resets its connection");
    let end = serve(Rules::Recipe, 3, one_resets).expect_err("it ends the scheduler");
    println!("  the recipe: the scheduler ends with: {}", end.kind());
    let (answers, uncaught) = serve(Rules::Fixed, 3, one_resets)?;
    for error in uncaught {
        println!("  the fixed rules: one task ends with: {}", error.kind());
    }
    println!("    the others get {}", answers.join(", "));

    println!("one task is always ready");
    println!("  the recipe, for 10000 turns:");
    let answer = ask_beside_spinner(Rules::Recipe, 10_000)?;
    println!("    then the client gets {answer}");
    println!("  the fixed rules, for as long as the client waits:");
    let answer = ask_beside_spinner(Rules::Fixed, usize::MAX)?;
    println!("    it got {answer}");
    Ok(())
}
// ANCHOR_END: main
