//! Ctrl-C, as a shell sends it: the report of what was done, soon.

use super::{Rule, Stage, json_lines, paths, rules};
use conformance::programs::{self, Finished, Running};
use conformance::scripted::{Act, Server, Site, anchors, answer, html};
use conformance::watchdog;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use std::fmt::Write;
use std::io::Read;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

pub(crate) const ALL: &[(&str, Rule)] = rules![
    a_signal_ends_the_crawl_with_a_report,
    a_signal_ends_the_crawl_with_a_report_for_a_machine,
    a_signal_during_a_pause_ends_the_crawl,
    a_signal_while_much_is_in_flight_ends_the_crawl,
    a_signal_in_the_midst_of_an_endless_crawl_ends_it,
    a_signal_before_any_answer_leaves_with_130_too,
    a_second_signal_ends_the_program,
    an_interrupted_report_goes_into_the_file,
    a_second_signal_of_another_kind_tells_its_own_number,
    a_hangup_that_is_ignored_stays_ignored,
];

/// How soon the report has to be there. A program that has missed the signal waits for
/// the time-out, or for the end of a pause, which are twice as long.
const SOON: Duration = Duration::from_secs(15);

/// Two pages that are done when the third and fourth stall.
fn half_stalled() -> Server {
    Site::new()
        .page("/", &["/done", "/stalled"])
        .page("/done", &["/after"])
        .acts("/stalled", vec![vec![Act::Stall]])
        .acts("/after", vec![vec![Act::Stall]])
        .serve()
}

fn send(signal: Signal, running: &Running) {
    let id = i32::try_from(running.id()).ok().and_then(Pid::from_raw);
    kill_process(id.expect("the id of a process"), signal).expect("it runs still");
}

/// Sends a signal, and waits for the report, which has to be there soon.
#[track_caller]
fn interrupt(signal: Signal, running: Running) -> Finished {
    let sent = Instant::now();
    send(signal, &running);
    let done = running.wait().left_with(128 + signal.as_raw());
    assert!(sent.elapsed() < SOON, "it took {:?}: {done:#?}", sent.elapsed());
    done
}

fn a_signal_ends_the_crawl_with_a_report(stage: &Stage) {
    for signal in [Signal::INT, Signal::TERM] {
        let server = half_stalled();
        let running = programs::start(&mut stage.command(&[&server.url("/")]));
        server.wait_for_requests(4);
        let done = interrupt(signal, running);
        assert!(done.out.contains("\n2 ok, "), "{done:#?}");
        assert!(done.out.contains("\nInterrupted: "), "{done:#?}");
        assert!(done.out.contains("\n2 URLs known and not fetched\n"), "{done:#?}");
        assert!(!done.out.contains("stalled"), "in flight, so no row: {done:#?}");
        assert_eq!(done.err, "");
    }
}

fn a_signal_ends_the_crawl_with_a_report_for_a_machine(stage: &Stage) {
    for signal in [Signal::INT, Signal::TERM] {
        let server = half_stalled();
        let arguments = ["--format=jsonl", "--check", &server.url("/")];
        let running = programs::start(&mut stage.command(&arguments));
        server.wait_for_requests(4);
        let lines = json_lines(&interrupt(signal, running).out);
        assert_eq!(paths(&lines, &server), ["/", "/done"]);
        let sum = &lines[2]["summary"];
        let told = (&sum["urls"], &sum["ok"], &sum["complete"], &sum["left"]);
        assert_eq!(told, (&json!(2), &json!(2), &json!(false), &json!(2)));
    }
}

/// The signal may come before the answer is read, or in the pause after it.
fn a_signal_during_a_pause_ends_the_crawl(stage: &Stage) {
    let busy = answer("503 Busy", "Retry-After: 30\r\n", b"");
    let server = Site::new().page("/", &["/busy"]).raw("/busy", &busy).serve();
    let arguments = ["--format=jsonl", &server.url("/")];
    let running = programs::start(&mut stage.command(&arguments));
    server.wait_for_requests(2);
    let lines = json_lines(&interrupt(Signal::INT, running).out);
    assert_eq!(paths(&lines, &server), ["/"]);
    assert_eq!(lines[1]["summary"]["left"], 1);
}

fn a_signal_while_much_is_in_flight_ends_the_crawl(stage: &Stage) {
    const MANY: usize = 200;
    let links: Vec<String> = (0..MANY).map(|page| format!("/{page}")).collect();
    let names: Vec<&str> = links.iter().map(String::as_str).collect();
    let mut site = Site::new().page("/", &names);
    for name in names {
        site = site.acts(name, vec![vec![Act::Flood(vec![b'x'; 10_000])]]);
    }
    let server = site.serve();
    let arguments = ["--max-tasks=100", "--format=jsonl", &server.url("/")];
    let running = programs::start(&mut stage.command(&arguments));
    server.wait_for_requests(1 + MANY / 4);
    let lines = json_lines(&interrupt(Signal::INT, running).out);
    let (sum, rows) = lines.split_last().expect("there is a summary");
    assert_eq!(sum["summary"]["left"], MANY + 1 - rows.len());
}

/// Each page leads to two new ones, and all of them answer at once: nothing waits.
fn a_signal_in_the_midst_of_an_endless_crawl_ends_it(stage: &Stage) {
    const ENOUGH: usize = 300;
    for signal in [Signal::INT, Signal::TERM] {
        let (requests, (enough, is_enough)) = (AtomicUsize::new(0), channel());
        let server = Server::strict(move |asked| {
            if requests.fetch_add(1, Ordering::Relaxed) == ENOUGH {
                enough.send(()).expect("the test waits for it");
            }
            let page: u64 = asked.target[1..].parse().unwrap_or(1);
            let next = [format!("/{}", 2 * page), format!("/{}", 2 * page + 1)];
            let page = Act::Send(html(&anchors(&[&next[0], &next[1]])));
            if asked.wants_close { vec![page] } else { vec![page, Act::Keep] }
        });
        let arguments = ["--format=jsonl", &server.url("/1")];
        let running = programs::start(&mut stage.command(&arguments));
        is_enough
            .recv_timeout(watchdog::limit())
            .unwrap_or_else(|_| watchdog::hangs("it does not crawl".to_string()));
        let lines = json_lines(&interrupt(signal, running).out);
        let (sum, rows) = lines.split_last().expect("there is a summary");
        assert!(rows.iter().all(|row| row["outcome"] == "ok"));
        assert_eq!(sum["summary"]["complete"], false);
        // Each page but the first one was found on exactly one that is done.
        assert_eq!(sum["summary"]["left"], rows.len() + 1);
        let seen = server.take_seen();
        assert_eq!(seen.faults, [""; 0]);
        let asked = seen.requests.len();
        assert!((rows.len()..=rows.len() + 10).contains(&asked), "{asked} requests");
    }
}

fn a_signal_before_any_answer_leaves_with_130_too(stage: &Stage) {
    let server = Site::new().acts("/", vec![vec![Act::Stall]]).serve();
    let arguments = ["--format=jsonl", &server.url("/")];
    let running = programs::start(&mut stage.command(&arguments));
    server.wait_for_requests(1);
    let done = interrupt(Signal::INT, running);
    let sum = &json_lines(&done.out)[0]["summary"];
    assert_eq!((&sum["left"], &sum["peak_tasks"]), (&json!(1), &json!(1)));
    assert!(!done.err.contains("no root gave"), "the crawl was stopped: {done:#?}");
}

/// After the first signal the program writes more than a pipe holds, and no more than
/// one byte is read: it would wait for ever. That byte shows that the first signal has
/// arrived.
fn a_second_signal_ends_the_program(stage: &Stage) {
    let mut page = String::new();
    for number in 0..10_000 {
        write!(page, "<a href=http://other.invalid/{number}>x</a>").expect("a String");
    }
    page.push_str("<a href=/stalled>x</a>");
    let server = Site::new()
        .raw("/", &html(&page))
        .acts("/stalled", vec![vec![Act::Stall]])
        .serve();
    let (mut reader, writer) = std::io::pipe().expect("there are descriptors left");
    let arguments = ["--format=jsonl", "--links", &server.url("/")];
    let mut command = stage.command(&arguments);
    let mut running = programs::start_with(&mut command, writer.into(), Stdio::piped());
    server.wait_for_requests(2);
    send(Signal::INT, &running);
    reader.read_exact(&mut [0]).expect("the report begins");
    // At once it would count as the same signal.
    while !running.ends_within(Duration::from_millis(50)) {
        send(Signal::INT, &running);
    }
    assert_eq!(running.wait().left_with(130).err, "");
}

fn an_interrupted_report_goes_into_the_file(stage: &Stage) {
    let server = half_stalled();
    let folder = tempfile::tempdir().expect("a folder for this test");
    let file = folder.path().join("report");
    let name = file.to_str().expect("a plain name");
    let arguments = ["--format=jsonl", "-o", name, &server.url("/")];
    let running = programs::start(&mut stage.command(&arguments));
    server.wait_for_requests(4);
    assert_eq!(interrupt(Signal::TERM, running).out, "");
    let report = std::fs::read_to_string(&file).expect("the report is there");
    assert_eq!(paths(&json_lines(&report), &server), ["/", "/done"]);
}

fn a_second_signal_of_another_kind_tells_its_own_number(stage: &Stage) {
    // The report does not fit into the pipe, and is not read.
    let links: Vec<String> =
        (0..10_000).map(|number| format!("http://other.invalid/{number}")).collect();
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    let server = Site::new()
        .page("/", &[&links[..], &["/stalled"]].concat())
        .acts("/stalled", vec![vec![Act::Stall]])
        .serve();
    let (mut reader, writer) = std::io::pipe().expect("there are descriptors left");
    let arguments = ["--format=jsonl", "--links", &server.url("/")];
    let mut command = stage.command(&arguments);
    let running = programs::start_with(&mut command, writer.into(), Stdio::piped());
    server.wait_for_requests(2);
    send(Signal::INT, &running);
    reader.read_exact(&mut [0]).expect("the report begins");
    assert_eq!(interrupt(Signal::TERM, running).err, "");
}

/// As under `nohup`: the terminal goes away, and the crawl goes on.
fn a_hangup_that_is_ignored_stays_ignored(stage: &Stage) {
    let server = Site::new()
        .page("/", &["/met"])
        .acts("/met", vec![vec![Act::Meet(2), Act::Send(html("a page"))]])
        .serve();
    let program = programs::program(stage.package);
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "trap '' HUP && exec \"$0\" \"$@\""]).arg(program);
    command.args(["--format=jsonl", &server.url("/")]);
    let running = programs::start(&mut command);
    server.wait_for_requests(2);
    send(Signal::HUP, &running);
    // A second crawl reaches the page, too: only now the first one has its response.
    stage.run(&[&server.url("/met")]).left_with(0);
    let done = running.wait().left_with(0);
    assert_eq!(paths(&json_lines(&done.out), &server), ["/", "/met"]);
}
