//! What is to be tried next: by hand, without a network.

use shared::http::HttpError;
use shared::{
    Ending, FetchError, Options, Response, ResponseParser, Stage, Stop, Todo, Try, Url,
};

const STAGE: Stage = Stage::http_only("a-test", "1");

fn todo(options: &Options) -> Todo {
    Todo::new(options, &STAGE, &Stop::new())
}

fn options(max_tasks: u32) -> Options {
    let root = Url::parse("http://a.example/").expect("a URL");
    Options { max_tasks, ..Options::with_roots([root]) }
}

/// A page with so many links.
fn page(links: usize) -> Response {
    let links: String = (1..=links).map(|n| format!("<a href=/{n}>x</a>")).collect();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
    let answer = format!("{head}Content-Length: {}\r\n\r\n{links}", links.len());
    let mut parser = ResponseParser::new(1_000_000);
    parser.feed(answer.as_bytes()).expect("it is HTTP").expect("it is whole")
}

fn start_all(todo: &mut Todo) -> Vec<Try> {
    std::iter::from_fn(|| todo.next_try()).collect()
}

/// A crawl whose root is settled, and linked to so many others.
fn with_links(options: &Options, links: usize) -> Todo {
    let mut todo = todo(options);
    let root = todo.next_try().expect("a root");
    todo.settle(root.id, Ok(page(links)));
    todo
}

#[test]
fn a_try_says_what_to_send_and_by_when() {
    let mut todo = todo(&options(1));
    let root = todo.next_try().expect("a root");
    let request = String::from_utf8(root.request).expect("ASCII");
    assert!(request.starts_with("GET / HTTP/1.1\r\nHost: a.example\r\n"), "{request}");
    assert!(request.contains("Connection: close\r\n"), "{request}");
    assert_eq!(root.url.as_str(), "http://a.example/");
    assert!(root.deadline <= std::time::Instant::now() + root.timeout);
}

#[test]
fn no_more_are_in_flight_than_max_tasks() {
    let mut todo = with_links(&options(3), 5);
    let tries = start_all(&mut todo);
    assert_eq!(tries.len(), 3);
    todo.settle(tries[1].id, Ok(page(0)));
    assert_eq!(start_all(&mut todo).len(), 1, "one ended, one begins");
}

#[test]
fn after_the_stop_nothing_is_begun() {
    let stop = Stop::new();
    let mut todo = Todo::new(&options(3), &STAGE, &stop);
    stop.pull();
    assert!(todo.next_try().is_none());
    assert!(!todo.is_done(), "and it is not done");
}

#[test]
fn a_try_that_finds_no_socket_waits_until_another_one_ends() {
    let mut todo = with_links(&options(5), 5);
    let tries = start_all(&mut todo);
    for full in &tries[2..] {
        todo.settle(full.id, Err(FetchError::OutOfSockets));
    }
    assert!(todo.next_try().is_none(), "there is room for two");
    todo.settle(tries[0].id, Ok(page(0)));
    assert_eq!(start_all(&mut todo).len(), 1);
    todo.settle(tries[1].id, Ok(page(0)));
    assert_eq!(start_all(&mut todo).len(), 2, "it has fitted twice: one more is tried");
    let report = todo.close(Ending::Interrupted);
    assert!(report.rows.iter().all(|row| row.attempts == 1), "{report:?}");
    assert_eq!(report.summary.peak_tasks, 3);
}

#[test]
fn out_of_sockets_with_nothing_in_flight_is_an_answer() {
    let mut todo = todo(&Options { max_tries: 1, ..options(5) });
    let root = todo.next_try().expect("a root");
    todo.settle(root.id, Err(FetchError::OutOfSockets));
    assert!(todo.is_done());
}

#[test]
fn what_failed_by_chance_pauses_and_the_pause_is_told_once() {
    let mut todo = todo(&options(5));
    let root = todo.next_try().expect("a root");
    let before = std::time::Instant::now();
    todo.settle(root.id, Err(HttpError::Truncated.into()));
    let when = todo.new_pause().expect("a pause began");
    assert!(when > before);
    assert!(todo.new_pause().is_none());
    assert!(!todo.is_done());
    assert!(todo.next_try().is_none() || std::time::Instant::now() >= when);
}

#[test]
fn who_is_queued_is_told() {
    let todo = with_links(&options(1), 2);
    let lines = todo.who_waits();
    assert_eq!(
        lines,
        [
            "http://a.example/1: queued, and nobody starts it",
            "http://a.example/2: queued, and nobody starts it",
        ]
    );
}
