//! All runs, in rounds in which the crawlers take turns; their medians, and how far the
//! rounds are apart.

use crate::counter::Counter;
use crate::crawlers::Crawler;
use crate::jobs::Job;
use crate::machine::Machine;
use crate::run::{Run, Runner};
use serde::Serialize;

/// A whole comparison.
#[derive(Debug, Serialize)]
pub struct Results {
    /// The machine on which it ran.
    pub machine: Machine,
    /// The jobs, in the order in which they were done.
    pub jobs: Vec<Compared>,
}

/// One job, done by all.
#[derive(Debug, Serialize)]
pub struct Compared {
    /// The job.
    #[serde(flatten)]
    pub job: Job,
    /// A row for each crawler.
    pub rows: Vec<Row>,
}

/// One job, done by one crawler.
#[derive(Debug, Default, Serialize)]
pub struct Row {
    /// The crawler's name.
    pub crawler: &'static str,
    /// Why there are no figures: the first round that failed.
    pub error: Option<String>,
    /// The medians of all rounds.
    pub figures: Option<Figures>,
    /// System calls for each page, if they were counted.
    pub calls_per_page: Option<f64>,
    /// Instructions for each page, if they were counted.
    pub instructions_per_page: Option<f64>,
    /// Round by round.
    pub runs: Vec<Run>,
}

/// Medians. `None` where the system does not say.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// From the start of the program until its end, its report included.
    pub seconds: Spread,
    /// Pages in each of those seconds.
    pub pages_per_second: Spread,
    /// Processor time of the crawler, in microseconds.
    pub cpu_per_page: Option<Spread>,
    /// Processor time of the site, in microseconds.
    pub site_cpu_per_page: Option<Spread>,
    /// The crawler's most memory, in MiB.
    pub memory: Option<Spread>,
    /// Threads at once, at the most.
    pub threads: Option<usize>,
    /// Connections at once, at the most, where the site says.
    pub connections: Option<usize>,
}

/// A median, and the middle half of the values: without the largest quarter and the smallest
/// one. (Of three values, or of one, none is left out.)
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Half of the values are at least as large.
    pub median: f64,
    /// The smallest of the middle half.
    pub low: f64,
    /// The largest of the middle half.
    pub high: f64,
}

impl Spread {
    /// The spread of these values; `None` if there are none.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Spread> {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        values.first()?;
        let (quarter, middle) = (values.len() / 4, values.len() / 2);
        let median = match values.len() % 2 {
            1 => values[middle],
            _ => (values[middle - 1] + values[middle]) / 2.0,
        };
        let (low, high) = (values[quarter], values[values.len() - 1 - quarter]);
        Some(Spread { median, low, high })
    }

    /// Returns how far the middle half goes from the median, in percent of it.
    pub fn percent(&self) -> f64 {
        100.0 * (self.high - self.median).max(self.median - self.low) / self.median
    }
}

impl Figures {
    fn of(job: &Job, runs: &[Run]) -> Option<Figures> {
        let (pages, mib) = (job.pages as f64, f64::from(1 << 20));
        let seconds = || runs.iter().map(|run| run.used.time.as_secs_f64());
        let cpus = runs.iter().filter_map(|run| Some(run.used.usage?.cpu));
        let site_cpus = runs.iter().filter_map(|run| run.site.cpu);
        let memory = runs.iter().filter_map(|run| Some(run.used.usage?.memory as f64));
        let micros = |cpu: std::time::Duration| cpu.as_secs_f64() * 1e6 / pages;
        Some(Figures {
            seconds: Spread::of(seconds())?,
            pages_per_second: Spread::of(seconds().map(|seconds| pages / seconds))?,
            cpu_per_page: Spread::of(cpus.map(micros)),
            site_cpu_per_page: Spread::of(site_cpus.map(micros)),
            memory: Spread::of(memory.map(|bytes| bytes / mib)),
            threads: runs.iter().filter_map(|run| run.used.threads).max(),
            connections: runs.iter().filter_map(|run| run.site.most_connections).max(),
        })
    }
}

/// What is compared, and how.
pub struct Plan {
    /// The crawlers that take part.
    pub crawlers: Vec<Crawler>,
    /// The jobs that each of them does.
    pub jobs: Vec<Job>,
    /// For each of these, jobs that are counted are done once more.
    pub counters: Vec<Counter>,
}

impl Plan {
    /// Returns how many crawls there will be.
    pub fn crawls(&self) -> usize {
        let rounds = |job: &Job| job.rounds + self.counters(job).count();
        self.jobs.iter().map(rounds).sum::<usize>() * self.crawlers.len()
    }

    fn counters(&self, job: &Job) -> impl Iterator<Item = Counter> {
        let counters = self.counters.iter().copied();
        counters.filter(|counter| job.counts(*counter))
    }

    /// Runs them all. In each round the crawlers take turns, so that whatever else the
    /// machine does hits all of them. Each crawl is announced to `tell`, with its round.
    pub fn run(
        &self,
        runner: &Runner,
        mut tell: impl FnMut(&Job, &str, &Crawler),
    ) -> Results {
        let machine = Machine::this();
        let compare = |job: &Job| self.compare(job, runner, &mut tell);
        Results { machine, jobs: self.jobs.iter().map(compare).collect() }
    }

    fn compare(
        &self,
        job: &Job,
        runner: &Runner,
        tell: &mut impl FnMut(&Job, &str, &Crawler),
    ) -> Compared {
        let mut rows: Vec<Row> = self.crawlers.iter().map(Row::new).collect();
        // What counts slows a crawler down, so those crawls are not measured.
        for counter in self.counters(job) {
            for (crawler, row) in self.crawlers.iter().zip(&mut rows) {
                tell(job, counter.unit(), crawler);
                row.count(runner, counter, crawler, job);
            }
        }
        for round in 1..=job.rounds {
            let name = format!("round {round} of {}", job.rounds);
            for turn in 0..rows.len() {
                let which = (round + turn) % rows.len();
                tell(job, &name, &self.crawlers[which]);
                rows[which].add(runner, &self.crawlers[which], job);
            }
        }
        for row in rows.iter_mut().filter(|row| row.error.is_none()) {
            row.figures = Figures::of(job, &row.runs);
        }
        Compared { job: job.clone(), rows }
    }
}

impl Row {
    fn new(crawler: &Crawler) -> Row {
        Row { crawler: crawler.name, ..Row::default() }
    }

    /// Adds a run, unless one has failed already.
    fn add(&mut self, runner: &Runner, crawler: &Crawler, job: &Job) {
        if self.error.is_none() {
            match runner.run(crawler, job) {
                Ok(run) => self.runs.push(run),
                Err(why) => self.error = Some(why),
            }
        }
    }

    fn count(
        &mut self,
        runner: &Runner,
        counter: Counter,
        crawler: &Crawler,
        job: &Job,
    ) {
        let per_page = match counter {
            Counter::Perf | Counter::Strace => &mut self.calls_per_page,
            Counter::Callgrind => &mut self.instructions_per_page,
            Counter::Massif => return, // only for `slow_pages`
        };
        match runner.count(counter, crawler, job) {
            Ok((count, _)) => *per_page = Some(count as f64 / job.pages as f64),
            Err(why) => self.error = Some(why),
        }
    }
}

impl Results {
    /// Returns whether any crawler has failed.
    pub fn has_errors(&self) -> bool {
        self.jobs.iter().flat_map(|job| &job.rows).any(|row| row.error.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_the_middle_or_between_the_two_in_the_middle() {
        let spread = Spread::of([3.0, 1.0, 100.0]).expect("values");
        assert_eq!(spread, Spread { median: 3.0, low: 1.0, high: 100.0 });
        assert_eq!(Spread::of([4.0, 1.0, 2.0, 9.0]).expect("values").median, 3.0);
        assert_eq!(Spread::of([]), None);
    }

    #[test]
    fn a_round_far_away_from_all_the_others_is_not_in_the_spread() {
        let spread = Spread::of([9.0, 200.0, 150.0, 900.0, 210.0]).expect("values");
        assert_eq!(spread, Spread { median: 200.0, low: 150.0, high: 210.0 });
        assert_eq!(spread.percent(), 25.0);
        assert_eq!(Spread::of([7.0]).expect("a value").percent(), 0.0);
    }
}
