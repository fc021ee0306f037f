//! Limits the memory for bodies, and for the pages that are made of them. It does not
//! wait. A stage asks before each read, and before it searches a body for links. If
//! the answer is no, the stage pauses that attempt until the budget says that it may
//! go on.

use std::collections::{BTreeMap, BTreeSet};

/// The most bodies that may grow above the limit. It is small, because they are found
/// by a linear search.
const MAX_OLDEST: u64 = 32;

/// A body up to this length is read even above the limit, so that one endless page does
/// not block short ones.
pub const SHORT_BODY: usize = 16 << 10;

/// Counts the bytes of all bodies and pages in flight. `Id` identifies an attempt.
///
/// Above the limit, only two kinds of bodies may grow: those below [`SHORT_BODY`], and
/// the oldest `limit / max_body` bodies (at least one, so that one can always finish).
///
/// A short body may become a page of long URLs. Therefore a stage that runs other
/// fetches before a page is settled also reserves memory for the page. All pages
/// together take at most the limit, unless there is only one. Pages wait for no
/// server, so they can take turns, the oldest first.
#[derive(Debug)]
pub struct BodyBudget<Id> {
    limit: usize,
    /// How many of the oldest bodies may grow above the limit.
    always: usize,
    /// The bytes of all bodies and pages together.
    held: usize,
    /// The bytes that are reserved for pages; a part of `held`.
    pages: usize,
    /// The bodies that have bytes. Added by `set_held`, removed by `end`.
    bodies: BTreeMap<Id, Body>,
    /// The attempts with a body, from the oldest to the youngest.
    by_age: BTreeMap<u64, Id>,
    /// The attempts that wait to become pages, from the oldest to the youngest, each
    /// with the bytes of its page.
    to_become: BTreeMap<u64, (Id, usize)>,
    /// The age of the latest body; 0 before the first.
    latest_age: u64,
    /// The attempts that must not read now. Removed as soon as they may.
    paused: BTreeSet<Id>,
}

/// The bytes of one attempt.
#[derive(Debug)]
struct Body {
    age: u64,
    bytes: usize,
    /// The bytes reserved for its page; zero until the page is admitted.
    page: usize,
}

impl<Id: Copy + Ord> BodyBudget<Id> {
    /// Creates a budget of `limit` bytes for bodies of at most `max_body`. The limit
    /// of a crawl is [`MAX_BODIES`](crate::options::MAX_BODIES).
    pub fn new(limit: usize, max_body: u64) -> BodyBudget<Id> {
        let fit = limit as u64 / max_body.max(1);
        BodyBudget {
            limit,
            always: fit.clamp(1, MAX_OLDEST) as usize,
            held: 0,
            pages: 0,
            bodies: BTreeMap::new(),
            by_age: BTreeMap::new(),
            to_become: BTreeMap::new(),
            latest_age: 0,
            paused: BTreeSet::new(),
        }
    }

    /// Returns whether this attempt may read more. If not, it is paused until
    /// [`end`](Self::end) returns its id.
    pub fn try_admit(&mut self, id: Id) -> bool {
        let bytes = self.bodies.get(&id).map_or(0, |body| body.bytes);
        let is_admitted = self.held < self.limit
            || bytes < SHORT_BODY
            || self.oldest().any(|it| it == id);
        match is_admitted {
            true => self.paused.remove(&id),
            false => self.paused.insert(id),
        };
        is_admitted
    }

    /// Returns the bytes of all bodies and pages.
    pub fn held(&self) -> usize {
        self.held
    }

    /// Sets how many bytes of its response the attempt has stored.
    pub fn set_held(&mut self, id: Id, bytes: usize) {
        if bytes == 0 && !self.bodies.contains_key(&id) {
            return;
        }
        let body = self.bodies.entry(id).or_insert_with(|| {
            self.latest_age += 1;
            self.by_age.insert(self.latest_age, id);
            Body { age: self.latest_age, bytes: 0, page: 0 }
        });
        self.held = self.held - body.bytes + bytes;
        body.bytes = bytes;
    }

    /// Reserves memory for a page that is made of this attempt's body. Returns `false`
    /// if there is not enough: then the memory is reserved later, and
    /// [`end`](Self::end) returns the id. A page without bytes, or an attempt without
    /// a body, is always admitted.
    pub fn try_admit_page(&mut self, id: Id, bytes: usize) -> bool {
        let waits = |body: &&Body| bytes > 0 && body.page == 0;
        let Some(body) = self.bodies.get(&id).filter(waits) else { return true };
        self.to_become.insert(body.age, (id, bytes));
        self.grant().contains(&id)
    }

    /// Admits waiting pages, oldest first, while there is room.
    fn grant(&mut self) -> Vec<Id> {
        let mut granted = Vec::new();
        while let Some(first) = self.to_become.first_entry() {
            let (id, bytes) = *first.get();
            if self.pages > 0 && self.pages + bytes > self.limit {
                break;
            }
            first.remove();
            self.bodies.get_mut(&id).expect("it waits").page = bytes;
            self.pages += bytes;
            self.held += bytes;
            granted.push(id);
        }
        granted
    }

    /// Removes an attempt that has ended. Returns the attempts that may go on: pages
    /// that are now admitted, and paused attempts that may read again. If at least a
    /// quarter of the budget is free, all paused attempts are returned. Otherwise only
    /// the oldest are, since the others would have to pause again at once.
    pub fn end(&mut self, id: Id) -> Vec<Id> {
        self.paused.remove(&id);
        if let Some(body) = self.bodies.remove(&id) {
            self.held -= body.bytes + body.page;
            self.pages -= body.page;
            self.by_age.remove(&body.age);
            self.to_become.remove(&body.age);
        }
        let mut woken = self.grant();
        if self.held <= self.limit / 4 * 3 {
            woken.extend(std::mem::take(&mut self.paused));
        } else {
            let oldest: Vec<Id> = self.oldest().collect();
            woken.extend(oldest.into_iter().filter(|id| self.paused.remove(id)));
        }
        woken
    }

    /// Returns the bodies that may grow above the limit.
    fn oldest(&self) -> impl Iterator<Item = Id> {
        self.by_age.values().take(self.always).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: usize = 4 * SHORT_BODY;
    /// So large that only the oldest body may grow above the limit.
    const MAX_BODY: u64 = 100 * LIMIT as u64;
    const NONE: [usize; 0] = [];

    /// Creates a budget in which the bodies 0, 1, … have these numbers of bytes.
    fn holding(bytes: &[usize]) -> BodyBudget<usize> {
        let mut budget = BodyBudget::new(LIMIT, MAX_BODY);
        for (id, bytes) in bytes.iter().enumerate() {
            assert!(budget.try_admit(id));
            budget.set_held(id, *bytes);
        }
        budget
    }

    #[test]
    fn below_the_limit_all_bodies_grow() {
        let mut budget = holding(&[SHORT_BODY, 2 * SHORT_BODY, SHORT_BODY - 1]);
        assert!((0..3).all(|id| budget.try_admit(id)));
        assert_eq!(budget.end(0), NONE, "no attempt was paused");
    }

    #[test]
    fn above_the_limit_only_the_oldest_body_and_short_ones_grow() {
        let mut budget = holding(&[SHORT_BODY, LIMIT, 10]);
        assert!(budget.try_admit(0), "the oldest");
        assert!(!budget.try_admit(1));
        assert!(budget.try_admit(2), "short");
        assert!(budget.try_admit(3), "a new one is short");
        budget.set_held(2, SHORT_BODY);
        assert!(!budget.try_admit(2), "short no longer");
    }

    #[test]
    fn when_the_oldest_ends_the_next_one_reads_on_alone() {
        let mut budget = holding(&[SHORT_BODY, LIMIT / 2, LIMIT / 2]);
        assert!(!budget.try_admit(1) && !budget.try_admit(2));
        assert_eq!(budget.end(0), [1], "the others would have to pause again");
        assert!(budget.try_admit(1));
        budget.set_held(1, 10 * LIMIT);
        assert!(budget.try_admit(1), "the oldest has no limit of its own");
    }

    #[test]
    fn once_a_quarter_is_free_all_that_paused_read_on() {
        let mut budget = holding(&[SHORT_BODY, SHORT_BODY, SHORT_BODY, LIMIT]);
        assert!((1..4).all(|id| !budget.try_admit(id)));
        assert_eq!(budget.end(3), [1, 2]);
        assert!(budget.try_admit(1) && budget.try_admit(2));
        assert_eq!(budget.end(2), NONE, "each is named once");
    }

    #[test]
    fn a_paused_attempt_that_ends_is_forgotten() {
        let mut budget = holding(&[LIMIT, LIMIT]);
        assert!(!budget.try_admit(1));
        assert_eq!(budget.end(1), NONE);
        assert_eq!(budget.end(0), NONE);
        assert_eq!(budget.held, 0);
    }

    #[test]
    fn as_many_of_the_oldest_grow_as_fit_into_the_limit_once_more() {
        let mut budget = BodyBudget::new(LIMIT, LIMIT as u64 / 2);
        (0..4).for_each(|id| budget.set_held(id, LIMIT / 2));
        assert!(
            budget.try_admit(0) && budget.try_admit(1),
            "one that stalls stops no other"
        );
        assert!(!budget.try_admit(2) && !budget.try_admit(3));
        assert_eq!(budget.end(0), [2]);
    }

    #[test]
    fn bodies_become_pages_in_the_order_of_their_age_while_there_is_room() {
        let mut budget = holding(&[1, 1, 1, 1]);
        assert!(
            budget.try_admit_page(0, LIMIT / 2) && budget.try_admit_page(1, LIMIT / 2)
        );
        assert!(budget.try_admit_page(0, LIMIT / 2), "it has its room");
        assert!(!budget.try_admit_page(3, 1), "there is none");
        assert!(!budget.try_admit_page(2, LIMIT), "and it is older");
        assert_eq!((budget.pages, budget.held), (LIMIT, LIMIT + 4));
        assert_eq!(budget.end(0), NONE, "the oldest needs all");
        assert_eq!(budget.end(1), [2]);
        assert_eq!(budget.end(2), [3]);
        assert!(budget.try_admit_page(3, 1));
        assert_eq!(budget.end(3), NONE);
        assert_eq!((budget.pages, budget.held), (0, 0));
    }

    #[test]
    fn a_page_larger_than_the_limit_is_alone() {
        let mut budget = holding(&[1, 1]);
        assert!(budget.try_admit_page(0, 9 * LIMIT));
        assert!(!budget.try_admit_page(1, 1));
        assert_eq!(budget.end(1), NONE, "it gave up");
        assert_eq!(budget.end(0), NONE);
    }

    #[test]
    fn while_pages_take_the_limit_only_the_oldest_body_and_short_ones_grow() {
        let mut budget = holding(&[SHORT_BODY, SHORT_BODY, 1]);
        assert!(budget.try_admit_page(2, LIMIT));
        assert!(budget.try_admit(0) && !budget.try_admit(1));
        assert_eq!(budget.end(2), [1]);
    }

    #[test]
    fn an_attempt_without_bytes_is_not_the_oldest_body() {
        let mut budget = BodyBudget::new(LIMIT, MAX_BODY);
        assert!(budget.try_admit(0));
        budget.set_held(0, 0); // a silent server must not block the others
        budget.set_held(1, 2 * LIMIT);
        assert!(budget.try_admit(1));
    }
}
