//! A crawl with a cap: the number of pages in flight has a limit.

use crate::{cases, story};
use std::cell::Cell;
use std::collections::VecDeque;

/// The number of a page.
pub type Page = u32;

/// There is no page.
pub struct Failed;

/// Why a fetch has not begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The page cannot be fetched, now or later: its fetch has ended.
    Failed,
    /// The machine has no socket left. Until another fetch has ended, no page gets one.
    OutOfSockets,
}

/// Whether a fetch has begun.
pub type Begun = Result<(), Refused>;

/// Begins to fetch a page, and returns at once.
pub type Begin<'a> = &'a mut dyn FnMut(Page) -> Begun;

/// The part of a crawler that decides when a fetch begins.
pub trait Crawl {
    /// Takes the pages to fetch. At most `cap` of them may be in flight at once.
    fn new(todo: Vec<Page>, cap: usize) -> Self;
    /// Begins as many fetches as the cap allows. It may be called again at any time.
    fn start(&mut self, begin: Begin);
    /// Called when a fetch has ended, with the links of its page, all of them new, or
    /// without a page. Begins the next fetches.
    fn finish(&mut self, answer: Result<Vec<Page>, Failed>, begin: Begin);
}

cases! {
    Crawl:
    never_more_pages_than_the_cap_allows,
    always_as_many_pages_as_the_cap_allows,
    a_fetch_that_fails_makes_room,
    a_fetch_that_fails_at_once_makes_room,
    a_page_that_gets_no_socket_is_tried_again,
    one_refusal_is_enough_until_a_fetch_ends,
    a_hundred_thousand_fetches_that_fail_at_once,
    a_machine_with_fewer_sockets_than_the_cap,
}

/// The sockets of a case, with a cap of 3.
struct Sockets {
    todo: Vec<Page>,
    /// Pages for which `begin` was called and did not return `OutOfSockets`.
    begun: Vec<Page>,
    in_flight: VecDeque<Page>,
    calls: usize,
}

const CAP: usize = 3;

impl Sockets {
    fn new(count: u32) -> Sockets {
        let todo = (1..=count).collect();
        Sockets { todo, begun: Vec::new(), in_flight: VecDeque::new(), calls: 0 }
    }

    /// Begins a fetch, if `result` is `Ok`.
    fn begin(&mut self, page: Page, result: Begun) -> Begun {
        self.calls += 1;
        story!("begin({page}) returns {result:?}");
        assert!(self.calls <= 50, "50 calls to `begin`: it retries forever");
        assert!(!self.begun.contains(&page), "page {page} is begun again");
        if result != Err(Refused::OutOfSockets) {
            self.begun.push(page);
        }
        if result.is_ok() {
            self.in_flight.push_back(page);
            let count = self.in_flight.len();
            assert!(count <= CAP, "{count} pages are in flight, and the cap is {CAP}");
        }
        result
    }

    /// Checks that no place is free while a page waits for one.
    fn must_be_busy(&self) {
        let free = CAP - self.in_flight.len();
        let waiting = self.todo.len() - self.begun.len();
        assert!(
            free == 0 || waiting == 0,
            "free places: {free}, pages that wait: {waiting}, and no fetch begins"
        );
    }
}

/// Crawls pages 1 to `count`. `result` returns how each call of `begin` ends, by its
/// number; `answer` returns the answer for each page.
fn crawl<C: Crawl>(
    count: u32,
    result: impl Fn(usize) -> Begun,
    answer: impl Fn(Page) -> Result<Vec<Page>, Failed>,
) {
    crate::story::begin();
    let mut sockets = Sockets::new(count);
    let mut crawl = C::new(sockets.todo.clone(), CAP);
    crawl.start(&mut |page| sockets.begin(page, result(sockets.calls + 1)));
    while let Some(page) = sockets.in_flight.pop_front() {
        let answer = answer(page);
        match &answer {
            Ok(links) => story!("page {page} has arrived, with links to {links:?}"),
            Err(Failed) => story!("page {page} has failed"),
        }
        sockets.todo.extend(answer.iter().flatten());
        let mut begin = |page| sockets.begin(page, result(sockets.calls + 1));
        crawl.finish(answer, &mut begin);
        sockets.must_be_busy();
    }
    sockets.must_be_busy();
}

fn arrives(_: Page) -> Result<Vec<Page>, Failed> {
    Ok(Vec::new())
}

fn never_more_pages_than_the_cap_allows<C: Crawl>() {
    let mut sockets = Sockets::new(9);
    let mut crawl = C::new(sockets.todo.clone(), CAP);
    crawl.start(&mut |page| sockets.begin(page, Ok(())));
    story!("`start` is called again");
    crawl.start(&mut |page| sockets.begin(page, Ok(())));
}

fn always_as_many_pages_as_the_cap_allows<C: Crawl>() {
    crawl::<C>(9, |_| Ok(()), arrives);
    let links = |page| match page {
        1 => vec![2, 3, 4, 5, 6],
        3 => vec![7],
        _ => vec![],
    };
    crawl::<C>(1, |_| Ok(()), |page| Ok(links(page)));
}

fn a_fetch_that_fails_makes_room<C: Crawl>() {
    let answer = |page| if page <= 4 { Err(Failed) } else { Ok(Vec::new()) };
    crawl::<C>(9, |_| Ok(()), answer);
}

fn a_fetch_that_fails_at_once_makes_room<C: Crawl>() {
    let failed = Err(Refused::Failed);
    let result = |call| if [1, 2, 3, 6].contains(&call) { failed } else { Ok(()) };
    crawl::<C>(9, result, arrives);
}

fn a_page_that_gets_no_socket_is_tried_again<C: Crawl>() {
    let has_arrived = Cell::new(false); // page 1, which has the only socket until then
    let result = |call| match call == 1 || has_arrived.get() {
        true => Ok(()),
        false => Err(Refused::OutOfSockets),
    };
    let answer = |_| {
        has_arrived.set(true);
        Ok(Vec::new())
    };
    crawl::<C>(6, result, answer);
    has_arrived.set(false);
    crawl::<C>(6, result, |page| answer(page).and(Err(Failed)));
}

fn one_refusal_is_enough_until_a_fetch_ends<C: Crawl>() {
    let mut sockets = Sockets::new(9);
    let mut crawl = C::new(sockets.todo.clone(), CAP);
    story!("the machine has one socket");
    let begin = |sockets: &mut Sockets, page| {
        let has_room = sockets.in_flight.is_empty();
        sockets.begin(page, if has_room { Ok(()) } else { Err(Refused::OutOfSockets) })
    };
    crawl.start(&mut |page| begin(&mut sockets, page));
    assert_eq!(sockets.calls, 2, "calls to `begin`, the second of which was refused");
    story!("a page has arrived");
    sockets.in_flight.clear();
    crawl.finish(Ok(Vec::new()), &mut |page| begin(&mut sockets, page));
    assert_eq!(sockets.calls, 4, "calls to `begin`, the fourth of which was refused");
}

fn a_hundred_thousand_fetches_that_fail_at_once<C: Crawl>() {
    let mut calls = 0;
    let mut crawl = C::new((0..100_000).collect(), CAP);
    story!("begin fails 100,000 times");
    crawl.start(&mut |_| {
        calls += 1;
        Err(Refused::Failed)
    });
    assert_eq!(calls, 100_000, "a call of `begin` for each page");
}

fn a_machine_with_fewer_sockets_than_the_cap<C: Crawl>() {
    let mut sockets = Sockets::new(5);
    let mut crawl = C::new(sockets.todo.clone(), CAP);
    story!("the machine has two sockets");
    let begin = |sockets: &mut Sockets, page| {
        let has_room = sockets.in_flight.len() < 2;
        sockets.begin(page, if has_room { Ok(()) } else { Err(Refused::OutOfSockets) })
    };
    crawl.start(&mut |page| begin(&mut sockets, page));
    while let Some(page) = sockets.in_flight.pop_front() {
        story!("page {page} has arrived");
        crawl.finish(Ok(Vec::new()), &mut |page| begin(&mut sockets, page));
        let (count, left) = (sockets.in_flight.len(), 5 - sockets.begun.len());
        assert!(
            count == 2 || left == 0,
            "in flight: {count}, pages that wait: {left}, and a socket is free"
        );
    }
    crate::story::begin();
    let mut sockets = Sockets::new(3);
    let mut crawl = C::new(sockets.todo.clone(), CAP);
    let mut begin = |page| match sockets.calls {
        2 | 3 => sockets.begin(page, Err(Refused::OutOfSockets)),
        _ => sockets.begin(page, Ok(())),
    };
    crawl.start(&mut begin);
    crawl.finish(Ok(Vec::new()), &mut begin);
    crawl.finish(Ok(Vec::new()), &mut begin);
    assert!(sockets.begun.contains(&3), "page 3 was refused twice and is lost");
}
