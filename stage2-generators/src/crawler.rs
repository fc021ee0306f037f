//! The crawler: starts fetches, and has their answers booked.

use crate::{Connect, Coroutine, Executor, Fetch, Future, Futures, Resume, Step};
use shared::{Ending, FetchError, Options, Report, Stage, Stop, Todo, Try, Watch};
use std::{cell::RefCell, io, rc::Rc};

/// This program.
pub const STAGE: Stage =
    Stage::http_only(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));

/// Crawls from `options.roots` until nothing is left to fetch, or until `stop` is
/// pulled.
///
/// # Errors
/// The selector cannot be made or waited for, or the trace file cannot be written.
pub fn crawl(options: &Options, stop: &Stop) -> io::Result<Report> {
    let watch = Watch::open(options.trace.as_deref(), STAGE.name)?;
    let mut executor = Executor::new(stop, watch.clone())?;
    let done = executor.futures.new_future();
    let todo = RefCell::new(Todo::new(options, &STAGE, stop));
    let crawler = Rc::new(Crawler { todo, done });
    let main = executor.futures.spawn("the crawl", done);
    crawler.start(&mut executor.futures);
    let ending = match executor.run_until_complete(main)? {
        Ok(()) => Ending::Done,
        Err(FetchError::Stuck(who_waits)) => Ending::Stuck(who_waits),
        Err(_) => Ending::Interrupted,
    };
    drop(executor);
    let crawler = Rc::into_inner(crawler).expect("the tasks are gone, who shared it");
    Ok(watch.close(crawler.todo.into_inner().close(ending)))
}

/// What the tasks share.
struct Crawler {
    /// Borrowed while a task runs, never while one waits.
    todo: RefCell<Todo>,
    /// Resolved when nothing is left to do.
    done: Future,
}

impl Crawler {
    // ANCHOR: start
    /// Starts tries until there are enough of them, or nothing is to do.
    fn start(self: &Rc<Self>, futures: &mut Futures) {
        let mut todo = self.todo.borrow_mut();
        // While names are looked up in here the whole loop stands still: blocking work
        // stops every task. (No longer than one time-out each; and once for each name
        // that is found.)
        for next in todo.next_tries() {
            self.spawn(next, futures);
        }
        while let Some(when) = todo.new_pause() {
            let crawler = Rc::clone(self);
            futures.timers.set(when, Box::new(move |futures| crawler.start(futures)));
        }
        if todo.is_done() {
            futures.resolve(self.done);
        }
    }
    // ANCHOR_END: start

    // ANCHOR: spawn
    /// Makes a task of one try: it fetches, has the answer booked, and starts others in
    /// its place. At the deadline an error is thrown into it, wherever it waits then.
    fn spawn(self: &Rc<Self>, next: Try, futures: &mut Futures) {
        let (crawler, mut time_out) = (Rc::clone(self), None);
        let connect = Connect::To(next.addresses.into_iter());
        let mut fetch = Fetch::Connecting(connect, next.request, next.max_body);
        let visit = move |futures: &mut Futures, how: Resume| {
            // Set when it is first resumed: only now it is this task that runs.
            let throw = || futures.throw_at(next.deadline, next.late.clone());
            let timer = *time_out.get_or_insert_with(throw);
            let answer = crate::yield_from!(fetch, futures, how);
            futures.timers.clear(timer);
            crawler.todo.borrow_mut().settle(next.id, answer);
            crawler.start(futures);
            Step::Return(Ok(()))
        };
        // Nobody joins it, and no error is lost: it has booked what came of the fetch.
        drop(futures.spawn(next.url.as_str(), visit));
    }
    // ANCHOR_END: spawn
}
