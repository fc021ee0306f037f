//! Three crawlers, each of which knows only its own part of the crawl.
//!
//! `cargo run -p stage3-async --example ch37_broken_two_seen [seen-first]`

mod crawlers;

use crawlers::{Job, Ledger, NEVER, ROOT, Site, Url, run};
use std::cell::RefCell;
use std::collections::{HashSet, VecDeque};
use std::env;
use std::error::Error;
use std::rc::Rc;

// ANCHOR: ledger
type Seen = Rc<RefCell<HashSet<Url>>>;
/// URLs in a queue, and how many are queued or in flight.
type Frontier = Rc<RefCell<(VecDeque<Url>, usize)>>;

struct Parts {
    seen: Seen,
    frontier: Frontier,
}

impl Parts {
    fn add(&self, url: Url) {
        if self.seen.borrow_mut().insert(url) {
            let mut frontier = self.frontier.borrow_mut();
            frontier.0.push_back(url);
            frontier.1 += 1;
        }
    }
}
// ANCHOR_END: ledger

impl Ledger for Parts {
    async fn begin(&self) -> Option<Job> {
        let url = self.frontier.borrow_mut().0.pop_front();
        url.map(|url| Job { id: 0, url })
    }

    async fn settle(&self, _: Job, links: &[Url]) {
        links.iter().for_each(|url| self.add(url));
        self.frontier.borrow_mut().1 -= 1;
    }

    async fn is_done(&self) -> bool {
        self.frontier.borrow().1 == 0
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    if env::args().nth(1).is_some_and(|argument| argument == "seen-first") {
        return seen_first();
    }
    println!("a seen-set and a frontier for each:");
    run_parts(Seen::default, Frontier::default, NEVER)?.print_crawlers();
    println!("one frontier for all, and a seen-set for each:");
    let frontier = Frontier::default();
    run_parts(Seen::default, || frontier.clone(), NEVER)?.print_crawlers();
    Ok(())
}

fn seen_first() -> Result<(), Box<dyn Error>> {
    println!("one seen-set for all, and a frontier for each:");
    let seen = Seen::default();
    run_parts(|| seen.clone(), Frontier::default, NEVER)?.print_crawlers();
    println!("the same, but crawler 1 dies:");
    let seen = Seen::default();
    run_parts(|| seen.clone(), Frontier::default, 50)?.print_pages();
    Ok(())
}

/// Runs three crawlers, of which the first one dies after `death` milliseconds.
fn run_parts(
    seen: impl Fn() -> Seen,
    frontier: impl Fn() -> Frontier,
    death: u64,
) -> Result<Site, Box<dyn Error>> {
    let site = Site::new(None);
    let ledger = |_| {
        let ledger = Parts { seen: seen(), frontier: frontier() };
        ledger.add(ROOT);
        ledger
    };
    run(&site, ledger, [death, NEVER, NEVER])?;
    Ok(site)
}
