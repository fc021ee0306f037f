//! One crawl: a new site, a crawler, and what both say about it.

use crate::counter::Counter;
use crate::crawlers::{Crawler, arguments};
use crate::jobs::Job;
use crate::numbers::failed_to;
use crate::site::{PATIENCE, Site, wait_or_kill};
use crate::{Seen, Used};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// What one crawl took.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// What the crawler's process has used.
    #[serde(flatten)]
    pub used: Used,
    /// What the site saw.
    pub site: Seen,
}

/// How many times as long a crawl may take while something counts.
const SLOWED: u32 = 10;

/// Where the programs are, and where their output goes.
pub struct Runner {
    programs: BTreeMap<String, PathBuf>,
    folder: TempDir,
}

impl Runner {
    /// A runner of these programs.
    ///
    /// # Errors
    /// There is no place for files.
    pub fn new(programs: BTreeMap<String, PathBuf>) -> Result<Runner, String> {
        let folder = tempfile::tempdir();
        let folder =
            folder.map_err(|error| format!("no folder for reports: {error}"))?;
        Ok(Runner { programs, folder })
    }

    /// Lets a crawler do a job, and checks what it did.
    ///
    /// # Errors
    /// It has failed, was late, or did not do all of the job: a sentence.
    pub fn run(&self, crawler: &Crawler, job: &Job) -> Result<Run, String> {
        self.crawl(&[], crawler, job, job.limit)
    }

    /// Lets a crawler do a job while `counter` counts what it does. Returns the count, and
    /// the run, which took longer than others.
    ///
    /// # Errors
    /// As in `run`; or there is no count.
    pub fn count(
        &self,
        counter: Counter,
        crawler: &Crawler,
        job: &Job,
    ) -> Result<(u64, Run), String> {
        let counted = self.folder.path().join("counted");
        let limit = SLOWED * job.limit;
        let run = self.crawl(&counter.before(&counted), crawler, job, limit)?;
        let count = counter.read(&counted);
        Ok((count.ok_or(format!("{counter:?} counts nothing"))?, run))
    }

    /// `before` goes before the crawler's command.
    fn crawl(
        &self,
        before: &[String],
        crawler: &Crawler,
        job: &Job,
        limit: Duration,
    ) -> Result<Run, String> {
        let site = Site::start(self.program("compare_site")?, job.folder.as_deref())?;
        let report = self.folder.path().join("report");
        let mut command = Command::new(self.program("compare_measure")?);
        command.arg(limit.as_secs().to_string()).arg(&report).args(before);
        command.arg(self.program(crawler.program)?);
        command.args(arguments(crawler, job, &site.address)).stdin(Stdio::null());
        let (told, words) = self.hear(&mut command, limit + PATIENCE)?;
        let used: Used = serde_json::from_str(&told)
            .map_err(|_| format!("it was not measured: {}", first_line(&words)))?;
        if used.was_late {
            return Err(format!("not done after {} s", limit.as_secs()));
        }
        if !used.has_succeeded {
            return Err(format!("it failed: {}", first_line(&words)));
        }
        let run = Run { used, site: site.end()? };
        check(job, &Told::read(&report)?, &run.site)?;
        Ok(run)
    }

    /// Runs a command to its end, and returns what it wrote to standard output and standard
    /// error. Through files: a pipe stays open while any process has inherited it.
    fn hear(
        &self,
        command: &mut Command,
        limit: Duration,
    ) -> Result<(String, String), String> {
        let names = ["output", "words"].map(|name| self.folder.path().join(name));
        let open = |name| {
            File::create(name).map_err(failed_to("create a file for its output"))
        };
        command.stdout(open(&names[0])?).stderr(open(&names[1])?);
        let child = command.spawn().map_err(failed_to("start it"))?;
        wait_or_kill(child, limit)?;
        let read = |name: &Path| fs::read(name).map_err(failed_to("read its output"));
        let [output, words] = [read(&names[0])?, read(&names[1])?];
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ok((text(output), text(words)))
    }

    fn program(&self, name: &str) -> Result<&Path, String> {
        let program = self.programs.get(name).map(PathBuf::as_path);
        program.ok_or(format!("{name} was not built"))
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("without a word")
}

/// The totals of what a crawler reports.
#[derive(Debug, Default, PartialEq)]
struct Told {
    pages: usize,
    ok: usize,
    links: usize,
}

impl Told {
    /// A line for each page; others (a summary) are passed over.
    fn read(report: &Path) -> Result<Told, String> {
        let file = File::open(report).map_err(failed_to("read its output"))?;
        let mut told = Told::default();
        for line in BufReader::new(file).lines() {
            let line = line.map_err(failed_to("read its output"))?;
            told.add(&line).ok_or(format!("no line of a report: {line}"))?;
        }
        Ok(told)
    }

    fn add(&mut self, line: &str) -> Option<()> {
        let row: serde_json::Value = serde_json::from_str(line).ok()?;
        if row.get("summary").is_none() {
            self.pages += 1;
            self.ok += usize::from(row["outcome"] == "ok");
            self.links += row["num_links"].as_u64()? as usize;
        }
        Some(())
    }
}

/// Checks that the crawler asked for each page once, and found all links. (How many
/// connections it had is a figure: a pool that takes one back a moment after the page has
/// more than it may.)
fn check(job: &Job, told: &Told, seen: &Seen) -> Result<(), String> {
    let expected = Told { pages: job.pages, ok: job.pages, links: job.links };
    if *told != expected {
        return Err(format!("reported {told:?} instead of {expected:?}"));
    }
    if seen.requests != job.pages {
        return Err(format!("asked {} times for {} pages", seen.requests, job.pages));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::{Size, jobs};

    fn seen(requests: usize) -> Seen {
        Seen { requests, connections: 10, most_connections: None, cpu: None }
    }

    #[test]
    fn a_crawler_that_leaves_out_a_page_or_a_link_or_asks_twice_has_failed() {
        let job = &jobs(Size::Tiny, 100)[0];
        let (pages, links) = (job.pages, job.links);
        let told = Told { pages, ok: pages, links };
        assert_eq!(check(job, &told, &seen(pages)), Ok(()));
        let broken = [
            Told { pages: pages - 1, ok: pages - 1, links },
            Told { pages, ok: pages - 1, links },
            Told { pages, ok: pages, links: links - 1 },
        ];
        for broken in broken {
            assert!(check(job, &broken, &seen(pages)).is_err(), "{broken:?}");
        }
        assert!(check(job, &told, &seen(pages + 1)).is_err(), "asked twice");
    }

    #[test]
    fn a_report_is_summed_up_and_what_is_none_is_told() {
        let mut told = Told::default();
        told.add(r#"{"url":"a","outcome":"ok","num_links":3}"#).expect("a row");
        told.add(r#"{"url":"b","outcome":"timeout","num_links":0}"#).expect("a row");
        told.add(r#"{"summary":{"urls":2}}"#).expect("a summary");
        assert_eq!(told, Told { pages: 2, ok: 1, links: 3 });
        assert_eq!(told.add("thread panicked"), None);
        assert_eq!(told.add(r#"{"url":"c","outcome":"ok"}"#), None);
    }
}
