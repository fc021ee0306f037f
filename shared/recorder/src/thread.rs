//! The threads that have recorded an event: their names, and what they do.

use crate::json::Json;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::{current, sleep};
use std::time::Duration;

/// A task of one of the recorders.
#[derive(Clone, Copy)]
pub(crate) struct Running {
    pub(crate) recorder: u64,
    pub(crate) task: u64,
}

thread_local! {
    /// The innermost task that is polled on this thread. Set while a poll lasts.
    pub(crate) static RUNNING: Cell<Option<Running>> = const { Cell::new(None) };
    /// The number of this thread, or 0 before its first event. Without a destructor, because
    /// wakers may be dropped by those of other variables.
    static NUMBER: Cell<u64> = const { Cell::new(0) };
}

static LAST_THREAD: AtomicU64 = AtomicU64::new(0);

/// Returns the number of this thread, which no other thread of the process has.
pub(crate) fn number() -> u64 {
    if NUMBER.get() == 0 {
        NUMBER.set(LAST_THREAD.fetch_add(1, Relaxed) + 1);
    }
    NUMBER.get()
}

#[derive(Clone)]
pub(crate) struct Thread {
    /// Differs from the names of all other threads.
    pub(crate) name: String,
    /// The name as JSON.
    pub(crate) json: String,
    /// Whether it has polled a recorded task, so that it belongs to a runtime.
    pub(crate) polls: bool,
    /// Its folder in `/proc`; `None` on systems that have none.
    folder: Option<PathBuf>,
}

/// The threads by their numbers. They stay here after their end.
#[derive(Default)]
pub(crate) struct Threads {
    known: BTreeMap<u64, Thread>,
    names: BTreeSet<String>,
}

impl Threads {
    pub(crate) fn get(&self, number: u64) -> Option<&Thread> {
        self.known.get(&number)
    }

    /// Returns this thread, which is added if it is new.
    pub(crate) fn current(&mut self) -> &mut Thread {
        let Threads { known, names } = self;
        let number = number();
        known.entry(number).or_insert_with(|| {
            let mut name = current().name().unwrap_or("unnamed").to_string();
            if names.contains(&name) {
                name = format!("{name} {number}");
            }
            names.insert(name.clone());
            let folder = fs::read_link("/proc/thread-self").ok();
            let folder = folder.map(|folder| Path::new("/proc").join(folder));
            let json = Json(&name).to_string();
            Thread { name, json, polls: false, folder }
        })
    }
}

/// At how many moments the state of a thread is read.
const MOMENTS: usize = 5;

impl Thread {
    /// Returns its name and, from its state in `/proc` at a few moments, whether it
    /// computes.
    pub(crate) fn doing(&self) -> String {
        let name = format!("thread {:?}", self.name);
        let Some(folder) = &self.folder else { return name };
        let read = |file| fs::read_to_string(folder.join(file)).unwrap_or_default();
        let computes = |_: &usize| {
            sleep(Duration::from_millis(1)); // so that the moments differ
            // The state follows the name of the program, which is in parentheses.
            read("stat").rsplit(") ").next().is_some_and(|it| it.starts_with('R'))
        };
        let count = (0..MOMENTS).filter(computes).count();
        let what = if count == 0 { "is blocked" } else { "computes" };
        // Where the kernel has suspended it; "0" if it runs.
        let call = match &*read("wchan") {
            "" | "0" => String::new(),
            call => format!("; the kernel suspended it in {call}"),
        };
        format!("{name}, which {what} (running at {count} of {MOMENTS} moments{call})")
    }
}
