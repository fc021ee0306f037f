//! A crawl on readiness and on completion: stage 3 and Tokio on epoll, and compio on both.
//!
//! `cargo run --release -p conformance --features peers --bin completion [ROUNDS]`, after
//! `cargo build --release -p conformance --features peers --bin compare_site`
//!
//! All of them crawl the same site with one thread; in each round, they take turns. The site
//! is a process of its own. A crawl that does not visit each page once is an error. If strace
//! is installed and allowed, it counts the system calls of one more crawl of each.

// The queue of the steps itself.
#[path = "../../../stage3-async/examples/threads/mod.rs"]
mod threads;

use conformance::compare::{machine::Machine, usage};
use shared::http::Connection;
use shared::{FetchError, Page, ResponseParser, request};
use std::collections::HashSet;
use std::future::Future;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{env, error::Error, fs};
use threads::queue::Queue;
use url::Url;

const PATIENCE: Duration = Duration::from_secs(60);
const HELD: &str = "nothing panics while it holds this";
const PAGES: usize = 2_000;
const WORKERS: usize = 10;

type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

fn main() -> Result<()> {
    if !cfg!(target_os = "linux") {
        return Err("it compares epoll and io_uring, which only Linux has".into());
    }
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [name, root] = &arguments[..] {
        let crawlers = crawlers();
        let crawler = crawlers.iter().find(|crawler| crawler.0 == *name);
        crawler.ok_or("no such crawler")?.crawl(&Url::parse(root)?)?;
        return Ok(()); // for strace
    }
    let rounds = arguments.first().map_or(Ok(9), |text| text.parse())?;
    println!(
        "<!-- $ cargo run --release -p conformance --features peers --bin completion \
         {rounds} -->"
    );
    println!("{}", Machine::this());
    println!("\nMedians of {rounds} rounds, and how far the middle half is from them.");
    let site = Site::start()?;
    let root = format!("http://{}/many/0?count={PAGES}&links=8&close", site.address);
    println!("\n## {PAGES} pages with 8 links, {WORKERS} at a time\n");
    table(rounds, &Url::parse(&root)?)?;
    Ok(site.end()?)
}

/// Measures all crawlers in turn, and prints the medians.
fn table(rounds: usize, root: &Url) -> Result<()> {
    let crawlers = crawlers();
    let mut used = vec![Vec::new(); crawlers.len()];
    for _ in 0..rounds {
        for (used, crawler) in used.iter_mut().zip(&crawlers) {
            used.push(crawler.crawl(root)?);
        }
    }
    println!(
        "| crawler | waits with |   time in all | CPU time a page | system calls a page |"
    );
    println!(
        "|---------|------------|--------------:|----------------:|--------------------:|"
    );
    for (crawler, used) in crawlers.iter().zip(&used) {
        let (time, spread) = middle(used.iter().map(|(time, _)| *time));
        let time = format!("{:.0} ms ±{spread:.0} %", time * 1e3);
        let (cpu, spread) = middle(used.iter().map(|(_, cpu)| *cpu));
        let cpu = format!("{:.0} µs ±{spread:.0} %", cpu * 1e6 / PAGES as f64);
        let (name, waits) = crawler.0.split_once(", ").expect("it has two parts");
        let calls = crawler.system_calls(root)?;
        println!("| {name:<7} | {waits:<10} | {time:>13} | {cpu:>15} | {calls:>19} |");
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
struct Crawler(&'static str, Box<dyn Fn(Arc<Crawl>) -> Result<()>>);

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
    fn crawl(&self, root: &Url) -> Result<(Duration, Duration)> {
        let crawl = Arc::<Crawl>::default();
        crawl.add(root.clone());
        let cpu = || usage::own().map_or(Duration::ZERO, |usage| usage.cpu);
        let (began, before) = (Instant::now(), cpu());
        self.1(Arc::clone(&crawl))?;
        let used = (began.elapsed(), cpu() - before);
        match *crawl.visited.lock().expect(HELD) {
            PAGES => Ok(used),
            other => Err(format!("{}: {other} pages", self.0).into()),
        }
    }

    /// The system calls of one crawl, for each page, if strace may count them.
    fn system_calls(&self, root: &Url) -> Result<String> {
        let file = tempfile::NamedTempFile::new()?;
        let mut strace = Command::new("strace");
        strace.args(["-f", "-c", "-o"]).arg(file.path()).stderr(Stdio::null());
        strace.arg("--").arg(env::current_exe()?).args([self.0, root.as_str()]);
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

/// What all workers share.
#[derive(Default)]
struct Crawl {
    queue: Queue<Url>,
    seen: Mutex<HashSet<Url>>,
    /// Pages that came.
    visited: Mutex<usize>,
}

impl Crawl {
    fn add(&self, link: Url) {
        if self.seen.lock().expect(HELD).insert(link.clone()) {
            self.queue.put(link);
        }
    }
}

/// Fetches pages until it is dropped.
async fn work<R>(crawl: Arc<Crawl>, fetch: impl Fn(Url) -> R)
where
    R: Future<Output = Result<Page, FetchError>>,
{
    loop {
        let url = crawl.queue.get().await;
        if let Ok(page) = fetch(url.clone()).await {
            *crawl.visited.lock().expect(HELD) += 1;
            let ours =
                page.links.into_iter().filter(|link| link.origin() == url.origin());
            ours.for_each(|link| crawl.add(link));
        }
        crawl.queue.task_done();
    }
}

fn head(url: &Url) -> Vec<u8> {
    request(url, "a step of the book", Connection::Close)
}

fn parser() -> ResponseParser {
    ResponseParser::new(1 << 20)
}

fn address(url: &Url) -> Result<std::net::SocketAddr, FetchError> {
    Ok(url.socket_addrs(|| None)?[0]) // a number: no look-up is needed
}

fn on_stage3(crawl: Arc<Crawl>) -> Result<()> {
    let executor = stage3_async::Executor::new()?;
    for _ in 0..WORKERS {
        let reactor = executor.reactor().clone();
        let fetch = move |url| fetch_stage3(url, reactor.clone());
        drop(executor.spawn(work(Arc::clone(&crawl), fetch)));
    }
    Ok(executor.block_on(crawl.queue.join())?)
}

async fn fetch_stage3(
    url: Url,
    reactor: stage3_async::Reactor,
) -> Result<Page, FetchError> {
    let fetch = async {
        let mut stream =
            stage3_async::TcpStream::connect(address(&url)?, &reactor).await?;
        stream.write_all(&head(&url)).await?;
        let mut parser = parser();
        loop {
            if let Some(response) =
                stream.read_with(|chunk| parser.feed(chunk)).await??
            {
                return Ok(Page::from_response(&url, response));
            }
        }
    };
    stage3_async::timeout(PATIENCE, fetch, &reactor).await.expect("the site answers")
}

fn on_tokio(crawl: Arc<Crawl>) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    for _ in 0..WORKERS {
        drop(runtime.spawn(work(Arc::clone(&crawl), fetch_tokio)));
    }
    runtime.block_on(crawl.queue.join());
    Ok(())
}

async fn fetch_tokio(url: Url) -> Result<Page, FetchError> {
    let fetch = async {
        let stream = tokio::net::TcpStream::connect(address(&url)?).await?;
        let (request, mut sent) = (head(&url), 0);
        while sent < request.len() {
            stream.writable().await?;
            sent += unless_blocked(stream.try_write(&request[sent..]))?.unwrap_or(0);
        }
        let (mut parser, mut chunk) = (parser(), vec![0; 16 * 1024]);
        loop {
            stream.readable().await?;
            let count = unless_blocked(stream.try_read(&mut chunk))?;
            let Some(count) = count else { continue };
            if let Some(response) = parser.feed(&chunk[..count])? {
                return Ok(Page::from_response(&url, response));
            }
        }
    };
    tokio::time::timeout(PATIENCE, fetch).await.expect("the site answers")
}

/// `None`: it would have blocked.
fn unless_blocked(result: io::Result<usize>) -> io::Result<Option<usize>> {
    match result {
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(None),
        result => result.map(Some),
    }
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
    use compio::BufResult;
    use compio::driver::{DriverType, ProactorBuilder};
    use compio::io::{AsyncRead, AsyncWriteExt};
    use compio::net::TcpStream;
    use compio::runtime::{Runtime, RuntimeBuilder};

    pub(super) fn crawlers() -> Vec<Crawler> {
        let epoll = ("compio, epoll", DriverType::Poll);
        let ring = ("compio, io_uring", DriverType::IoUring);
        let mut allowed = Vec::new();
        for (name, driver) in [epoll, ring] {
            match runtime(driver) {
                Ok(_) => allowed.push(Crawler(
                    name,
                    Box::new(move |crawl| run(&runtime(driver)?, crawl)),
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

    fn run(runtime: &Runtime, crawl: Arc<Crawl>) -> Result<()> {
        runtime.block_on(async {
            for _ in 0..WORKERS {
                compio::runtime::spawn(work(Arc::clone(&crawl), fetch)).detach();
            }
            crawl.queue.join().await;
        });
        Ok(())
    }

    async fn fetch(url: Url) -> Result<Page, FetchError> {
        let response = compio::time::timeout(PATIENCE, fetch_response(&url));
        response.await.expect("the site answers")
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

/// The site, in a process of its own. It ends when its standard input does.
struct Site {
    child: Child,
    address: String,
    output: BufReader<ChildStdout>,
}

impl Site {
    fn start() -> Result<Site> {
        let program = env::current_exe()?.with_file_name("compare_site");
        let program = program.with_extension(env::consts::EXE_EXTENSION);
        let mut command = Command::new(program);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| {
            format!("{error}; build it: --bin compare_site, as this program")
        })?;
        let output = child.stdout.take().expect("a pipe was asked for");
        let (mut address, mut output) = (String::new(), BufReader::new(output));
        output.read_line(&mut address)?;
        Ok(Site { child, address: address.trim().to_string(), output })
    }

    fn end(mut self) -> io::Result<()> {
        drop(self.child.stdin.take());
        self.output.read_to_end(&mut Vec::new())?; // what it has seen
        self.child.wait().map(drop)
    }
}
