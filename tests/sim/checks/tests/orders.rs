//! All orders in which the network can answer: the crawl ends in each, with one report.

use checks::{Crawl, STAGES, crawl, options, rows};
use simulated_os::{Order, Pick, Then, What};
use sites::Script;

/// A root with so many pages.
fn site(pages: usize) -> Script {
    let links: Vec<String> = (1..=pages).map(|page| format!("/{page}")).collect();
    let script = format!("/ 0ms 200 links={}\n* 0ms 200", links.join(","));
    Script::parse(&script).expect("a script")
}

/// What has to happen before the pages are asked for: a connection, and the root's page.
const ROOT: [usize; 2] = [0, 0];

/// All orders in which so many events of each socket can happen, or the first `most` of
/// them, as choices: each choice is an index into the sockets for which there is an event
/// left.
fn orders(
    left: &mut [usize],
    most: usize,
    so_far: &mut Vec<usize>,
    all: &mut Vec<Vec<usize>>,
) {
    let sockets: Vec<usize> = (0..left.len()).filter(|it| left[*it] > 0).collect();
    if sockets.is_empty() || so_far.len() == most {
        return all.push(so_far.clone());
    }
    for (choice, socket) in sockets.into_iter().enumerate() {
        left[socket] -= 1;
        so_far.push(choice);
        orders(left, most, so_far, all);
        so_far.pop();
        left[socket] += 1;
    }
}

fn picks(choices: &[usize]) -> Vec<Pick> {
    choices.iter().copied().map(Pick::from).collect()
}

/// Each of these orders gives the report that the order of time gives.
fn hold(
    stage: &str,
    crawler: Crawl,
    pages: usize,
    all: impl Iterator<Item = Vec<usize>>,
) {
    let options = options(u32::try_from(pages).expect("a few"));
    let (expected, _) = crawl(crawler, &options, site(pages), Order::InTime);
    let expected = rows(&expected);
    assert_eq!(expected.len(), pages + 1, "{stage}");
    for then in all {
        let choices = [&ROOT, &then[..]].concat();
        let order = Order::Chosen(picks(&choices), Then::InTime);
        let (report, _) = crawl(crawler, &options, site(pages), order);
        assert_eq!(rows(&report), expected, "{stage}, {choices:?}");
        let log = simulated_os::log();
        let asked = log.iter().filter(|it| matches!(it.what, What::Asked(_, Some(_))));
        assert_eq!(asked.count(), choices.len(), "{stage}: all choices were used");
    }
}

#[test]
fn five_responses_may_come_in_any_of_their_120_orders() {
    let mut all = Vec::new();
    orders(&mut [1; 5], 5, &mut Vec::new(), &mut all);
    assert_eq!(all.len(), 120);
    for (stage, crawler) in STAGES {
        // The connections first: stage 3 keeps the one of the root for one of the pages.
        let connections = if stage == "stage3-async" { 4 } else { 5 };
        let connect = connect_first(stage, connections);
        let all = all.iter().map(|responses| [&connect[..], responses].concat());
        hold(stage, crawler, 5, all);
    }
}

/// The choices that let all connections be established before the first response. In
/// stage 3 the first socket is the root's, and has a response to come already.
fn connect_first(stage: &str, connections: usize) -> Vec<usize> {
    let first = usize::from(stage == "stage3-async");
    (0..connections).map(|number| first + number).collect()
}

#[test]
fn connections_and_responses_of_four_sockets_may_come_in_any_order() {
    for (stage, crawler) in STAGES {
        let mut events = [2; 4];
        if stage == "stage3-async" {
            events[0] = 1;
        }
        let mut all = Vec::new();
        orders(&mut events, 8, &mut Vec::new(), &mut all);
        assert_eq!(all.len(), if stage == "stage3-async" { 630 } else { 2520 });
        hold(stage, crawler, 4, all.into_iter());
    }
}

#[test]
fn the_first_five_events_of_five_sockets_may_come_in_any_order() {
    for (stage, crawler) in STAGES {
        let mut events = [2; 5];
        if stage == "stage3-async" {
            events[0] = 1;
        }
        let mut all = Vec::new();
        orders(&mut events, 5, &mut Vec::new(), &mut all);
        assert_eq!(all.len(), if stage == "stage3-async" { 1620 } else { 2220 });
        hold(stage, crawler, 5, all.into_iter());
    }
}
