//! An error climbs through each `yield from`, and the stack shows who waits for whom.
//!
//! `cargo run -p stage2-generators --example ch13_errors`
//!
//! With callbacks there was no such stack, and nobody to catch: `ch07_stack_ripping`.

use shared::{FetchError, Stop, Trace};
use stage2_generators::{
    Coroutine, Future, Loop, LoopError, RESOLVED, Result, Resume, Step, yield_from,
};
use std::backtrace::Backtrace;
use std::collections::VecDeque;
use std::io::ErrorKind::ConnectionReset;
use std::mem;
use std::time::Instant;

// ANCHOR: read
/// Waits until something comes: a chunk, or the news that the connection is lost.
struct Read {
    comes: Future,
    chunk: Result<&'static str>,
}

impl Read {
    fn read(
        &mut self,
        event_loop: &mut Loop,
        resume: Resume,
    ) -> Step<Result<&'static str>> {
        let came = yield_from!(self.comes, event_loop, resume);
        let result = came.and_then(|()| self.chunk.clone());
        if let Err(error) = &result {
            let stack = Backtrace::force_capture().to_string();
            println!("  {error}: {}", who_runs(&stack).join(" → "));
        }
        Step::Return(result)
    }
}
// ANCHOR_END: read

// ANCHOR: resume
impl Coroutine for Read {
    type Return = Result<&'static str>;

    /// In a stack this function is called `resume`, for each coroutine. So ours keep
    /// their code in another one, which has a name.
    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        self.read(event_loop, resume)
    }
}
// ANCHOR_END: resume

// ANCHOR: read_all
/// Reads one chunk after the other, and returns them together.
// def read_all(reads, tries_again):
//     text = ''
//     for read in reads:
//         try:
//             text += yield from read
//         except ConnectionResetError:
//             if not tries_again:
//                 raise
//     return text
struct ReadAll {
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
            Err(error) => return Step::Return(Err(error)), // raise
        }
        self.reads.pop_front();
        Step::Yield(RESOLVED) // after each read the others have their turn
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
/// Makes a page of what is read. It catches nothing, so it has no code for errors.
// def fetch(read_all):
//     text = yield from read_all
//     return 'a page: ' + text
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

// ANCHOR: run
/// A fetch of three reads, the second of which fails. Returns what its task returns.
fn run(tries_again: bool) -> Result<Result<String>, LoopError> {
    let mut event_loop = Loop::new(&Stop::new(), Trace::off())?;
    let chunks =
        [Ok("hello, "), Err(FetchError::Network(ConnectionReset)), Ok("world")];
    let reads = chunks.map(|chunk| {
        let comes = event_loop.new_future();
        let resolve = move |event_loop: &mut Loop| event_loop.resolve(comes);
        event_loop.reactor.timers.set(Instant::now(), Box::new(resolve));
        Read { comes, chunk }
    });
    let read_all = ReadAll { reads: reads.into(), tries_again, text: String::new() };
    let fetch = event_loop.spawn(Fetch(read_all));
    event_loop.run_until_complete(fetch)
}

fn main() -> Result<(), LoopError> {
    println!("an error that is caught on its way:");
    println!("  the task returns {:?}", run(true)?);
    println!("an error that nobody catches:");
    println!("  the task returns {:?}", run(false)?);
    Ok(())
}
// ANCHOR_END: run

// ANCHOR: who_runs
/// Who is running, from the executor to the innermost coroutine.
fn who_runs(stack: &str) -> Vec<&str> {
    stack.lines().rev().filter_map(name).collect()
}

fn name(frame: &str) -> Option<&str> {
    // `  4: ch13_errors::Fetch::fetch`, or `  4: fetch`
    match frame.rsplit([':', ' ']).next() {
        name @ Some("fetch" | "read_all" | "read") => name,
        _ if frame.contains("run_until_complete") => Some("executor"),
        _ => None,
    }
}
// ANCHOR_END: who_runs
