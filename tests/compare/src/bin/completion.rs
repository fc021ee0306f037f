//! A crawl on readiness and on completion: stage 3 and Tokio on epoll, and compio on both.
//!
//! `cargo measure completion [ROUNDS [WORKERS]]`
//!
//! All of them crawl the same site; in each round, they take turns. Each runs its tasks on
//! one thread, but on epoll, compio has its sockets made by helper threads. The site is a
//! process of its own. A crawl that does not visit each page once is an error. If strace is
//! installed and allowed, it counts the system calls of one more crawl of each.

mod crawl;
// The queue of the steps itself.
#[path = "../../../../stage3-async/examples/threads/mod.rs"]
mod threads;

use compare::{machine::Machine, usage};
use crawl::{Crawl, fetch_stage3, fetch_tokio, start_site, work};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{env, error::Error, fs};
use url::Url;

const PAGES: usize = 2_000;

type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

fn main() -> Result<()> {
    if !cfg!(target_os = "linux") {
        return Err("it compares epoll and io_uring, which only Linux has".into());
    }
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [name, root, workers] = &arguments[..] {
        let crawlers = crawlers();
        let crawler = crawlers.iter().find(|crawler| crawler.0 == *name);
        let crawler = crawler.ok_or("no such crawler")?;
        crawler.crawl(&Url::parse(root)?, workers.parse()?)?;
        return Ok(()); // for strace
    }
    let number = |place: usize, usual| {
        arguments.get(place).map_or(Ok(usual), |text: &String| text.parse())
    };
    let (rounds, workers) = (number(0, 9)?, number(1, 10)?);
    println!("<!-- $ cargo measure completion {} -->", arguments.join(" "));
    println!("{}", Machine::this());
    println!("\nMedians of {rounds} rounds, and how far the middle half is from them.");
    let site = start_site()?;
    let root = format!("http://{}/many/0?count={PAGES}&links=8&close", site.address);
    println!("\n## {PAGES} pages with 8 links, {workers} at a time\n");
    table(rounds, &Url::parse(&root)?, workers)?;
    site.end()?;
    Ok(())
}

/// Measures all crawlers in turn, and prints the medians.
fn table(rounds: usize, root: &Url, workers: usize) -> Result<()> {
    let crawlers = crawlers();
    let mut used = vec![Vec::new(); crawlers.len()];
    for _ in 0..rounds {
        for (used, crawler) in used.iter_mut().zip(&crawlers) {
            used.push(crawler.crawl(root, workers)?);
        }
    }
    println!(
        "| crawler | waits with |    total time | CPU time per page | system calls per page |"
    );
    println!(
        "|---------|------------|--------------:|------------------:|----------------------:|"
    );
    for (crawler, used) in crawlers.iter().zip(&used) {
        let (time, spread) = middle(used.iter().map(|(time, _)| *time));
        let time = format!("{:.0} ms ±{spread:.0} %", time * 1e3);
        let (cpu, spread) = middle(used.iter().map(|(_, cpu)| *cpu));
        let cpu = format!("{:.0} µs ±{spread:.0} %", cpu * 1e6 / PAGES as f64);
        let (name, waits) = crawler.0.split_once(", ").expect("it has two parts");
        let calls = crawler.system_calls(root, workers)?;
        println!("| {name:<7} | {waits:<10} | {time:>13} | {cpu:>17} | {calls:>21} |");
    }
    Ok(())
}

/// The median in seconds, and how far the middle half is from it, in percent.
fn middle(times: impl Iterator<Item = Duration>) -> (f64, f64) {
    let mut times: Vec<f64> = times.map(|time| time.as_secs_f64()).collect();
    times.sort_by(f64::total_cmp);
    let (median, quarter) = (times[times.len() / 2], times.len() / 4);
    let width = times[times.len() - 1 - quarter] - times[quarter];
    (median, width / 2.0 / median * 100.0)
}

/// What waits, with which call to the system, and how it runs a crawl with so many workers.
struct Crawler(&'static str, Box<dyn Fn(Arc<Crawl>, usize) -> Result<()>>);

/// Those that this machine allows.
fn crawlers() -> Vec<Crawler> {
    let mut all = vec![
        Crawler("stage 3, epoll", Box::new(on_stage3)),
        Crawler("Tokio, epoll", Box::new(on_tokio)),
    ];
    all.extend(on_compio::crawlers());
    all
}

impl Crawler {
    /// Crawls the site. Returns the time, and the processor's time of this process, which
    /// does nothing else. Checks that each page was visited once.
    fn crawl(&self, root: &Url, workers: usize) -> Result<(Duration, Duration)> {
        let crawl = Crawl::new(root);
        let cpu = || usage::own().map_or(Duration::ZERO, |usage| usage.cpu);
        let (began, before) = (Instant::now(), cpu());
        self.1(Arc::clone(&crawl), workers)?;
        let used = (began.elapsed(), cpu() - before);
        crawl.check(self.0, PAGES)?;
        Ok(used)
    }

    /// The system calls of one crawl, for each page, if strace may count them.
    fn system_calls(&self, root: &Url, workers: usize) -> Result<String> {
        let file = tempfile::NamedTempFile::new()?;
        let mut strace = Command::new("strace");
        strace.args(["-f", "-c", "-o"]).arg(file.path()).stderr(Stdio::null());
        strace.arg("--").arg(env::current_exe()?);
        strace.args([self.0, root.as_str(), &workers.to_string()]);
        if !strace.status().is_ok_and(|status| status.success()) {
            return Ok("?".to_string());
        }
        // The last line: share, seconds, microseconds for each, calls, errors, "total".
        let text = fs::read_to_string(file.path())?;
        let calls = text.lines().last().and_then(|line| line.split_whitespace().nth(3));
        let calls: f64 = calls.ok_or("strace prints a sum")?.parse()?;
        Ok(format!("{:.1}", calls / PAGES as f64))
    }
}

fn on_stage3(crawl: Arc<Crawl>, workers: usize) -> Result<()> {
    let executor = stage3_async::Executor::new()?;
    for _ in 0..workers {
        let reactor = executor.reactor().clone();
        let fetch = move |url| fetch_stage3(url, reactor.clone());
        drop(executor.spawn(work(Arc::clone(&crawl), fetch)));
    }
    Ok(executor.block_on(crawl.queue.join())?)
}

fn on_tokio(crawl: Arc<Crawl>, workers: usize) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    for _ in 0..workers {
        drop(runtime.spawn(work(Arc::clone(&crawl), fetch_tokio)));
    }
    runtime.block_on(crawl.queue.join());
    Ok(())
}

#[cfg(not(target_os = "linux"))]
mod on_compio {
    pub(super) fn crawlers() -> Vec<super::Crawler> {
        Vec::new()
    }
}

#[cfg(target_os = "linux")]
mod on_compio {
    use super::*;
    use crate::crawl::{PATIENCE, address, head, parser};
    use compio::BufResult;
    use compio::driver::{DriverType, ProactorBuilder};
    use compio::io::{AsyncRead, AsyncWriteExt};
    use compio::net::TcpStream;
    use compio::runtime::{Runtime, RuntimeBuilder};
    use shared::{FetchError, Page};
    use std::io;

    pub(super) fn crawlers() -> Vec<Crawler> {
        let epoll = ("compio, epoll", DriverType::Poll);
        let ring = ("compio, io_uring", DriverType::IoUring);
        let mut allowed = Vec::new();
        for (name, driver) in [epoll, ring] {
            match runtime(driver) {
                Ok(_) => allowed.push(Crawler(
                    name,
                    Box::new(move |crawl, workers| {
                        run(&runtime(driver)?, crawl, workers)
                    }),
                )),
                Err(error) => eprintln!("{name}: the kernel refuses it: {error}"),
            }
        }
        allowed
    }

    fn runtime(driver: DriverType) -> io::Result<Runtime> {
        let mut proactor = ProactorBuilder::new();
        proactor.driver_type(driver);
        RuntimeBuilder::new().with_proactor(proactor).build()
    }

    fn run(runtime: &Runtime, crawl: Arc<Crawl>, workers: usize) -> Result<()> {
        runtime.block_on(async {
            for _ in 0..workers {
                compio::runtime::spawn(work(Arc::clone(&crawl), fetch)).detach();
            }
            crawl.queue.join().await;
        });
        Ok(())
    }

    async fn fetch(url: Url) -> Result<Page, FetchError> {
        let response = compio::time::timeout(PATIENCE, fetch_response(&url));
        response.await.unwrap_or(Err(FetchError::TimedOut(PATIENCE)))
    }

    // ANCHOR: fetch
    async fn fetch_response(url: &Url) -> Result<Page, FetchError> {
        let mut stream = TcpStream::connect(address(url)?).await?;
        stream.write_all(head(url)).await.0?;
        let (mut parser, mut chunk) = (parser(), Vec::with_capacity(16 * 1024));
        loop {
            chunk.clear();
            let BufResult(count, returned) = stream.read(chunk).await;
            chunk = returned;
            if let Some(response) = parser.feed(&chunk[..count?])? {
                return Ok(Page::from_response(url, response));
            }
        }
    }
    // ANCHOR_END: fetch
}
