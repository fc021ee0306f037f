//! The judge of the capstones: it accepts what is right, and whatever a reader's crate
//! does costs no more than its own promise.
//!
//! These tests build the suite with crates in folders of their own, the same each time, so
//! that what is built in the repository's `target` is used again. Patience is short only
//! where a promise must hang. That all promises hold for a changed stage is proved by
//! `cargo exercise prove --capstones`.

mod common;

use common::Folder;
use runner::reworked::write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// For promises that must hold, also on a busy machine.
const PATIENT: &str = "60";
/// For promises that must hang.
const IMPATIENT: &str = "2";

/// A reader's crate. The name of its folder has blanks.
struct Crate(PathBuf);

impl Crate {
    /// A crate that is not there yet.
    fn new(name: &str) -> Crate {
        let folder = format!("a crate {name}");
        Crate(Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder))
    }

    /// A crate of this library, and these lines as dependencies.
    fn of(name: &str, library: &str, dependencies: &str) -> Crate {
        let new = Crate::new(name);
        let head =
            "[package]\nname = \"reader\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
        let manifest = format!("{head}[workspace]\n[dependencies]\n{dependencies}");
        write(&new.0.join("src/lib.rs"), library).expect("the folder can be written");
        write(&new.0.join("Cargo.toml"), &manifest).expect("the folder can be written");
        new
    }

    /// The crate with which a reader begins.
    fn begun(name: &str, capstone: &str) -> Crate {
        let new = Crate::new(name);
        if new.0.exists() {
            fs::remove_dir_all(&new.0).expect("the folder can be written");
        }
        let (code, text) =
            Folder::new().run(&["capstone", capstone, "--new", new.path()]);
        assert_eq!(code, 0, "{text}");
        new
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("text")
    }

    /// The command that judges it.
    fn command(&self, capstone: &str, seconds: &str, more: &[&str]) -> Command {
        let mut command = common::command(&self.0);
        command.args(["capstone", capstone, "--path", self.path()]);
        command.args(["--seconds", seconds]).args(more);
        command
    }

    /// Judges it. Returns the exit code, and what is printed.
    fn judge(&self, capstone: &str, seconds: &str, more: &[&str]) -> (i32, String) {
        let output = self.command(capstone, seconds, more).output();
        let Output { status, stdout, stderr } = output.expect("the command was built");
        let text = [stderr, stdout].concat();
        let text = String::from_utf8(text).expect("it prints text");
        (status.code().expect("it ends by itself"), text)
    }
}

fn path_of(package: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let root = root.canonicalize().expect("it is there");
    format!("{package} = {{ path = '{}' }}\n", root.join(package).display())
}

/// The lines of a verdict, without what is said before: by cargo, and while it waits.
fn shown<'a>(verdict: &'a str, capstone: &str) -> impl Iterator<Item = &'a str> {
    let first = format!("{capstone} ");
    verdict.lines().skip_while(move |line| !line.starts_with(&first))
}

/// The keys of the groups with this word.
fn groups<'a>(verdict: &'a str, word: &str) -> Vec<&'a str> {
    let lines = verdict.lines().filter_map(|line| line.trim_start().strip_prefix(word));
    lines.filter_map(|line| line.split_whitespace().next()).collect()
}

#[test]
fn all_are_listed_and_described() {
    let folder = Folder::new();
    let (code, list) = folder.run(&["capstone"]);
    assert_eq!(code, 0);
    for name in ["executor", "phase", "deadlines", "hosts", "fourth"] {
        assert!(list.contains(name), "{list}");
        let (code, text) = folder.run(&["capstone", name]);
        assert_eq!(code, 0);
        assert!(text.contains(&format!("capstone {name} --new")), "{text}");
    }
    assert_eq!(folder.run(&["capstone", "fifth"]).0, 2);
}

#[test]
fn nothing_is_overwritten() {
    let folder = Folder::new();
    folder.write("mine.rs", "mine");
    let path = folder.path().to_str().expect("text").to_string();
    let (code, text) = folder.run(&["capstone", "fourth", "--new", &path]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("nothing is overwritten"), "{text}");
    assert!(!folder.file("Cargo.toml").exists());
    let new = folder.file("in a new/place");
    let arguments = ["capstone", "fourth", "--new", new.to_str().expect("text")];
    assert_eq!(folder.run(&arguments).0, 0);
    assert_eq!(folder.run(&arguments).0, 2);
}

/// A copy of stage 3 is a machine of the right names, and has a crawl on it. All that it
/// promises is tested in `conformance`: these groups are of the machine, of each crawler,
/// and of those that speak https.
#[test]
fn stage_3_is_accepted_as_a_machine_and_as_a_crawler() {
    let stage_3 = Crate::begun("of stage 3", "hosts");
    let asked = ["wakes", "edges", "https"];
    let (code, verdict) = stage_3.judge("executor", PATIENT, &asked);
    assert_eq!(code, 0, "{verdict}");
    assert!(verdict.contains("every promise holds"), "{verdict}");
    assert_eq!(groups(&verdict, "holds"), asked, "{verdict}");
}

#[test]
fn an_untouched_template_is_still_to_be_written() {
    for (name, first) in [("executor", "executor.rs"), ("fourth", "lib.rs")] {
        let template = Crate::begun(&format!("for {name}"), name);
        let (code, verdict) = template.judge(name, PATIENT, &[]);
        assert_eq!(code, 1, "{verdict}");
        assert!(groups(&verdict, "holds").is_empty(), "{verdict}");
        assert!(!groups(&verdict, "TODO").is_empty(), "{verdict}");
        assert!(!verdict.contains("warning"), "the compiler has a remark: {verdict}");
        assert!(verdict.contains(first) && verdict.contains("is yours"), "{verdict}");
        assert!(shown(&verdict, name).count() < 24, "a screenful: {verdict}");
    }
}

/// The machine of one of the programs that are broken on purpose, as a crate.
fn broken_machine(name: &str, text: &str) -> Crate {
    let (_, module) = text.split_once("\nmod broken {").expect("it has the module");
    let (module, _) = module.split_once("\n}\n").expect("the module ends");
    Crate::of(name, &module.replace("pub(super)", "pub"), &path_of("stage3-async"))
}

#[test]
fn a_stale_waker_breaks_one_group_and_the_verdict_is_the_one_in_the_book() {
    let text = include_str!("../../../src/bin/machine_stale_waker.rs");
    let machine = broken_machine("with stale wakers", text);
    let (code, verdict) = machine.judge("executor", PATIENT, &[]);
    assert_eq!(code, 1, "{verdict}");
    assert_eq!(groups(&verdict, "FAILS"), ["wakes"], "{verdict}");
    assert!(groups(&verdict, "holds").contains(&"threads"), "{verdict}");
    // The book prints this one.
    let shown: String =
        shown(&verdict, "executor").map(|line| format!("{line}\n")).collect();
    let shown = shown.replace(machine.path(), "../mine").replace('\\', "/");
    let shown = format!("$ cargo exercise capstone executor --path ../mine\n{shown}");
    let stored = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../capstones/executor/stale-waker.out");
    if std::env::var_os("UPDATE_OUTPUTS").is_some() {
        fs::write(&stored, &shown).expect("it can be written");
    }
    let stored = runner::material::read(&stored).expect("it is stored");
    assert_eq!(shown, stored, "UPDATE_OUTPUTS=1 stores what is printed now");
}

#[test]
fn a_machine_that_is_deaf_to_threads_hangs_in_one_group() {
    let text = include_str!("../../../src/bin/machine_deaf.rs");
    let machine = broken_machine("that is deaf", text);
    let (code, verdict) = machine.judge("executor", IMPATIENT, &["threads"]);
    assert_eq!(code, 1, "{verdict}");
    assert_eq!(groups(&verdict, "FAILS"), ["threads"], "{verdict}");
    assert!(verdict.contains("It hangs: it is not done after 2 seconds"), "{verdict}");
    assert!(verdict.contains("read chapter 20, book/src/reactor.md"), "{verdict}");
    let others = ["runs", "wakes", "cancels", "queue"];
    let (code, verdict) = machine.judge("executor", PATIENT, &others);
    assert_eq!((code, groups(&verdict, "holds")), (0, others.to_vec()), "{verdict}");
}

#[test]
fn a_crate_that_does_not_compile_is_refused_with_its_line() {
    let crawler = Crate::of("with a slip", "pub fn crawl() { what }\n", "");
    let (code, text) = crawler.judge("fourth", PATIENT, &[]);
    assert_eq!(code, 1);
    assert!(text.contains("cannot find value `what`"), "{text}");
    assert!(text.contains("src/lib.rs:1"), "{text}");
    assert!(text.contains("It does not compile yet."), "{text}");
    let machine = Crate::of("with a hole", "pub struct Executor;\n", "");
    let (code, text) = machine.judge("executor", PATIENT, &[]);
    assert_eq!(code, 1);
    assert!(text.contains("cannot find type `JoinHandle` in crate `mine`"), "{text}");
    assert!(text.contains("tests/src/machine.rs"), "{text}");
}

#[test]
fn what_cannot_be_judged_is_2() {
    let (code, text) = Crate::new("that is missing").judge("fourth", PATIENT, &[]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("--new"), "{text}");
}

/// A crawler that does what `MINE` says, in the first case of its first group.
fn bad_crawler() -> Crate {
    let library = r#"
        use shared::{Options, Report, Stop};
        pub fn crawl(_: &Options, _: &Stop) -> std::io::Result<Report> {
            match std::env::var("MINE").unwrap().as_str() {
                "abort" => std::process::abort(),
                "leave" => std::process::exit(0),
                "spin" => loop { std::hint::spin_loop() },
                "flood" => loop { println!("again") },
                "line" => loop { eprint!("without a line end ") },
                "nest" => { std::hint::black_box(nest(1)); }
                "grow" => {
                    let mut all: Vec<Vec<u8>> = Vec::new();
                    loop { all.push(vec![0; 1 << 20]) }
                }
                _ => {}
            }
            Err(std::io::Error::other("an error"))
        }
        fn nest(n: u64) -> u64 { if n == 0 { 0 } else { 1 + nest(n + 1) } }
    "#;
    Crate::of("that is bad", library, &path_of("shared"))
}

/// Judges one group of that crawler. Returns the verdict.
fn bad(crawler: &Crate, what: &str, seconds: &str) -> String {
    let output =
        crawler.command("fourth", seconds, &["once"]).env("MINE", what).output();
    let output = output.expect("the command was built");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert_eq!(groups(&text, "FAILS"), ["once"], "{text}");
    // The first promise of the group, each time.
    assert!(text.contains("\n           cycle\n"), "{text}");
    text
}

#[test]
fn whatever_a_crate_does_it_is_said_what_that_is() {
    let crawler = bad_crawler();
    for (what, words) in [
        ("abort", "The program was aborted"),
        ("leave", "ended by itself"),
        ("spin", "It hangs: it is not done after 2 seconds"),
        ("flood", "It prints without end"),
        ("line", "It prints without end"),
        ("nest", "Calls are nested without end"),
        #[cfg(target_os = "linux")]
        ("grow", "It wants more memory than it may have"),
        ("error", "an error"),
    ] {
        let seconds = if what == "spin" { IMPATIENT } else { PATIENT };
        let text = bad(&crawler, what, seconds);
        assert!(text.contains(words), "{what}: {text}");
    }
}
