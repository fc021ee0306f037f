//! For any order of the responses, the report is the same. It is the one that the
//! reference computes from the definitions.

use super::reference::Reference;
use super::site::{Crawl, Says, url};
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use shared::report::Outcome;
use shared::{FetchError, Options, Report};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// The number of URLs on the site. It is small, so that many links have the same
/// target.
const COUNT: usize = 8;

/// URLs of another site.
const FOREIGN: usize = 2;

/// A small site and the options of a crawl. Pages are numbers, to make failures
/// readable.
#[derive(Clone, Debug)]
struct Case {
    answers: Vec<Answer>,
    /// The responses of the other site, with `--external`; `None` without it.
    foreign: Option<Vec<Answer>>,
    roots: Vec<usize>,
    max_redirect: u32,
}

#[derive(Clone, Debug)]
enum Answer {
    Page(BTreeSet<usize>),
    Redirect(usize),
    Status(u16),
    TimesOut,
    Wavers(BTreeSet<usize>),
}

impl Case {
    fn site(&self) -> HashMap<Url, Says> {
        let foreign = self.foreign.iter().flatten();
        let says = self.answers.iter().chain(foreign).map(Answer::says);
        says.enumerate().map(|(number, says)| (named(number), says)).collect()
    }

    fn options(&self) -> Options {
        Options {
            max_redirect: self.max_redirect,
            max_tries: 2,
            external: self.foreign.is_some(),
            ..Options::with_roots(self.roots.iter().copied().map(named))
        }
    }
}

impl Answer {
    fn says(&self) -> Says {
        let named =
            |links: &BTreeSet<usize>| links.iter().copied().map(named).collect();
        match self {
            Answer::Page(links) => Says::Page(named(links)),
            Answer::Redirect(target) => Says::Redirect(self::named(*target)),
            Answer::Status(number) => Says::Status(*number),
            Answer::TimesOut => Says::Fails(FetchError::TimedOut(Duration::ZERO)),
            Answer::Wavers(links) => Says::Wavers(named(links)),
        }
    }
}

/// Returns the URL of a number: `/a`, `/b`, …, and then those of the other site.
fn named(number: usize) -> Url {
    let site = if number < COUNT { "site" } else { "foreign" };
    let letter = char::from(b'a' + number as u8);
    Url::parse(&format!("http://{site}.test/{letter}")).unwrap()
}

fn answer() -> impl Strategy<Value = Answer> {
    let links = || btree_set(0..COUNT + FOREIGN, 0..4);
    prop_oneof![
        4 => links().prop_map(Answer::Page),
        6 => (0..COUNT + FOREIGN).prop_map(Answer::Redirect),
        1 => prop_oneof![Just(404), Just(503)].prop_map(Answer::Status),
        1 => Just(Answer::TimesOut),
        1 => links().prop_map(Answer::Wavers),
    ]
}

/// A foreign page has no links, because its body is not requested.
fn foreign_answer() -> impl Strategy<Value = Answer> {
    prop_oneof![
        1 => Just(Answer::Page(BTreeSet::new())),
        4 => (0..COUNT + FOREIGN).prop_map(Answer::Redirect),
        1 => Just(Answer::TimesOut),
    ]
}

fn case() -> impl Strategy<Value = Case> {
    let foreign = proptest::option::of(vec(foreign_answer(), FOREIGN));
    (vec(answer(), COUNT), foreign, vec(0..COUNT, 1..4), 0u32..4).prop_map(
        |(answers, foreign, roots, max_redirect)| Case {
            answers,
            foreign,
            roots,
            max_redirect,
        },
    )
}

/// Decides which of the open jobs is answered next.
fn picks() -> impl Strategy<Value = Vec<usize>> {
    vec(0..64usize, 1..40)
}

fn crawl(options: &Options, site: &HashMap<Url, Says>, picks: &[usize]) -> Report {
    let mut crawl = Crawl::new(options);
    crawl.run(site, picks);
    let queued = crawl.queued.clone();
    let report = crawl.close();
    let rows: BTreeSet<&str> = report.rows.iter().map(|row| &*row.url).collect();
    assert_eq!(rows.len(), report.rows.len());
    for (index, path) in queued.iter().enumerate() {
        let again = queued[..index].iter().filter(|other| *other == path).count();
        // A URL is queued again only if it is a redirect that had no budget.
        let is_redirect = matches!(site[&url(path)], Says::Redirect(_));
        assert!(again == 0 || (again == 1 && is_redirect), "{path} {queued:?}");
    }
    report
}

/// Returns the target of a redirect that was followed.
fn next<'a>(
    reference: &'a Reference<'_>,
    budgets: &BTreeMap<Url, u32>,
    url: &Url,
) -> Option<&'a Url> {
    reference.target(url).filter(|_| budgets.get(url).is_some_and(|left| *left > 0))
}

/// Returns whether `from` is `to`, or redirects from `from` lead there.
fn leads_to(
    reference: &Reference<'_>,
    budgets: &BTreeMap<Url, u32>,
    from: &Url,
    to: &Url,
) -> bool {
    let mut at = Some(from);
    for _ in 0..=COUNT + FOREIGN {
        if at == Some(to) {
            return true;
        }
        at = at.and_then(|url| next(reference, budgets, url));
    }
    false
}

/// Returns the URLs from a page's first link that leads to `to`, up to `to`. A root
/// that redirects counts as a link. Empty if the link is to `to` itself.
fn way(
    reference: &Reference<'_>,
    budgets: &BTreeMap<Url, u32>,
    page: &Url,
    to: &Url,
) -> Vec<Arc<str>> {
    let leads = |link: &&Url| leads_to(reference, budgets, link, to);
    let mut at = reference.links(page).find(leads).unwrap_or(page);
    let mut way: Vec<Arc<str>> = vec![at.as_str().into()];
    while at != to {
        at = next(reference, budgets, at).expect("it leads there");
        way.push(at.as_str().into());
    }
    if way.len() > 1 { way } else { Vec::new() }
}

/// Returns whether redirects lead into a loop: after as many redirects as there are
/// URLs, another one follows.
fn is_endless(
    reference: &Reference<'_>,
    budgets: &BTreeMap<Url, u32>,
    url: &Url,
) -> bool {
    let mut at = Some(url);
    for _ in 0..=COUNT + FOREIGN {
        at = at.and_then(|url| next(reference, budgets, url));
    }
    at.is_some()
}

/// Compares each field of the report with the reference.
fn compare(report: &Report, options: &Options, site: &HashMap<Url, Says>) {
    let reference = Reference { site, options };
    let expected = reference.crawl();
    let rows: Vec<_> = report.rows.iter().map(|row| &*row.url).collect();
    assert_eq!(rows, expected.budgets.keys().map(Url::as_str).collect::<Vec<_>>());
    for (row, (url, budget)) in report.rows.iter().zip(&expected.budgets) {
        let outcome = match &site[url] {
            Says::Page(_) | Says::Wavers(_) => Outcome::Ok,
            Says::Status(_) => Outcome::HttpError,
            Says::Fails(error) => error.outcome(),
            Says::Redirect(_) if is_endless(&reference, &expected.budgets, url) => {
                Outcome::TooManyRedirects
            }
            Says::Redirect(_) if *budget > 0 => Outcome::Redirect,
            Says::Redirect(_) if reference.target(url).is_none() => Outcome::Redirect,
            Says::Redirect(_) => Outcome::TooManyRedirects,
        };
        assert_eq!((url, row.outcome), (url, outcome));
        assert_eq!((url, row.depth), (url, expected.depth[url]));
        let all = expected.budgets.keys().filter(|page| {
            let leads = |from: &Url| leads_to(&reference, &expected.budgets, from, url);
            let is_root = options.roots.contains(page);
            let next = next(&reference, &expected.budgets, page);
            reference.links(page).any(leads)
                || (is_root && *page != url && next.is_some_and(leads))
        });
        let found_on: Vec<&Url> = match outcome.is_failure() {
            true => all.collect(),
            false => expected.found_on.get(url).into_iter().collect(),
        };
        let ways = found_on.iter().take(3).filter(|_| outcome.is_failure());
        let ways: Vec<Vec<Arc<str>>> =
            ways.map(|page| way(&reference, &expected.budgets, page, url)).collect();
        assert_eq!((url, &row.via), (url, &ways));
        let found_on = found_on.into_iter().map(|url| url.as_str().into()).collect();
        assert_eq!((url, &row.found_on), (url, &found_on));
        let is_first = |link: &&Url| expected.found_on.get(link) == Some(url);
        let new_links = reference.links(url).filter(is_first).count();
        assert_eq!((url, row.num_new_links), (url, new_links));
    }
    assert_eq!(report.summary.left, expected.left);
    assert_eq!(report.summary.complete, expected.left == 0);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 500,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn without_limits_any_order_gives_what_the_definitions_say(
        case in case(), (one, other) in (picks(), picks()),
    ) {
        let (site, options) = (case.site(), case.options());
        let report = crawl(&options, &site, &one);
        prop_assert_eq!(&report, &crawl(&options, &site, &other));
        compare(&report, &options, &site);
    }

    #[test]
    fn with_a_depth_any_order_gives_what_the_definitions_say(
        case in case(), (one, other) in (picks(), picks()),
        max_depth in 0u32..4,
    ) {
        let (site, options) = (case.site(), case.options());
        let options = Options { max_depth: Some(max_depth), ..options };
        let report = crawl(&options, &site, &one);
        prop_assert_eq!(&report, &crawl(&options, &site, &other));
        compare(&report, &options, &site);
        let all = crawl(&Options { max_depth: None, ..options }, &site, &one);
        let near: Vec<_> = all.rows.iter().filter(|row| row.depth <= max_depth).collect();
        prop_assert_eq!(
            report.rows.iter().map(|row| (&row.url, row.depth)).collect::<Vec<_>>(),
            near.iter().map(|row| (&row.url, row.depth)).collect::<Vec<_>>()
        );
    }

    #[test]
    fn with_a_limit_of_pages_any_order_gives_the_same(
        case in case(), (one, other) in (picks(), picks()),
        max_pages in 1u64..9, max_depth in proptest::option::of(0u32..4),
    ) {
        let (site, options) = (case.site(), case.options());
        let all = crawl(&Options { max_depth, ..options.clone() }, &site, &one);
        let options = Options { max_pages: Some(max_pages), max_depth, ..options };
        let report = crawl(&options, &site, &one);
        prop_assert_eq!(&report, &crawl(&options, &site, &other));
        prop_assert_eq!(report.rows.len(), all.rows.len().min(max_pages as usize));
        for row in &report.rows {
            prop_assert!(all.row(&row.url).is_some());
        }
    }
}

proptest! {
    /// What is excluded is counted once, whichever page or redirect has it, and however
    /// often. Roots are not excluded.
    #[test]
    fn any_order_counts_the_same_urls_as_excluded(
        case in case(), (one, other) in (picks(), picks()),
    ) {
        let pattern = regex_lite::Regex::new("/[b-e]$").expect("a pattern");
        let is_excluded = |url: &&Url| {
            pattern.is_match(url.as_str()) && !case.options().roots.contains(url)
        };
        let exclude = vec![pattern.clone()];
        let (site, options) = (case.site(), Options { exclude, ..case.options() });
        let report = crawl(&options, &site, &one);
        prop_assert_eq!(&report, &crawl(&options, &site, &other));
        let reference = Reference { site: &site, options: &options };
        let mut excluded = BTreeSet::new();
        for row in &report.rows {
            let url = Url::parse(&row.url).expect("it is one");
            let found = reference.links(&url).chain(reference.target(&url));
            excluded.extend(found.filter(is_excluded).cloned());
        }
        prop_assert_eq!(report.summary.excluded, excluded.len());
        let urls = report.rows.iter().map(|row| Url::parse(&row.url).expect("it is one"));
        let requested: Vec<Url> = urls.filter(|url| is_excluded(&url)).collect();
        prop_assert_eq!(requested, []);
    }
}

/// The memory for known URLs is limited. The number of URLs left is not compared,
/// since those that did not fit are not counted.
#[test]
fn with_a_limit_of_bytes_any_order_gives_the_same_rows() {
    let cut = Cell::new(0);
    proptest!(ProptestConfig::with_cases(500), |(
        case in case(), (one, other) in (picks(), picks()), max_known in 500usize..7_500,
    )| {
        let (site, options) = (case.site(), case.options());
        let all = crawl(&options, &site, &one);
        let options = Options { max_known, ..options };
        let report = crawl(&options, &site, &one);
        prop_assert_eq!(&report.rows, &crawl(&options, &site, &other).rows);
        prop_assert_eq!(report.summary.complete, report.summary.left == 0);
        for row in &report.rows {
            prop_assert!(all.row(&row.url).is_some());
        }
        let is_cut = report.rows.len() < all.rows.len();
        prop_assert!(!(is_cut && report.summary.complete));
        cut.set(cut.get() + u32::from(is_cut));
    });
    assert!(
        (10..490).contains(&cut.get()),
        "{cut:?} of 500 were cut: some of each kind"
    );
}

/// Two roots redirect to /t, whose budget is then used up, and to a page that links to
/// /t. The link belongs to the next level. So the result must be the same whether the
/// page is settled before /t or after it.
#[test]
fn a_link_gives_its_budget_no_sooner_than_its_level_begins() {
    let site = site_of(&[
        ("/a", Says::Redirect(url("/t"))),
        ("/b", Says::Redirect(url("/page"))),
        ("/page", Says::Page(vec![url("/t")])),
        ("/t", Says::Redirect(url("/end"))),
        ("/end", Says::Page(vec![])),
    ]);
    let max_depth = Some(0);
    let roots = [url("/a"), url("/b")];
    let options = Options { max_redirect: 1, max_depth, ..Options::with_roots(roots) };
    let page_first = crawl(&options, &site, &[0, 0, 0, 0]);
    let page_last = crawl(&options, &site, &[0, 0, 1, 0]);
    assert_eq!(page_first, page_last);
    let row = page_first.row(url("/t").as_str()).unwrap();
    assert_eq!(row.outcome, Outcome::TooManyRedirects);
    assert_eq!(page_first.row(url("/end").as_str()), None);
    assert_eq!(page_first.summary.left, 1);
}

/// /c and /g are open at once. /c is a redirect without budget, and /g is a page that
/// links to it. /c counts once, whether the link is found before or after /c is
/// settled.
#[test]
fn a_limit_of_pages_does_not_cut_by_which_page_comes_first() {
    let site = site_of(&[
        ("/root", Says::Page(vec![url("/a"), url("/f")])),
        ("/a", Says::Redirect(url("/c"))),
        ("/c", Says::Redirect(url("/a"))),
        ("/f", Says::Redirect(url("/g"))),
        ("/g", Says::Page(vec![url("/c")])),
    ]);
    for max_pages in 1..=6 {
        let max_pages = Some(max_pages);
        let roots = [url("/root")];
        let options =
            Options { max_redirect: 1, max_pages, ..Options::with_roots(roots) };
        let c_first = crawl(&options, &site, &[0]);
        let g_first = crawl(&options, &site, &[0, 0, 0, 1]);
        assert_eq!(c_first, g_first, "{max_pages:?}");
    }
}

#[test]
fn a_redirect_to_itself_is_not_found_on_itself() {
    let site = site_of(&[
        ("/root", Says::Redirect(url("/loop"))),
        ("/loop", Says::Redirect(url("/loop"))),
    ]);
    let report = crawl(&Options::with_roots([url("/root")]), &site, &[0]);
    let row = report.row(url("/loop").as_str()).unwrap();
    assert_eq!(row.found_on, [Arc::from(url("/root").as_str())]);
}

/// Two redirects point at each other, and a root comes after them by name.
#[test]
fn what_a_loop_of_redirects_is_found_on_leads_back_to_the_root() {
    let site = site_of(&[
        ("/z", Says::Redirect(url("/b"))),
        ("/b", Says::Redirect(url("/a"))),
        ("/a", Says::Redirect(url("/b"))),
    ]);
    let report = crawl(&Options::with_roots([url("/z")]), &site, &[0]);
    let found_on = |path| &report.row(url(path).as_str()).unwrap().found_on;
    for path in ["/a", "/b"] {
        assert_eq!(found_on(path), &[Arc::from(url("/z").as_str())], "{path}");
    }
}

/// URLs behind more redirects than allowed are as far away as a link that leads to
/// them with fewer redirects. `--max-depth` uses that distance.
#[test]
fn depth_counts_no_way_with_too_many_redirects() {
    let site = site_of(&[
        ("/a", Says::Redirect(url("/t"))),
        ("/page", Says::Page(vec![url("/t")])),
        ("/t", Says::Redirect(url("/end"))),
        ("/end", Says::Page(vec![])),
    ]);
    let roots = [url("/a"), url("/page")];
    let options = Options { max_redirect: 1, ..Options::with_roots(roots) };
    let report = crawl(&options, &site, &[0]);
    assert_eq!(report.row(url("/t").as_str()).unwrap().depth, 0);
    assert_eq!(report.row(url("/end").as_str()).unwrap().depth, 1);
}

fn site_of(pages: &[(&str, Says)]) -> HashMap<Url, Says> {
    pages.iter().map(|(path, says)| (url(path), says.clone())).collect()
}
