//! What a crawler asks of the operating system, as strace sees it: on Linux, where
//! strace is installed and allowed. With `ALL_SERVERS=1` it is a failure if it is not.

use conformance::programs::{self, run};
use conformance::scripted::{Server, Site};
use libtest_mimic::Trial;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const STAGES: &[&str] = &["stage1-callbacks", "stage2-generators", "stage3-async"];

type Rule = fn(&Path);

const ALL: &[(&str, Rule)] = &[
    ("a foreign name is not looked up", a_foreign_name_is_not_looked_up),
    ("only the site is contacted", only_the_site_is_contacted),
];

/// Returns a test for each program and rule.
pub(crate) fn trials() -> Vec<Trial> {
    let can_look = can_look();
    let wants_all = std::env::var_os("ALL_SERVERS").is_some();
    let mut trials = Vec::new();
    for stage in STAGES {
        for (name, rule) in ALL {
            let test = move || match can_look {
                true => rule(&programs::program(stage)),
                false => panic!("strace is not here, or may not look"),
            };
            let name = format!("system_calls::{stage}::{}", name.replace(' ', "_"));
            let trial = programs::trial(stage, name, test);
            trials.push(trial.with_ignored_flag(!can_look && !wants_all));
        }
    }
    trials
}

/// Returns whether strace is here and allowed to trace other processes.
fn can_look() -> bool {
    let mut strace = Command::new("strace");
    strace
        .args(["-o", "/dev/null", "true"])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    strace.status().is_ok_and(|status| status.success())
}

/// The calls of this kind that a crawl of `root` makes.
fn calls(program: &Path, kind: &str, arguments: &[&str]) -> String {
    let file = tempfile::NamedTempFile::new().expect("a file for this test");
    let mut strace = Command::new("strace");
    strace.args(["-f", "-e", &format!("trace={kind}"), "-o"]).arg(file.path());
    strace.arg("--").arg(program).args(arguments);
    run(&mut strace).left_with(0);
    fs::read_to_string(file.path()).expect("strace writes text")
}

/// A page that leads to foreign names: as links, and by a redirect.
fn site() -> Server {
    let foreign = ["http://name.invalid/", "//other.invalid/", "http://192.0.2.1/"];
    let links = [&foreign[..], &["/moved"]].concat();
    Site::new().page("/", &links).redirect("/moved", foreign[0]).serve()
}

/// To look a name up, the system's library opens files in `/etc`.
fn a_foreign_name_is_not_looked_up(program: &Path) {
    let server = site();
    let looks_up = |root: &str| {
        let calls = calls(program, "openat", &[root]);
        ["/etc/hosts", "/etc/resolv.conf", "/etc/nsswitch.conf"]
            .iter()
            .any(|file| calls.contains(file))
    };
    assert!(!looks_up(&server.url("/")));
    assert_eq!(server.count("/moved"), 1, "it was met as a redirect, too");
    let by_name = format!("http://localhost:{}/", server.address().port());
    assert!(looks_up(&by_name), "a name of ours is looked up, and it is seen");
}

fn only_the_site_is_contacted(program: &Path) {
    let server = site();
    let calls = calls(program, "connect,sendto,sendmsg", &[&server.url("/")]);
    let port = format!("htons({})", server.address().port());
    let connects = calls.lines().filter(|line| line.contains("connect("));
    let foreign: Vec<&str> = connects.filter(|line| !line.contains(&port)).collect();
    assert!(calls.contains(&port), "{calls}");
    assert!(foreign.is_empty(), "{foreign:#?}");
}
