//! One long crawl with each crawler, of a site that another process makes up: does the
//! report say what it has to, and what does the crawler take from the machine meanwhile?
//!
//! `soak [PAGES] [STAGE]...`: 200,000 pages, with all three.

use conformance::scripted::Server;
use conformance::soak::run::{Crawl, crawl};
use conformance::soak::site::Site;
use conformance::soak::{MAX_DESCRIPTORS, MAX_GROWTH, MAX_THREADS};
use std::io::{self, Read};
use std::ops::RangeInclusive;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicUsize, Ordering};

const PAGES: usize = 200_000;
const STAGES: [&str; 3] = ["stage1-callbacks", "stage2-generators", "stage3-async"];
/// How often the crawler is looked at, in one crawl.
const LOOKS: usize = 100;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["serve", pages] => number(pages).and_then(serve),
        [] => soak(PAGES, &STAGES),
        [pages] => number(pages).and_then(|pages| soak(pages, &STAGES)),
        [pages, ref stages @ ..] => number(pages).and_then(|pages| soak(pages, stages)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn number(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|pages| *pages > 0);
    number.ok_or_else(|| format!("'{text}' is no number of pages"))
}

/// The server: tells its address, then from time to time how many requests have come, and
/// at the end of its input whether they were those that should have come.
fn serve(pages: usize) -> Result<(), String> {
    let (site, requests) = (Site::new(pages), AtomicUsize::new(0));
    let server = Server::strict(move |asked| {
        let count = requests.fetch_add(1, Ordering::Relaxed) + 1;
        if count.is_multiple_of(pages.div_ceil(LOOKS)) {
            println!("{count}");
        }
        site.acts(asked)
    });
    println!("{}", server.url(""));
    io::stdin().read_to_end(&mut Vec::new()).map_err(|error| error.to_string())?;
    let seen = server.take_seen();
    if let Some(fault) = seen.faults.first() {
        return Err(format!("{} bad requests: {fault}", seen.faults.len()));
    }
    let mut asked = vec![0; pages];
    for target in seen.targets() {
        let page = Site::page(target).filter(|page| *page < pages);
        asked[page.ok_or(format!("no page of the site was asked for: {target}"))?] += 1;
    }
    let site = Site::new(pages);
    let wrong = asked.iter().zip(0..).find(|(count, page)| {
        let right = site.requests(*page);
        !right.contains(count)
    });
    match wrong {
        Some((count, page)) => Err(format!("page {page} was asked for {count} times")),
        None => Ok(()),
    }
}

/// Crawls the site with each of these, and prints a line for each.
fn soak(pages: usize, stages: &[&str]) -> Result<(), String> {
    println!(
        "{:<18}{:>8}{:>9}{:>10}{:>12}{:>13}{:>9}",
        "", "pages", "pages/s", "peak MB", "bytes/page", "descriptors", "threads"
    );
    for stage in stages {
        let me = std::env::current_exe().map_err(|error| error.to_string())?;
        let crawl =
            crawl(stage, pages, Command::new(me).args(["serve", &pages.to_string()]))
                .map_err(|why| format!("{stage}: {why}"))?;
        print(stage, pages, &crawl);
        check(&crawl).map_err(|why| format!("{stage}: {why}"))?;
        let totals = crawl.totals.iter().map(|(name, count)| format!("{count} {name}"));
        println!("  as predicted: {}", totals.collect::<Vec<_>>().join(", "));
    }
    Ok(())
}

fn print(
    stage: &str,
    pages: usize,
    Crawl { elapsed, course, peak_memory, .. }: &Crawl,
) {
    let unknown = || "-".to_string();
    let range =
        |range: RangeInclusive<usize>| format!("{}-{}", range.start(), range.end());
    println!(
        "{stage:<18}{pages:>8}{:>9.0}{:>10}{:>12}{:>13}{:>9}",
        pages as f64 / elapsed.as_secs_f64(),
        peak_memory.map_or_else(unknown, |bytes| (bytes / 1_000_000).to_string()),
        course.growth().map_or_else(unknown, |bytes| format!("{bytes:.0}")),
        course.range(|figures| figures.descriptors).map_or_else(unknown, range),
        course.range(|figures| figures.threads).map_or_else(unknown, range),
    );
}

fn check(Crawl { course, .. }: &Crawl) -> Result<(), String> {
    let most = |of| course.range(of).map_or(0, |range| *range.end());
    if most(|figures| figures.descriptors) > MAX_DESCRIPTORS {
        return Err(format!("more than {MAX_DESCRIPTORS} descriptors"));
    }
    if most(|figures| figures.threads) > MAX_THREADS {
        return Err(format!("more than {MAX_THREADS} threads"));
    }
    if course.growth().is_some_and(|growth| growth > MAX_GROWTH) {
        return Err(format!("more than {MAX_GROWTH} bytes of memory for a page"));
    }
    Ok(())
}
