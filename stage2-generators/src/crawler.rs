//! The crawler: starts a task for each attempt, and records the result.

use crate::{
    Connect, Coroutine, Fetch, Future, Loop, LoopError, Result, Resume, Step,
    bodies::Bodies, bodies::Budgeted, yield_from,
};
use shared::{Attempt, Frontier, Options, Program, Report, Stop, TimerId};
use std::{cell::RefCell, io, mem, rc::Rc};

/// This program.
pub const PROGRAM: Program =
    Program::http_only(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));

/// Crawls from `options.roots` until nothing is left to fetch, a stop is requested, or
/// the time of the crawl is over.
///
/// # Errors
/// Fails if the selector cannot be created, a wait fails, or the trace file cannot be
/// created.
pub fn crawl(options: &Options, stop: &Stop) -> io::Result<Report> {
    let trace = options.open_trace(&PROGRAM)?;
    let mut event_loop = Loop::new(stop, trace.clone())?;
    let done = event_loop.new_future();
    let frontier = Frontier::new(options, &PROGRAM, stop);
    if let Some(when) = frontier.deadline() {
        event_loop.reactor.timers.set(when, Box::new(move |it| it.resolve(done)));
    }
    let bodies = Bodies::new(options.max_bodies, options.max_body);
    let crawler = Rc::new(Crawler {
        frontier: RefCell::new(frontier),
        bodies: Rc::new(RefCell::new(bodies)),
        done,
    });
    let main = event_loop.spawn_named("the crawl", done);
    crawler.start(&mut event_loop);
    let waits = match event_loop.run_until_complete(main) {
        Ok(_) => {
            event_loop.cancel_all(); // tasks that were cut off by the time limit
            String::new()
        }
        Err(LoopError::Stuck(waits)) => waits,
        Err(LoopError::Selector(error)) => return Err(error),
    };
    drop(event_loop);
    let crawler = Rc::into_inner(crawler).expect("all tasks that shared it are gone");
    Ok(trace.close(crawler.frontier.into_inner().close(|| waits)))
}

/// What the tasks share. Its cells are borrowed while a task runs, never while one
/// waits.
struct Crawler {
    /// Which URLs are left to fetch, and the results of the others.
    frontier: RefCell<Frontier>,
    /// Decides which fetches may read while many bodies are in flight.
    bodies: Rc<RefCell<Bodies>>,
    /// Resolved when nothing is left to do, or the time of the whole crawl is over.
    done: Future,
}

impl Crawler {
    // ANCHOR: start
    /// Starts a task for each attempt, until enough are in flight or nothing is left.
    fn start(self: &Rc<Self>, event_loop: &mut Loop) {
        let mut frontier = self.frontier.borrow_mut();
        // Looks up names, which blocks: the whole loop is stopped meanwhile, for at
        // most one time-out per name. (A name that was found is not looked up again.)
        for attempt in frontier.begin_attempts() {
            let url = attempt.url.to_string();
            let visit = Visit::Start { crawler: Rc::clone(self), attempt };
            // It is never joined: it returns no error, since the result is settled.
            drop(event_loop.spawn_named(&url, visit));
        }
        for when in frontier.take_wakeups() {
            let crawler = Rc::clone(self);
            let start = move |event_loop: &mut Loop| crawler.start(event_loop);
            event_loop.reactor.timers.set(when, Box::new(start));
        }
        if frontier.is_done() {
            event_loop.resolve(self.done);
        }
    }
    // ANCHOR_END: start

    /// Builds the fetching coroutine from the parts of an attempt.
    fn fetch(&self, attempt: &mut Attempt) -> Budgeted {
        let fetch = Fetch::Connecting {
            connect: Connect::to(mem::take(&mut attempt.addresses), attempt.deadline),
            request: mem::take(&mut attempt.request),
            needs: attempt.needs,
        };
        Budgeted { id: attempt.id, fetch, bodies: Rc::clone(&self.bodies) }
    }
}

// ANCHOR: visit
/// The task of one attempt: fetches, settles the result, and starts others in its
/// place.
enum Visit {
    /// Nothing has run yet.
    Start { crawler: Rc<Crawler>, attempt: Attempt },
    /// Waits for the fetch. At the deadline the timer throws an error into it.
    Fetching { crawler: Rc<Crawler>, fetch: Budgeted, timer: TimerId },
}
// ANCHOR_END: visit

impl Coroutine for Visit {
    type Return = Result<()>;

    // ANCHOR: visit_resume
    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        match self {
            Visit::Start { crawler, attempt } => {
                let timer = event_loop
                    .throw_at(attempt.deadline, attempt.timeout_error.clone());
                let (crawler, fetch) = (Rc::clone(crawler), crawler.fetch(attempt));
                *self = Visit::Fetching { crawler, fetch, timer };
                self.resume(event_loop, resume)
            }
            Visit::Fetching { crawler, fetch, timer } => {
                let result = yield_from!(fetch, event_loop, resume);
                event_loop.reactor.timers.clear(*timer);
                crawler.frontier.borrow_mut().settle(fetch.id, result);
                crawler.start(event_loop);
                Step::Return(Ok(()))
            }
        }
    }
    // ANCHOR_END: visit_resume
}
