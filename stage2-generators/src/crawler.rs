//! The crawler: starts a task for each attempt at a URL, and records what comes of it.

use crate::coroutine::{Coroutine, Resume, Step};
use crate::event_loop::{Loop, LoopError};
use crate::fetch::{Connect, Fetch};
use crate::futures::{Future, RESOLVED};
use crate::yield_from;
use shared::trace::WaitReason; // observe
use shared::{
    Attempt, BodyBudget, Frontier, Options, Program, Report, Stop, Trace, UrlId,
};
use std::{cell::RefCell, collections::BTreeMap, io, rc::Rc};

/// This program.
pub const PROGRAM: Program =
    Program::http_only(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));

/// Crawls from `options.roots` until nothing is left to fetch, or until the stop is
/// requested.
///
/// # Errors
/// The selector cannot be made or waited for, or the trace file cannot be written.
pub fn crawl(options: &Options, stop: &Stop) -> io::Result<Report> {
    let trace = Trace::of_crawl(options, PROGRAM.name)?;
    let mut event_loop = Loop::new(stop, trace.clone())?;
    let done = event_loop.new_future();
    let frontier = Frontier::new(options, &PROGRAM, stop);
    if let Some(when) = frontier.deadline() {
        let end = move |event_loop: &mut Loop| event_loop.resolve(done);
        event_loop.reactor.timers.set(when, Box::new(end));
    }
    let crawler = Rc::new(Crawler {
        frontier: RefCell::new(frontier),
        bodies: RefCell::new(BodyBudget::new(options.max_bodies, options.max_body)),
        paused: RefCell::default(),
        done,
    });
    let main = event_loop.spawn_named("the crawl", done);
    crawler.start(&mut event_loop);
    let waits = match event_loop.run_until_complete(main) {
        Ok(_) => String::new(),
        Err(LoopError::Stuck(waits)) => waits,
        Err(LoopError::Selector(error)) => return Err(error),
    };
    event_loop.run_cancelled(); // those for which no time was left
    drop(event_loop);
    let crawler = Rc::into_inner(crawler).expect("all tasks that shared it are gone");
    let frontier = crawler.frontier.into_inner();
    let end = frontier.end(|| waits);
    Ok(trace.close(frontier.close(end)))
}

const ROOM: WaitReason<'static> = WaitReason::Named("room for its body"); // observe

/// What the tasks share. Its cells are borrowed while a task runs, never while one waits.
struct Crawler {
    frontier: RefCell<Frontier>,
    /// Decides which fetch may read, while many bodies are in flight.
    bodies: RefCell<BodyBudget<UrlId>>,
    /// What fetches wait for that may not read now.
    paused: RefCell<BTreeMap<UrlId, Future>>,
    /// Resolved when nothing is left to do, or the time of the whole crawl is over.
    done: Future,
}

impl Crawler {
    // ANCHOR: start
    /// Starts attempts until there are enough of them, or nothing is left to do.
    fn start(self: &Rc<Self>, event_loop: &mut Loop) {
        let mut frontier = self.frontier.borrow_mut();
        // While names are looked up in here the whole loop is blocked: blocking work
        // stops every task. (No longer than one time-out each; and once for each name
        // that is found.)
        for next in frontier.next_attempts() {
            self.spawn(next, event_loop);
        }
        while let Some(when) = frontier.next_wakeup() {
            let crawler = Rc::clone(self);
            let start = move |event_loop: &mut Loop| crawler.start(event_loop);
            event_loop.reactor.timers.set(when, Box::new(start));
        }
        if frontier.is_done() {
            event_loop.resolve(self.done);
        }
    }
    // ANCHOR_END: start

    /// Makes a task of one attempt: it fetches, settles the result, and starts others
    /// in its place. At the deadline an error is thrown into it, wherever it waits
    /// then.
    fn spawn(self: &Rc<Self>, next: Attempt, event_loop: &mut Loop) {
        let crawler = Rc::clone(self);
        let mut time_out = None;
        // ANCHOR: spawn
        let mut fetch = Fetch::Connecting {
            connect: Connect::to(next.addresses, next.deadline),
            request: next.request,
            needs: next.needs,
        };
        let visit = move |event_loop: &mut Loop, resume: Resume| {
            // Set when the task is first resumed: only now it is the one that runs.
            let throw = || event_loop.throw_at(next.deadline, next.late.clone());
            let timer = *time_out.get_or_insert_with(throw);
            let room = crawler.room_for_body(next.id, fetch.held(), event_loop);
            if resume == Resume::Send && room != RESOLVED {
                event_loop.observe.park_at("visit", ROOM); // observe
                return Step::Yield(room);
            }
            let result = yield_from!(fetch, event_loop, resume);
            event_loop.reactor.timers.clear(timer);
            crawler.frontier.borrow_mut().settle(next.id, result);
            crawler.end_body(next.id, event_loop);
            crawler.start(event_loop);
            Step::Return(Ok(()))
        };
        // It is never joined, and no error is lost: what came of the fetch is settled.
        drop(event_loop.spawn_named(next.url.as_str(), visit));
        // ANCHOR_END: spawn
    }

    /// Counts the bytes that a fetch holds. Returns the future that it has to wait for
    /// before it reads on; mostly that is resolved already.
    fn room_for_body(&self, id: UrlId, held: usize, event_loop: &mut Loop) -> Future {
        let mut bodies = self.bodies.borrow_mut();
        bodies.holds(id, held);
        if bodies.may_read(id) {
            return RESOLVED;
        }
        *self.paused.borrow_mut().entry(id).or_insert_with(|| event_loop.new_future())
    }

    /// The body of this fetch is gone: others may read now.
    fn end_body(&self, id: UrlId, event_loop: &mut Loop) {
        let may_read = self.bodies.borrow_mut().end(id);
        for paused in may_read.into_iter().chain([id]) {
            if let Some(room) = self.paused.borrow_mut().remove(&paused) {
                event_loop.resolve(room);
            }
        }
    }
}
