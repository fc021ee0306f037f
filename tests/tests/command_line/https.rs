//! What only a program has to do that speaks https and has parked tasks to tell of.

use super::{Rule, Stage, json_lines, rules};
use conformance::programs;
use conformance::scripted::{Act, Site};
use demo_site_tls::DemoSite;
use std::fs;
use std::process::Stdio;

pub(crate) const ALL: &[(&str, Rule)] = rules![
    https_with_an_authority_of_ones_own,
    an_authority_that_cannot_be_used_is_told_and_leaves_with_2,
    insecure_warns,
];

/// With signals as Unix has them.
#[cfg(unix)]
pub(crate) const SIGNALS: &[(&str, Rule)] = rules![
    a_signal_with_v_tells_who_waits,
    a_signal_with_v_and_a_closed_standard_error_ends_with_the_report,
];

fn https_with_an_authority_of_ones_own(stage: &Stage) {
    let site = DemoSite::start_https().expect("the demo site starts");
    let folder = tempfile::tempdir().expect("a folder for this test");
    let file = folder.path().join("ca.pem");
    fs::write(&file, site.ca_pem().expect("it has one")).expect("it can be written");
    let file = file.display().to_string();
    let root = site.url("/wiki/");
    let done = stage.run(&[&root, "--ca-file", &file, "--format=jsonl"]);
    let lines = json_lines(&done.left_with(0).out);
    // The two redirects of its loop, and nothing else.
    assert_eq!(lines.last().expect("a summary")["summary"]["failed"], 2);
    let done = stage.run(&[&root, "--max-tries=1"]).left_with(2);
    assert!(done.out.contains("(see --ca-file)"), "{done:#?}");
}

fn an_authority_that_cannot_be_used_is_told_and_leaves_with_2(stage: &Stage) {
    let folder = tempfile::tempdir().expect("a folder for this test");
    let (missing, text) = (folder.path().join("none"), folder.path().join("text"));
    fs::write(&text, "this is no certificate").expect("it can be written");
    for (file, why) in
        [(missing, "no such file or folder"), (text, "there is no certificate in it")]
    {
        let file = file.display().to_string();
        let done =
            stage.run(&["https://127.0.0.1:1/", "--ca-file", &file]).left_with(2);
        assert!(
            done.err.contains(&format!("bad --ca-file {file}: {why}")),
            "{done:#?}"
        );
        assert_eq!(done.out, "");
    }
}

fn insecure_warns(stage: &Stage) {
    let site = DemoSite::start_https().expect("the demo site starts");
    let root = site.url("/wiki/");
    let warning = "warning: --insecure: no certificate is checked\n";
    let done = stage.run(&[&root, "--insecure", "-q"]).left_with(0);
    assert_eq!(done.err, warning);
    let done = stage.run(&[&root, "--insecure", "-qq"]).left_with(0);
    assert_eq!(done.err, "");
    let done = stage.run(&[&root, "--insecure", "--ca-file=x"]).left_with(2);
    assert!(done.err.contains("cannot be used with"), "{done:#?}");
}

#[cfg(unix)]
fn a_signal_with_v_tells_who_waits(stage: &Stage) {
    use rustix::process::{Pid, Signal, kill_process};
    let stalled = vec![vec![Act::Stall]];
    let server = Site::new().page("/", &["/a"]).acts("/a", stalled).serve();
    let mut command = stage.command(&[&server.url("/"), "-v", "--max-tasks=3"]);
    let running = programs::start(&mut command);
    server.wait_for_requests(2);
    let id = i32::try_from(running.id()).ok().and_then(Pid::from_raw);
    kill_process(id.expect("the id of a process"), Signal::INT).expect("it runs still");
    let done = running.wait().left_with(130);
    let at_work = format!("worker ({}), from crawler.rs:", server.url("/a"));
    assert!(done.err.contains(&at_work), "{done:#?}");
    assert!(done.err.contains("read waits for its socket to be readable"), "{done:#?}");
    assert!(done.err.contains("\n2 × worker, from crawler.rs:"), "{done:#?}");
    assert!(done.err.contains("get waits for an item"), "{done:#?}");
}

#[cfg(unix)]
fn a_signal_with_v_and_a_closed_standard_error_ends_with_the_report(stage: &Stage) {
    use rustix::process::{Pid, Signal, kill_process};
    let stalled = vec![vec![Act::Stall]];
    let server = Site::new().page("/", &["/a"]).acts("/a", stalled).serve();
    let mut command = stage.command(&[&server.url("/"), "-v"]);
    let running =
        programs::start_with(&mut command, Stdio::piped(), programs::closed());
    server.wait_for_requests(2);
    let id = i32::try_from(running.id()).ok().and_then(Pid::from_raw);
    kill_process(id.expect("the id of a process"), Signal::INT).expect("it runs still");
    let done = running.wait().left_with(130);
    assert!(done.out.contains("\nInterrupted: "), "{done:#?}");
}
