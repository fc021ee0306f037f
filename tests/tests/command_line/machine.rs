//! What a crawl takes from the machine: few descriptors are enough, waiting is free.

use super::{Rule, Stage, json_lines, rules};
use conformance::programs::{self, Finished, Running};
use conformance::scripted::{Act, Server, Site, answer, html};
use std::io::Read;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

pub(crate) const ALL: &[(&str, Rule)] = rules![
    few_descriptors_are_waited_for,
    a_crawl_without_descriptors_names_their_limit,
    waiting_for_a_descriptor_costs_no_cpu,
    few_ports_are_waited_for,
    waiting_for_an_answer_costs_no_cpu,
    waiting_for_many_answers_costs_no_cpu,
    waiting_in_a_pause_costs_no_cpu,
    what_cannot_be_written_is_told,
    a_pipe_that_nothing_reads_from_is_refused,
    an_output_that_does_not_block_gets_the_whole_report,
];

const PAGES: usize = 60;

/// A page that links to sixty others, each of which takes its time.
fn slow_site(pause: Duration) -> Server {
    let links: Vec<String> = (0..PAGES).map(|page| format!("/{page}")).collect();
    let names: Vec<&str> = links.iter().map(String::as_str).collect();
    let mut site = Site::new().page("/", &names);
    for name in names {
        site = site.acts(name, vec![after(pause, &html("slow"))]);
    }
    site.serve()
}

/// Linux has a file that is always full.
fn what_cannot_be_written_is_told(stage: &Stage) {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let server = Site::new().page("/", &[]).serve();
    let report = stage.run(&["-o", "/dev/full", &server.url("/")]).left_with(2);
    assert_eq!(report.err, "error: cannot write the report: no storage space\n");
    let trace = stage.run(&["--trace", "/dev/full", &server.url("/")]).left_with(0);
    assert!(trace.out.contains("\nFinished 1 url in "));
    assert_eq!(trace.err, "warning: the trace is not whole: no storage space\n");
}

/// To open it would block until something reads from it.
fn a_pipe_that_nothing_reads_from_is_refused(stage: &Stage) {
    let server = Site::new().page("/", &[]).serve();
    let folder = tempfile::tempdir().expect("a folder for this test");
    let pipe = folder.path().join("pipe");
    let made =
        Command::new("mkfifo").arg(&pipe).status().expect("a tool of every Unix");
    assert!(made.success());
    let pipe = pipe.to_str().expect("a plain name");
    for option in ["--output", "--trace"] {
        let refused = stage.run(&[&server.url("/"), option, pipe]).left_with(2);
        assert!(refused.err.contains("nothing reads from this pipe"), "{refused:#?}");
    }
    assert_eq!(server.seen().connections, 0);
}

/// A terminal program or a runtime may have set its pipe so: a write that does not fit is
/// an error then, and not a wait.
fn an_output_that_does_not_block_gets_the_whole_report(stage: &Stage) {
    const LINKS: usize = 20_000;
    let links: Vec<String> =
        (0..LINKS).map(|number| format!("http://other.invalid/{number}")).collect();
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    let server = Site::new().page("/", &links).serve();
    let (ours, theirs) = UnixStream::pair().expect("there are descriptors left");
    theirs.set_nonblocking(true).expect("a socket");
    let arguments = ["--format=jsonl", "--links", &server.url("/")];
    let mut command = stage.command(&arguments);
    let out = OwnedFd::from(theirs).into();
    let running = programs::start_with(&mut command, out, Stdio::piped());
    drop(command); // it holds the other end, too
    let mut report = String::new();
    (&ours).read_to_string(&mut report).expect("the report");
    assert_eq!(running.wait().left_with(0).err, "");
    let lines = json_lines(&report);
    assert_eq!(lines[0]["links"].as_array().map(Vec::len), Some(LINKS));
    assert_eq!(lines[1]["summary"]["ok"], 1);
}

/// An answer that begins after a pause.
fn after(pause: Duration, answer: &[u8]) -> Vec<Act> {
    let (first, rest) = answer.split_at(1);
    vec![Act::Drip(first.to_vec(), pause), Act::Send(rest.to_vec())]
}

/// Starts the program with so many descriptors, and no right to have more.
fn with_few_descriptors(stage: &Stage, count: usize, arguments: &[&str]) -> Running {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -n {count} && exec \"$0\" \"$@\"")]);
    shell.arg(programs::program(stage.package)).args(arguments);
    programs::start(&mut shell)
}

fn few_descriptors_are_waited_for(stage: &Stage) {
    for count in [20, 32] {
        let server = slow_site(Duration::from_millis(100));
        let arguments = ["--max-tasks=50", "--format=jsonl", &server.url("/")];
        let running = with_few_descriptors(stage, count, &arguments);
        let done = running.wait().left_with(0);
        let lines = json_lines(&done.out);
        let sum = &lines.last().expect("there is a summary")["summary"];
        assert_eq!(sum["ok"], PAGES + 1, "{done:#?}");
        for row in &lines[..lines.len() - 1] {
            assert_eq!((&row["outcome"], &row["attempts"]), (&"ok".into(), &1.into()));
        }
        for page in 0..PAGES {
            assert_eq!(server.count(&format!("/{page}")), 1);
        }
        let most = server.seen().most_at_once;
        assert!((2..count).contains(&most), "{most} at once");
        assert!(sum["peak_tasks"].as_u64() < Some(count as u64), "{sum}");
    }
}

/// With the fewest it does not begin, with some it has none for a connection.
fn a_crawl_without_descriptors_names_their_limit(stage: &Stage) {
    let server = Site::new().page("/", &[]).serve();
    let mut failed = 0;
    for count in 5..=16 {
        let arguments = ["--max-tries=1", &server.url("/")];
        let done = with_few_descriptors(stage, count, &arguments).wait();
        if !done.status.success() {
            let done = done.left_with(2);
            let told = format!("(`ulimit -n` is {count})");
            assert!(done.out.contains(&told) || done.err.contains(&told), "{done:#?}");
            failed += 1;
        }
    }
    assert!(0 < failed && failed < 12, "{failed} of 12");
}

fn waiting_for_a_descriptor_costs_no_cpu(stage: &Stage) {
    let server = slow_site(Duration::from_secs(3));
    let arguments = ["--max-tasks=50", &server.url("/")];
    let running = with_few_descriptors(stage, 20, &arguments);
    // The root is done, and fewer than twenty others wait: the twentieth is asked for
    // when the first of them has been answered.
    server.wait_for_requests(3);
    let Some(before) = cpu(&running) else { return };
    server.wait_for_requests(20);
    let used = cpu(&running).expect("it was there before") - before;
    assert!(
        used < Duration::from_secs(1),
        "{used:?} of CPU in three seconds of waiting"
    );
}

/// In a network of its own, which has six local ports for both ends: the demo site's
/// listener has one of them. (A port may stay taken for a second after its connection:
/// so there are more tries than usual.)
fn few_ports_are_waited_for(stage: &Stage) {
    const NETWORK: &str = "ip link set lo up && \
        echo 40000 40005 > /proc/sys/net/ipv4/ip_local_port_range && exec \"$0\" \"$@\"";
    let in_network = |program: &Path| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--net", "sh", "-c", NETWORK]).arg(program);
        command
    };
    let is_possible = in_network(Path::new("true")).output();
    if !is_possible.is_ok_and(|output| output.status.success()) {
        eprintln!("not tested: no network of its own can be had here");
        return;
    }
    let arguments = ["--format=jsonl", "--max-tasks=20", "--max-tries=8"];
    let sum = |done: Finished| {
        let mut lines = json_lines(&done.left_with(0).out);
        lines.pop().expect("there is a summary")["summary"].take()
    };
    let all = sum(stage.run(&arguments));
    let mut crawler = in_network(&programs::program(stage.package));
    let found = sum(programs::run(crawler.args(arguments)));
    for count in ["urls", "ok", "redirect", "http-error", "failed", "bytes"] {
        assert!(all[count].is_u64(), "{count}: {all}");
        assert_eq!(found[count], all[count], "{count}: {found}");
    }
    let peak = found["peak_tasks"].as_u64().expect("a number");
    assert!(peak < all["peak_tasks"].as_u64().expect("a number"), "{found}");
}

fn waiting_for_an_answer_costs_no_cpu(stage: &Stage) {
    let link = "<a href=/end>end</a>";
    let server = Site::new()
        .acts("/", vec![after(Duration::from_secs(2), &html(link))])
        .acts("/end", vec![vec![Act::Stall]])
        .serve();
    let running = programs::start(&mut stage.command(&[&server.url("/")]));
    server.wait_for_requests(1);
    let Some(before) = cpu(&running) else { return };
    server.wait_for_requests(2);
    let used = cpu(&running).expect("it was there before") - before;
    assert!(
        used < Duration::from_millis(200),
        "{used:?} of CPU in two seconds of waiting"
    );
}

/// Many connections, those that are kept and idle among them.
fn waiting_for_many_answers_costs_no_cpu(stage: &Stage) {
    let paths: Vec<String> = (0..PAGES).map(|page| format!("/{page}")).collect();
    let links: Vec<&str> = paths.iter().map(String::as_str).collect();
    let mut site = Site::new().page("/", &links);
    for (page, path) in links.iter().enumerate() {
        let slow = after(Duration::from_secs(2), &html("<a href=/end>end</a>"));
        let quick = vec![Act::Send(html("quick")), Act::Keep];
        site = site.acts(path, vec![if page < PAGES / 2 { quick } else { slow }]);
    }
    let server = site.acts("/end", vec![vec![Act::Stall]]).serve();
    let arguments = ["--max-tasks=100", &server.url("/")];
    let running = programs::start(&mut stage.command(&arguments));
    server.wait_for_requests(1 + PAGES);
    let Some(before) = cpu(&running) else { return };
    server.wait_for_requests(1 + PAGES + 1);
    let used = cpu(&running).expect("it was there before") - before;
    assert!(
        used < Duration::from_millis(500),
        "{used:?} of CPU in two seconds of waiting"
    );
}

fn waiting_in_a_pause_costs_no_cpu(stage: &Stage) {
    let busy = answer("503 Busy", "Retry-After: 2\r\n", b"");
    let acts = vec![vec![Act::Send(busy)], vec![Act::Stall]];
    let server = Site::new().acts("/", acts).serve();
    let running = programs::start(&mut stage.command(&[&server.url("/")]));
    server.wait_for_requests(1);
    let Some(before) = cpu(&running) else { return };
    server.wait_for_requests(2);
    let used = cpu(&running).expect("it was there before") - before;
    assert!(used < Duration::from_millis(200), "{used:?} of CPU in a pause");
}

/// The processor time that a program has used so far. `None` where there is no /proc.
fn cpu(running: &Running) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", running.id())).ok()?;
    // After the name, which may have any character in it: state, then 10 more, then the
    // ticks in the program and those in the system, a hundred a second (proc(5)).
    let (_, rest) = stat.rsplit_once(") ")?;
    let ticks = rest.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().ok());
    Some(Duration::from_millis(10) * u32::try_from(ticks.sum::<Option<u64>>()?).ok()?)
}
