//! The rules of a machine that runs std futures: of stage 3's, and of one that you write.
//!
//! ```ignore
//! // tests/machine.rs of your crate; in its Cargo.toml:
//! // [[test]]
//! // name = "machine"
//! // harness = false
//! conformance::machine_tests!(my_crate);
//! ```
//! Your crate needs the names of stage 3 that [`machine!`](crate::machine!) lists, and may
//! have any code behind them. `PATIENCE=5 cargo test --test machine` ends at the first rule
//! for which it needs more than five seconds.
//!
//! A crawler hides much of what is wrong with its machine: it may never poll a future from
//! two tasks, and it rarely waits for a thread alone. So these rules ask the machine itself.
//! `tests/broken_machines.rs` shows two machines that they refuse.

pub mod budget;
pub mod ends;
pub mod executor;
pub mod net;
pub mod queue;
pub mod story;
pub mod time;

mod doors;

use crate::{panics, watchdog};
use libtest_mimic::{Arguments, Trial};
use std::fmt::Debug;
use std::future::Future;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use std::{io, process};

/// Much longer than any rule takes.
const LONG: Duration = Duration::from_secs(3600);
/// Short, but a time.
const SHORT: Duration = Duration::from_millis(10);

/// The types and functions of a machine. [`machine!`](crate::machine!) implements it.
pub trait Machine: Sized + 'static {
    /// Runs tasks.
    type Executor: Executor<Self>;
    /// What sockets and timers are made of.
    type Reactor: Reactor;
    /// Awaits a task, and cancels it.
    type JoinHandle<T: 'static>: JoinHandle<Self, T>;
    /// Why a task has no output.
    type JoinError: JoinError;
    /// Items for workers.
    type Queue<T: 'static>: Queue<T>;
    /// A connection.
    type TcpStream: TcpStream<Self>;

    /// Awaits the first of two futures.
    fn race<A: Future, B: Future>(
        a: A,
        b: B,
    ) -> impl Future<Output = Either<A::Output, B::Output>>;

    /// Awaits a future for so long.
    fn timeout<F: Future>(
        time: Duration,
        future: F,
        reactor: &Self::Reactor,
    ) -> impl Future<Output = Result<F::Output, Elapsed>>;

    /// A new executor.
    fn executor() -> Self::Executor {
        Self::Executor::new().expect("a selector can be made")
    }
}

/// An executor, as the rules use it.
pub trait Executor<M: Machine>: Clone + 'static {
    /// See stage 3's `Executor::new`.
    #[allow(clippy::missing_errors_doc, reason = "stage 3 has it")]
    fn new() -> io::Result<Self>;
    /// See stage 3's `Executor::spawn`.
    fn spawn<T: 'static>(
        &self,
        future: impl Future<Output = T> + 'static,
    ) -> M::JoinHandle<T>;
    /// See stage 3's `Executor::block_on`.
    #[allow(clippy::missing_errors_doc, reason = "stage 3 has it")]
    fn block_on<F: Future>(&self, future: F) -> Result<F::Output, Stuck>;
    /// See stage 3's `Executor::reactor`.
    fn reactor(&self) -> M::Reactor;
}

/// A task's handle, as the rules use it.
pub trait JoinHandle<M: Machine, T>:
    Future<Output = Result<T, M::JoinError>> + Unpin + 'static
{
    /// See stage 3's `JoinHandle::cancel`.
    fn cancel(&self);
    /// See stage 3's `JoinHandle::is_finished`.
    fn is_finished(&self) -> bool;
}

/// The two reasons for which a task has no output.
pub trait JoinError: Debug {
    /// Returns whether it is `JoinError::Cancelled`.
    fn is_cancelled(&self) -> bool;
    /// Returns whether it is `JoinError::Panicked`.
    fn has_panicked(&self) -> bool;
}

/// A reactor, as the rules use it.
pub trait Reactor: Clone + 'static {
    /// See stage 3's `Reactor::sleep`.
    fn sleep(&self, time: Duration) -> impl Future<Output = ()> + 'static;
    /// See stage 3's `Reactor::sleep_until`.
    fn sleep_until(&self, when: Instant) -> impl Future<Output = ()> + 'static;
    /// See stage 3's `Reactor::work_guard`.
    fn work_guard(&self) -> impl Sized + 'static;
}

/// A connection, as the rules use it.
pub trait TcpStream<M: Machine>: Sized + 'static {
    /// See stage 3's `TcpStream::connect`.
    fn connect(
        address: SocketAddr,
        reactor: &M::Reactor,
    ) -> impl Future<Output = io::Result<Self>>;
    /// See stage 3's `TcpStream::read_with`.
    fn read_with<T>(
        &mut self,
        take: impl FnOnce(&[u8]) -> T,
    ) -> impl Future<Output = io::Result<T>>;
    /// See stage 3's `TcpStream::write_all`.
    fn write_all(&mut self, bytes: &[u8]) -> impl Future<Output = io::Result<()>>;
}

/// A queue, as the rules use it.
pub trait Queue<T>: Sized + 'static {
    /// See stage 3's `Queue::new`.
    fn new() -> Self;
    /// See stage 3's `Queue::put`.
    fn put(&self, item: T);
    /// See stage 3's `Queue::get`.
    fn get(&self) -> impl Future<Output = T>;
    /// See stage 3's `Queue::task_done`.
    fn task_done(&self);
    /// See stage 3's `Queue::join`.
    fn join(&self) -> impl Future<Output = ()>;
    /// See stage 3's `Queue::done_on_drop`.
    fn done_on_drop(&self) -> impl Sized + use<Self, T>;
}

/// `block_on` found that no task can go on.
#[derive(Debug, PartialEq, Eq)]
pub struct Stuck;

/// The time of a time-out was over first.
#[derive(Debug, PartialEq, Eq)]
pub struct Elapsed;

/// Which of two futures was ready first.
#[derive(Debug, PartialEq, Eq)]
pub enum Either<A, B> {
    /// The first one.
    First(A),
    /// The second one.
    Second(B),
}

/// A rule: panics or hangs if a machine breaks it.
pub(crate) struct Rule {
    /// The file in this folder, and the function in it.
    pub(crate) part: &'static str,
    pub(crate) name: &'static str,
    /// The chapter that explains it.
    chapter: u32,
    pub(crate) check: fn(),
}

/// Makes rules of functions: each has the number of its chapter before it.
macro_rules! rules {
    ($machine:ident, $part:literal: $($chapter:literal $name:ident,)*) => {
        vec![$($crate::machine::Rule {
            part: $part,
            name: stringify!($name),
            chapter: $chapter,
            check: $name::<$machine>,
        }),*]
    };
}
use rules;

/// Checks all rules, or those that the command line names, and ends the process.
pub fn check<M: Machine>() -> ! {
    let arguments = Arguments::from_args();
    panics::keep();
    let trials = all_rules::<M>().into_iter().map(Rule::trial).collect();
    let ended = libtest_mimic::run(&arguments, trials);
    process::exit(if ended.has_failed() { 101 } else { 0 })
}

/// Returns all rules.
pub(crate) fn all_rules<M: Machine>() -> Vec<Rule> {
    let parts = [
        executor::rules::<M>,
        ends::rules::<M>,
        time::rules::<M>,
        net::rules::<M>,
        queue::rules::<M>,
        budget::rules::<M>,
    ];
    parts.into_iter().flat_map(|rules| rules()).collect()
}

impl Rule {
    /// Returns the page of the book that explains it, without `.md`.
    pub(crate) fn page(&self) -> &'static str {
        page(self.chapter)
    }

    fn trial(self) -> Trial {
        let Rule { part, name, chapter, check } = self;
        let place = format!("chapter {chapter}, book/src/{}.md", page(chapter));
        Trial::test(format!("{part}::{name}"), move || {
            // Also the name of its thread. It is printed if the rule hangs.
            let full = format!("{part}::{name} ({place})");
            watchdog::guard(&full, check).map_err(|why| {
                let rule = name.replace('_', " ");
                let why = panics::take(&full).map_or(why, |panic| panic.text);
                format!("This is not so: {rule}.\n{why}\nRead {place}.").into()
            })
        })
    }
}

/// The page of a chapter.
fn page(chapter: u32) -> &'static str {
    match chapter {
        19 => "executor",
        20 => "reactor",
        21 => "sockets-that-await",
        22 => "queue",
        24 => "cancelling",
        26 => "blocking-work",
        _ => unreachable!("no rule is from there"),
    }
}

/// Implements [`Machine`] for a new type, by the names of a crate or module: `machine!(Mine,
/// my_crate)`. What is missing there does not compile, and the compiler says its name.
#[macro_export]
macro_rules! machine {
    ($machine:ident, $($path:ident)::+) => {
        struct $machine;

        const _: () = {
            use std::future::Future;
            use std::net::SocketAddr;
            use std::pin::Pin;
            use std::rc::Rc;
            use std::task::{Context, Poll};
            use std::time::{Duration, Instant};
            use std::io;
            use $crate::machine::story::{spawned, tell};
            use $crate::machine::{Either, Elapsed, Stuck};

            // Types of our own: the methods of a trait would be found in place of those
            // that the other types lack.
            #[derive(Clone)]
            pub struct Executor($($path)::+::Executor);
            #[derive(Clone)]
            pub struct Reactor($($path)::+::Reactor);
            pub struct JoinHandle<T>($($path)::+::JoinHandle<T>, usize);
            #[derive(Debug)]
            pub struct JoinError($($path)::+::JoinError);
            pub struct Queue<T>(Rc<$($path)::+::Queue<T>>);
            pub struct TcpStream($($path)::+::TcpStream);

            impl $crate::machine::Machine for $machine {
                type Executor = Executor;
                type Reactor = Reactor;
                type JoinHandle<T: 'static> = JoinHandle<T>;
                type JoinError = JoinError;
                type Queue<T: 'static> = Queue<T>;
                type TcpStream = TcpStream;

                async fn race<A: Future, B: Future>(
                    a: A,
                    b: B,
                ) -> Either<A::Output, B::Output> {
                    match $($path)::+::race(a, b).await {
                        $($path)::+::Either::First(output) => Either::First(output),
                        $($path)::+::Either::Second(output) => Either::Second(output),
                    }
                }

                async fn timeout<F: Future>(
                    time: Duration,
                    future: F,
                    reactor: &Reactor,
                ) -> Result<F::Output, Elapsed> {
                    let ended = $($path)::+::timeout(time, future, &reactor.0).await;
                    ended.map_err(|_| Elapsed)
                }
            }

            impl $crate::machine::Executor<$machine> for Executor {
                fn new() -> io::Result<Self> {
                    $($path)::+::Executor::new().map(Executor)
                }
                fn spawn<T: 'static>(
                    &self,
                    future: impl Future<Output = T> + 'static,
                ) -> JoinHandle<T> {
                    let number = spawned();
                    JoinHandle(self.0.spawn(future), number)
                }
                fn block_on<F: Future>(&self, future: F) -> Result<F::Output, Stuck> {
                    tell(format_args!("`block_on` is called"));
                    let ended = self.0.block_on(future).map_err(|_| Stuck);
                    let word = if ended.is_ok() { "returns" } else { "is stuck" };
                    tell(format_args!("`block_on` {word}"));
                    ended
                }
                fn reactor(&self) -> Reactor {
                    Reactor(self.0.reactor().clone())
                }
            }

            impl<T: 'static> $crate::machine::JoinHandle<$machine, T> for JoinHandle<T> {
                fn cancel(&self) {
                    tell(format_args!("task {} is cancelled", self.1));
                    self.0.cancel();
                }
                fn is_finished(&self) -> bool {
                    self.0.is_finished()
                }
            }

            impl<T> Future for JoinHandle<T> {
                type Output = Result<T, JoinError>;

                fn poll(
                    mut self: Pin<&mut Self>,
                    cx: &mut Context<'_>,
                ) -> Poll<Self::Output> {
                    let poll = Pin::new(&mut self.0).poll(cx).map_err(JoinError);
                    let word = match &poll {
                        Poll::Pending => "it is pending",
                        Poll::Ready(Ok(_)) => "it has the output",
                        Poll::Ready(Err(_)) => "it has an error",
                    };
                    tell(format_args!("the handle of task {} is polled: {word}", self.1));
                    poll
                }
            }

            impl $crate::machine::JoinError for JoinError {
                fn is_cancelled(&self) -> bool {
                    matches!(self.0, $($path)::+::JoinError::Cancelled)
                }
                fn has_panicked(&self) -> bool {
                    matches!(self.0, $($path)::+::JoinError::Panicked(_))
                }
            }

            impl $crate::machine::Reactor for Reactor {
                fn sleep(&self, time: Duration) -> impl Future<Output = ()> + 'static {
                    self.0.sleep(time)
                }
                fn sleep_until(
                    &self,
                    when: Instant,
                ) -> impl Future<Output = ()> + 'static {
                    self.0.sleep_until(when)
                }
                fn work_guard(&self) -> impl Sized + 'static {
                    self.0.work_guard()
                }
            }

            impl $crate::machine::TcpStream<$machine> for TcpStream {
                async fn connect(
                    address: SocketAddr,
                    reactor: &Reactor,
                ) -> io::Result<Self> {
                    let stream = $($path)::+::TcpStream::connect(address, &reactor.0);
                    stream.await.map(TcpStream)
                }
                async fn read_with<T>(
                    &mut self,
                    take: impl FnOnce(&[u8]) -> T,
                ) -> io::Result<T> {
                    self.0.read_with(take).await
                }
                async fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
                    self.0.write_all(bytes).await
                }
            }

            impl<T: 'static> $crate::machine::Queue<T> for Queue<T> {
                fn new() -> Self {
                    Queue(Rc::new($($path)::+::Queue::new()))
                }
                fn put(&self, item: T) {
                    tell(format_args!("an item is put"));
                    self.0.put(item);
                }
                fn get(&self) -> impl Future<Output = T> {
                    self.0.get()
                }
                fn task_done(&self) {
                    tell(format_args!("an item is done"));
                    self.0.task_done();
                }
                async fn join(&self) {
                    self.0.join().await;
                }
                fn done_on_drop(&self) -> impl Sized + use<T> {
                    self.0.done_on_drop()
                }
            }
        };
    };
}

/// Checks a machine: its crate, or a module. The whole of a test with `harness = false`.
#[macro_export]
macro_rules! machine_tests {
    ($($path:ident)::+) => {
        $crate::machine!(Machine, $($path)::+);

        fn main() {
            $crate::machine::check::<Machine>();
        }

        #[test]
        fn this_test_has_harness_false_in_the_manifest() {
            panic!("add `harness = false` to this [[test]] in Cargo.toml");
        }
    };
}
