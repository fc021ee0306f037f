//! Threads that share a crawl, in every order in which they can meet.

pub use crate::orders::{Arc, Condvar, Mutex, thread};

use crate::orders::in_every_order;
use crate::{cases, story};

/// Fetches a page: returns the numbers of the pages that it links to.
pub type Fetch = std::sync::Arc<dyn Fn(u32) -> Vec<u32> + Send + Sync>;

/// A pool of threads. `Arc`, `Mutex`, `Condvar` and `thread` are those of `checks::pool`:
/// they work like std's, and the check can stop a thread wherever it uses one.
pub trait Pool: 'static {
    /// Crawls from page 0 with this many threads. Returns the pages that were fetched.
    fn crawl(threads: usize, fetch: Fetch) -> Vec<u32>;
}

cases! {
    Pool:
    each_page_is_fetched_once,
    two_threads_fetch_side_by_side,
    every_thread_ends_when_nothing_is_left,
    a_thread_waits_until_there_is_a_page_for_it,
}

/// Makes a site: the links of each page, and what else a fetch does.
fn site(
    links: &'static [&'static [u32]],
    during: impl Fn(u32) + Send + Sync + 'static,
) -> Fetch {
    std::sync::Arc::new(move |page| {
        story!("page {page} is requested");
        during(page);
        story!("page {page} has arrived");
        links[page as usize].to_vec()
    })
}

fn each_page_is_fetched_once<P: Pool>() {
    in_every_order(|| {
        let links: &[&[u32]] = &[&[1, 2], &[0, 1, 2], &[2, 3, 3], &[]];
        let mut pages = P::crawl(1, site(links, |_| ()));
        pages.sort();
        assert_eq!(pages, [0, 1, 2, 3], "the pages that were fetched, with one thread");
    });
}

/// Each of two threads waits here until both have arrived.
struct Meeting {
    arrived: Mutex<usize>,
    changed: Condvar,
}

impl Meeting {
    fn new() -> Meeting {
        Meeting { arrived: Mutex::new(0), changed: Condvar::new() }
    }

    fn arrive(&self) {
        let mut arrived = self.arrived.lock().expect("no panic holds it");
        *arrived += 1;
        self.changed.notify_all();
        while *arrived < 2 {
            arrived = self.changed.wait(arrived).expect("no panic holds it");
        }
    }
}

fn two_threads_fetch_side_by_side<P: Pool>() {
    in_every_order(|| {
        let meeting = Meeting::new();
        story!("pages 1 and 2 arrive once both are requested");
        let during = move |page| {
            if page > 0 {
                meeting.arrive();
            }
        };
        let mut pages = P::crawl(2, site(&[&[1, 2], &[], &[]], during));
        pages.sort();
        assert_eq!(pages, [0, 1, 2], "the pages that were fetched, with two threads");
    });
}

fn every_thread_ends_when_nothing_is_left<P: Pool>() {
    in_every_order(|| {
        story!("a site of one page, and three threads");
        let pages = P::crawl(3, site(&[&[]], |_| ()));
        assert_eq!(pages, [0], "the pages that were fetched: there is one");
    });
}

/// Page 0 links to one page, so one of two threads is notified, and finds nothing.
fn a_thread_waits_until_there_is_a_page_for_it<P: Pool>() {
    in_every_order(|| {
        let meeting = Meeting::new();
        story!("pages 2 and 3 arrive once both are requested");
        let during = move |page| {
            if page > 1 {
                meeting.arrive();
            }
        };
        let links: &[&[u32]] = &[&[1], &[2, 3], &[], &[]];
        let mut pages = P::crawl(2, site(links, during));
        pages.sort();
        assert_eq!(pages, [0, 1, 2, 3], "the pages that were fetched");
    });
}
