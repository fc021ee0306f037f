//! The crawler: what is in flight, and the books.

use crate::event_loop::EventLoop;
use crate::fetcher::Fetcher;
use mio::Token;
use shared::ledger::UrlId;
use shared::{
    Ending, FetchError, Options, Report, Response, Stage, Stop, TimerId, Todo, Try,
    Watch,
};
use std::collections::BTreeMap;
use std::io;

/// This program.
pub const STAGE: Stage =
    Stage::http_only(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));

/// Bytes that one read takes at the most. One buffer serves all: nobody holds it while
/// waiting.
const BUFFER: usize = 64 * 1024;

/// The loop, with the crawler as its world.
pub(crate) type Loop = EventLoop<Crawler>;

/// What callbacks share.
pub(crate) struct Crawler {
    todo: Todo,
    /// Each try that is under way: its socket, and its time-out.
    in_flight: BTreeMap<UrlId, (Token, TimerId)>,
    pub(crate) buffer: Vec<u8>,
}

/// Crawls from `options.roots` until nothing is left to fetch, or until `stop` is
/// pulled.
///
/// # Errors
/// The selector cannot be made or waited for, or the trace file cannot be written.
pub fn crawl(options: &Options, stop: &Stop) -> io::Result<Report> {
    let watch = Watch::open(options.trace.as_deref(), STAGE.name)?;
    let mut event_loop = EventLoop::new(stop, watch.clone())?;
    let todo = Todo::new(options, &STAGE, stop);
    let (in_flight, buffer) = (BTreeMap::new(), vec![0; BUFFER]);
    let mut crawler = Crawler { todo, in_flight, buffer };
    crawler.start(&mut event_loop);
    event_loop.run(&mut crawler)?;
    let report = crawler.close(&mut event_loop, stop);
    Ok(watch.close(report))
}

impl Crawler {
    // ANCHOR: start
    /// Starts fetches until there are enough of them, or nothing is to do.
    fn start(&mut self, event_loop: &mut Loop) {
        // While names are looked up in here the whole loop stands still: blocking work
        // stops every fetch. (No longer than one time-out each; and once for each name
        // that is found.)
        let mut tries = self.todo.next_tries();
        while !tries.is_empty() {
            for next in tries {
                let id = next.id;
                match Crawler::fetch(next, event_loop) {
                    Ok(fetch) => drop(self.in_flight.insert(id, fetch)),
                    Err(error) => self.todo.settle(id, Err(error)),
                }
            }
            // Who failed at once has left room, and no callback will ask for others.
            tries = self.todo.next_tries();
        }
        while let Some(when) = self.todo.new_pause() {
            event_loop.set_timer(when, |event_loop, crawler: &mut Crawler| {
                crawler.start(event_loop)
            });
        }
    }
    // ANCHOR_END: start

    fn fetch(next: Try, event_loop: &mut Loop) -> Result<(Token, TimerId), FetchError> {
        let (id, deadline, late) = (next.id, next.deadline, next.late.clone());
        let token = Fetcher::start(next, event_loop)?;
        let time_out = event_loop.set_timer(deadline, move |event_loop, crawler| {
            crawler.finish(id, Err(late), event_loop)
        });
        Ok((token, time_out))
    }

    /// Ends a fetch, whatever it was waiting for, and starts others in its place.
    pub(crate) fn finish(
        &mut self,
        id: UrlId,
        answer: Result<Response, FetchError>,
        event_loop: &mut Loop,
    ) {
        let (token, time_out) = self.in_flight.remove(&id).expect("a fetch ends once");
        event_loop.clear_timer(time_out);
        event_loop.close(token);
        self.todo.settle(id, answer);
        self.start(event_loop);
    }

    /// The connection to one address failed, and the fetch goes on with another.
    pub(crate) fn moved_to(&mut self, token: Token, id: UrlId) {
        self.in_flight.get_mut(&id).expect("a fetch ends once").0 = token;
    }

    fn close(self, event_loop: &mut Loop, stop: &Stop) -> Report {
        let ending = match self.todo.is_done() {
            true => Ending::Done,
            false if stop.is_pulled() => Ending::Interrupted,
            false => Ending::Stuck(event_loop.who_waits().join("\n")),
        };
        for (token, _) in self.in_flight.values() {
            event_loop.close(*token);
        }
        self.todo.close(ending)
    }
}
