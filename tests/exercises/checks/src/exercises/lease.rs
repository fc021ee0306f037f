//! A frontier that lends its URLs: what a crawler has taken comes back if it dies.

use crate::{cases, story};

/// How long a URL is lent, in milliseconds.
pub const LEASE: u64 = 100;

/// What a crawler has taken: a URL, and the number of its lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lent {
    /// The URL.
    pub url: &'static str,
    /// The number of this lease. No two leases have the same.
    pub number: u64,
}

/// A frontier for several crawlers. The case says what time it is, in milliseconds; it
/// never goes back.
pub trait Frontier: Default {
    /// Adds a URL, unless it was ever added before.
    fn add(&mut self, url: &'static str);
    /// Lends a URL until `now + LEASE`: of those that are not done and not lent, the one
    /// that was added first. At its end, a lease no longer counts.
    fn take(&mut self, now: u64) -> Option<Lent>;
    /// Reports that a URL was fetched. If its lease has not ended, the URL is done, and
    /// this returns `true`. Otherwise, nothing changes.
    fn done(&mut self, lent: Lent, now: u64) -> bool;
    /// Counts the URLs that are not done. If there are none, the crawl is over.
    fn unfinished(&self) -> usize;
}

cases! {
    Frontier:
    a_url_is_lent_to_one_crawler_at_a_time,
    no_two_leases_have_the_same_number,
    a_url_that_is_lent_is_unfinished,
    each_crawler_reports_its_own_url,
    a_url_is_added_once,
    a_report_counts_once,
    the_url_of_a_dead_crawler_is_lent_again,
    a_lease_ends_when_it_says,
    a_new_lease_is_as_long_as_the_first,
    the_url_that_was_added_first_is_lent_first,
    a_report_leaves_the_others_in_their_order,
    a_url_that_is_lent_is_not_added_again,
    of_leases_that_have_ended_the_end_does_not_count,
    a_report_after_the_end_of_its_lease_is_refused,
    a_late_report_does_not_end_the_lease_of_the_next_crawler,
    a_late_report_is_not_taken_for_that_of_the_next_crawler,
}

fn with<F: Frontier>(urls: &[&'static str]) -> F {
    let mut frontier = F::default();
    for url in urls {
        story!("{url} is added");
        frontier.add(url);
    }
    frontier
}

/// Takes a URL, and returns it without its number.
fn url<F: Frontier>(frontier: &mut F, now: u64) -> Option<&'static str> {
    let url = frontier.take(now).map(|lent| lent.url);
    story!("{now} ms: a crawler takes {url:?}");
    url
}

/// Takes the one URL that has to be there.
fn lent<F: Frontier>(frontier: &mut F, now: u64) -> Lent {
    let lent = frontier.take(now);
    story!("{now} ms: a crawler takes {lent:?}");
    lent.expect("a URL is there to be taken")
}

fn done<F: Frontier>(frontier: &mut F, lent: Lent, now: u64) -> bool {
    let counts = frontier.done(lent, now);
    story!("{now} ms: {lent:?} is reported, which counts: {counts}");
    counts
}

fn a_url_is_lent_to_one_crawler_at_a_time<F: Frontier>() {
    let mut frontier: F = with(&["/", "/task"]);
    assert_eq!(url(&mut frontier, 0), Some("/"));
    assert_eq!(url(&mut frontier, 1), Some("/task"), "/ is lent");
    assert_eq!(url(&mut frontier, 2), None, "both are lent");
}

fn no_two_leases_have_the_same_number<F: Frontier>() {
    let mut frontier: F = with(&["/", "/task"]);
    let (first, second) = (lent(&mut frontier, 5), lent(&mut frontier, 5));
    let number = first.number;
    assert!(
        number != second.number,
        "two leases that begin at the same time have the number {number}"
    );
}

fn each_crawler_reports_its_own_url<F: Frontier>() {
    let mut frontier: F = with(&["/", "/task", "/future"]);
    let (first, second) = (lent(&mut frontier, 0), lent(&mut frontier, 1));
    assert!(done(&mut frontier, first, 20), "the lease of / has not ended");
    assert!(done(&mut frontier, second, 21), "the lease of /task has not ended");
    assert_eq!(url(&mut frontier, 22), Some("/future"), "it is all that is left");
}

fn a_url_that_is_lent_is_unfinished<F: Frontier>() {
    let mut frontier: F = with(&["/"]);
    let first = lent(&mut frontier, 0);
    assert_eq!(
        frontier.unfinished(),
        1,
        "URLs that are not done, one of which is being fetched"
    );
    assert!(done(&mut frontier, first, 20), "the lease has not ended");
    assert_eq!(frontier.unfinished(), 0, "URLs that are not done");
}

fn a_url_is_added_once<F: Frontier>() {
    let mut frontier: F = with(&["/", "/"]);
    assert_eq!(frontier.unfinished(), 1, "URLs that are not done");
    let first = lent(&mut frontier, 0);
    assert!(done(&mut frontier, first, 20), "the lease has not ended");
    story!("/ is added");
    frontier.add("/");
    assert_eq!(url(&mut frontier, 30), None, "/ is done, and a link to it is found");
}

fn a_report_counts_once<F: Frontier>() {
    let mut frontier: F = with(&["/", "/task"]);
    let first = lent(&mut frontier, 0);
    assert!(done(&mut frontier, first, 20), "the lease has not ended");
    assert!(!done(&mut frontier, first, 21), "/ is done, and is reported again");
    assert_eq!(frontier.unfinished(), 1, "URLs that are not done: /task");
}

fn the_url_of_a_dead_crawler_is_lent_again<F: Frontier>() {
    let mut frontier: F = with(&["/"]);
    assert_eq!(url(&mut frontier, 0), Some("/"));
    story!("the crawler dies");
    assert_eq!(url(&mut frontier, 2 * LEASE), Some("/"), "the lease has ended");
}

fn a_lease_ends_when_it_says<F: Frontier>() {
    let mut frontier: F = with(&["/"]);
    assert_eq!(url(&mut frontier, 7), Some("/"));
    assert_eq!(url(&mut frontier, 6 + LEASE), None, "a millisecond before the end");
    assert_eq!(url(&mut frontier, 7 + LEASE), Some("/"), "its lease has ended");
}

fn a_new_lease_is_as_long_as_the_first<F: Frontier>() {
    let mut frontier: F = with(&["/"]);
    assert_eq!(url(&mut frontier, 0), Some("/"));
    assert_eq!(url(&mut frontier, LEASE), Some("/"), "the first lease has ended");
    assert_eq!(url(&mut frontier, LEASE + 1), None, "the second lease has not ended");
}

fn the_url_that_was_added_first_is_lent_first<F: Frontier>() {
    let mut frontier: F = with(&["/", "/task", "/future"]);
    assert_eq!(url(&mut frontier, 0), Some("/"));
    assert_eq!(url(&mut frontier, 1), Some("/task"));
    assert_eq!(url(&mut frontier, 1 + LEASE), Some("/"), "both leases have ended");
    assert_eq!(url(&mut frontier, 1 + LEASE), Some("/task"));
    assert_eq!(url(&mut frontier, 1 + LEASE), Some("/future"));
}

fn a_report_leaves_the_others_in_their_order<F: Frontier>() {
    let mut frontier: F = with(&["/", "/task", "/future", "/waker"]);
    let first = lent(&mut frontier, 0);
    assert!(done(&mut frontier, first, 20), "the lease has not ended");
    let rest = [21, 22, 23].map(|now| url(&mut frontier, now));
    assert_eq!(rest, [Some("/task"), Some("/future"), Some("/waker")], "/ is done");
}

fn a_url_that_is_lent_is_not_added_again<F: Frontier>() {
    let mut frontier: F = with(&["/"]);
    assert_eq!(url(&mut frontier, 0), Some("/"));
    story!("/ is added");
    frontier.add("/");
    assert_eq!(url(&mut frontier, 1), None, "/ is lent, and a link to it is found");
    assert_eq!(frontier.unfinished(), 1, "URLs that are not done");
}

fn of_leases_that_have_ended_the_end_does_not_count<F: Frontier>() {
    let mut frontier: F = with(&["/", "/task"]);
    assert_eq!(url(&mut frontier, 0), Some("/"));
    assert_eq!(url(&mut frontier, 1), Some("/task"));
    assert_eq!(url(&mut frontier, LEASE), Some("/"), "the first lease has ended");
    assert_eq!(url(&mut frontier, 3 * LEASE), Some("/"), "both leases have ended");
}

fn a_report_after_the_end_of_its_lease_is_refused<F: Frontier>() {
    let mut frontier: F = with(&["/"]);
    let slow = lent(&mut frontier, 0);
    assert!(!done(&mut frontier, slow, LEASE), "the lease has ended");
    assert_eq!(frontier.unfinished(), 1, "URLs that are not done");
    assert_eq!(url(&mut frontier, LEASE + 1), Some("/"), "/ is not done");
}

fn a_late_report_does_not_end_the_lease_of_the_next_crawler<F: Frontier>() {
    let mut frontier: F = with(&["/"]);
    let slow = lent(&mut frontier, 0);
    assert_eq!(url(&mut frontier, LEASE), Some("/"), "the lease has ended");
    done(&mut frontier, slow, LEASE + 1);
    assert_eq!(url(&mut frontier, LEASE + 2), None, "the next crawler is fetching /");
}

fn a_late_report_is_not_taken_for_that_of_the_next_crawler<F: Frontier>() {
    let mut frontier: F = with(&["/"]);
    let slow = lent(&mut frontier, 0);
    let next = lent(&mut frontier, LEASE);
    assert!(
        !done(&mut frontier, slow, LEASE + 1),
        "the lease belongs to the next crawler"
    );
    assert_eq!(frontier.unfinished(), 1, "URLs that are not done");
    assert!(done(&mut frontier, next, LEASE + 20), "the lease has not ended");
    assert_eq!(frontier.unfinished(), 0, "URLs that are not done");
}
