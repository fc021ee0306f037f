//! Who stands where: what a trace, and whoever is stuck, is told of tasks.

use shared::watch::Waiting;
use shared::{FetchError, Lives, Watch};

#[test]
fn a_task_is_told_with_its_purpose_its_place_and_what_it_waits_for() {
    let mut lives = Lives::new(Watch::off());
    let (first, second) = (lives.created("first"), lives.created("second"));
    lives.resumed(second);
    assert_eq!(lives.running(), second);
    lives.will_pause("read", Waiting::Readable);
    lives.paused();
    lives.resumed(first);
    assert_eq!(
        lives.who_waits(),
        "first: task waits for a future\n\
         second: read waits for its socket to be readable"
    );
    lives.ended(false);
    assert_eq!(lives.who_waits(), "second: read waits for its socket to be readable");
    assert_eq!(lives.all(), [second]);
}

#[test]
fn an_error_that_nobody_takes_is_kept_with_the_purpose_of_its_task() {
    let mut lives = Lives::new(Watch::off());
    let task = lives.created("a page");
    let (lost, taken) = (lives.returned::<()>(task), lives.returned::<()>(task));
    for returned in [&lost, &taken] {
        returned.set(Err(FetchError::OutOfSockets));
    }
    assert_eq!(taken.take(), Some(Err(FetchError::OutOfSockets)));
    drop(taken);
    assert_eq!(lives.lost_errors(), [""; 0], "one is taken, one can be");
    drop(lost);
    assert_eq!(lives.lost_errors(), ["a page: out of sockets on this machine"]);
}

#[test]
fn what_is_no_error_and_what_was_interrupted_is_not_missed() {
    let mut lives = Lives::new(Watch::off());
    let task = lives.created("a page");
    lives.returned(task).set(Ok(7));
    lives.returned::<()>(task).set(Err(FetchError::Interrupted));
    drop(lives.returned::<()>(task));
    assert_eq!(lives.lost_errors(), [""; 0]);
}

#[test]
fn each_thing_that_a_task_does_is_a_line_of_the_trace() {
    let folder = tempfile::tempdir().expect("a folder for this test");
    let path = folder.path().join("trace");
    let watch = Watch::open(Some(&path), "a test").expect("it can be written");
    let mut lives = Lives::new(watch.clone());
    let task = lives.created("a page");
    lives.queued(task);
    lives.resumed(task);
    lives.enters("Reading");
    lives.registered();
    lives.will_pause("read", Waiting::Readable);
    lives.paused();
    lives.arrived(task, true, false);
    lives.queued(task);
    lives.resumed(task);
    lives.ended(true);
    watch.finish().expect("it can be written");
    let trace = std::fs::read_to_string(&path).expect("it is there");
    let events: Vec<serde_json::Value> = trace
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let names: Vec<_> = events.iter().map(|event| event["event"].clone()).collect();
    assert_eq!(
        names,
        [
            "created",
            "queued",
            "resumed",
            "registered",
            "paused",
            "arrived",
            "queued",
            "resumed",
            "cancelled"
        ]
    );
    assert_eq!(events[4]["state"], "Reading");
    assert_eq!(events[4]["waits"], "readable");
    assert_eq!(events[4]["at"], "lives.rs:read");
    assert_eq!(events[7]["state"], "Reading");
    assert_eq!(events[7]["for"], "a page");
}
