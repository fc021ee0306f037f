//! A worker for which a redirect is a job, and which does not sleep during a pause.

use crate::cases;
pub use crate::toy::crawl::{Answer, Crawl, Done, Job, PAUSE, TRIES, is_on_site, join};
use crate::toy::crawl::{REDIRECTS, SITE};
use std::pin::Pin;
use std::rc::Rc;

/// A task in a box.
pub type Boxed = Pin<Box<dyn Future<Output = ()>>>;

/// A worker.
pub trait Worker: 'static {
    /// Fetches one job after the other. The target of a redirect is another job, if it
    /// is on the site, was not seen, and the budget allows it. If the server is busy,
    /// the same job is tried again after a pause, during which the worker goes on.
    fn work(crawl: Rc<Crawl>) -> Boxed;
}

cases! {
    Worker:
    a_page_to_which_two_redirects_lead_is_requested_once,
    a_location_may_be_relative,
    a_target_is_put_before_its_redirect_is_done,
    a_redirect_that_leaves_the_site_is_not_followed,
    a_chain_of_redirects_ends_with_its_budget,
    a_worker_fetches_other_pages_during_a_pause,
    the_crawl_is_not_over_while_a_page_pauses,
    a_page_that_stays_busy_is_given_up_on,
    a_page_that_was_busy_may_be_a_redirect,
    the_target_of_a_redirect_has_tries_of_its_own,
    only_a_redirect_that_is_followed_marks_its_target,
    another_try_costs_no_redirect,
}

/// Starts a crawl with these roots and one worker.
fn start<W: Worker>(paths: &[&str]) -> Rc<Crawl> {
    start_with::<W>(&paths.iter().map(|path| (*path, REDIRECTS)).collect::<Vec<_>>())
}

/// Starts a crawl with these roots, and with how many redirects each may follow.
fn start_with<W: Worker>(roots: &[(&str, u32)]) -> Rc<Crawl> {
    let crawl = Rc::<Crawl>::default();
    for (path, redirects) in roots {
        let url = format!("{SITE}{path}");
        crawl.mark(&url);
        crawl.put(Job { url, redirects: *redirects, tries: 0 });
    }
    crawl.spawn(W::work(Rc::clone(&crawl)));
    crawl.run_at(0);
    crawl
}

fn a_page_to_which_two_redirects_lead_is_requested_once<W: Worker>() {
    let crawl = start::<W>(&["/foo", "/bar"]);
    let requests = ["/foo", "/bar", "/baz"].map(|path| crawl.requests(path));
    assert_eq!(requests, [1, 1, 1], "requests of /foo, /bar and /baz");
    assert_eq!(crawl.unfinished(), 0, "jobs that are not done");
}

fn a_location_may_be_relative<W: Worker>() {
    let crawl = start::<W>(&["/old/page"]);
    assert_eq!(crawl.requests("/old/new"), 1, "requests of /old/new");
    let crawl = start::<W>(&["/old/page", "/other/page"]);
    let requests = ["/old/new", "/other/new"].map(|path| crawl.requests(path));
    assert_eq!(requests, [1, 1], "requests of /old/new and /other/new: both are `new`");
}

fn a_target_is_put_before_its_redirect_is_done<W: Worker>() {
    let crawl = start::<W>(&["/old/page"]);
    assert_eq!(
        crawl.rounds(),
        1,
        "how many times all jobs were done: `join` returns at the first"
    );
}

fn a_redirect_that_leaves_the_site_is_not_followed<W: Worker>() {
    let crawl = start::<W>(&["/away"]);
    assert_eq!(crawl.unfinished(), 0, "jobs that are not done");
}

fn a_chain_of_redirects_ends_with_its_budget<W: Worker>() {
    let crawl = start::<W>(&["/chain/8"]);
    let requests = ["/chain/5", "/chain/4"].map(|path| crawl.requests(path));
    assert_eq!(
        requests,
        [1, 0],
        "requests of /chain/5 (the third redirect) and /chain/4"
    );
}

fn a_worker_fetches_other_pages_during_a_pause<W: Worker>() {
    let crawl = start::<W>(&["/busy", "/page"]);
    crawl.run_at(PAUSE - 1);
    let requests = ["/busy", "/page"].map(|path| crawl.requests(path));
    assert_eq!(requests, [1, 1], "requests of /busy and /page during the pause");
    crawl.run_at(PAUSE);
    assert_eq!(crawl.requests("/busy"), 2, "requests of /busy after its first pause");
}

fn the_crawl_is_not_over_while_a_page_pauses<W: Worker>() {
    let crawl = start::<W>(&["/busy", "/page"]);
    assert_eq!(
        crawl.unfinished(),
        1,
        "jobs that are not done: /busy pauses, and with none `join` would return"
    );
}

fn a_page_that_stays_busy_is_given_up_on<W: Worker>() {
    let crawl = start::<W>(&["/busy"]);
    (1..TRIES.into()).for_each(|pauses| crawl.run_at(pauses * PAUSE));
    assert_eq!(crawl.unfinished(), 0, "jobs that are not done after the last try");
    (1..=5).for_each(|pauses| crawl.run_at(pauses * PAUSE));
    assert_eq!(crawl.requests("/busy"), TRIES as usize, "requests of /busy");
    assert_eq!(
        crawl.rounds(),
        1,
        "how often all jobs were done: put, and only then drop `done`"
    );
    assert_eq!(crawl.unfinished(), 0, "jobs that are not done");
}

fn a_page_that_was_busy_may_be_a_redirect<W: Worker>() {
    let crawl = start::<W>(&["/late"]);
    crawl.run_at(PAUSE);
    let requests = ["/late", "/busy"].map(|path| crawl.requests(path));
    assert_eq!(
        requests,
        [2, 1],
        "requests of /late, which is busy once, and its target"
    );
}

fn the_target_of_a_redirect_has_tries_of_its_own<W: Worker>() {
    let crawl = start::<W>(&["/late"]);
    (1..=5).for_each(|pauses| crawl.run_at(pauses * PAUSE));
    assert_eq!(
        crawl.requests("/busy"),
        TRIES as usize,
        "requests of /busy, the target"
    );
}

fn only_a_redirect_that_is_followed_marks_its_target<W: Worker>() {
    let crawl = start_with::<W>(&[("/foo", 0), ("/bar", 1)]);
    let found = crawl.requests("/baz");
    assert_eq!(found, 1, "requests of /baz: only /bar may follow its redirect there");
}

fn another_try_costs_no_redirect<W: Worker>() {
    let crawl = start_with::<W>(&[("/late", 1)]);
    crawl.run_at(PAUSE);
    let found = crawl.requests("/busy");
    assert_eq!(
        found, 1,
        "requests of /busy: /late may follow one redirect, and was busy"
    );
}
