//! `cargo step` and `cargo lab`: a step by its name, and a program beside the demo site.
#![forbid(unsafe_code)]

use conformance::outputs::normalise;
use conformance::programs::{self, Finished};
use conformance::shown_command::root;
use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::process::Command;
use std::sync::{Mutex, MutexGuard};

/// One test at a time: they share the file of the last step.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn run(program: &str, arguments: &[&str]) -> Finished {
    run_on(0, program, arguments)
}

/// Runs a program whose site is on this port.
fn run_on(port: u16, program: &str, arguments: &[&str]) -> Finished {
    let mut command = Command::new(programs::program(program));
    command.args(arguments).current_dir(root()).env("LAB_PORT", port.to_string());
    programs::run(&mut command)
}

/// A port that was free a moment ago.
fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
    listener.local_addr().expect("it is bound").port()
}

/// What an example has printed in a real run.
fn stored(file: &str) -> String {
    let text = fs::read_to_string(root().join(file));
    normalise(&text.expect("it is stored beside the step"))
}

#[test]
fn every_step_is_listed_with_its_idea_below_its_chapter() {
    let _alone = alone();
    let all = step::all(root()).expect("they can be read");
    let listed = run("step", &[]).left_with(0).out;
    for step in &all {
        let (name, idea) = (&step.name, &step.idea);
        let line = listed.lines().find(|line| line.contains(&format!(" {name} ")));
        assert!(line.is_some_and(|line| line.ends_with(idea)), "{name}: {listed}");
    }
    let chapters = listed.lines().filter(|line| line.starts_with("chapter "));
    let mut expected: Vec<u32> = all.iter().map(|step| step.chapter).collect();
    expected.dedup();
    assert_eq!(chapters.count(), expected.len());
    assert_eq!(run("step", &["list"]).out, listed);
}

#[test]
fn a_step_is_run_by_its_name_whatever_its_package() {
    let _alone = alone();
    let first = run("step", &["ch10_actors"]).left_with(0);
    let expected = stored("stage2-generators/examples/ch10_actors.out");
    assert_eq!(normalise(&first.out), expected);
    assert!(first.err.contains("--example ch10_actors"), "{first:#?}");
    let other = run("step", &["ch20_reactor"]).left_with(0);
    let expected = stored("stage3-async/examples/ch20_reactor.out");
    assert_eq!(normalise(&other.out), expected);
}

#[test]
fn the_next_step_follows_the_last_that_was_run() {
    let _alone = alone();
    run("step", &["ch10_round_robin"]).left_with(0);
    let listed = run("step", &["list"]).out;
    assert!(listed.contains("→ ch10_actors "), "{listed}");
    let next = run("step", &["next"]).left_with(0);
    let expected = stored("stage2-generators/examples/ch10_actors.out");
    assert_eq!(normalise(&next.out), expected);
}

#[test]
fn a_step_that_the_compiler_refuses_shows_its_error() {
    let _alone = alone();
    let refused = run("step", &["ch05_captured_todo"]).left_with(1);
    assert!(refused.err.contains("error[E0499]"), "{refused:#?}");
}

#[test]
fn a_name_that_no_step_has_is_an_error() {
    let _alone = alone();
    for program in ["step", "lab"] {
        let unknown = run(program, &["fetcher"]).left_with(2);
        assert!(unknown.err.contains("there are: ch05_fetcher"), "{unknown:#?}");
        assert_eq!(unknown.out, "");
    }
}

#[test]
fn a_program_beside_the_site_meets_it_and_its_exit_code_is_passed_on() {
    let _alone = alone();
    let port = free_port();
    let url = format!("http://127.0.0.1:{port}");
    let slow = format!("{url}/slow?count=2&ms=1");
    let report =
        run_on(port, "lab", &["stage1", "-q", "--max-depth=1", "--exclude=/$", &slow]);
    assert!(report.left_with(0).out.contains("/slow/2?ms=1\n"));
    let missing = run_on(port, "lab", &["-q", "--check", &format!("{url}/missing")]);
    assert!(missing.left_with(1).out.contains("404"));
    let step = run_on(port, "lab", &["ch02_blocking", &format!("{url}/baz")]);
    assert!(step.left_with(0).out.contains("/baz"));
}

#[test]
fn a_site_that_is_served_already_is_used() {
    let _alone = alone();
    let site = shared::demo_site::DemoSite::start().expect("a port is free");
    let port = site.address().port();
    let crawl = ["stage2", "-q", "--max-depth=0", &site.url("/baz")];
    let crawl = run_on(port, "lab", &crawl).left_with(0);
    assert!(crawl.err.contains("is taken: what is served there is used"), "{crawl:#?}");
    assert_eq!(site.requests("/baz"), 1);
}

#[test]
fn a_site_alone_on_a_port_that_is_taken_is_an_error() {
    let _alone = alone();
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
    let port = taken.local_addr().expect("it is bound").port();
    let error = run_on(port, "lab", &[]).left_with(2).err;
    assert!(error.contains(&format!("127.0.0.1:{port} is taken")), "{error}");
    let error = run("lab", &[]).left_with(2).err;
    assert!(error.contains("not a port"), "0 is no port to crawl: {error}");
}

/// Ctrl-C reaches both: the crawler prints its report, and only then the site ends.
#[cfg(unix)]
#[test]
fn an_interrupted_program_prints_its_report_beside_the_site() {
    use rustix::process::{Pid, Signal, kill_process_group};
    use std::os::unix::process::CommandExt;
    use std::time::Duration;
    let _alone = alone();
    programs::program("stage3-async"); // so that nothing is built meanwhile
    let port = free_port();
    let url = format!("http://127.0.0.1:{port}");
    let mut command = Command::new(programs::program("lab"));
    command.args(["stage3", "-v", "--max-depth=0", &format!("{url}/baz")]);
    command.arg(format!("{url}/slow/1?ms=60000")).env("LAB_PORT", port.to_string());
    let mut running = programs::start(command.current_dir(root()).process_group(0));
    // The quick page is there, and the crawl waits for the slow one.
    while !running.said().contains("ok 200 ") {
        let has_ended = running.ends_within(Duration::from_millis(1));
        assert!(!has_ended, "{}", running.said());
    }
    let id = i32::try_from(running.id()).ok().and_then(Pid::from_raw);
    kill_process_group(id.expect("a process"), Signal::INT).expect("it runs still");
    let done = running.wait().left_with(130);
    assert!(done.out.contains("Interrupted"), "{done:#?}");
}
