//! The simulated system is held to the real one: the programs on loopback, and the same
//! crawl here, write the same trace and the same report.
#![cfg(target_os = "linux")] // others' selectors report in other ways

use checks::traces::{Event, by_task, read};
use checks::{Crawl, STAGES, crawl, options, real, rows};
use demo_answers::Demo;
use serde_json::Value;
use simulated_os::{Act, Answers, Order, Plan, Site};
use sites::Script;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

/// Each page leads to one other, or to none.
const CHAIN: &str = "
    / 1ms 200 links=/a
    /a 1ms 301 location=/b
    /b 1ms 200 links=/c
    /c 1ms 200 links=/d
    /d 1ms 404";

/// Three pages at once, each of which leads to one other. Each response but those of the
/// last three is followed by a request: so one response is on the way at a time.
const THREE: &str = "
    / 1ms 200 links=/1,/2,/3
    /1 10ms 200 links=/1/a
    /2 20ms 200 links=/2/a
    /3 30ms 200 links=/3/a
    /1/a 40ms 200
    /2/a 50ms 200
    /3/a 60ms 200";

/// A script whose connections only the client closes: when the end of a connection arrives
/// beside a response, that is one event or two.
struct Patient(Script);

impl Site for Patient {
    fn connect(
        &mut self,
        connection: usize,
        to: SocketAddr,
        now: Duration,
    ) -> (Duration, Answers) {
        self.0.connect(connection, to, now)
    }

    fn receive(&mut self, connection: usize, bytes: &[u8], now: Duration) -> Plan {
        let mut plan = self.0.receive(connection, bytes, now);
        plan.retain(|(_, act)| *act != Act::Close);
        plan
    }
}

fn script(text: &str) -> Patient {
    Patient(Script::parse(text).expect("a script"))
}

/// The trace of a crawl over the simulated system.
fn simulated(crawler: Crawl, text: &str, tasks: u32) -> Vec<Event> {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("trace");
    let options = shared::Options { trace: Some(trace.clone()), ..options(tasks) };
    let (report, _) = crawl(
        crawler,
        &options,
        script(&format!("connect 0ms\n{text}")),
        Order::InTime,
    );
    assert_eq!(report.warnings, [""; 0]);
    read(&trace)
}

/// The trace of the program's crawl over loopback. `answers` serves.
fn over_loopback(
    stage: &str,
    tasks: u32,
    answers: impl FnOnce(Server) + Send + 'static,
) -> Vec<Event> {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("trace");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let root = format!("http://{}/", listener.local_addr().expect("its address"));
    let (tasks, file) = (tasks.to_string(), trace.display().to_string());
    let mut arguments = vec![&*root, "--max-tasks", &tasks, "--trace", &file];
    if stage == "stage3-async" {
        arguments.extend(["--helpers", "0"]);
    }
    // Not waited for: after a failure it would wait for requests that never come.
    let crawler = real::start(stage, &arguments);
    let server = Server { asked: requests(listener), crawler: crawler.id() };
    thread::spawn(|| answers(server));
    let output = crawler.wait_with_output().expect("it was started");
    assert!(output.status.success(), "{output:?}");
    read(&trace)
}

/// The real server, and its only client.
struct Server {
    asked: Receiver<Asked>,
    crawler: u32,
}

impl Server {
    fn next(&self) -> Asked {
        self.asked.recv().expect("the crawler asks")
    }

    /// Answers as the script says, once the crawler sleeps: otherwise a response might be
    /// there before the crawler tries to read it, and no event reports it.
    fn respond(&self, script: &mut Patient, mut asked: Asked) {
        real::wait_until_asleep(self.crawler);
        for (_, act) in script.receive(0, &asked.bytes, Duration::ZERO) {
            let Act::Send(bytes) = act else { panic!("{act:?} in a script") };
            asked.stream.write_all(&bytes).expect("the crawler reads");
        }
    }
}

/// A request that has arrived at the real server, and where its response goes.
struct Asked {
    path: String,
    bytes: Vec<u8>,
    stream: TcpStream,
}

/// Accepts connections, and hands on the requests that arrive on them.
fn requests(listener: TcpListener) -> Receiver<Asked> {
    let (sender, asked) = channel();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let sender = sender.clone();
            thread::spawn(move || requests_of(&stream, &sender));
        }
    });
    asked
}

fn requests_of(mut stream: &TcpStream, to: &Sender<Asked>) {
    let (mut bytes, mut buffer) = (Vec::new(), [0; 4096]);
    while let Ok(count @ 1..) = stream.read(&mut buffer) {
        bytes.extend_from_slice(&buffer[..count]);
        if !bytes.ends_with(b"\r\n\r\n") {
            continue;
        }
        let bytes = std::mem::take(&mut bytes);
        let head = String::from_utf8_lossy(&bytes).into_owned();
        let path = head.split(' ').nth(1).unwrap_or_default().to_string();
        let stream = stream.try_clone().expect("another handle");
        if to.send(Asked { path, bytes, stream }).is_err() {
            return;
        }
    }
}

#[test]
fn one_task_has_the_same_trace_event_by_event() {
    for (stage, crawler) in STAGES {
        let real = over_loopback(stage, 1, |server| {
            let mut script = script(CHAIN);
            for _ in 0..5 {
                server.respond(&mut script, server.next());
            }
        });
        let simulated = simulated(crawler, CHAIN, 1);
        assert!(real.len() > 30, "{stage}: {} events", real.len());
        same(stage, &simulated, &real);
    }
}

#[test]
fn three_tasks_have_the_same_traces_and_take_turns_in_the_same_order() {
    for (stage, crawler) in STAGES {
        let real = over_loopback(stage, 3, |server| {
            let mut script = script(THREE);
            server.respond(&mut script, server.next());
            // Only when all three have asked the first is answered; and so on.
            let mut waiting: BTreeMap<String, Asked> =
                (0..3).map(|_| server.next()).map(|it| (it.path.clone(), it)).collect();
            for path in ["/1", "/2", "/3"] {
                server.respond(
                    &mut script,
                    waiting.remove(path).expect("it was asked for"),
                );
                let next = server.next();
                waiting.insert(next.path.clone(), next);
            }
            for asked in waiting.into_values() {
                server.respond(&mut script, asked);
            }
        });
        let simulated = simulated(crawler, THREE, 3);
        assert_eq!(by_task(&simulated), by_task(&real), "{stage}");
        same(stage, one_at_a_time(&simulated), one_at_a_time(&real));
    }
}

/// The part of a trace of `THREE` in which one response is on the way at a time: from that
/// of `/1` to that of `/1/a`.
fn one_at_a_time(events: &[Event]) -> &[Event] {
    let responses = events.iter().enumerate().filter(|(_, event)| event.is_response);
    let responses: Vec<usize> = responses.map(|(index, _)| index).collect();
    &events[responses[1]..responses[4]]
}

fn same(stage: &str, simulated: &[Event], real: &[Event]) {
    for (index, (ours, theirs)) in simulated.iter().zip(real).enumerate() {
        assert_eq!(ours, theirs, "{stage}, event {index}");
    }
    assert_eq!(simulated.len(), real.len(), "{stage}");
}

#[test]
fn the_demo_site_gives_the_same_report() {
    for (stage, crawler) in STAGES {
        // A second attempt comes after a pause, for which a native program's clock
        // would have to move: with them it is tested in wasm.
        let arguments = ["--format", "jsonl", "--max-tries", "1", "-qq"];
        let output = real::start(stage, &arguments).wait_with_output();
        let output = output.expect("it was started");
        let text = String::from_utf8(output.stdout).expect("JSON is UTF-8");
        let lines = text.lines().map(|it| serde_json::from_str(it).expect("JSON"));
        let mut real: Vec<Value> = lines.collect();
        real.pop(); // the summary
        let options = shared::Options { max_tries: 1, ..options(10) };
        let site = Demo::new(None, Duration::from_micros(100));
        let (report, _) = crawl(crawler, &options, site, Order::InTime);
        assert_eq!(rows(&report).len(), real.len(), "{stage}");
        let ours =
            report.rows.iter().map(|row| serde_json::to_value(row).expect("JSON"));
        assert_eq!(known(ours), known(real.into_iter()), "{stage}");
    }
}

/// The rows of a report by their URLs, without what differs in each run.
fn known(rows: impl Iterator<Item = Value>) -> BTreeMap<String, Value> {
    let port = |text: &str| {
        let (before, after) = text.split_once("127.0.0.1:")?;
        let digits = after.find(|it: char| !it.is_ascii_digit())?;
        Some(format!("{before}HOST{}", &after[digits..]))
    };
    let row = |mut row: Value| {
        row["elapsed_ms"] = Value::Null;
        let mut text = row.to_string();
        while let Some(shorter) = port(&text) {
            text = shorter;
        }
        let row: Value = serde_json::from_str(&text).expect("it was JSON");
        (row["url"].to_string(), row)
    };
    rows.map(row).collect()
}
