//! Tasks yield what they want to read or write, and are resumed with what came of it.
//!
//! After recipe 12.12 of the Python Cookbook. In chapters 11 to 13 a future says *when*
//! a socket is ready, and the task reads. Here it yields the read, and the scheduler
//! does it. Two faults are shown and mended: an error of one socket ends the scheduler;
//! and sockets are not looked at while any task is ready.
//!
//! `cargo run -p stage2-generators --example ch14_echo_server`

use polling::{Event, Events, Poller};
use socket2::SockRef;
use stage2_generators::Socket;
use std::collections::{HashMap, VecDeque};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{mem, thread};

const PATIENCE: Duration = Duration::from_secs(5);
const LONGEST_LINE: usize = 64 * 1024;

// ANCHOR: generator
/// A function that can pause. It has Python's three ways out: `Ok(Yield)` is `yield`,
/// `Ok(Return)` is `return`, and `Err` is `raise`.
trait Generator {
    type Return;

    /// `sent` is the result of the `yield` where it stands. (`sent = yield event`) With
    /// `sent?` an error is raised there.
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
/// All that a task can yield. The recipe takes anything, and may have to say
/// "unrecognized yield event" when it runs: that does not compile here.
enum YieldEvent {
    /// Up to so many bytes.
    Read(Rc<Socket>, usize),
    /// As many of these bytes as fit.
    Write(Rc<Socket>, Vec<u8>),
    Accept(Rc<Socket>),
    /// Nothing: the others run, and then this task again.
    Turn,
}

/// What is sent into a task: the answer to its event, or the error.
type Sent = io::Result<Answer>;

enum Answer {
    Nothing,
    Bytes(Vec<u8>),
    Count(usize),
    Connection(Rc<Socket>),
}
// ANCHOR_END: events

// ANCHOR: perform
impl YieldEvent {
    /// The socket is ready: does what the task has asked for. (`handle_resume`)
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
/// A socket that does not block, and that the poller knows for as long as it lives. A
/// task and the event that it yields share it.
fn prepare(socket: socket2::Socket, poller: &Arc<Poller>) -> io::Result<Rc<Socket>> {
    socket.set_nonblocking(true)?;
    Ok(Rc::new(Socket::new(socket, poller)?))
}
// ANCHOR_END: socket

// ANCHOR: scheduler
/// Owns all tasks. Each is ready, with what will be sent into it, or it waits.
struct Scheduler {
    rules: Rules,
    ready: VecDeque<(Task, Sent)>,
    /// Who waits for which event, by the number that the poller gives back with it.
    waiting: HashMap<usize, (Task, YieldEvent)>,
    latest: usize,
    poller: Arc<Poller>,
    /// Errors that no task has caught.
    uncaught: Vec<io::Error>,
}

#[derive(PartialEq, Eq)]
enum Rules {
    /// With its two faults.
    Recipe,
    Ours,
}
// ANCHOR_END: scheduler

impl Scheduler {
    fn new(rules: Rules) -> io::Result<Scheduler> {
        let (ready, waiting, uncaught) = (VecDeque::new(), HashMap::new(), Vec::new());
        let poller = Arc::new(Poller::new()?);
        Ok(Scheduler { rules, ready, waiting, latest: 0, poller, uncaught })
    }

    // ANCHOR: run
    /// A new task, which starts when its turn comes. (`sched.new(task)`)
    fn spawn(&mut self, task: impl Generator<Return = ()> + 'static) {
        self.ready.push_back((Box::new(task), Ok(Answer::Nothing)));
    }

    /// Runs until there are no tasks.
    fn run(&mut self) -> io::Result<()> {
        while !self.ready.is_empty() || !self.waiting.is_empty() {
            // The recipe looks at its sockets only when no task is ready.
            if self.ready.is_empty() || self.rules == Rules::Ours {
                self.poll_io()?;
            }
            // A turn for each that is ready now. Who gets ready meanwhile comes later.
            for _ in 0..self.ready.len() {
                let (mut task, sent) = self.ready.pop_front().expect("it was counted");
                match task.resume(self, sent) {
                    Ok(Step::Yield(event)) => self.wait(task, event),
                    Ok(Step::Return(())) => {} // the task is dropped, with its sockets
                    Err(error) => self.uncaught.push(error),
                }
            }
        }
        Ok(())
    }
    // ANCHOR_END: run

    // ANCHOR: wait
    /// Parks a task until its event can be performed. (`event.handle_yield`)
    fn wait(&mut self, task: Task, event: YieldEvent) {
        self.latest += 1;
        let number = self.latest;
        let (socket, asked) = match &event {
            YieldEvent::Read(socket, _) => (socket, Event::readable(number)),
            YieldEvent::Write(socket, _) => (socket, Event::writable(number)),
            YieldEvent::Accept(listener) => (listener, Event::readable(number)),
            YieldEvent::Turn => {
                return self.ready.push_back((task, Ok(Answer::Nothing)));
            }
        };
        // The poller tells it once, and to the task that has asked last.
        match self.poller.modify(socket.inner(), asked) {
            Ok(()) => _ = self.waiting.insert(number, (task, event)),
            Err(error) => self.ready.push_back((task, Err(error))),
        }
    }
    // ANCHOR_END: wait

    // ANCHOR: poll_io
    /// Performs what sockets are ready for, and queues who has waited. (`_iopoll`)
    fn poll_io(&mut self) -> io::Result<()> {
        let is_idle = self.ready.is_empty();
        let time = if is_idle { PATIENCE } else { Duration::ZERO };
        let mut events = Events::new();
        self.poller.wait(&mut events, Some(time))?;
        if is_idle && events.is_empty() {
            let who = format!("nothing comes for {} tasks", self.waiting.len());
            return Err(io::Error::new(ErrorKind::TimedOut, who));
        }
        for event in events.iter() {
            let Some((task, event)) = self.waiting.remove(&event.key) else { continue };
            match event.perform(&self.poller) {
                // It was a false alarm.
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.wait(task, event);
                }
                // In the recipe it flies past all tasks, and ends the scheduler.
                Err(error) if self.rules == Rules::Recipe => return Err(error),
                sent => self.ready.push_back((task, sent)),
            }
        }
        Ok(())
    }
    // ANCHOR_END: poll_io
}

// ANCHOR: readline
/// `readline(sock)`. It has one `yield` only: a struct is enough for its frame.
struct ReadLine {
    socket: Rc<Socket>,
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
        // One byte at a time, as in the recipe, so that none of the next line is taken.
        Ok(Step::Yield(YieldEvent::Read(Rc::clone(&self.socket), 1)))
    }
}
// ANCHOR_END: readline

// ANCHOR: handler
/// `client_handler(client)`: answers each line with `GOT:` and the line.
enum ClientHandler {
    /// At `line = yield from readline(client)`.
    Reading(ReadLine),
    /// At `nsent = yield client.send(line)`, with what is not sent yet.
    Writing(Rc<Socket>, Vec<u8>),
}

impl ClientHandler {
    fn new(socket: Rc<Socket>) -> ClientHandler {
        ClientHandler::Reading(ReadLine { socket, line: Vec::new() })
    }

    fn write(&mut self, client: Rc<Socket>, line: Vec<u8>) -> Exit<()> {
        *self = ClientHandler::Writing(Rc::clone(&client), line.clone());
        Ok(Step::Yield(YieldEvent::Write(client, line)))
    }
}
// ANCHOR_END: handler

impl Generator for ClientHandler {
    type Return = ();

    // ANCHOR: handler_resume
    fn resume(&mut self, scheduler: &mut Scheduler, sent: Sent) -> Exit<()> {
        match self {
            // `yield from`: what is sent goes through, and so does what is yielded.
            ClientHandler::Reading(readline) => {
                match readline.resume(scheduler, sent)? {
                    Step::Yield(event) => Ok(Step::Yield(event)),
                    Step::Return(line) if line.is_empty() => Ok(Step::Return(())),
                    Step::Return(line) => {
                        let client = Rc::clone(&readline.socket);
                        self.write(client, [b"GOT:", &line[..]].concat())
                    }
                }
            }
            ClientHandler::Writing(client, line) => {
                let Answer::Count(count) = sent? else { panic!("a write is counted") };
                let (client, rest) = (Rc::clone(client), line.split_off(count));
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
/// `server_loop(address)`. The recipe's accepts for ever. This one accepts so many
/// clients, and the program ends.
struct EchoServer {
    listener: Rc<Socket>,
    clients: usize,
}

impl Generator for EchoServer {
    type Return = ();

    fn resume(&mut self, scheduler: &mut Scheduler, sent: Sent) -> Exit<()> {
        match sent {
            Ok(Answer::Connection(client)) => {
                scheduler.spawn(ClientHandler::new(client))
            }
            Ok(_) => {} // this is the start, before the first `yield`
            Err(error) => scheduler.uncaught.push(error),
        }
        if self.clients == 0 {
            return Ok(Step::Return(()));
        }
        self.clients -= 1;
        Ok(Step::Yield(YieldEvent::Accept(Rc::clone(&self.listener))))
    }
}
// ANCHOR_END: server

/// A server for so many clients, as a new task. Returns where it listens.
fn start_server(scheduler: &mut Scheduler, clients: usize) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;
    let listener = prepare(listener.into(), &scheduler.poller)?;
    scheduler.spawn(EchoServer { listener, clients });
    Ok(address)
}

// ANCHOR: spinner
/// A task that is always ready, until the client has ended, or for so many turns.
struct Spinner {
    client_has_ended: Arc<AtomicBool>,
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
/// An ordinary client, which blocks. It knows nothing of generators.
struct Client(BufReader<TcpStream>);

impl Client {
    fn connect(address: SocketAddr) -> io::Result<Client> {
        let stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Client(BufReader::new(stream)))
    }

    fn say(&mut self, words: &str) -> io::Result<()> {
        self.0.get_mut().write_all(format!("{words}\n").as_bytes())
    }

    fn hear(&mut self) -> io::Result<String> {
        let mut line = String::new();
        self.0.read_line(&mut line)?;
        Ok(line.trim_end().to_string())
    }
    // ANCHOR_END: client

    fn ask(&mut self, words: &str) -> io::Result<String> {
        self.say(words)?;
        self.hear()
    }

    // ANCHOR: reset
    /// Hangs up without a good-bye: the server gets a reset, and no end of file.
    fn reset(self) -> io::Result<()> {
        SockRef::from(self.0.get_ref()).set_linger(Some(Duration::ZERO))
    }
    // ANCHOR_END: reset
}

// ANCHOR: serve
/// Serves so many clients on this thread, while they talk on another one. Returns what
/// they tell, and the errors that no task has caught.
fn serve<T: Send + 'static>(
    rules: Rules,
    clients: usize,
    talk: fn(Vec<Client>) -> io::Result<T>,
) -> io::Result<(T, Vec<io::Error>)> {
    let mut scheduler = Scheduler::new(rules)?;
    let address = start_server(&mut scheduler, clients)?;
    let clients = (0..clients).map(move |_| Client::connect(address));
    let clients = thread::spawn(move || talk(clients.collect::<io::Result<_>>()?));
    scheduler.run()?;
    let told = clients.join().expect("clients do not panic")?;
    Ok((told, scheduler.uncaught))
}
// ANCHOR_END: serve

// ANCHOR: talks
/// All clients talk at the same time. Returns how many right answers they hear.
fn all_talk(mut clients: Vec<Client>) -> io::Result<usize> {
    let mut right = 0;
    for line in 1..=3 {
        for (number, client) in clients.iter_mut().enumerate() {
            client.say(&format!("line {line} of client {number}"))?;
        }
        // The last one listens first.
        for (number, client) in clients.iter_mut().enumerate().rev() {
            let answer = format!("GOT:line {line} of client {number}");
            right += usize::from(client.hear()? == answer);
        }
    }
    Ok(right)
}

/// One client resets its connection. Returns what the others hear after that.
fn one_resets(mut clients: Vec<Client>) -> io::Result<Vec<String>> {
    clients.iter_mut().try_for_each(|client| client.ask("hello").map(drop))?;
    clients.pop().expect("there are three").reset()?;
    clients.iter_mut().map(|client| client.ask("still there?")).collect()
}
// ANCHOR_END: talks

// ANCHOR: spin
/// A client asks a server beside which a task spins. Returns the answer.
fn ask_beside_spinner(rules: Rules, turns: usize) -> io::Result<String> {
    let mut scheduler = Scheduler::new(rules)?;
    let address = start_server(&mut scheduler, 1)?;
    let client_has_ended = Arc::new(AtomicBool::new(false));
    scheduler.spawn(Spinner { client_has_ended: Arc::clone(&client_has_ended), turns });
    // It asks before the first turn: the server has all that it needs for an answer.
    let mut client = Client::connect(address)?;
    client.say("anybody there?")?;
    let client = thread::spawn(move || {
        let answer = client.hear();
        client_has_ended.store(true, Ordering::SeqCst);
        answer
    });
    scheduler.run()?;
    client.join().expect("clients do not panic")
}
// ANCHOR_END: spin

// ANCHOR: main
fn main() -> io::Result<()> {
    let (right, _) = serve(Rules::Ours, 50, all_talk)?;
    println!("50 clients at once, 3 lines each: {right} right answers");

    println!("one client of three resets its connection");
    let end = serve(Rules::Recipe, 3, one_resets).expect_err("nobody catches it");
    println!("  the recipe: the scheduler ends with: {}", end.kind());
    let (heard, uncaught) = serve(Rules::Ours, 3, one_resets)?;
    for error in uncaught {
        println!("  ours: one task ends with: {}", error.kind());
    }
    println!("    the others hear {}", heard.join(", "));

    println!("one task is always ready");
    println!("  the recipe, for 10000 turns:");
    let answer = ask_beside_spinner(Rules::Recipe, 10_000)?;
    println!("    then the client hears {answer}");
    println!("  ours, for as long as the client waits:");
    let answer = ask_beside_spinner(Rules::Ours, usize::MAX)?;
    println!("    it has heard {answer}");
    Ok(())
}
// ANCHOR_END: main
