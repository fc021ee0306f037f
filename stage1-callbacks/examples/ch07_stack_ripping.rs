//! Stack ripping: a stack shows what called a function, and callbacks are called by the
//! loop.
//!
//! `cargo run -p stage1-callbacks --example ch07_stack_ripping [URL]`
//!
//! Its output is compared on Linux only.
//! It does not run in a page: it catches a panic, which ends a program in
//! WebAssembly.

use shared::demo_site::DemoSite;
use shared::http::ConnectionOption;
use shared::page::url::parse_root;
use shared::{FetchError, Response, ResponseParser, request};
use std::backtrace::Backtrace;
use std::env;
use std::error::Error;
use std::io::{self, ErrorKind, Read, Write};
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use url::Url;

const AGENT: &str = "a step of the book";
const MAX_BODY: u64 = 10 * 1024 * 1024;
const PATIENCE: Duration = Duration::from_secs(5);

type Done = Result<(), FetchError>;

/// Would find the links of a page, but has a bug.
fn links(_: &Response) -> Vec<Url> {
    panic!("a bug in links")
}

mod blocking {
    use super::*;
    use std::net::TcpStream;

    // ANCHOR: blocking_crawl
    /// Whatever goes wrong in `fetch` arrives here, where the URL is known.
    pub(super) fn crawl(url: &Url) {
        match catch_unwind(|| fetch(url)) {
            Ok(Ok(_)) => println!("  {url} was fetched"),
            Ok(Err(error)) => println!("  {url}: {error}"),
            Err(_) => println!("  caught by crawl, which knows that it was {url}"),
        }
    }
    // ANCHOR_END: blocking_crawl

    // ANCHOR: blocking_fetch
    /// While it waits, the stack keeps what is alive and the place to continue.
    fn fetch(url: &Url) -> Result<Vec<Url>, FetchError> {
        let addresses = url.socket_addrs(|| None)?;
        let mut stream = TcpStream::connect(&*addresses)?; // alive: url, addresses
        stream.set_read_timeout(Some(PATIENCE))?;
        let request = request(url, AGENT, ConnectionOption::Close);
        stream.write_all(&request)?; // alive: url, stream, request
        let mut parser = ResponseParser::with_limit(MAX_BODY);
        let mut chunk = [0; 4096];
        loop {
            let count = stream.read(&mut chunk)?; // alive: url, stream, parser, chunk
            if let Some(response) = parser.feed(&chunk[..count])? {
                return Ok(links(&response));
            }
        }
    }
    // ANCHOR_END: blocking_fetch
}

mod callbacks {
    use super::*;
    use mio::net::TcpStream;
    use mio::{Events, Interest, Poll, Token};

    /// The event loop of `ch05_fetcher`, for one socket.
    pub(super) struct EventLoop {
        poll: Poll,
        waiting: Option<Callback>,
    }

    type Callback = Box<dyn FnOnce(&mut EventLoop) -> Done>;

    struct Fetcher {
        url: Url,
        stream: TcpStream,
        parser: ResponseParser,
    }

    // ANCHOR: callbacks_crawl
    /// When `fetch` returns, nothing has gone wrong yet: there is nothing to catch.
    pub(super) fn crawl(url: &Url, event_loop: &mut EventLoop) {
        let fetch = AssertUnwindSafe(|| Fetcher::fetch(url, event_loop));
        match catch_unwind(fetch) {
            Ok(Ok(())) => println!("  {url} will be fetched"),
            Ok(Err(error)) => println!("  {url}: {error}"),
            Err(_) => println!("  caught by crawl, which knows that it was {url}"),
        }
    }
    // ANCHOR_END: callbacks_crawl

    impl EventLoop {
        pub(super) fn new() -> io::Result<EventLoop> {
            Ok(EventLoop { poll: Poll::new()?, waiting: None })
        }

        // ANCHOR: run
        pub(super) fn run(&mut self) -> Done {
            let mut events = Events::with_capacity(64);
            while self.waiting.is_some() {
                self.poll.poll(&mut events, Some(PATIENCE))?;
                if events.is_empty() {
                    return Err(FetchError::TimedOut(PATIENCE));
                }
                if let Some(callback) = self.waiting.take() {
                    callback(self)?;
                }
            }
            Ok(())
        }
        // ANCHOR_END: run

        fn on_event(&mut self, callback: impl FnOnce(&mut Self) -> Done + 'static) {
            self.waiting = Some(Box::new(callback));
        }
    }

    impl Fetcher {
        // ANCHOR: callbacks_fetch
        fn fetch(url: &Url, event_loop: &mut EventLoop) -> Done {
            let addresses = url.socket_addrs(|| None)?;
            let first =
                addresses.first().ok_or(io::Error::from(ErrorKind::NotFound))?;
            let mut stream = TcpStream::connect(*first)?;
            let both = Interest::READABLE | Interest::WRITABLE;
            event_loop.poll.registry().register(&mut stream, Token(1), both)?;
            let parser = ResponseParser::with_limit(MAX_BODY);
            let fetcher = Fetcher { url: url.clone(), stream, parser };
            event_loop.on_event(|it| fetcher.connected(it));
            Ok(())
        }

        fn connected(mut self, event_loop: &mut EventLoop) -> Done {
            if let Some(error) = self.stream.take_error()? {
                return Err(error.into());
            }
            let request = request(&self.url, AGENT, ConnectionOption::Close);
            self.stream.write_all(&request)?;
            self.read_response(event_loop)
        }
        // ANCHOR_END: callbacks_fetch

        // ANCHOR: read_response
        fn read_response(mut self, event_loop: &mut EventLoop) -> Done {
            let mut chunk = [0; 4096];
            loop {
                let count = match self.stream.read(&mut chunk) {
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {
                        event_loop.on_event(|it| self.read_response(it));
                        return Ok(());
                    }
                    result => result?,
                };
                if let Some(response) = self.parser.feed(&chunk[..count])? {
                    links(&response);
                    return Ok(());
                }
            }
        }
        // ANCHOR_END: read_response
    }
}

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let site = DemoSite::start()?;
    let url = parse_root(&env::args().nth(1).unwrap_or(site.url("/slow/1?ms=300")))?;
    panic::set_hook(Box::new(|_| {
        let stack = Backtrace::force_capture().to_string();
        println!("  panic: {}", our_functions(&stack).join(" → "));
    }));
    println!("blocking:");
    blocking::crawl(&url);
    println!("callbacks:");
    let mut event_loop = callbacks::EventLoop::new()?;
    callbacks::crawl(&url, &mut event_loop);
    let run = AssertUnwindSafe(|| event_loop.run());
    match catch_unwind(run) {
        Ok(result) => result?,
        Err(_) => println!("  caught by main, which knows no URL"),
    }
    Ok(())
}
// ANCHOR_END: main

/// The functions of this file that are running, from `main` to `links`. A closure has
/// no name; one that `run` has called is a callback.
fn our_functions(stack: &str) -> Vec<&str> {
    // `   8: ch07_stack_ripping::blocking::fetch`
    let is_of_step = |line: &&str| line.contains(": ch07_stack_ripping::");
    let mut functions = Vec::new();
    for frame in stack.lines().rev().filter(is_of_step) {
        let name = frame.rsplit(':').next().unwrap_or(frame);
        match name.contains("closure") {
            true if functions.last() == Some(&"run") => functions.push("a callback"),
            true => {}
            false => functions.push(name),
        }
        if name == "links" {
            break;
        }
    }
    functions
}
