//! A parent that waits for two children, one after the other.

pub use crate::toy::coroutines::{
    Coroutine, FetchError, Future, Loop, Result, Resume, Step,
};
use crate::{cases, story};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A fetch: waits for a child that connects, and then for a child that reads. Seen from
/// outside, it does what its children do. It returns what the second child returns.
pub trait Fetch: Coroutine<Return = Result<u32>> + 'static {
    /// Makes a fetch, and runs none of its code. `make_read` makes the second child from
    /// what the first child returns.
    fn new(connect: Child, make_read: MakeRead) -> Self;
}

/// Makes the child that reads from a connection, which is a number here.
pub type MakeRead = Box<dyn Fn(u32) -> Child>;

/// A coroutine that waits a few times, and then returns.
pub struct Child {
    name: &'static str,
    waits: usize,
    result: Result<u32>,
    has_ended: bool,
    seen: Rc<Seen>,
}

impl Coroutine for Child {
    type Return = Result<u32>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Result<u32>> {
        let name = self.name;
        assert!(!self.has_ended, "{name} has returned before, and is resumed again");
        let result = match resume {
            Resume::Throw(error) => {
                self.seen.throws.set(self.seen.throws.get() + 1);
                Err(error)
            }
            Resume::Send if self.waits == 0 => self.result.clone(),
            Resume::Send => {
                self.waits -= 1;
                let future = event_loop.new_future();
                story!("  {name} yields {future:?}");
                self.seen.yielded.borrow_mut().push(future);
                return Step::Yield(future);
            }
        };
        self.has_ended = true;
        story!("  {name} returns {result:?}");
        Step::Return(result)
    }
}

/// What a case sees of the children.
#[derive(Default)]
struct Seen {
    yielded: RefCell<Vec<Future>>,
    reads_made: Cell<usize>,
    /// How often an error was thrown into a child.
    throws: Cell<usize>,
}

cases! {
    Fetch:
    the_second_child_gets_what_the_first_returns,
    each_future_of_a_child_comes_out,
    each_child_is_made_once,
    the_parent_adds_no_pause,
    an_error_of_the_first_child_ends_the_fetch,
    what_is_thrown_in_reaches_the_child_that_waits,
}

/// A fetch that is played, and what its children do.
struct Play<F> {
    fetch: F,
    event_loop: Loop,
    seen: Rc<Seen>,
    yielded: Vec<Future>,
}

impl<F: Fetch> Play<F> {
    /// The children wait so often, and the first one returns this.
    fn new(waits: (usize, usize), connected: Result<u32>) -> Play<F> {
        let seen = Rc::new(Seen::default());
        let seen_by_read = Rc::clone(&seen);
        let make_read = move |connection: u32| {
            story!("  the child that reads from connection {connection} is made");
            seen_by_read.reads_made.set(seen_by_read.reads_made.get() + 1);
            let (result, seen) = (Ok(connection + 100), Rc::clone(&seen_by_read));
            Child { name: "read", waits: waits.1, result, has_ended: false, seen }
        };
        let (name, seen_by_connect) = ("connect", Rc::clone(&seen));
        let (waits, result, has_ended) = (waits.0, connected, false);
        let connect = Child { name, waits, result, has_ended, seen: seen_by_connect };
        let fetch = F::new(connect, Box::new(make_read));
        Play { fetch, event_loop: Loop::default(), seen, yielded: Vec::new() }
    }

    fn resume(&mut self, resume: Resume) -> Step<Result<u32>> {
        story!("the fetch is resumed with {resume:?}");
        let step = self.fetch.resume(&mut self.event_loop, resume);
        story!("  the fetch does {step:?}");
        if let Step::Yield(future) = step {
            self.yielded.push(future);
            self.event_loop.resolve(future);
            assert!(self.yielded.len() < 20, "the fetch yields again and again");
        }
        step
    }

    /// Resumes the fetch until it returns.
    fn run_alone(&mut self) -> Result<u32> {
        loop {
            if let Step::Return(result) = self.resume(Resume::Send) {
                return result;
            }
        }
    }
}

fn the_second_child_gets_what_the_first_returns<F: Fetch>() {
    let result = Play::<F>::new((1, 0), Ok(7)).run_alone();
    assert_eq!(result, Ok(107), "what is read from connection 7");
}

fn each_future_of_a_child_comes_out<F: Fetch>() {
    let mut play = Play::<F>::new((2, 0), Ok(7));
    play.run_alone().ok();
    for future in play.seen.yielded.borrow().iter() {
        assert!(
            play.yielded.contains(future),
            "{future:?} of a child is not passed on"
        );
    }
}

fn each_child_is_made_once<F: Fetch>() {
    let mut play = Play::<F>::new((1, 3), Ok(7));
    for _ in 0..5 {
        play.resume(Resume::Send);
    }
    assert_eq!(play.seen.reads_made.get(), 1, "children that read, after five resumes");
}

fn the_parent_adds_no_pause<F: Fetch>() {
    let mut play = Play::<F>::new((2, 2), Ok(7));
    play.run_alone().ok();
    let of_children = play.seen.yielded.borrow();
    assert_eq!(
        play.yielded, *of_children,
        "what the fetch yields, what its children do"
    );
}

fn an_error_of_the_first_child_ends_the_fetch<F: Fetch>() {
    let mut play = Play::<F>::new((1, 1), Err(FetchError::Refused));
    let refused = Err(FetchError::Refused);
    assert_eq!(play.run_alone(), refused, "the child that connects has failed");
}

fn what_is_thrown_in_reaches_the_child_that_waits<F: Fetch>() {
    for resumes in 1..=2 {
        crate::story::begin();
        let mut play = Play::<F>::new((1, 1), Ok(7));
        for _ in 0..resumes {
            play.resume(Resume::Send);
        }
        let step = play.resume(Resume::Throw(FetchError::TimedOut(5)));
        assert_eq!(
            step,
            Step::Return(Err(FetchError::TimedOut(5))),
            "the wait of the child fails, and the child returns that error"
        );
        let throws = play.seen.throws.get();
        assert_eq!(
            throws, 1,
            "errors that have reached a child, which could handle them"
        );
    }
}
