//! A redirect has a row of its own, and its target is a job: it is fetched once.
//!
//! `cargo run -p stage3-async --example ch23_redirects`

mod fetch;

use fetch::fetch;
use shared::demo_site::DemoSite;
use shared::{FetchError, Options, Page, Stop, Url};
use stage3_async::{Executor, Reactor, crawl, timeout};
use std::error::Error;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(10);
const MOST: u32 = 10;

// ANCHOR: follow
/// Broken: it follows redirects inside the fetch.
async fn follow(url: &Url, reactor: &Reactor) -> Result<Page, FetchError> {
    let mut page = Page::from_response(url, fetch(url, reactor).await?);
    for _ in 0..MOST {
        let Some(Ok(target)) = page.redirect.take() else { break };
        // Here is the bug: nothing checks whether this was fetched before.
        page = Page::from_response(&target, fetch(&target, reactor).await?);
    }
    Ok(page)
}
// ANCHOR_END: follow

// ANCHOR: each
/// Fetches one page after the other, each to its end.
fn fetch_each(site: &DemoSite, paths: &[&str]) -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    let reactor = executor.reactor();
    executor.block_on(async {
        for path in paths {
            let url = Url::parse(&site.url(path))?;
            timeout(PATIENCE, follow(&url, reactor), reactor).await??;
        }
        Ok(())
    })?
}
// ANCHOR_END: each

// ANCHOR: crawl
/// Fixed: the finished crawler. The ledger turns the target of a redirect into a job
/// with one redirect fewer, unless it has been seen.
fn crawl_from(
    site: &DemoSite,
    paths: &[&str],
    max_redirect: u32,
) -> Result<(), Box<dyn Error>> {
    let roots = paths.iter().map(|path| Url::parse(&site.url(path)));
    let mut options = Options::with_roots(roots.collect::<Result<Vec<_>, _>>()?);
    // Links are not followed. A redirect is no link: its target is as near as the root.
    (options.max_redirect, options.max_depth) = (max_redirect, Some(0));
    options.timeout = PATIENCE;
    for row in crawl(&options, &Stop::new())?.rows {
        let url = Url::parse(&row.url)?;
        print!("  {}: {}", url.path(), row.outcome.name());
        match row.next_url {
            Some(next) => println!(", next is {}", Url::parse(&next)?.path()),
            None => println!(),
        }
    }
    Ok(())
}
// ANCHOR_END: crawl

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    println!("a fetch that follows redirects");
    let site = DemoSite::start()?;
    fetch_each(&site, &["/foo", "/bar"])?;
    show_requests(&site, &["/foo", "/bar", "/baz"]);

    println!("redirects as jobs");
    let site = DemoSite::start()?; // which has counted nothing yet
    crawl_from(&site, &["/foo", "/bar"], MOST)?;
    show_requests(&site, &["/foo", "/bar", "/baz"]);

    println!("a chain, and two redirects allowed");
    crawl_from(&site, &["/chain/3"], 2)?;
    println!("a loop, and {MOST} redirects allowed");
    crawl_from(&site, &["/loop/a"], MOST)?;
    show_requests(&site, &["/loop/a", "/loop/b"]);
    Ok(())
}

/// How many times the server was asked for each of these.
fn show_requests(site: &DemoSite, paths: &[&str]) {
    let requests: Vec<usize> = paths.iter().map(|path| site.requests(path)).collect();
    println!("  requests for {}: {requests:?}", paths.join(", "));
}
// ANCHOR_END: main
