//! What `--trace` writes, read back: each task lives a legal life, and one task at a
//! time runs.
//!
//! `trace/lives.rs` is the specification of what each stage's `observe.rs` records: the states
//! of a task and of the loop, and which event may follow in which state. An event that a
//! machine records elsewhere than there fails a test with the line of the trace.

#[path = "trace/lives.rs"]
mod lives;
#[path = "trace/sources.rs"]
mod sources;

use conformance::scripted::{Act, Server, Site, anchors, answer, html};
use conformance::waits::SHORT_TIME_OUT;
use conformance::{
    Crawl, Rule, STAGES, keeps_connections, options, rules, run, url, watchdog,
};
use libtest_mimic::Trial;
use lives::{Life, Lives};
use serde_json::Value;
use shared::demo_site::DemoSite;
use shared::trace::TraceFormat;
use shared::{Options, Report, Stop};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::thread;
use std::time::Duration;

const ALL: &[(&str, Rule)] = rules![
    the_first_line_names_the_program,
    steps_count_up_and_times_never_go_back,
    tasks_live_legal_lives_on_the_demo_site,
    tasks_live_legal_lives_where_servers_stall_and_reset,
    tasks_live_legal_lives_when_the_crawl_is_stopped,
    tasks_live_legal_lives_when_it_is_stopped_before_it_begins,
    a_task_that_had_its_share_of_a_turn_says_so,
    each_event_has_these_keys,
    each_event_has_a_line_of_the_source,
    nothing_is_ready_when_the_loop_sleeps,
    with_one_task_at_once_the_same_happens_each_time,
    a_trace_that_cannot_be_written_is_an_error,
    a_trace_for_perfetto_has_tracks_of_slices_that_alternate,
];

/// For crawlers in which a task is one attempt at a URL.
const TRIES: &[(&str, Rule)] = rules![
    each_try_is_a_task,
    a_stop_cancels_the_tries_that_are_under_way,
    a_time_out_cancels_its_task,
    there_are_as_many_lives_as_connections,
];

/// For crawlers in which a task is a worker, which makes one attempt after the other.
const WORKERS: &[(&str, Rule)] =
    rules![workers_are_cancelled_in_the_end, a_worker_says_for_which_url_it_works];

/// Returns a test for each crawler and rule.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for &(stage, crawl) in STAGES {
        let own = if keeps_connections(stage) { WORKERS } else { TRIES };
        for &(name, rule) in ALL.iter().chain(own) {
            let test = move || rule(crawl);
            trials.push(watchdog::trial(format!("trace::{stage}::{name}"), test));
        }
    }
    trials
}

/// Crawls, and reads the trace back: its first line, and the events.
fn traced(crawl: Crawl, options: &Options) -> (Report, Value, Vec<Value>) {
    traced_with(options, |options| run(crawl, options))
}

fn traced_with(
    options: &Options,
    crawl: impl FnOnce(&Options) -> Report,
) -> (Report, Value, Vec<Value>) {
    let folder = tempfile::tempdir().expect("a folder for this test");
    let trace = folder.path().join("trace.jsonl");
    let report = crawl(&Options { trace: Some(trace.clone()), ..options.clone() });
    assert_eq!(report.warnings, [""; 0]);
    let mut lines = read(&trace);
    let head = lines.remove(0);
    (report, head, lines)
}

fn read(trace: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(trace).expect("the trace is there");
    assert!(text.ends_with('\n'), "the last line is whole");
    let line = |line| serde_json::from_str(line).expect("a line is JSON");
    text.lines().map(line).collect()
}

/// The lives of a crawl that came to its end.
#[track_caller]
fn legal(trace: &[Value]) -> Lives {
    let lives = legal_so_far(trace);
    assert_eq!(lives.timer_left(), None, "{}", as_lines(trace));
    lives
}

/// The lives of a crawl that was stopped: what is set then is dropped with the loop.
#[track_caller]
fn legal_so_far(trace: &[Value]) -> Lives {
    match Lives::of(trace) {
        Ok(lives) => lives,
        Err(why) => panic!("{why}\n{}", as_lines(trace)),
    }
}

fn as_lines(trace: &[Value]) -> String {
    trace.iter().map(|line| format!("{line}\n")).collect()
}

/// Pages that stall, drip, reset, hang up, ask to be asked again; and good ones.
fn troubled_site() -> Server {
    let paths =
        ["/stall", "/reset", "/gone", "/busy", "/half", "/drip", "/moved", "/a"];
    let busy = answer("503 Busy", "Retry-After: 0\r\n", b"");
    let half = vec![Act::Send(b"HTTP/1.1 200 OK\r\nContent-Le".to_vec()), Act::Reset];
    let drip = vec![Act::Drip(html("drop by drop"), Duration::from_millis(2))];
    Site::new()
        .page("/", &paths)
        .acts("/stall", vec![vec![Act::Stall]])
        .acts("/reset", vec![vec![Act::Reset], vec![Act::Send(html(""))]])
        .acts("/gone", vec![vec![]])
        .raw("/busy", &busy)
        .acts("/half", vec![half])
        .acts("/drip", vec![drip])
        .redirect("/moved", "/a")
        .page("/a", &["/moved", "/missing"])
        .serve()
}

fn the_first_line_names_the_program(crawl: Crawl) {
    let server = Site::new().page("/", &[]).serve();
    let (report, head, _) = traced(crawl, &options(&server, "/"));
    assert_eq!(head, serde_json::json!({"trace": 4, "program": report.summary.stage}));
}

fn steps_count_up_and_times_never_go_back(crawl: Crawl) {
    let site = DemoSite::start().expect("the demo site starts");
    let options = Options::with_roots([url(&site.url("/"))]);
    let (_, _, trace) = traced(crawl, &options);
    let mut before = 0;
    for (line, step) in trace.iter().zip(1_u64..) {
        assert_eq!(line["step"], step);
        let now = line["us"].as_u64().expect("microseconds");
        assert!(now >= before, "{line}");
        before = now;
    }
    assert!(trace.len() > 67 * 5, "every URL is connected, asked, and read");
}

fn tasks_live_legal_lives_on_the_demo_site(crawl: Crawl) {
    let site = DemoSite::start().expect("the demo site starts");
    for tasks in [1, 3, 100] {
        let mut options = Options::with_roots([url(&site.url("/"))]);
        options.max_tasks = tasks;
        let (_, _, trace) = traced(crawl, &options);
        assert!(!legal(&trace).connected.is_empty());
    }
}

fn each_try_is_a_task(crawl: Crawl) {
    let site = DemoSite::start().expect("the demo site starts");
    let options = Options::with_roots([url(&site.url("/"))]);
    let (report, _, trace) = traced(crawl, &options);
    let lives = legal(&trace);
    let attempts: u32 = report.rows.iter().map(|row| row.attempts).sum();
    assert_eq!(lives.connected.len(), attempts as usize);
    assert_eq!(lives.count(Life::Cancelled), 0);
}

fn tasks_live_legal_lives_where_servers_stall_and_reset(crawl: Crawl) {
    let server = troubled_site();
    let mut options = options(&server, "/");
    options.timeout = SHORT_TIME_OUT;
    options.max_tries = 2;
    for tasks in [1, 10] {
        options.max_tasks = tasks;
        let (report, _, trace) = traced(crawl, &options);
        legal(&trace);
        assert_eq!(report.rows.len(), 10);
    }
}

fn tasks_live_legal_lives_when_the_crawl_is_stopped(crawl: Crawl) {
    legal_so_far(&stopped(crawl));
}

fn a_stop_cancels_the_tries_that_are_under_way(crawl: Crawl) {
    let lives = legal_so_far(&stopped(crawl));
    assert_eq!((lives.count(Life::Finished), lives.count(Life::Cancelled)), (2, 3));
}

/// The trace of a crawl of five pages that is stopped when three are under way.
fn stopped(crawl: Crawl) -> Vec<Value> {
    let stalled = vec![vec![Act::Stall]];
    let server = Site::new()
        .page("/", &["/done", "/1", "/2"])
        .page("/done", &["/3"])
        .acts("/1", stalled.clone())
        .acts("/2", stalled.clone())
        .acts("/3", stalled)
        .serve();
    let (report, _, trace) = traced_with(&options(&server, "/"), |options| {
        let stop = Stop::new();
        thread::scope(|scope| {
            let crawler =
                scope.spawn(|| crawl(options, &stop).expect("the loop works"));
            server.wait_for_requests(5);
            stop.request();
            crawler.join().expect("the crawler does not panic")
        })
    });
    assert!(report.interrupted);
    trace
}

fn tasks_live_legal_lives_when_it_is_stopped_before_it_begins(crawl: Crawl) {
    let server = Site::new().acts("/", vec![vec![Act::Stall]]).serve();
    let (report, _, trace) = traced_with(&options(&server, "/"), |options| {
        let stop = Stop::new();
        stop.request();
        crawl(options, &stop).expect("the loop works")
    });
    assert!(report.interrupted);
    assert_eq!(legal(&trace).count(Life::Finished), 0);
}

fn a_task_that_had_its_share_of_a_turn_says_so(crawl: Crawl) {
    let body = format!("{}{}", " ".repeat(8_000_000), anchors(&["/end"]));
    let mut site = Site::new().page("/", &["/1", "/2", "/3"]).page("/end", &[]);
    for page in ["/1", "/2", "/3"] {
        site = site.raw(page, &html(&body));
    }
    let server = site.serve();
    let (_, _, trace) = traced(crawl, &options(&server, "/"));
    legal(&trace);
    assert!(trace.iter().any(|line| line["waits"] == "turn"));
}

fn a_time_out_cancels_its_task(crawl: Crawl) {
    let server = Site::new().acts("/", vec![vec![Act::Stall]]).serve();
    let mut options = options(&server, "/");
    options.timeout = Duration::from_millis(300);
    options.max_tries = 2;
    let (_, _, trace) = traced(crawl, &options);
    let lives = legal(&trace);
    assert_eq!((lives.count(Life::Finished), lives.count(Life::Cancelled)), (0, 2));
    for line in trace.iter().filter(|line| line["event"] == "cancelled") {
        assert!(line["us"].as_u64() >= Some(300_000), "not before its time: {line}");
    }
}

fn workers_are_cancelled_in_the_end(crawl: Crawl) {
    let server = Site::new().page("/", &["/a"]).page("/a", &[]).serve();
    let mut options = options(&server, "/");
    options.max_tasks = 3;
    let (_, _, trace) = traced(crawl, &options);
    let lives = legal(&trace);
    let workers = trace.iter().filter(|line| line["event"] == "created");
    let workers = workers.filter(|line| line["for"] == "worker");
    let workers: Vec<u64> = workers.filter_map(|line| line["task"].as_u64()).collect();
    assert_eq!(workers.len(), 3);
    assert!(workers.iter().all(|worker| lives.tasks[worker] == Life::Cancelled));
    let cancels = trace.iter().filter(|line| line["cancels"] == true);
    let cancels: Vec<_> =
        cancels.map(|line| (line["task"].as_u64(), line["by"].as_u64())).collect();
    let by_the_crawl: Vec<_> =
        workers.iter().map(|worker| (Some(*worker), Some(1))).collect();
    assert_eq!(cancels, by_the_crawl);
    let others = lives.tasks.iter().filter(|(task, _)| !workers.contains(task));
    assert!(others.into_iter().all(|(_, life)| *life == Life::Finished));
}

fn a_worker_says_for_which_url_it_works(crawl: Crawl) {
    let server = Site::new().page("/", &["/a", "/b"]).page("/a", &[]).serve();
    let (_, _, trace) = traced(crawl, &options(&server, "/"));
    for path in ["/", "/a", "/b"] {
        let url = server.url(path);
        let is_it = |line: &&Value| line["event"] == "resumed" && line["for"] == *url;
        let line = trace.iter().find(is_it).expect("it waits at least once");
        let at = line["at"].as_str().expect("a place");
        assert!(at.ends_with(".rs:connect") || at.ends_with(".rs:sleep"), "{line}");
    }
}

fn there_are_as_many_lives_as_connections(crawl: Crawl) {
    let server = troubled_site();
    let mut options = options(&server, "/");
    options.timeout = SHORT_TIME_OUT;
    options.max_tries = 2;
    let (report, _, trace) = traced(crawl, &options);
    let lives = legal(&trace);
    assert_eq!(lives.connected.len(), server.seen().connections);
    assert_eq!(lives.connected.len(), server.seen().requests.len());
    let attempts: u32 = report.rows.iter().map(|row| row.attempts).sum();
    assert_eq!(lives.connected.len(), attempts as usize);
}

fn each_event_has_these_keys(crawl: Crawl) {
    let server = troubled_site();
    let mut options = options(&server, "/");
    options.timeout = SHORT_TIME_OUT;
    options.max_tries = 1;
    let (_, head, trace) = traced(crawl, &options);
    let is_callbacks = head["program"] == "stage1-callbacks";
    for line in &trace {
        let own: &[&str] = match line["event"].as_str().expect("a name") {
            "created" => &["for"],
            "resumed" => &["state", "for", "at", "ready"],
            "paused" => match line["waits"].as_str() {
                Some("socket" | "readable" | "writable") => {
                    &["state", "waits", "at", "socket"]
                }
                _ => &["state", "waits", "at"],
            },
            "arrived" => &["readable", "writable", "socket"],
            "registered" => &["socket"],
            "queued" if line["by"].is_null() => &["ready"], // a wake has queued it
            "queued" => &["ready", "by"],
            "slept" => &["until"],
            "woke" => &["events"],
            "timer-set" => &["timer", "when"],
            "timer-fired" | "timer-cleared" => &["timer"],
            "woken" if line["cancels"] == true => &["by", "cancels"],
            "woken" => &["by"],
            "finished" | "cancelled" => &[],
            other => panic!("{other}?"),
        };
        let object = line.as_object().expect("an event is an object");
        let mut keys = [&["step", "us", "task", "event", "line"], own].concat();
        let mut is: Vec<&str> = object.keys().map(String::as_str).collect();
        keys.sort_unstable();
        is.sort_unstable();
        assert_eq!(is, keys, "{line}");
        if let Some(label) = line["for"].as_str() {
            let is_known =
                ["the crawl", "block_on", "worker", "pause"].contains(&label);
            assert!(is_known || label.starts_with(&server.url("/")), "{line}");
        }
        if let Some(at) = line["at"].as_str() {
            let (file, place) = at.split_once(':').expect("file:place");
            assert!(file.ends_with(".rs") && !file.contains('/'), "{line}");
            let state = line["state"].as_str().expect("a state");
            assert!(!place.is_empty() && !state.is_empty(), "{line}");
            // A callback is both: what is called, and where it was left.
            assert!(!is_callbacks || place == state, "{line}");
        }
    }
}

/// Someone who steps through a trace sees the lines that did it.
fn each_event_has_a_line_of_the_source(crawl: Crawl) {
    let server = troubled_site();
    let mut options = options(&server, "/");
    options.timeout = SHORT_TIME_OUT;
    options.max_tries = 2;
    options.max_tasks = 2;
    let (_, head, trace) = traced(crawl, &options);
    let program = head["program"].as_str().expect("a name");
    for line in &trace {
        let wrong = |why| panic!("{why}: {line}");
        sources::check(program, line).unwrap_or_else(wrong);
    }
}

/// No other thread wakes a task in these crawls.
fn nothing_is_ready_when_the_loop_sleeps(crawl: Crawl) {
    let server = Site::new().page("/", &["/a", "/b", "/c"]).page("/a", &["/"]).serve();
    let mut options = options(&server, "/");
    options.max_tasks = 2;
    let (_, _, trace) = traced(crawl, &options);
    let mut lives = Lives::default();
    let mut sleeps = 0;
    for line in &trace {
        lives.event(line).unwrap_or_else(|why| panic!("{why}: {line}"));
        if line["event"] == "slept" {
            assert_eq!(lives.ready(), 0, "{line}\n{}", as_lines(&trace));
            sleeps += 1;
        }
    }
    // `/a` and `/b` may be answered while it sleeps once.
    assert!(sleeps >= 3, "it waits for each page\n{}", as_lines(&trace));
}

/// Which events come together is chance, and so is how many there are. Which URLs are
/// requested, and in which order, is not. (No page here is attempted again: when the pause
/// before that is over depends on how fast the machine is.)
fn with_one_task_at_once_the_same_happens_each_time(crawl: Crawl) {
    let server = Site::new()
        .page("/", &["/c", "/moved", "/a", "/missing", "/b"])
        .page("/a", &["/d", "/c"])
        .page("/b", &["/", "/e", "/noise"])
        .page("/c", &["/f", "/b"])
        .redirect("/moved", "/e")
        .raw("/noise", b"this is not HTTP\r\n\r\n")
        .page("/d", &[])
        .page("/e", &["/f"])
        .page("/f", &[])
        .serve();
    let options = Options { max_tasks: 1, ..options(&server, "/") };
    let happens = || {
        let (_, _, trace) = traced(crawl, &options);
        let created = trace.iter().filter(|line| line["event"] == "created");
        let created = created.map(|line| line["for"].to_string());
        let seen = server.take_seen();
        let requested = seen.targets().map(str::to_string);
        (created.collect::<Vec<_>>(), requested.collect::<Vec<_>>())
    };
    let (created, requested) = happens();
    assert_eq!(requested.len(), 10, "each page once: {requested:?}");
    for _ in 0..10 {
        assert_eq!(happens(), (created.clone(), requested.clone()));
    }
}

fn a_trace_that_cannot_be_written_is_an_error(crawl: Crawl) {
    let server = Site::new().page("/", &[]).serve();
    let folder = tempfile::tempdir().expect("a folder for this test");
    let mut options = options(&server, "/");
    options.trace = Some(folder.path().join("none/trace"));
    assert!(crawl(&options, &Stop::new()).is_err());
    assert_eq!(server.seen().connections, 0);
}

/// Each task has a track, on which slices begin and end in turn; times never go back.
fn a_trace_for_perfetto_has_tracks_of_slices_that_alternate(crawl: Crawl) {
    let server = Site::new().page("/", &["/a", "/b"]).page("/a", &[]).serve();
    let file = tempfile::NamedTempFile::new().expect("a file for this test");
    let mut options = options(&server, "/");
    options.trace = Some(file.path().to_path_buf());
    options.trace_format = TraceFormat::Perfetto;
    run(crawl, &options);
    let text = std::fs::read_to_string(file.path()).expect("it is written");
    let events: Vec<Value> = serde_json::from_str(&text).expect("a list");
    assert_eq!(
        (&events[0]["ph"], &events[0]["name"]),
        (&"M".into(), &"process_name".into())
    );
    let (mut open, mut latest, mut slices) = (BTreeMap::new(), 0, 0);
    let (mut named, mut of_loop) = (BTreeSet::new(), Vec::new());
    for event in &events[1..] {
        let (task, time) = (event["tid"].as_u64(), event["ts"].as_u64());
        let (task, time) = (task.expect("a task"), time.expect("a time"));
        let name = event["name"].as_str().expect("a name");
        assert!(time >= latest, "{event}");
        latest = time;
        match event["ph"].as_str() {
            Some("B") => {
                let before = open.insert(task, name.to_string());
                assert_eq!(before, None, "{event} in a slice: {text}");
                slices += 1;
                if task == 0 {
                    of_loop.push(name);
                }
            }
            Some("E") => {
                let begun = open.remove(&task);
                assert!(begun.is_some(), "{event} after no slice: {text}");
            }
            Some("M") if name == "thread_name" => {
                assert!(named.insert(task), "{event} a second time: {text}");
            }
            Some("M" | "i") => {}
            _ => panic!("{event}"),
        }
        assert!(named.contains(&task), "{event} on a track without a name: {text}");
    }
    assert_eq!(open, BTreeMap::new(), "slices without an end: {text}");
    // A busy machine may bring all answers to `/a` and `/b` in one look.
    assert!(of_loop.len() >= 5, "it sleeps for `/`, and then for its links: {text}");
    for (index, name) in of_loop.into_iter().enumerate() {
        assert_eq!(name, ["runs", "sleeps"][index % 2], "{text}");
    }
    assert!(slices >= 6, "{text}");
    assert!(text.contains("waits for its socket"), "{text}");
}
