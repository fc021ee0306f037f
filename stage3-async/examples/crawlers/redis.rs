//! A model of Redis, in this process: a few of its commands, for one consumer group
//! with one value in each entry. It has no network, no disk and no second server, and it
//! never fails. `.ci/redis` gives the same commands to a real Redis.

use super::Url;
use super::clock::Clock;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// A connection to the server. Clones lead to the same server.
#[derive(Clone)]
pub(crate) struct Redis {
    clock: Clock,
    server: Rc<RefCell<Server>>,
}

/// How long a command, or a reply, is on its way.
const TRIP: u64 = 1;

impl Redis {
    pub(crate) fn new(clock: &Clock) -> Redis {
        Redis { clock: clock.clone(), server: Rc::default() }
    }

    // ANCHOR: call
    /// Sends commands to the server, and waits for the reply. The server runs all of
    /// them before it looks at those of another crawler, as a real one runs a script.
    /// (In this model, a crawler that dies before they arrive takes them with it.)
    pub(crate) async fn call<R>(&self, script: impl FnOnce(&mut Server) -> R) -> R {
        self.clock.sleep(TRIP).await;
        let reply = self.server_now(script);
        self.clock.sleep(TRIP).await;
        reply
    }
    // ANCHOR_END: call

    /// Runs commands at once: to fill a server, and to look into it.
    pub(crate) fn server_now<R>(&self, script: impl FnOnce(&mut Server) -> R) -> R {
        let mut server = self.server.borrow_mut();
        server.now = self.clock.now();
        script(&mut server)
    }
}

/// The number of an entry in its stream.
pub(crate) type Id = u64;

#[derive(Default)]
pub(crate) struct Server {
    now: u64,
    sets: HashMap<&'static str, HashSet<Url>>,
    streams: HashMap<&'static str, Stream>,
    /// Values, and when they expire.
    values: HashMap<&'static str, (u32, u64)>,
}

/// A stream, and what its one group of consumers knows of it.
#[derive(Default)]
struct Stream {
    latest: Id,
    entries: BTreeMap<Id, Url>,
    /// The latest entry that any consumer has read.
    delivered: Id,
    /// Entries that were read and not acknowledged: by which consumer, and when.
    pending: BTreeMap<Id, (u32, u64)>,
}

impl Server {
    fn stream(&mut self, key: &'static str) -> &mut Stream {
        self.streams.entry(key).or_default()
    }

    /// Adds a member to a set. Returns whether it is new.
    pub(crate) fn sadd(&mut self, key: &'static str, member: Url) -> bool {
        self.sets.entry(key).or_default().insert(member)
    }

    /// Appends an entry to a stream.
    pub(crate) fn xadd(&mut self, key: &'static str, url: Url) {
        let stream = self.stream(key);
        stream.latest += 1;
        stream.entries.insert(stream.latest, url);
    }

    // ANCHOR: streams
    /// Delivers the oldest entry that no consumer has read yet. It is now pending.
    pub(crate) fn xreadgroup(
        &mut self,
        key: &'static str,
        me: u32,
    ) -> Option<(Id, Url)> {
        let now = self.now;
        let stream = self.stream(key);
        let (&id, &url) = stream.entries.range(stream.delivered + 1..).next()?;
        stream.delivered = id;
        stream.pending.insert(id, (me, now));
        Some((id, url))
    }

    /// Delivers the first entry that has been pending for so long, whichever consumer
    /// has it. From now on, it is pending for this one. (A real server looks at only ten
    /// entries for each that is asked for, and returns where to go on.)
    pub(crate) fn xautoclaim(
        &mut self,
        key: &'static str,
        me: u32,
        min_idle: u64,
    ) -> Option<(Id, Url)> {
        let now = self.now;
        let Stream { entries, pending, .. } = self.stream(key);
        pending.retain(|id, _| entries.contains_key(id));
        let is_idle = |since: u64| now - since >= min_idle;
        let (&id, owner) = pending.iter_mut().find(|(_, owner)| is_idle(owner.1))?;
        *owner = (me, now);
        Some((id, entries[&id]))
    }
    // ANCHOR_END: streams

    /// Acknowledges an entry, whichever consumer has it. Returns whether it was pending.
    pub(crate) fn xack(&mut self, key: &'static str, id: Id) -> bool {
        self.stream(key).pending.remove(&id).is_some()
    }

    /// Deletes an entry.
    pub(crate) fn xdel(&mut self, key: &'static str, id: Id) {
        self.stream(key).entries.remove(&id);
    }

    /// Counts the entries of a stream, whether they were read or not.
    pub(crate) fn xlen(&self, key: &'static str) -> usize {
        self.streams.get(key).map_or(0, |stream| stream.entries.len())
    }

    /// Returns a value that has not expired.
    pub(crate) fn get(&self, key: &'static str) -> Option<u32> {
        let (value, until) = self.values.get(key)?;
        (*until > self.now).then_some(*value)
    }

    /// Sets a value that expires after `time` milliseconds.
    pub(crate) fn set_px(&mut self, key: &'static str, value: u32, time: u64) {
        self.values.insert(key, (value, self.now + time));
    }
}
