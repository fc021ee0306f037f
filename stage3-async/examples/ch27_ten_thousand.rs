//! Ten thousand tasks sleep on one thread, and five hundred more wait for slow pages.
//!
//! `cargo run -p stage3-async --example ch27_ten_thousand`
//!
//! Its output is compared on Linux only.
//! The tests run it alone: it measures memory and time.
//! In a page its output differs: memory is measured on Linux only.

mod fetch;

use fetch::fetch;
use shared::demo_site::DemoSite;
use stage3_async::{Executor, Reactor, timeout};
use std::error::Error;
use std::fs;
use std::time::{Duration, Instant};
use url::Url;

const SLEEPERS: usize = 10_000;
const PAGES: usize = 500;
const WAIT: Duration = Duration::from_secs(1);
const PATIENCE: Duration = Duration::from_secs(5);

// ANCHOR: tasks
/// A task that only waits.
async fn sleep(reactor: Reactor) -> bool {
    let when = Instant::now() + WAIT;
    reactor.sleep_until(when).await;
    Instant::now() >= when
}

/// A task that waits for a page, which the site sends after the same time.
async fn is_fetched(url: Url, reactor: Reactor) -> bool {
    let page = timeout(PATIENCE, fetch(&url, &reactor), &reactor).await;
    page.is_ok_and(|page| page.is_ok_and(|page| page.status == 200))
}
// ANCHOR_END: tasks

// ANCHOR: status
/// A number about this process, from a file that only Linux has.
fn status(name: &str) -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

fn print_memory(future_size: usize, before: Option<usize>) {
    println!("  the futures of a thousand: {} KB", future_size * 1_000 / 1_024);
    match before.zip(status("VmRSS:")) {
        None => println!("  all their memory is only measured on Linux"),
        Some((before, now)) => {
            let each = now.saturating_sub(before) * 1_000 / SLEEPERS;
            println!("  with all that is kept of them: {each} KB");
        }
    }
}
// ANCHOR_END: status

// ANCHOR: run
/// Starts all tasks, counts them half-way, and awaits them. Returns how many did well.
async fn run(site: &DemoSite, executor: &Executor) -> Result<u32, Box<dyn Error>> {
    let (reactor, before) = (executor.reactor(), status("VmRSS:"));
    let start = Instant::now();
    let sleepers = (0..SLEEPERS).map(|_| executor.spawn(sleep(reactor.clone())));
    let mut tasks: Vec<_> = sleepers.collect();
    executor.spawn(async {}).await?; // polled last, so now all of them wait
    println!("{} tasks sleep", tasks.len());
    print_memory(size_of_val(&sleep(reactor.clone())), before);
    let url = Url::parse(&site.url(&format!("/slow/1?ms={}", WAIT.as_millis())))?;
    let fetches = (0..PAGES).map(|_| is_fetched(url.clone(), reactor.clone()));
    tasks.extend(fetches.map(|fetch| executor.spawn(fetch)));
    reactor.sleep_until(start + WAIT / 2).await;
    println!("{} tasks wait", tasks.len());
    match status("Threads:") {
        Some(threads) => println!("  in {threads} threads: one is the site's"),
        None => println!("  in threads that are not counted here"),
    }
    let mut well = 0;
    for task in tasks {
        well += u32::from(task.await?);
    }
    Ok(well)
}
// ANCHOR_END: run

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let (site, executor) = (DemoSite::start()?, Executor::new()?);
    let start = Instant::now();
    let well = executor.block_on(run(&site, &executor))??;
    println!("sockets at once: {}", site.most_connections_at_once());
    println!("{well} tasks have ended well");
    let failed = SLEEPERS + PAGES - well as usize;
    if failed > 0 {
        println!("{failed} have not: their pages did not come");
    }
    println!("one after the other they would take {} s", (WAIT * well).as_secs());
    println!("and they took {} ms", start.elapsed().as_millis());
    Ok(())
}
// ANCHOR_END: main
