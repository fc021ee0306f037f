//! An error climbs through each `yield from`, and the stack shows what waits for what.
//!
//! `cargo run -p stage2-generators --example ch13_errors`
//!
//! With callbacks there was no such stack, and no caller to catch the error: see
//! `ch07_stack_ripping`.
//!
//! Its output is compared on Linux only.
//! It does not run in a page: it captures backtraces, which WebAssembly does not
//! have.

use shared::{FetchError, Stop, Trace};
use stage2_generators::{
    Coroutine, Future, Join, Loop, LoopError, RESOLVED, Result, Resume, Step,
    yield_from,
};
use std::backtrace::Backtrace;
use std::collections::VecDeque;
use std::io::ErrorKind::ConnectionReset;
use std::mem;
use std::time::Instant;

// ANCHOR: read
/// Waits for an event, and returns a chunk, or the error of a lost connection.
struct Read {
    event: Future,
    chunk: Result<&'static str>,
}

impl Read {
    fn read(
        &mut self,
        event_loop: &mut Loop,
        resume: Resume,
    ) -> Step<Result<&'static str>> {
        let waited = yield_from!(self.event, event_loop, resume);
        let result = waited.and_then(|()| self.chunk.clone());
        if let Err(error) = &result {
            let stack = Backtrace::force_capture().to_string();
            println!("  {error}: {}", call_chain(&stack).join(" → "));
        }
        Step::Return(result)
    }
}
// ANCHOR_END: read

// ANCHOR: resume
impl Coroutine for Read {
    type Return = Result<&'static str>;

    /// In a backtrace this function is called `resume` in every coroutine, so each
    /// coroutine has its code in another function, with a name of its own.
    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        self.read(event_loop, resume)
    }
}
// ANCHOR_END: resume

// ANCHOR: read_all
/// Reads one chunk after the other, and returns them together.
struct ReadAll {
    /// The front one is the child that it waits for.
    reads: VecDeque<Read>,
    tries_again: bool,
    text: String,
}
// ANCHOR_END: read_all

impl ReadAll {
    // ANCHOR: catch
    fn read_all(
        &mut self,
        event_loop: &mut Loop,
        resume: Resume,
    ) -> Step<Result<String>> {
        let Some(read) = self.reads.front_mut() else {
            return Step::Return(Ok(mem::take(&mut self.text)));
        };
        match yield_from!(read, event_loop, resume) {
            Ok(chunk) => self.text.push_str(chunk),
            Err(FetchError::Network(_)) if self.tries_again => {
                println!("  caught by read_all, which goes on with the next read");
            }
            Err(error) => return Step::Return(Err(error)),
        }
        self.reads.pop_front();
        Step::Yield(RESOLVED) // lets the other tasks run first
    }
    // ANCHOR_END: catch
}

impl Coroutine for ReadAll {
    type Return = Result<String>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        self.read_all(event_loop, resume)
    }
}

// ANCHOR: fetch
/// Makes a page from what is read. It catches nothing, so it has no code for errors.
struct Fetch(ReadAll);

impl Fetch {
    fn fetch(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Result<String>> {
        let text = yield_from!(self.0, event_loop, resume);
        Step::Return(text.map(|text| format!("a page: {text}")))
    }
}
// ANCHOR_END: fetch

impl Coroutine for Fetch {
    type Return = Result<String>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        self.fetch(event_loop, resume)
    }
}

/// Spawns a fetch, and awaits its task.
enum Crawl {
    /// `None` once it is a task.
    Start(Option<Fetch>),
    Joining(Join<String>),
}

impl Crawl {
    // ANCHOR: crawl
    fn crawl(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Result<String>> {
        match self {
            Crawl::Start(fetch) => {
                let fetch = fetch.take().expect("it starts once");
                *self = Crawl::Joining(event_loop.spawn(fetch));
                self.crawl(event_loop, resume)
            }
            Crawl::Joining(join) => Step::Return(yield_from!(join, event_loop, resume)),
        }
    }
    // ANCHOR_END: crawl
}

impl Coroutine for Crawl {
    type Return = Result<String>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        self.crawl(event_loop, resume)
    }
}

// ANCHOR: run
/// Runs a coroutine around a fetch of three reads, the second of which fails. Returns
/// what the task returns.
fn run<C>(
    tries_again: bool,
    coroutine: impl FnOnce(Fetch) -> C,
) -> Result<Result<String>, LoopError>
where
    C: Coroutine<Return = Result<String>> + 'static,
{
    let mut event_loop = Loop::new(&Stop::new(), Trace::off())?;
    let chunks =
        [Ok("hello, "), Err(FetchError::Network(ConnectionReset)), Ok("world")];
    let reads = chunks.map(|chunk| {
        let event = event_loop.new_future();
        let resolve = move |event_loop: &mut Loop| event_loop.resolve(event);
        event_loop.reactor.timers.set(Instant::now(), Box::new(resolve));
        Read { event, chunk }
    });
    let read_all = ReadAll { reads: reads.into(), tries_again, text: String::new() };
    let task = event_loop.spawn(coroutine(Fetch(read_all)));
    event_loop.run_until_complete(task)
}
// ANCHOR_END: run

fn main() -> Result<(), LoopError> {
    println!("an error that is caught on its way up:");
    println!("  the task returns {:?}", run(true, |fetch| fetch)?);
    println!("an error that is not caught:");
    println!("  the task returns {:?}", run(false, |fetch| fetch)?);
    println!("an error in a task that `crawl` has spawned:");
    println!("  the task returns {:?}", run(false, |fetch| Crawl::Start(Some(fetch)))?);
    Ok(())
}

// ANCHOR: call_chain
/// The functions that are running, from the executor to the innermost coroutine.
fn call_chain(stack: &str) -> Vec<&str> {
    stack.lines().rev().filter_map(name).collect()
}

fn name(frame: &str) -> Option<&str> {
    // `  4: ch13_errors::Fetch::fetch`, or `  4: fetch`
    match frame.rsplit([':', ' ']).next() {
        name @ Some("crawl" | "fetch" | "read_all" | "read") => name,
        _ if frame.contains("run_until_complete") => Some("executor"),
        _ => None,
    }
}
// ANCHOR_END: call_chain
