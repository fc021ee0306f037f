//! What a trace, a stuck report and the list of lost errors tell of tasks.

use shared::trace::TraceFormat;
use shared::{FetchError, Stop, Trace};
use stage2_generators::{
    Coroutine, Loop, LoopError, Read, Result, Resume, Socket, Step, yield_from,
};
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::rc::Rc;

fn event_loop() -> Loop {
    Loop::new(&Stop::new(), Trace::off()).expect("a selector can be made")
}

/// A socket for a task, and the other end of the connection.
fn connection(event_loop: &Loop) -> (Rc<Socket>, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = listener.local_addr().expect("it is bound");
    let stream = TcpStream::connect(address).expect("it listens");
    stream.set_nonblocking(true).expect("it is open");
    let socket = Socket::new(stream.into(), &event_loop.reactor.poller);
    let peer = listener.accept().expect("it is connected").0;
    (Rc::new(socket.expect("the poller takes it")), peer)
}

#[test]
fn a_stuck_report_names_the_task_its_place_and_what_it_waits_for() {
    let mut event_loop = event_loop();
    let never = event_loop.new_future();
    let first = event_loop.spawn_named("first", never);
    drop(event_loop.spawn_named("second", first));
    let main = event_loop.spawn(never);
    match event_loop.run_until_complete(main).expect_err("nothing can happen") {
        LoopError::Stuck(waiting) => assert_eq!(
            waiting,
            "first: task waits for a future\n\
             second: task waits for a future\n\
             task: task waits for a future"
        ),
        LoopError::Selector(error) => panic!("{error}"),
    }
}

/// Spawns a task that returns this, and runs it.
fn returns(event_loop: &mut Loop, result: Result<()>) -> stage2_generators::Join<()> {
    let coroutine = move |_: &mut Loop, _: Resume| Step::Return(result.clone());
    let join = event_loop.spawn_named("a page", coroutine);
    let turn = event_loop.spawn(stage2_generators::RESOLVED);
    assert!(matches!(event_loop.run_until_complete(turn), Ok(Ok(()))));
    join
}

#[test]
fn an_error_is_lost_when_its_join_is_dropped_and_not_before() {
    let mut event_loop = event_loop();
    let lost = returns(&mut event_loop, Err(FetchError::OutOfSockets));
    let taken = returns(&mut event_loop, Err(FetchError::OutOfSockets));
    let result = event_loop.run_until_complete(taken).expect("it has returned");
    assert_eq!(result, Err(FetchError::OutOfSockets));
    assert_eq!(event_loop.lost_errors(), [""; 0], "one is taken, one can be");
    drop(lost);
    let error = FetchError::OutOfSockets;
    assert_eq!(event_loop.lost_errors(), [format!("a page: {error}")]);
}

#[test]
fn values_and_interruptions_are_not_listed_as_lost() {
    let mut event_loop = event_loop();
    drop(returns(&mut event_loop, Ok(())));
    drop(returns(&mut event_loop, Err(FetchError::Interrupted)));
    assert_eq!(event_loop.lost_errors(), [""; 0]);
}

#[test]
fn everything_that_a_task_does_is_a_line_of_the_trace() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("trace-of-a-read");
    let trace = Trace::open(Some(&path), TraceFormat::Jsonl, "a test")
        .expect("it can be written");
    let mut event_loop = Loop::new(&Stop::new(), trace.clone()).expect("a selector");
    let (socket, mut peer) = connection(&event_loop);
    let mut read = Read { socket };
    let mut bytes = Some(b"bytes");
    let reads = move |event_loop: &mut Loop, resume: Resume| {
        // The peer sends when the task has begun to wait.
        let step = read.resume(event_loop, resume);
        if let Some(bytes) = bytes.take() {
            peer.write_all(bytes).expect("it is open");
        }
        step
    };
    let task = event_loop.spawn_named("a page", reads);
    let result = event_loop.run_until_complete(task).expect("it returns");
    assert_eq!(result, Ok(b"bytes".to_vec()));
    trace.finish().expect("it can be written");
    let text = std::fs::read_to_string(&path).expect("it is there");
    let lines = text.lines().skip(1);
    let events: Vec<serde_json::Value> =
        lines.map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let names: Vec<&str> =
        events.iter().map(|event| event["event"].as_str().expect("a name")).collect();
    let expected = [
        "created", "queued", "resumed", "paused", "slept", "woke", "arrived", "queued",
        "resumed", "finished",
    ];
    assert_eq!(names, expected);
    assert_eq!(events[3]["waits"], "readable");
    assert_eq!(events[3]["at"], "fetch.rs:read");
    assert_eq!(events[8]["for"], "a page");
    assert_eq!(events[8]["at"], "fetch.rs:read");
}

#[test]
fn a_task_that_a_thrown_error_ends_is_cancelled_in_the_trace() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("trace-of-a-throw");
    let trace = Trace::open(Some(&path), TraceFormat::Jsonl, "a test")
        .expect("it can be written");
    let mut event_loop = Loop::new(&Stop::new(), trace.clone()).expect("a selector");
    let mut never = event_loop.new_future();
    let waits = move |event_loop: &mut Loop, resume: Resume| -> Step<Result<()>> {
        Step::Return(yield_from!(never, event_loop, resume))
    };
    let task = event_loop.spawn(waits);
    event_loop.throw(task.task, FetchError::Interrupted);
    let result = event_loop.run_until_complete(task).expect("it returns");
    assert_eq!(result, Err(FetchError::Interrupted));
    trace.finish().expect("it can be written");
    let text = std::fs::read_to_string(&path).expect("it is there");
    assert!(text.lines().last().expect("a line").contains(r#""event":"cancelled""#));
}
