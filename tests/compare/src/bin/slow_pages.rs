//! How much memory a page takes that is waited for, when thousands of them are slow.
//!
//! `cargo measure slow_pages [ROUNDS]`
//!
//! All pages are asked for at once, so each is waited for by a task of its own. What a crawler
//! holds on the heap at its peak is counted by massif (a tool of valgrind), once, since it
//! hardly varies. Its memory (RSS) varies, so that is a median of some rounds.

use compare::counter::Counter;
use compare::crawlers::{self, CRAWLERS, Crawler};
use compare::jobs::{Job, most_connections, slow_pages};
use compare::machine::Machine;
use compare::results::Spread;
use compare::run::{Run, Runner};
use std::env;
use std::error::Error;

/// Those that are measured.
const NAMES: [&str; 4] = ["stage 1", "stage 2", "stage 3", "Tokio, hyper, lol_html"];

/// So many pages while massif counts, which takes many times as long, and how long each
/// page lets wait: until all of them were asked for.
const COUNTED: (usize, u64) = (2_000, 20_000);
/// The same for the memory.
const MEASURED: (usize, u64) = (10_000, 5_000);

fn main() -> Result<(), Box<dyn Error>> {
    let rounds: usize = env::args().nth(1).map_or(Ok(5), |text| text.parse())?;
    let most = most_connections();
    let [counted, measured] =
        [COUNTED, MEASURED].map(|(pages, ms)| slow_pages(pages.min(most), ms));
    let massif = Counter::of_heap();
    if massif.is_none() {
        eprintln!("the heap is not counted: that takes valgrind");
    }
    let machine = Machine::this();
    let runner = Runner::new(crawlers::build()?)?;
    println!("<!-- $ cargo measure slow_pages -->\n{machine}\n");
    println!("Medians of {rounds} rounds, and how far the middle half is from them.\n");
    println!(
        "| crawler | heap, {} pages: bytes of each | memory, {} pages: MiB |",
        counted.connections, measured.connections
    );
    println!("|---|---:|---:|");
    for crawler in CRAWLERS.iter().filter(|it| NAMES.contains(&it.name)) {
        let heap = massif.map(|massif| heap(&runner, massif, crawler, &counted));
        let heap = heap.transpose()?.map_or("–".to_string(), |it| format!("{it:.0}"));
        let memory = memory(&runner, crawler, &measured, rounds)?;
        let memory = memory.map_or("–".to_string(), |it| {
            format!("{:.1} ±{:.0} %", it.median, it.percent())
        });
        println!("| {} | {heap} | {memory} |", crawler.name);
    }
    Ok(())
}

/// Bytes of the whole heap at its peak, with what the allocator needs, for each page.
fn heap(
    runner: &Runner,
    massif: Counter,
    crawler: &Crawler,
    job: &Job,
) -> Result<f64, String> {
    let (bytes, run) = runner.count(massif, crawler, job)?;
    have_all_waited(job, &run)?;
    Ok(bytes as f64 / job.connections as f64)
}

/// MiB at the peak; `None` where the system does not say.
fn memory(
    runner: &Runner,
    crawler: &Crawler,
    job: &Job,
    rounds: usize,
) -> Result<Option<Spread>, String> {
    let mut memory = Vec::new();
    for _ in 0..rounds {
        let run = runner.run(crawler, job)?;
        have_all_waited(job, &run)?;
        memory.extend(run.used.usage.map(|it| it.memory as f64 / f64::from(1 << 20)));
    }
    Ok(Spread::of(memory))
}

/// Checks that all pages were waited for at the same time.
fn have_all_waited(job: &Job, run: &Run) -> Result<(), String> {
    match run.site.most_connections {
        Some(at_once) if at_once >= job.connections => Ok(()),
        at_once => Err(format!("{at_once:?} of {} pages at once", job.connections)),
    }
}
