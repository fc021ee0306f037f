//! One crawl: a server in a process of its own, the crawler in another, and an eye on it.

use super::check::{Totals, check};
use super::figures::{Course, Figures};
use super::site::Site;
use super::{ARGUMENTS, HELPERS, LIMIT, LIMIT_PER_PAGE};
use crate::programs;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use wait_timeout::ChildExt;

/// How a crawl went.
#[derive(Clone, Debug)]
pub struct Crawl {
    /// From the crawler's start to its end.
    pub elapsed: Duration,
    /// What it took in its course.
    pub course: Course,
    /// The most memory that it had, its report included.
    pub peak_memory: Option<u64>,
    /// What has become of the pages: as predicted.
    pub totals: Totals,
}

/// Crawls so many pages with the program of this package. `serve` is how the server is
/// started: it prints its address, then each time a number when so many requests have
/// come, and it ends well, at the end of its input, if it has nothing to complain of.
///
/// # Errors
/// The crawl does not come to its end, or the report or a request is not as it should be.
pub fn crawl(stage: &str, pages: usize, serve: &mut Command) -> Result<Crawl, String> {
    let mut server =
        Process::start(serve.stdin(Stdio::piped()).stdout(Stdio::piped()))?;
    let mut lines = BufReader::new(server.0.stdout.take().expect("it is piped"));
    let mut address = String::new();
    lines.read_line(&mut address).map_err(|error| error.to_string())?;
    let address = address.trim();
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("report");
    let root = format!("{address}{}", Site::path(0));
    let mut command = Command::new(programs::program(stage));
    if stage == "stage3-async" {
        command.arg(HELPERS);
    }
    command.args(ARGUMENTS).arg("--output").arg(&file).arg(root).stdin(Stdio::null());
    let (began, limit) = (Instant::now(), LIMIT + LIMIT_PER_PAGE * pages as u32);
    let mut crawler = Process::start(&mut command)?;
    let process = crawler.0.id();
    let watcher = thread::spawn(move || watch(lines, process));
    let peak_memory = crawler.wait_and_look(limit)?;
    let elapsed = began.elapsed();
    drop(server.0.stdin.take());
    server.wait_and_look(LIMIT)?;
    let course = watcher.join().expect("the watcher does not panic");
    let report = File::open(&file).map_err(|error| error.to_string())?;
    let totals = check(&Site::new(pages), address, BufReader::new(report))?;
    Ok(Crawl { elapsed, course, peak_memory, totals })
}

/// Looks at the crawler whenever the server has said how far it is.
fn watch(lines: BufReader<ChildStdout>, process: u32) -> Course {
    let requests = lines.lines().map_while(|line| line.ok()?.parse().ok());
    Course(requests.filter_map(|it| Some((it, Figures::of(process)?))).collect())
}

/// A process that does not outlive us.
struct Process(Child);

impl Process {
    fn start(command: &mut Command) -> Result<Process, String> {
        let started = command.spawn();
        started.map(Process).map_err(|error| format!("{command:?}: {error}"))
    }

    /// Waits for its end, and returns the most memory that it was seen with.
    fn wait_and_look(&mut self, limit: Duration) -> Result<Option<u64>, String> {
        const A_WHILE: Duration = Duration::from_millis(50);
        let (began, mut peak) = (Instant::now(), None);
        loop {
            let ended =
                self.0.wait_timeout(A_WHILE).map_err(|error| error.to_string())?;
            match ended {
                Some(status) if status.success() => return Ok(peak),
                Some(status) => return Err(format!("it left with {status}")),
                None if began.elapsed() > limit => {
                    return Err(format!("it still runs after {limit:?}"));
                }
                None => {}
            }
            peak = Figures::of(self.0.id()).map(|figures| figures.peak_memory).or(peak);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It has ended already, as a rule; then there is nothing to kill.
        self.0.kill().ok();
        self.0.wait().ok();
    }
}
