//! What is known of the tasks that have not ended.

use crate::thread::Thread;
use crate::trace::{Place, Trace};
use crate::waker::{By, TaskWaker};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::io::Write;
use std::panic::Location;
use std::sync::{Arc, Weak};

pub(crate) struct State {
    pub(crate) trace: Trace,
    /// How many tasks were created. This is the number of the last one.
    pub(crate) created: u64,
    /// How many tasks are woken and not polled yet.
    pub(crate) ready: usize,
    pub(crate) tasks: BTreeMap<u64, Task>,
    /// What tasks must provide, also those that have ended since.
    pub(crate) must_provide: BTreeMap<u64, MustProvide>,
}

impl State {
    pub(crate) fn new(out: Box<dyn Write + Send>) -> State {
        State {
            trace: Trace::new(out),
            created: 0,
            ready: 0,
            tasks: BTreeMap::new(),
            must_provide: BTreeMap::new(),
        }
    }

    /// Returns the tasks that are polled now, each with its thread.
    pub(crate) fn polling(&self) -> Vec<(u64, Thread)> {
        let polled = |(id, task): (&u64, &Task)| {
            Some((*id, self.trace.threads.get(task.poll.as_ref()?.thread)?.clone()))
        };
        self.tasks.iter().filter_map(polled).collect()
    }
}

/// A name and the line where it was given. Clones share the text.
#[derive(Clone)]
pub(crate) struct Name {
    pub(crate) text: Arc<str>,
    pub(crate) place: Place,
}

/// How many characters of a name are kept.
const MOST_CHARACTERS: usize = 200;

impl Name {
    /// Names something in the line that calls the recorder.
    #[track_caller]
    pub(crate) fn new(text: &str) -> Name {
        let text = match text.char_indices().nth(MOST_CHARACTERS) {
            Some((end, _)) => format!("{}…", &text[..end]).into(),
            None => text.into(),
        };
        Name { text, place: Place(Location::caller()) }
    }
}

impl Display for Name {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{:?} at {}", self.text, self.place)
    }
}

/// What is known of a `Provider` that was not dropped.
pub(crate) struct MustProvide {
    pub(crate) task: u64,
    pub(crate) name: Name,
    pub(crate) since: u64,
}

/// A poll that lasts.
pub(crate) struct Polling {
    pub(crate) since: u64,
    /// The number of the thread.
    pub(crate) thread: u64,
    /// The waits whose `poll` has not returned, the innermost last.
    pub(crate) inside: Vec<u64>,
    /// How many waits this poll has polled, and the last of them.
    pub(crate) waits: (u64, Option<Name>),
}

pub(crate) struct Wait {
    pub(crate) name: Name,
    /// When it was first polled.
    pub(crate) since: u64,
    /// The wait in which it was polled last.
    pub(crate) outer: Option<u64>,
    /// How many waits have this one as `outer`.
    pub(crate) inner: usize,
}

pub(crate) struct Task {
    pub(crate) name: Name,
    pub(crate) created: u64,
    /// How many polls have begun.
    pub(crate) polls: u64,
    /// Set while a poll lasts.
    pub(crate) poll: Option<Polling>,
    /// When the last poll ended, and how long it took.
    pub(crate) polled: (u64, u64),
    /// When it was woken. Set by the first wake after a poll has begun, cleared when the
    /// next poll begins.
    pub(crate) queued: Option<u64>,
    /// How often it was woken.
    pub(crate) wakes: u64,
    /// The last wake.
    pub(crate) woken: Option<(u64, By)>,
    /// Its wakers, and some that were dropped. Weak: a strong one would keep a task alive
    /// that lives only in its wakers.
    pub(crate) wakers: Vec<Weak<TaskWaker>>,
    /// The waits that have begun and are not over, by the numbers of their futures.
    pub(crate) waits: BTreeMap<u64, Wait>,
}

impl Task {
    pub(crate) fn new(name: Name, created: u64) -> Task {
        Task {
            name,
            created,
            polls: 0,
            poll: None,
            polled: (0, 0),
            queued: None,
            wakes: 0,
            woken: None,
            wakers: Vec::new(),
            waits: BTreeMap::new(),
        }
    }

    /// Counts the clones of its wakers that are alive.
    pub(crate) fn wakers_alive(&self) -> usize {
        self.wakers.iter().map(Weak::strong_count).sum()
    }

    /// Returns whether only a wake can bring the next poll.
    pub(crate) fn is_parked(&self) -> bool {
        self.polls > 0 && self.poll.is_none() && self.queued.is_none()
    }

    /// Returns the waits that have no wait inside them.
    pub(crate) fn innermost(&self) -> impl Iterator<Item = &Wait> {
        self.waits.values().filter(|wait| wait.inner == 0)
    }

    /// Returns the state in which it is polled next, and the line where it waits.
    pub(crate) fn state(&self) -> (String, Place) {
        if self.polls == 0 {
            return ("New".into(), self.name.place);
        }
        // A few are enough: a task may wait for thousands, and each poll writes this.
        let some: Vec<&Wait> = self.innermost().take(MOST_NAMES + 1).collect();
        let Some(first) = some.first() else {
            return ("a future without a name".into(), self.name.place);
        };
        let mut names: Vec<&str> = some.iter().map(|wait| &*wait.name.text).collect();
        if names.len() > MOST_NAMES {
            names[MOST_NAMES] = "others";
        }
        (names.join(" or "), first.name.place)
    }
}

/// How many waits of a task are named in a line of the trace.
const MOST_NAMES: usize = 3;
