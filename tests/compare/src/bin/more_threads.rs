//! What more threads are worth: chapter 30's executors beside stage 3's and Tokio's.
//!
//! `cargo measure more_threads [ROUNDS]`
//!
//! All of them run the same functions; in each round, they take turns. The site is a process
//! of its own. A crawl that does not visit each page once is an error.

mod crawl;
// The files of the steps themselves.
#[path = "../../../../stage3-async/examples/threads/mod.rs"]
mod threads;

use compare::machine::Machine;
use crawl::{Crawl, PATIENCE, address, fetch_stage3, fetch_tokio, head, parser};
use crawl::{start_site, work};
use shared::{FetchError, Page};
use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{env, error::Error};
use threads::one_queue::OneQueue;
use threads::steal::Stealing;
use threads::task::{ReadyQueue, spawn};
use threads::{net, queue::Queue, run_on};
use tokio::runtime::{Builder, Runtime};
use url::Url;

/// The executors, in the order of the tables.
const EXECUTORS: &[Executor] = &[
    Executor("stage 3", 1, Kind::Stage3),
    Executor("one queue", 1, Kind::OneQueue),
    Executor("one queue", 2, Kind::OneQueue),
    Executor("own queues", 1, Kind::Stealing),
    Executor("own queues", 2, Kind::Stealing),
    Executor("Tokio", 1, Kind::Tokio),
    Executor("Tokio", 2, Kind::Tokio),
];

struct Executor(&'static str, usize, Kind);

#[derive(Clone, Copy)]
enum Kind {
    Stage3,
    OneQueue,
    Stealing,
    Tokio,
}

fn main() -> Result<(), Box<dyn Error>> {
    let rounds = env::args().nth(1).map_or(Ok(13), |text| text.parse())?;
    println!("<!-- $ cargo measure more_threads -->");
    println!("{}", Machine::this());
    println!(
        "\nMedians of {rounds} rounds, and half the distance between the quartiles."
    );
    println!("\n**1,000,000 turns of 100 tasks that do nothing else**\n");
    table(rounds, |executor| Ok(executor.turns()))?;
    let site = start_site()?;
    for (title, path, pages, workers) in [
        (
            "2,000 pages with 64 links, 10 at a time",
            "/many/0?count=2000&links=64&close",
            2000,
            10,
        ),
        ("1,000 pages of 100 ms, 100 at a time", "/star?count=1000&ms=100", 1001, 100),
    ] {
        println!("\n**{title}**\n");
        let root = Url::parse(&format!("http://{}{path}", site.address))?;
        table(rounds, |executor| executor.crawl(&root, pages, workers))?;
    }
    site.end()?;
    Ok(())
}

/// Measures all executors in turn, and prints the medians.
fn table(
    rounds: usize,
    measure: impl Fn(&Executor) -> Result<Duration, Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let mut times = vec![Vec::new(); EXECUTORS.len()];
    for _ in 0..rounds {
        for (times, executor) in times.iter_mut().zip(EXECUTORS) {
            times.push(measure(executor)?.as_secs_f64() * 1000.0);
        }
    }
    times.iter_mut().for_each(|times| times.sort_by(f64::total_cmp));
    let first = median(&times[0]);
    println!("| executor   | threads |         time | × stage 3 |");
    println!("|------------|--------:|-------------:|----------:|");
    for (Executor(name, threads, _), times) in EXECUTORS.iter().zip(&times) {
        let (median, quarter) = (median(times), times.len() / 4);
        let spread = (times[times.len() - 1 - quarter] - times[quarter]) / 2.0 / median;
        let time = format!("{median:.0} ms ±{:.0} %", spread * 100.0);
        println!(
            "| {name:<10} | {threads:>7} | {time:>12} | {:>9.2} |",
            median / first
        );
    }
    Ok(())
}

fn median(sorted: &[f64]) -> f64 {
    sorted[sorted.len() / 2]
}

impl Executor {
    /// Runs a hundred tasks that let the others run, 10,000 times each.
    fn turns(&self) -> Duration {
        let tasks = || {
            let done = Arc::<Queue<()>>::default();
            let turns = (0..100).map(|_| {
                done.put(());
                let done = Arc::clone(&done);
                async move {
                    for _ in 0..10_000 {
                        threads::yield_now().await;
                    }
                    done.task_done();
                }
            });
            (turns.collect::<Vec<_>>(), Arc::clone(&done))
        };
        let (turns, done) = tasks();
        let began = Instant::now();
        match self.2 {
            Kind::Stage3 => {
                let executor = stage3_async::Executor::new().expect("a selector");
                turns.into_iter().for_each(|task| drop(executor.spawn(task)));
                executor.block_on(done.join()).expect("tasks are ready");
            }
            Kind::OneQueue => self.run(OneQueue::default(), turns, done.join()),
            Kind::Stealing => self.run(Stealing::new(self.1), turns, done.join()),
            Kind::Tokio => {
                let runtime = self.tokio();
                turns.into_iter().for_each(|task| drop(runtime.spawn(task)));
                runtime.block_on(done.join());
            }
        }
        began.elapsed()
    }

    /// Crawls the site with so many workers. Checks that each page was visited once.
    fn crawl(
        &self,
        root: &Url,
        pages: usize,
        workers: usize,
    ) -> Result<Duration, Box<dyn Error>> {
        let crawl = Crawl::new(root);
        let began = Instant::now();
        match self.2 {
            Kind::Stage3 => {
                let executor = stage3_async::Executor::new()?;
                for _ in 0..workers {
                    let reactor = executor.reactor().clone();
                    let fetch = move |url| fetch_stage3(url, reactor.clone());
                    drop(executor.spawn(work(Arc::clone(&crawl), fetch)));
                }
                executor.block_on(crawl.queue.join())?;
            }
            Kind::OneQueue | Kind::Stealing => {
                let reactor = net::Reactor::start()?;
                let worker = || {
                    let reactor = reactor.clone();
                    work(Arc::clone(&crawl), move |url| {
                        fetch_threads(url, reactor.clone())
                    })
                };
                let workers = (0..workers).map(|_| worker()).collect();
                match self.2 {
                    Kind::OneQueue => {
                        self.run(OneQueue::default(), workers, crawl.queue.join())
                    }
                    _ => self.run(Stealing::new(self.1), workers, crawl.queue.join()),
                }
            }
            Kind::Tokio => {
                let runtime = self.tokio();
                for _ in 0..workers {
                    drop(runtime.spawn(work(Arc::clone(&crawl), fetch_tokio)));
                }
                runtime.block_on(crawl.queue.join());
            }
        }
        let time = began.elapsed();
        crawl.check(self.0, pages)?;
        Ok(time)
    }

    fn run<F: Future<Output = ()> + Send + 'static>(
        &self,
        queue: impl ReadyQueue,
        tasks: Vec<F>,
        end: impl Future,
    ) {
        let queue = Arc::new(queue);
        tasks.into_iter().for_each(|task| spawn(task, &queue));
        run_on(&queue, self.1, end);
    }

    fn tokio(&self) -> Runtime {
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(self.1).enable_all().build().expect("a runtime")
    }
}

async fn fetch_threads(url: Url, reactor: net::Reactor) -> Result<Page, FetchError> {
    let fetch = async {
        let mut stream = net::TcpStream::connect(address(&url)?, &reactor).await?;
        stream.write_all(&head(&url)).await?;
        let (mut parser, mut chunk) = (parser(), vec![0; 16 * 1024]);
        loop {
            let count = stream.read(&mut chunk).await?;
            if let Some(response) = parser.feed(&chunk[..count])? {
                return Ok(Page::from_response(&url, response));
            }
        }
    };
    let fetched = reactor.timeout(PATIENCE, fetch).await;
    fetched.unwrap_or(Err(FetchError::TimedOut(PATIENCE)))
}
