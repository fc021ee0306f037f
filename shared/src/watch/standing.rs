//! Where a task of async functions stands. Such a task has no enum that we could look
//! into: the leaf at which it stops tells, and the executor keeps what it has told.

use super::{Event, Place, Waiting, Watch};
use indexmap::IndexMap;
use std::cell::{Cell, RefCell};
use std::fmt::{self, Display, Formatter};
use std::panic::Location;
use std::rc::Rc;
use std::task::Poll;

/// A place where tasks wait: the end of a chain of awaits.
#[derive(Debug, PartialEq, Eq)]
pub struct Leaf {
    place: Place,
    waits: Waiting<'static>,
}

/// Where a task stands that has not run yet: in the file that spawned it.
static NEW: Leaf = Leaf::new("", "New", Waiting::Turn);
/// Where a task stands of which nobody has told anything.
static SOMEWHERE: Leaf =
    Leaf::new("", "it", Waiting::Named("something that it does not name"));

impl Leaf {
    /// In the function `name` of this file tasks wait for this.
    pub const fn new(
        file: &'static str,
        name: &'static str,
        waits: Waiting<'static>,
    ) -> Leaf {
        Leaf { place: Place { file, name }, waits }
    }
}

/// What the task that runs tells of itself, and where it is told. Clones tell the same.
#[derive(Clone)]
pub struct Says(Rc<Now>);

struct Now {
    watch: Watch,
    latest: Cell<u64>,
    running: Cell<u64>,
    leaf: Cell<Option<&'static Leaf>>,
    purpose: Cell<Option<Rc<str>>>,
}

impl Says {
    /// Nothing is said yet. What tasks do is told to `watch`.
    pub fn new(watch: Watch) -> Says {
        let (latest, running) = (Cell::new(0), Cell::new(0));
        let (leaf, purpose) = (Cell::new(None), Cell::new(None));
        Says(Rc::new(Now { watch, latest, running, leaf, purpose }))
    }

    /// The number of the task that runs, or ran last.
    pub fn running(&self) -> u64 {
        self.0.running.get()
    }

    /// The task that runs works for this now: a URL, a name; for nobody, if it is
    /// empty.
    pub fn works_for(&self, purpose: &str) {
        self.0.purpose.set(Some(purpose.into()));
    }

    /// A leaf has been polled, and passes its result on through here. Of several that
    /// are pending the first tells most; and one that is ready lets the task go on, so
    /// what was said before is over.
    pub fn polled<T>(&self, leaf: &'static Leaf, poll: Poll<T>) -> Poll<T> {
        match (&poll, self.0.leaf.get()) {
            (Poll::Ready(_), _) => self.0.leaf.set(None),
            (Poll::Pending, None) => self.0.leaf.set(Some(leaf)),
            (Poll::Pending, Some(_)) => {}
        }
        poll
    }

    /// The task that runs has made a socket, which the system's selector knows.
    pub fn registered(&self) {
        self.0.watch.note(self.running(), Event::Registered);
    }

    /// The system has reported something about the socket that a task waits for.
    pub fn arrived(&self, task: u64, readable: bool, writable: bool) {
        self.0.watch.note(task, Event::Arrived { readable, writable });
    }
}

/// A task, as far as it can be seen from outside.
#[derive(Debug)]
pub struct Standing {
    number: u64,
    name: &'static str,
    spawned: &'static Location<'static>,
    purpose: RefCell<Option<Rc<str>>>,
    leaf: Cell<&'static Leaf>,
}

impl Standing {
    /// A task was spawned there, and bears this name. Its number is no other task's.
    pub fn created(
        says: &Says,
        name: &'static str,
        spawned: &'static Location<'static>,
    ) -> Standing {
        let number = says.0.latest.get() + 1;
        says.0.latest.set(number);
        says.0.watch.note(number, Event::Created { purpose: name });
        let (purpose, leaf) = (RefCell::new(None), Cell::new(&NEW));
        Standing { number, name, spawned, purpose, leaf }
    }

    /// The task's number.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// It runs from now on.
    pub fn resumed(&self, says: &Says) {
        says.0.running.set(self.number);
        says.0.leaf.set(None);
        says.0.purpose.take(); // what was said between two tasks is nobody's
        if says.0.watch.is_on() {
            let at = self.place();
            let purpose = self.purpose.borrow();
            let purpose = purpose.as_deref().unwrap_or(self.name);
            let resumed = Event::Resumed { state: at.name, purpose, at };
            says.0.watch.note(self.number, resumed);
        }
    }

    /// It pauses, where its leaf has said.
    pub fn paused(&self, says: &Says) {
        let leaf = says.0.leaf.take().unwrap_or(&SOMEWHERE);
        self.leaf.set(leaf);
        if let Some(purpose) = says.0.purpose.take() {
            self.purpose.replace(Some(purpose).filter(|purpose| !purpose.is_empty()));
        }
        let (at, waits) = (self.place(), leaf.waits);
        says.0.watch.note(self.number, Event::Paused { state: at.name, waits, at });
    }

    fn place(&self) -> Place {
        match self.leaf.get().place {
            Place { file: "", name } => Place { file: self.spawned.file(), name },
            place => place,
        }
    }

    /// It has come to its end, or was cancelled.
    pub fn ended(&self, says: &Says, is_cancelled: bool) {
        let end = if is_cancelled { Event::Cancelled } else { Event::Finished };
        says.0.watch.note(self.number, end);
    }
}

impl Display for Standing {
    /// `name (for whom), from where it was spawned: leaf waits for …`
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Standing { name, spawned, .. } = self;
        write!(out, "{name}")?;
        if let Some(purpose) = &*self.purpose.borrow() {
            write!(out, " ({purpose})")?;
        }
        let (file, line) = (Place::short(spawned.file()), spawned.line());
        let Leaf { place, waits } = self.leaf.get();
        write!(out, ", from {file}:{line}: {} waits for {waits}", place.name)
    }
}

/// Lines that are equal are one, with their count: ten thousand idle workers are not
/// worth ten thousand lines.
pub fn grouped(lines: impl IntoIterator<Item = String>) -> String {
    let mut counted: IndexMap<String, usize> = IndexMap::new();
    for line in lines {
        *counted.entry(line).or_default() += 1;
    }
    let text = |(line, count): (String, usize)| match count {
        1 => line,
        count => format!("{count} × {line}"),
    };
    counted.into_iter().map(text).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    static READ: Leaf = Leaf::new("src/net.rs", "read", Waiting::Readable);
    static SLEEP: Leaf = Leaf::new("src/reactor.rs", "sleep", Waiting::Timer);

    fn stands(polls: impl FnOnce(&Says)) -> String {
        let says = Says::new(Watch::off());
        let standing = Standing::created(&says, "worker", Location::caller());
        standing.resumed(&says);
        polls(&says);
        standing.paused(&says);
        let text = standing.to_string();
        text.split_once(": ").expect("where, and what").1.to_string()
    }

    fn polled(says: &Says, leaf: &'static Leaf, poll: Poll<()>) {
        let _ = says.polled(leaf, poll);
    }

    #[test]
    fn the_first_leaf_that_waits_tells_what_for() {
        let text = stands(|says| {
            polled(says, &READ, Poll::Pending);
            polled(says, &SLEEP, Poll::Pending);
        });
        assert_eq!(text, "read waits for its socket to be readable");
    }

    #[test]
    fn a_leaf_that_is_ready_ends_what_was_said_before() {
        let text = stands(|says| {
            polled(says, &READ, Poll::Pending);
            polled(says, &SLEEP, Poll::Ready(()));
            polled(says, &SLEEP, Poll::Pending);
        });
        assert_eq!(text, "sleep waits for a timer");
    }

    #[test]
    fn a_task_stands_somewhere_if_nobody_says_where() {
        assert_eq!(stands(|_| ()), "it waits for something that it does not name");
    }

    #[test]
    fn a_task_tells_for_whom_it_works_and_where_it_was_spawned() {
        let says = Says::new(Watch::off());
        let standing = Standing::created(&says, "worker", Location::caller());
        let text = standing.to_string();
        assert!(text.starts_with("worker, from standing.rs:"), "{text}");
        standing.resumed(&says);
        says.works_for("/a");
        standing.paused(&says);
        assert!(standing.to_string().starts_with("worker (/a), from "));
        says.works_for("");
        standing.paused(&says);
        assert!(standing.to_string().starts_with("worker, from "));
    }

    #[test]
    fn equal_lines_are_counted() {
        let lines = ["a", "b", "a"].map(String::from);
        assert_eq!(grouped(lines), "2 × a\nb");
    }
}
