//! The books of a crawl: what to fetch, what was seen, and whether the crawl is over.

use crate::toy::choices::in_every_order;
use crate::{cases, story};
use std::collections::BTreeMap;

/// The address of a page.
pub type Url = &'static str;

/// There is no page.
pub struct Failed;

/// What a crawl remembers of its URLs. Pages are in flight between `next` and `settle`.
pub trait Books {
    /// Returns books in which only the root is to be fetched.
    fn new(root: Url) -> Self;
    /// Returns the next URL to fetch, or `None` if there is none at the moment. Each
    /// URL is returned once.
    fn next(&mut self) -> Option<Url>;
    /// Called when a fetch has ended, with the links of its page, or without a page.
    fn settle(&mut self, url: Url, answer: Result<Vec<Url>, Failed>);
    /// Returns whether nothing is left to fetch, and nothing is in flight. A loop may ask
    /// right after `settle`, so a URL that was fetched before and is queued once more
    /// does not count as left.
    fn is_over(&self) -> bool;
}

cases! {
    Books:
    pages_that_link_to_the_root,
    two_pages_that_link_to_the_same_one,
    a_page_that_links_twice_to_the_same_one,
    a_crawl_is_over_when_its_last_page_has_arrived,
    it_is_over_even_if_next_is_not_called_again,
    a_page_that_fails,
}

/// A page and its links. `None`: the fetch fails.
type Site = &'static [(Url, Option<&'static [Url]>)];

/// What came of a crawl.
#[derive(Default)]
struct Crawl {
    fetched: BTreeMap<Url, usize>,
    /// How many URLs were queued or in flight when the books said that it was over.
    over_too_early: Option<usize>,
    is_over: bool,
}

impl Crawl {
    /// Fetches at most `at_once` pages at the same time. `choose` returns which of them
    /// arrives next.
    fn new<B: Books>(
        site: Site,
        at_once: usize,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Crawl {
        let (mut books, mut crawl) = (B::new("/"), Crawl::default());
        let mut in_flight = Vec::new();
        crawl.over_too_early = books.is_over().then_some(1);
        loop {
            while in_flight.len() < at_once
                && let Some(url) = books.next()
            {
                story!("{url} is requested");
                *crawl.fetched.entry(url).or_default() += 1;
                let is_endless = crawl.fetched.values().sum::<usize>() > 50;
                assert!(!is_endless, "50 fetches, and no end: {:?}", crawl.fetched);
                in_flight.push(url);
            }
            if books.is_over() && !in_flight.is_empty() {
                crawl.over_too_early.get_or_insert(in_flight.len());
            }
            if in_flight.is_empty() {
                crawl.is_over = books.is_over();
                return crawl;
            }
            let url = in_flight.remove(choose(in_flight.len()));
            let page = site.iter().find(|page| page.0 == url);
            let links = page.and_then(|page| page.1);
            match links {
                Some(links) => story!("{url} has arrived, and links to {links:?}"),
                None => story!("{url} has failed"),
            }
            books.settle(url, links.map(Vec::from).ok_or(Failed));
        }
    }

    #[track_caller]
    fn must_have_fetched_each_page_once(&self, site: Site) {
        for (url, count) in &self.fetched {
            assert_eq!(*count, 1, "{url} must be fetched once");
        }
        assert_eq!(self.fetched.len(), site.len(), "pages that were fetched");
    }
}

/// Crawls the site in every order in which its pages can arrive, one to three at once.
fn crawl<B: Books>(site: Site, check: impl Fn(&Crawl)) {
    for at_once in 1..=3 {
        in_every_order(|choose| {
            story!("at most {at_once} in flight");
            check(&Crawl::new::<B>(site, at_once, choose));
        });
    }
}

fn pages_that_link_to_the_root<B: Books>() {
    let site: Site = &[("/", Some(&["/", "/a"])), ("/a", Some(&["/", "/a"]))];
    crawl::<B>(site, |crawl| crawl.must_have_fetched_each_page_once(site));
}

fn two_pages_that_link_to_the_same_one<B: Books>() {
    let site: Site = &[
        ("/", Some(&["/a", "/b"])),
        ("/a", Some(&["/c"])),
        ("/b", Some(&["/c"])),
        ("/c", Some(&["/a"])),
    ];
    crawl::<B>(site, |crawl| crawl.must_have_fetched_each_page_once(site));
}

fn a_page_that_links_twice_to_the_same_one<B: Books>() {
    let site: Site =
        &[("/", Some(&["/a", "/a", "/b", "/a"])), ("/a", Some(&[])), ("/b", Some(&[]))];
    crawl::<B>(site, |crawl| crawl.must_have_fetched_each_page_once(site));
}

fn a_crawl_is_over_when_its_last_page_has_arrived<B: Books>() {
    let site: Site =
        &[("/", Some(&["/a", "/b"])), ("/a", Some(&[])), ("/b", Some(&[]))];
    crawl::<B>(site, |crawl| {
        if let Some(count) = crawl.over_too_early {
            panic!("`is_over` is true; URLs that have no answer yet: {count}");
        }
        assert!(crawl.is_over, "all pages have arrived, and `is_over` is false");
    });
}

fn it_is_over_even_if_next_is_not_called_again<B: Books>() {
    let mut books = B::new("/");
    assert_eq!(books.next(), Some("/"), "the first URL");
    story!("/ has arrived, and links to /a");
    books.settle("/", Ok(vec!["/a"]));
    assert_eq!(books.next(), Some("/a"), "the second URL");
    story!("/a has arrived, and links to / and /a");
    books.settle("/a", Ok(vec!["/", "/a"]));
    assert!(
        books.is_over(),
        "all links were seen before, and `is_over` is false: a loop that asks now waits for \
         an event, and none comes"
    );
}

fn a_page_that_fails<B: Books>() {
    let site: Site = &[("/", Some(&["/a", "/b"])), ("/a", None), ("/b", Some(&["/a"]))];
    crawl::<B>(site, |crawl| {
        crawl.must_have_fetched_each_page_once(site);
        assert!(crawl.is_over, "no page is in flight, and `is_over` is false");
    });
}
