//! Limits how many bytes of bodies are in memory: a fetch that may not read on is not
//! resumed.

use crate::{Coroutine, Fetch, Future, Loop, Result, Resume, Step, yield_from};
use shared::trace::WaitReason; // observe
use shared::{BodyBudget, Response, UrlId};
use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

const ROOM: WaitReason<'static> = WaitReason::Named("room for its body"); // observe

/// The bodies of all fetches that are in flight.
pub(crate) struct Bodies {
    budget: BodyBudget<UrlId>,
    /// For each fetch that may not read now, the future that it waits for.
    paused: BTreeMap<UrlId, Future>,
}

impl Bodies {
    /// Creates a limit of `limit` bytes for all bodies together. Short bodies and the
    /// oldest ones may exceed it. No body is longer than `max_body`.
    pub(crate) fn new(limit: usize, max_body: u64) -> Bodies {
        Bodies { budget: BodyBudget::new(limit, max_body), paused: BTreeMap::new() }
    }
}

/// A fetch within the budget: a coroutine around a coroutine. It waits until there is
/// room, then resumes the fetch, which does not notice the wait.
pub(crate) struct Budgeted {
    pub(crate) id: UrlId,
    pub(crate) fetch: Fetch,
    pub(crate) bodies: Rc<RefCell<Bodies>>,
}

impl Coroutine for Budgeted {
    type Return = Result<Response>;

    // ANCHOR: budgeted
    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        if resume == Resume::Send
            && let Some(room) = self.missing_room(event_loop)
        {
            event_loop.observe.park_at("budgeted", ROOM); // observe
            return Step::Yield(room);
        }
        let result = yield_from!(self.fetch, event_loop, resume);
        self.end(event_loop);
        Step::Return(result)
    }
    // ANCHOR_END: budgeted
}

impl Budgeted {
    /// Records how many bytes the fetch holds. Returns the future to wait for before it
    /// reads on; `None` if it may read now.
    fn missing_room(&self, event_loop: &mut Loop) -> Option<Future> {
        let Bodies { budget, paused } = &mut *self.bodies.borrow_mut();
        budget.set_held(self.id, self.fetch.held());
        if budget.try_admit(self.id) {
            return None;
        }
        Some(*paused.entry(self.id).or_insert_with(|| event_loop.new_future()))
    }

    /// Records that the body is gone, and resumes fetches that may read now.
    fn end(&self, event_loop: &mut Loop) {
        let Bodies { budget, paused } = &mut *self.bodies.borrow_mut();
        for id in budget.end(self.id).into_iter().chain([self.id]) {
            if let Some(room) = paused.remove(&id) {
                event_loop.resolve(room);
            }
        }
    }
}
