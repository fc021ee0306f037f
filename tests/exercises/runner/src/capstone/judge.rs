//! Several workers side by side, and what came of each group.

use super::worker::{self, Promise, Worker};
use crate::run::Failure;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

/// More than there are processors: promises spend their time waiting.
const WORKERS: usize = 8;

/// How to judge.
pub struct Orders<'a> {
    /// How long a promise may take, in seconds.
    pub seconds: u64,
    /// Promises of a group are judged although one does not hold.
    pub all: bool,
    /// Keys of groups; empty: all of them.
    pub groups: &'a [String],
}

/// A group of promises, and what came of it.
#[derive(Debug)]
pub struct Group {
    /// Its name on the command line.
    pub key: String,
    /// What it promises.
    pub title: String,
    /// The promises that do not hold, in their order.
    pub broken: Vec<Broken>,
}

/// A promise that does not hold.
#[derive(Debug)]
pub struct Broken {
    /// Its name.
    pub name: String,
    /// The page of the book that explains it, without `.md`.
    pub page: String,
    /// What happened.
    pub failure: Failure,
}

/// What came of all groups.
#[derive(Debug)]
pub struct Judged {
    /// In the order in which they were judged.
    pub groups: Vec<Group>,
}

impl Judged {
    /// Returns whether all groups hold.
    pub fn holds(&self) -> bool {
        self.groups.iter().all(|group| group.broken.is_empty())
    }
}

/// Asks about all promises of the groups that are wanted.
pub fn judge(program: &Path, orders: &Orders) -> Result<Judged, String> {
    let (mut groups, promises) = wanted(program, orders.groups)?;
    eprintln!("{} promises are tried, {WORKERS} at a time.", promises.len());
    // In its order: all promises before one that was judged have been taken, and none of
    // them is left out. So the first one that is broken in a group is found each time.
    let next = AtomicUsize::new(0);
    let broken: Mutex<BTreeMap<usize, Failure>> = Mutex::default();
    let work = || -> Result<(), String> {
        let mut worker = Worker::new(program, "", orders.seconds);
        loop {
            let number = next.fetch_add(1, Relaxed);
            let Some(promise) = promises.get(number) else { return Ok(()) };
            let broken = || broken.lock().expect("a worker does not panic");
            if !orders.all && is_decided(&promises, number, &broken()) {
                continue;
            }
            if let Some(failure) = worker.ask(&promise.name)? {
                broken().insert(number, failure);
            }
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
        let mut ends =
            workers.into_iter().map(|it| it.join().expect("it does not panic"));
        ends.try_for_each(|end| end)
    })?;
    let broken = broken.into_inner().expect("a worker does not panic");
    for (number, failure) in broken {
        let Promise { group, page, name } = &promises[number];
        let Some(group) = groups.iter_mut().find(|it| it.key == *group) else {
            continue;
        };
        if group.broken.is_empty() || orders.all {
            let (name, page) = (name.clone(), page.clone());
            group.broken.push(Broken { name, page, failure });
        }
    }
    Ok(Judged { groups })
}

/// Returns whether a promise before this one has broken their group. One after it may be
/// known first, by another worker, and decides nothing.
fn is_decided(
    promises: &[Promise],
    number: usize,
    broken: &BTreeMap<usize, Failure>,
) -> bool {
    let group = &promises[number].group;
    broken.range(..number).any(|(before, _)| promises[*before].group == *group)
}

/// Returns the groups and promises of a program, in the order of the groups.
fn wanted(
    program: &Path,
    keys: &[String],
) -> Result<(Vec<Group>, Vec<Promise>), String> {
    let (groups, mut promises) = worker::list(program, "")?;
    let group = |(key, title)| Group { key, title, broken: Vec::new() };
    let mut groups: Vec<Group> = groups.into_iter().map(group).collect();
    groups.retain(|group| promises.iter().any(|it| it.group == group.key));
    let all: Vec<&str> = groups.iter().map(|it| it.key.as_str()).collect();
    if let Some(key) = keys.iter().find(|key| !all.contains(&key.as_str())) {
        return Err(format!("there is no group `{key}`, but {}", all.join(", ")));
    }
    groups.retain(|group| keys.is_empty() || keys.contains(&group.key));
    let place = |it: &Promise| groups.iter().position(|group| group.key == it.group);
    promises.retain(|it| place(it).is_some());
    promises.sort_by_key(place);
    Ok((groups, promises))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_earlier_promise_of_the_group_decides() {
        let promise = |group: &str| {
            let (page, name) = (String::new(), String::new());
            Promise { group: group.into(), page, name }
        };
        let promises = ["a", "a", "a", "b"].map(promise);
        let broken = BTreeMap::from([(1, Failure::default())]);
        let decided = [0, 1, 2, 3].map(|it| is_decided(&promises, it, &broken));
        assert_eq!(decided, [false, false, true, false]);
    }
}
