//! Capstones: what a reader has written is judged, promise by promise.
//!
//! `cargo exercise capstone` makes a program of a reader's crate and one of the functions
//! here. It runs that program several times side by side, and names one promise after the
//! other on its standard input (`worker`). So a promise that hangs, aborts or prints
//! without end costs nothing but itself.
//!
//! The promises are in `groups`, each of which holds or does not: a broken crawler may pass
//! 97 of 100 cases of the suite, and none of them says what is wrong.

pub mod deadlines;
pub mod groups;
pub mod hosts;
pub mod phase;
mod worker;

use crate::machine::{self, Machine};
use crate::waits::SHORT_TIME_OUT;
use crate::{Crawl, Rule, suite, watchdog};
use groups::{Group, Stage};
use std::time::Duration;

/// Returns the time after which a fetch is given up, where a promise is about that. A crate
/// must reach its last wait before that, on a busy machine, too, so it depends on how much
/// time the promise has.
fn time_out() -> Duration {
    (5 * SHORT_TIME_OUT).min(watchdog::limit() / 3)
}

/// One promise of a reader's crate.
pub struct Promise {
    /// The group that it belongs to.
    pub group: &'static Group,
    /// Its part and its name, as `queue::items_come_out_in_their_order`.
    pub name: String,
    /// The page of the book that explains it, without `.md`.
    pub page: &'static str,
    /// Panics or hangs if the promise is broken.
    pub check: Box<dyn Fn() + Send + Sync>,
}

/// Judges a machine and, if the crate has one, the crawler that runs on it.
pub fn executor<M: Machine>(crawl: Option<(Crawl, bool)>) -> ! {
    let mut promises = of_machine::<M>();
    if let Some((crawl, is_full)) = crawl {
        promises.extend(of_crawler(crawl, is_full, Stage::Async));
    }
    worker::run(promises)
}

/// Judges a copy of stage 1, or of stage 3, that says in which phase a page was too slow.
/// `is_full` is whether it keeps connections and speaks https, as stage 3 does.
pub fn phase(crawl: Crawl, is_full: bool) -> ! {
    let stage = if is_full { Stage::Async } else { Stage::Callbacks };
    changed_stage(phase::ALL, &[], crawl, stage)
}

/// Judges a copy of stage 2 with a limit for connecting.
pub fn deadlines(crawl: Crawl) -> ! {
    changed_stage(deadlines::ALL, &[], crawl, Stage::Generators)
}

/// Judges a copy of stage 3 that sends few requests to one host at a time.
pub fn hosts(crawl: Crawl) -> ! {
    changed_stage(hosts::ALL, hosts::CONTRADICTS, crawl, Stage::Async)
}

/// Judges any other crawler. `is_full` is whether it keeps connections and speaks https.
pub fn fourth(crawl: Crawl, is_full: bool) -> ! {
    worker::run(of_crawler(crawl, is_full, Stage::Async))
}

/// Its own promises, and those of the suite but for the ones that contradict them: by part
/// and name.
fn changed_stage(
    own: &[(&'static str, Rule)],
    contradict: &[(&str, &str)],
    crawl: Crawl,
    stage: Stage,
) -> ! {
    let mut promises: Vec<_> = own
        .iter()
        .map(|&(name, rule)| Promise {
            group: &groups::TASK,
            name: format!("task::{name}"),
            page: groups::TASK.page(stage),
            check: Box::new(move || rule(crawl)),
        })
        .collect();
    let suite = of_crawler(crawl, stage == Stage::Async, stage);
    let without = |name: &str| {
        contradict.iter().any(|(part, case)| name == format!("{part}::{case}"))
    };
    promises.extend(suite.into_iter().filter(|promise| !without(&promise.name)));
    worker::run(promises)
}

/// Returns the promises of a machine.
pub fn of_machine<M: Machine>() -> Vec<Promise> {
    let promise = |rule: machine::Rule| Promise {
        group: groups::of_rule(rule.part, rule.name),
        name: format!("{}::{}", rule.part, rule.name),
        page: rule.page(),
        check: Box::new(rule.check),
    };
    machine::all_rules::<M>().into_iter().map(promise).collect()
}

/// Returns the promises of a crawler: the cases of the suite.
pub fn of_crawler(crawl: Crawl, is_full: bool, stage: Stage) -> Vec<Promise> {
    let promise = |case: suite::Case| {
        let group = groups::of_case(case.part, &case.name);
        Promise {
            group,
            name: format!("{}::{}", case.part, case.name),
            page: group.page(stage),
            check: Box::new(move || (case.check)(crawl)),
        }
    };
    suite::cases(is_full).into_iter().map(promise).collect()
}
