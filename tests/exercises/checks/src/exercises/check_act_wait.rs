//! Tasks that share a set. No task waits between a check and the act that relies on it.

use crate::toy::choices::in_every_order;
use crate::{cases, story};
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::future::poll_fn;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// The pages that were fetched, or are being fetched.
pub type Seen = Rc<RefCell<HashSet<u32>>>;

/// A visit in a box. It returns whether it has fetched the page.
pub type Boxed = Pin<Box<dyn Future<Output = Result<bool, Failed>>>>;

/// The site has not answered.
#[derive(Debug, PartialEq, Eq)]
pub struct Failed;

/// Fetches pages.
pub trait Crawl: 'static {
    /// Fetches a page, unless it is in `seen`. If the site fails, or the visit is
    /// cancelled, the page is not in `seen` afterward.
    fn visit(page: u32, seen: Seen, site: Rc<Site>) -> Boxed;
}

/// A site. Each request has to wait.
#[derive(Default)]
pub struct Site {
    requests: Cell<usize>,
    is_down: Cell<bool>,
}

impl Site {
    /// Requests a page.
    pub async fn fetch(&self, page: u32) -> Result<(), Failed> {
        story!("  page {page} is requested");
        self.requests.set(self.requests.get() + 1);
        let mut has_waited = false;
        poll_fn(|_| match std::mem::replace(&mut has_waited, true) {
            false => Poll::Pending,
            true => Poll::Ready(()),
        })
        .await;
        if self.is_down.get() { Err(Failed) } else { Ok(()) }
    }
}

cases! {
    Crawl:
    different_pages_are_requested_side_by_side,
    a_page_that_was_fetched_stays_marked,
    each_page_is_requested_once_in_every_order_of_the_tasks,
    a_page_that_failed_may_be_visited_again,
    a_visit_that_is_cancelled_leaves_no_mark,
    a_visit_that_is_cancelled_leaves_the_marks_of_others,
    a_visit_that_was_never_polled_leaves_no_mark,
}

/// What the visits of a case share.
#[derive(Default)]
struct World {
    seen: Seen,
    site: Rc<Site>,
}

impl World {
    fn visit<C: Crawl>(&self, page: u32) -> Boxed {
        C::visit(page, Rc::clone(&self.seen), Rc::clone(&self.site))
    }

    fn requests(&self) -> usize {
        self.site.requests.get()
    }
}

fn poll(task: usize, visit: &mut Boxed) -> Poll<Result<bool, Failed>> {
    story!("task {task} is polled");
    let poll = visit.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    story!("task {task}: {poll:?}");
    poll
}

/// Polls one visit to its end.
fn finish<C: Crawl>(world: &World, task: usize) -> Result<bool, Failed> {
    let mut visit = world.visit::<C>(1);
    for _ in 0..3 {
        if let Poll::Ready(end) = poll(task, &mut visit) {
            return end;
        }
    }
    panic!("the site has answered, and the visit still waits");
}

fn different_pages_are_requested_side_by_side<C: Crawl>() {
    let world = World::default();
    let mut visits = [1, 2, 3].map(|page| world.visit::<C>(page));
    for (task, visit) in (1..).zip(&mut visits) {
        assert!(poll(task, visit).is_pending(), "page {task} is new");
    }
    assert_eq!(world.requests(), 3, "requests under way");
}

fn a_page_that_was_fetched_stays_marked<C: Crawl>() {
    let world = World::default();
    assert_eq!(finish::<C>(&world, 1), Ok(true), "task 1 has fetched page 1");
    assert_eq!(finish::<C>(&world, 2), Ok(false), "task 1 fetched page 1 before");
    assert_eq!(world.requests(), 1, "requests of page 1");
}

fn each_page_is_requested_once_in_every_order_of_the_tasks<C: Crawl>() {
    in_every_order(|choose| {
        let world = World::default();
        let mut tasks: Vec<_> = [1, 1, 1]
            .into_iter()
            .map(|page| world.visit::<C>(page))
            .enumerate()
            .collect();
        let mut fetched = 0;
        while !tasks.is_empty() {
            let next = choose(tasks.len());
            let (number, visit) = &mut tasks[next];
            if let Poll::Ready(end) = poll(*number + 1, visit) {
                fetched += usize::from(end == Ok(true));
                drop(tasks.remove(next));
            }
        }
        assert_eq!(world.requests(), 1, "requests of page 1, by three tasks");
        assert_eq!(fetched, 1, "tasks that have fetched page 1");
    });
}

fn a_page_that_failed_may_be_visited_again<C: Crawl>() {
    let world = World::default();
    world.site.is_down.set(true);
    assert_eq!(finish::<C>(&world, 1), Err(Failed), "the site is down");
    world.site.is_down.set(false);
    assert_eq!(
        finish::<C>(&world, 2),
        Ok(true),
        "task 1 has failed: is its mark still there?"
    );
}

fn a_visit_that_is_cancelled_leaves_no_mark<C: Crawl>() {
    let world = World::default();
    story!("page 2 was fetched before");
    world.seen.borrow_mut().insert(2);
    let mut visit = world.visit::<C>(1);
    assert!(poll(1, &mut visit).is_pending());
    story!("task 1 is cancelled");
    drop(visit);
    assert_eq!(
        world.seen.take(),
        HashSet::from([2]),
        "pages that are marked, once task 1 is cancelled"
    );
}

fn a_visit_that_is_cancelled_leaves_the_marks_of_others<C: Crawl>() {
    let world = World::default();
    let mut visits = [1, 2].map(|page| world.visit::<C>(page));
    for (task, visit) in (1..).zip(&mut visits) {
        assert!(poll(task, visit).is_pending(), "page {task} is new");
    }
    let [first, _second] = visits;
    story!("task 1 is cancelled");
    drop(first);
    let marked = world.seen.borrow().clone();
    assert_eq!(
        marked,
        HashSet::from([2]),
        "pages that are marked, while task 2 goes on"
    );
}

fn a_visit_that_was_never_polled_leaves_no_mark<C: Crawl>() {
    let world = World::default();
    story!("task 1 is cancelled before its first poll");
    drop(world.visit::<C>(1));
    assert_eq!(world.seen.take(), HashSet::new(), "pages that are marked");
}
