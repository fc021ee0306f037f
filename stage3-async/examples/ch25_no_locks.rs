//! One thread needs no locks; but what was checked may have changed after an await.
//!
//! `cargo run -p stage3-async --example ch25_no_locks`

mod fetch;

use fetch::fetch;
use shared::FetchError;
use shared::demo_site::DemoSite;
use stage3_async::{Executor, Reactor, timeout};
use std::cell::RefCell;
use std::collections::HashSet;
use std::error::Error;
use std::rc::Rc;
use std::time::Duration;
use url::Url;

const PATIENCE: Duration = Duration::from_secs(10);
const PAGE: &str = "/wiki/waiting/task";

// ANCHOR: crawl
/// What two tasks share. It is in an `Rc`, which is not `Send`, so the compiler lets no
/// other thread have it. There is no data race, and nothing to lock.
struct Crawl {
    seen: RefCell<HashSet<Url>>,
    reactor: Reactor,
}

type Visited = Result<(), FetchError>;
// ANCHOR_END: crawl

// ANCHOR: broken
/// Checks, waits, and then acts: a race condition, which no compiler refuses.
async fn visit_broken(number: u32, url: Url, crawl: Rc<Crawl>) -> Visited {
    if crawl.seen.borrow().contains(&url) {
        println!("  task {number}: it is seen already");
        return Ok(());
    }
    println!("  task {number}: it is new");
    fetch(&url, &crawl.reactor).await?; // meanwhile other tasks run
    crawl.seen.borrow_mut().insert(url);
    Ok(())
}
// ANCHOR_END: broken

// ANCHOR: fixed
/// Checks and acts, and then waits. No other task runs between two awaits, so check and
/// act are one step. A rule that must hold across an await needs such a mark.
async fn visit(number: u32, url: Url, crawl: Rc<Crawl>) -> Visited {
    let is_new = crawl.seen.borrow_mut().insert(url.clone());
    if !is_new {
        println!("  task {number}: it is seen already");
        return Ok(());
    }
    println!("  task {number}: it is new");
    fetch(&url, &crawl.reactor).await?;
    Ok(())
}
// ANCHOR_END: fixed

// ANCHOR: run
/// Two tasks find the same link.
fn run(is_fixed: bool) -> Result<(), Box<dyn Error>> {
    let (site, executor) = (DemoSite::start()?, Executor::new()?);
    let (seen, reactor) = (RefCell::default(), executor.reactor().clone());
    let crawl = Rc::new(Crawl { seen, reactor });
    let url = Url::parse(&site.url(PAGE))?;
    let visits = [1, 2].map(|number| match is_fixed {
        false => executor.spawn(visit_broken(number, url.clone(), crawl.clone())),
        true => executor.spawn(visit(number, url.clone(), crawl.clone())),
    });
    let both = async {
        for visit in visits {
            visit.await??;
        }
        Ok::<(), Box<dyn Error>>(())
    };
    let in_time = executor.block_on(timeout(PATIENCE, both, executor.reactor()))?;
    in_time??;
    println!("  requests for it: {}", site.requests(PAGE));
    Ok(())
}
// ANCHOR_END: run

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    println!("broken: check, wait, act");
    run(false)?;
    println!("fixed: check, act, wait");
    run(true)
}
// ANCHOR_END: main
