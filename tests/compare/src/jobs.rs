//! What is crawled: a fast site whose connections are kept, or are not; a few slow pages
//! at a time, or many; a crowd of very slow ones; a real manual.

use crate::counter::Counter;
use crate::manual::Manual;
use crate::numbers::grouped;
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

/// Links in each page of a fast site; its pages have 33 kB then.
const LINKS: usize = 64;

/// A crawl that each crawler does.
#[derive(Clone, Debug, Serialize)]
pub struct Job {
    /// Its name on the command line.
    pub name: String,
    /// What it is, for the table.
    pub title: String,
    /// What kind it is, for the plots.
    pub kind: Kind,
    /// The folder that nginx serves; `None` for the demo site.
    pub folder: Option<PathBuf>,
    /// How long each page lets wait, in milliseconds.
    pub ms: u64,
    /// Where the crawl starts.
    pub path: String,
    /// Pages that there are.
    pub pages: usize,
    /// Links that they have together: in each page each target once, other sites included.
    pub links: usize,
    /// Connections at once, at the most.
    pub connections: usize,
    /// How often each crawler does it.
    pub rounds: usize,
    /// Whether system calls are counted, which takes a crawl of its own.
    pub counts_calls: bool,
    /// Whether instructions are counted, which takes another one, fifty times as long.
    pub counts_instructions: bool,
    /// A crawler that takes longer is ended.
    pub limit: Duration,
}

impl Job {
    pub(crate) fn counts(&self, counter: Counter) -> bool {
        match counter {
            Counter::Perf | Counter::Strace => self.counts_calls,
            Counter::Callgrind => self.counts_instructions,
            Counter::Massif => false,
        }
    }

    /// Has instructions counted if the crawler computes in this job. Slowed down fifty
    /// times, it would not read many slow pages at once.
    pub fn count_instructions(&mut self) {
        self.counts_instructions |= self.kind == Kind::Fast;
    }
}

/// What kind of job it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Pages that come at once: the crawler computes.
    Fast,
    /// Pages that take a while: the crawler waits.
    Slow,
    /// As many slow pages at once as there can be.
    Crowd,
}

/// How much is crawled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// So much that the numbers are worth something: minutes.
    Full,
    /// All within a minute.
    Quick,
    /// For the tests: does it work at all?
    Tiny,
}

/// All jobs. `most` is how many connections a process may have.
pub fn jobs(size: Size, most: usize) -> Vec<Job> {
    let (fast, rounds) = match size {
        Size::Full => (3_000, 15),
        Size::Quick => (600, 3),
        Size::Tiny => (30, 1),
    };
    let mut jobs = vec![fast_site(fast, true, rounds), fast_site(fast, false, rounds)];
    let (slow, ms) = match size {
        Size::Full => ([(1_000, 10, 3), (1_000, 100, 3), (1_000, 1_000, 7)], 100),
        Size::Quick => ([(50, 10, 1), (500, 100, 1), (1_000, 1_000, 3)], 100),
        Size::Tiny => ([(10, 2, 1), (10, 5, 1), (10, 10, 1)], 10),
    };
    let slow = slow.map(|(pages, connections, rounds)| Job {
        name: format!("slow-{connections}"),
        kind: Kind::Slow,
        rounds,
        ..star(pages, ms, connections)
    });
    jobs.extend(slow.into_iter().filter(|job| job.connections <= most));
    let (crowd, ms, rounds) = match size {
        Size::Full => (10_000, 1_000, 5),
        Size::Quick => (2_000, 1_000, 1),
        Size::Tiny => (50, 50, 1),
    };
    let crowd = crowd.min(most);
    jobs.push(Job {
        name: "crowd".to_string(),
        kind: Kind::Crowd,
        rounds,
        counts_calls: size != Size::Quick,
        ..star(crowd, ms, crowd)
    });
    jobs
}

/// Descriptors that a process needs besides those for connections.
const OTHER_FILES: u64 = 100;

/// Raises the limit of open files, which crawlers and site take over. Returns how many
/// connections a crawler may have then.
pub fn most_connections() -> usize {
    let files = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(u64::from(u16::MAX));
    usize::try_from(files.saturating_sub(OTHER_FILES)).unwrap_or(usize::MAX)
}

/// Pages that are slow, all of which are asked for at once.
pub fn slow_pages(pages: usize, ms: u64) -> Job {
    star(pages, ms, pages)
}

fn fast_site(pages: usize, keeps: bool, rounds: usize) -> Job {
    let (links, connections) = (LINKS.min(pages), 10);
    let (name, how, close) = match keeps {
        true => ("fast-kept", "connections are kept", ""),
        false => ("fast-closed", "a connection for each", "&close"),
    };
    Job {
        name: name.to_string(),
        title: format!(
            "{} pages with {links} links, {how}, {connections} at a time",
            grouped(pages as f64)
        ),
        kind: Kind::Fast,
        folder: None,
        ms: 0,
        path: format!("/many/0?count={pages}&links={links}{close}"),
        pages,
        links: pages * (links + 1),
        connections,
        rounds,
        counts_calls: true,
        counts_instructions: false,
        limit: Duration::from_secs(60),
    }
}

/// How many pages of the manual are asked for at once. Each number is a job.
const AT_ONCE: [usize; 2] = [10, 100];

/// The names of the jobs that crawl a manual.
pub fn names_of_manual() -> [String; 2] {
    AT_ONCE.map(|connections| format!("manual-{connections}"))
}

/// The jobs that crawl a manual behind nginx, which keeps connections.
pub fn jobs_of_manual(size: Size, manual: &Manual) -> [Job; 2] {
    let rounds = match size {
        Size::Full => 15,
        Size::Quick => 3,
        Size::Tiny => 1,
    };
    let names = names_of_manual();
    std::array::from_fn(|index| Job {
        name: names[index].clone(),
        title: format!(
            "A manual behind nginx ({}): {} pages of {:.1} kB, {} at a time",
            manual.folder.display(),
            grouped(manual.pages as f64),
            manual.bytes as f64 / manual.pages as f64 / 1e3,
            AT_ONCE[index],
        ),
        kind: Kind::Fast,
        folder: Some(manual.folder.clone()),
        ms: 0,
        path: "/".to_string(),
        pages: manual.pages,
        links: manual.links,
        connections: AT_ONCE[index],
        rounds,
        counts_calls: true,
        counts_instructions: true,
        limit: Duration::from_secs(60),
    })
}

/// A page that links to slow ones, which link back.
fn star(pages: usize, ms: u64, connections: usize) -> Job {
    let at_best = Duration::from_millis(ms) * pages.div_ceil(connections) as u32;
    Job {
        name: String::new(),
        title: format!(
            "{} pages of {} ms, {} at a time",
            grouped(pages as f64),
            grouped(ms as f64),
            grouped(connections as f64)
        ),
        kind: Kind::Slow,
        folder: None,
        ms,
        path: format!("/star?count={pages}&ms={ms}"),
        pages: pages + 1,
        links: 2 * pages,
        connections,
        rounds: 1,
        counts_calls: false,
        counts_instructions: false,
        limit: Duration::from_secs(60) + 2 * at_best,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_is_no_larger_than_there_are_descriptors_for() {
        let jobs = jobs(Size::Full, 900);
        assert!(jobs.iter().all(|job| job.connections <= 900));
        let crowd = jobs.last().expect("the last one");
        assert_eq!((crowd.pages, crowd.connections), (901, 900));
        assert_eq!(crowd.title, "900 pages of 1,000 ms, 900 at a time");
    }

    #[test]
    fn jobs_have_different_names() {
        for size in [Size::Full, Size::Quick, Size::Tiny] {
            let jobs = jobs(size, 20_000);
            let mut names: Vec<_> = jobs.iter().map(|job| &job.name).collect();
            names.dedup();
            assert_eq!(names.len(), 6);
        }
    }
}
