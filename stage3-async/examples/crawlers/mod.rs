//! Several crawlers that share their work: the parts that the steps of chapter 37 share.
//! Each crawler is a task here. It stands for a process on a machine of its own.
#![allow(dead_code)] // no step needs all of them

pub(crate) mod clock;
mod pages;
pub(crate) mod redis;

use clock::Clock;
use pages::PAGES;
pub(crate) use pages::ROOT;
use stage3_async::{Either, Executor, race};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::error::Error;
use std::rc::Rc;

pub(crate) type Url = &'static str;

// ANCHOR: ledger
/// What a crawler asks of a ledger, wherever that is.
pub(crate) trait Ledger {
    /// Takes a URL to be fetched. Returns `None` if there is none at the moment.
    async fn begin(&self) -> Option<Job>;
    /// Reports the links of its page. The job is done.
    async fn settle(&self, job: Job, links: &[Url]);
    /// Returns whether nothing is queued or in flight: the crawl is over.
    async fn is_done(&self) -> bool;
}

pub(crate) struct Job {
    pub(crate) id: redis::Id,
    pub(crate) url: Url,
}
// ANCHOR_END: ledger

/// How long a page takes, in milliseconds.
const FETCH: u64 = 20;
/// How long a crawler waits between two requests to one host.
const DELAY: u64 = 20;
/// How long a crawler waits when there is nothing to fetch.
const NAP: u64 = 10;

// ANCHOR: crawl
/// Crawls until the ledger says that the crawl is over.
pub(crate) async fn crawl(me: u32, ledger: &impl Ledger, site: &Site) {
    let mut next = HashMap::new(); // when each host may be asked again
    while !ledger.is_done().await {
        let Some(job) = ledger.begin().await else {
            site.clock.sleep(NAP).await;
            continue;
        };
        let next = next.entry(host(job.url)).or_default();
        site.clock.sleep_until(*next).await;
        *next = site.clock.now() + DELAY;
        let links = site.fetch(me, job.url).await;
        ledger.settle(job, links).await;
    }
}
// ANCHOR_END: crawl

/// The longest time for which a program watches its crawlers.
const WATCHED: u64 = 10_000;
/// When a crawler dies that does not.
pub(crate) const NEVER: u64 = u64::MAX;

// ANCHOR: run
/// Runs three crawlers, each with its own handle to a ledger, until they end or die:
/// that may be in the middle of whatever they do.
pub(crate) fn run<L: Ledger + 'static>(
    site: &Site,
    ledger: impl Fn(u32) -> L,
    deaths: [u64; 3],
) -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    for (me, death) in (1..).zip(deaths) {
        let (ledger, site) = (ledger(me), site.clone());
        drop(executor.spawn(async move {
            let death = site.clock.sleep_until(death);
            match race(crawl(me, &ledger, &site), death).await {
                Either::First(()) => site.log.borrow_mut().ends.push(site.clock.now()),
                Either::Second(()) => {
                    println!("  {} ms: crawler {me} dies", site.clock.now())
                }
            }
        }));
    }
    executor.block_on(site.clock.run_until(WATCHED))?;
    Ok(())
}
// ANCHOR_END: run

/// Returns the host of a URL.
pub(crate) fn host(url: Url) -> &'static str {
    url.split('/').next().unwrap_or(url)
}

/// The hosts that are crawled. Clones are handles to the same hosts.
#[derive(Clone)]
pub(crate) struct Site {
    pub(crate) clock: Clock,
    log: Rc<RefCell<Log>>,
    /// A crawler whose machine is slow: each page takes so much longer.
    slow: Option<(u32, u64)>,
}

#[derive(Default)]
struct Log {
    /// Each request: when it was made, by which crawler, and for which page.
    requests: Vec<(u64, u32, Url)>,
    /// Pages that a crawler has received whole.
    fetched: BTreeSet<Url>,
    /// When each crawler that did not die has seen the end of the crawl.
    ends: Vec<u64>,
}

impl Site {
    pub(crate) fn new(slow: Option<(u32, u64)>) -> Site {
        Site { clock: Clock::default(), log: Rc::default(), slow }
    }

    /// Fetches a page, and returns its links.
    async fn fetch(&self, me: u32, url: Url) -> &'static [Url] {
        self.log.borrow_mut().requests.push((self.clock.now(), me, url));
        let longer = self.slow.filter(|slow| slow.0 == me).map_or(0, |slow| slow.1);
        self.clock.sleep(FETCH + longer).await;
        self.log.borrow_mut().fetched.insert(url);
        let page = PAGES.iter().find(|(page, _)| *page == url);
        page.map_or(&[], |(_, links)| *links)
    }

    /// Prints how many pages were fetched, and which were requested twice, or are missing.
    pub(crate) fn print_pages(&self) {
        let Log { requests, fetched, ends } = &*self.log.borrow();
        let end = match ends.iter().max() {
            Some(end) => format!("over after {end} ms"),
            None => format!("not over after {} ms", self.clock.now()),
        };
        println!("  {end}: {} of {} pages", fetched.len(), PAGES.len());
        let mut pages: BTreeMap<Url, Vec<String>> = BTreeMap::new();
        for (when, me, url) in requests {
            pages.entry(url).or_default().push(format!("by {me} at {when} ms"));
        }
        for (url, by) in pages.iter().filter(|(_, by)| by.len() > 1) {
            println!("  {url} requested {}", by.join(", and "));
        }
        let is_missing = |url: &Url| !fetched.contains(url);
        let missing: Vec<_> =
            PAGES.iter().map(|page| page.0).filter(is_missing).collect();
        if !missing.is_empty() {
            println!("  missing: {}", missing.join(", "));
        }
    }

    /// Prints how many requests each of three crawlers has made.
    pub(crate) fn print_crawlers(&self) {
        let Log { requests, .. } = &*self.log.borrow();
        let count = |me| requests.iter().filter(|request| request.1 == me).count();
        println!(
            "  requests: {} by crawler 1, {} by 2, {} by 3",
            count(1),
            count(2),
            count(3)
        );
    }

    /// Prints how near two requests to one host have been to each other.
    pub(crate) fn print_nearest(&self) {
        let (mut latest, mut nearest) = (HashMap::new(), u64::MAX);
        for (when, _, url) in &self.log.borrow().requests {
            if let Some(before) = latest.insert(host(url), *when) {
                nearest = nearest.min(when - before);
            }
        }
        println!("  nearest requests to one host: {nearest} ms apart");
    }
}
