//! What the steps print: each is run, and held to the output that is stored beside it.
//!
//! After a change: `UPDATE_OUTPUTS=1 cargo test -p conformance --test steps` stores anew
//! what differs.
#![forbid(unsafe_code)]

use conformance::outputs::{COMPILER, normalise};
use conformance::programs::{self, Kind};
use std::collections::BTreeSet;
use std::env::consts::EXE_EXTENSION;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One line for each step: its package, its name, and where its output is compared.
const STEPS: &[Step] = &[
    everywhere("stage1-callbacks", "ch01_without_sockets"),
    everywhere("stage1-callbacks", "ch02_blocking"),
    on_linux("stage1-callbacks", "ch02_threads"),
    on_linux("stage1-callbacks", "ch03_spin"),
    everywhere("stage1-callbacks", "ch04_selector"),
    on_linux("stage1-callbacks", "ch04_broken_connected"),
    everywhere("stage1-callbacks", "ch05_rc_refcell"),
    everywhere("stage1-callbacks", "ch05_fetcher"),
    on_linux("stage1-callbacks", "ch05_broken_one_read"),
    everywhere("stage1-callbacks", "ch06_todo_seen"),
    everywhere("stage1-callbacks", "ch06_broken_seen_late"),
    on_linux("stage1-callbacks", "ch07_stack_ripping"),
    everywhere("stage2-generators", "ch08_frames"),
    everywhere("stage2-generators", "ch09_generator"),
    everywhere("stage2-generators", "ch10_round_robin"),
    everywhere("stage2-generators", "ch10_actors"),
    on_linux("stage2-generators", "ch11_connected"),
    everywhere("stage2-generators", "ch11_broken_resolved_first"),
    everywhere("stage2-generators", "ch12_yield_from"),
    everywhere("stage2-generators", "ch12_read_all"),
    everywhere("stage2-generators", "ch12_broken_no_rearm"),
    everywhere("stage2-generators", "ch13_one_way"),
    on_linux("stage2-generators", "ch13_errors"),
    everywhere("stage2-generators", "ch13_throw"),
    everywhere("stage2-generators", "ch13_broken_swallowed"),
    everywhere("stage2-generators", "ch14_echo_server"),
    on_linux("stage2-generators", "ch15_sizes"),
    everywhere("stage2-generators", "ch16_three_go"),
    everywhere("stage2-generators", "ch16_equivalence"),
    everywhere("stage3-async", "ch16_poll_by_hand"),
    on_linux("stage3-async", "ch16_poll_all"),
    everywhere("stage3-async", "ch16_block_on"),
    everywhere("stage3-async", "ch17_async_fn"),
    everywhere("stage3-async", "ch18_pin"),
    everywhere("stage3-async", "ch19_executor"),
    everywhere("stage3-async", "ch19_broken_lost_wake"),
    everywhere("stage3-async", "ch19_broken_stale_waker"),
    everywhere("stage3-async", "ch20_reactor"),
    everywhere("stage3-async", "ch20_timers"),
    everywhere("stage3-async", "ch21_socket"),
    everywhere("stage3-async", "ch21_timeout"),
    everywhere("stage3-async", "ch21_echo_server"),
    everywhere("stage3-async", "ch22_threads"),
    everywhere("stage3-async", "ch22_queue"),
    everywhere("stage3-async", "ch22_broken_task_done"),
    everywhere("stage3-async", "ch23_workers"),
    everywhere("stage3-async", "ch23_keep_alive"),
    everywhere("stage3-async", "ch23_redirects"),
    everywhere("stage3-async", "ch23_retries"),
    everywhere("stage3-async", "ch24_cancel"),
    everywhere("stage3-async", "ch24_task_is_a_future"),
    everywhere("stage3-async", "ch25_no_locks"),
    everywhere("stage3-async", "ch26_blocking"),
    everywhere("stage3-async", "ch26_broken_lookup"),
    on_linux("stage3-async", "ch27_ten_thousand"),
    everywhere("stage3-async", "ch27_links_by_pattern"),
    everywhere("stage3-async", "ch28_tokio"),
    everywhere("stage3-async", "ch29_broken_no_budget"),
    everywhere("stage3-async", "ch29_broken_socket_budget"),
    everywhere("stage3-async", "ch29_budget"),
    everywhere("stage3-async", "ch29_unconstrained"),
    everywhere("stage3-async", "ch29_broken_select"),
    everywhere("stage3-async", "ch29_select"),
    everywhere("stage3-async", "ch30_send"),
    everywhere("stage3-async", "ch30_broken_two_pollers"),
    everywhere("stage3-async", "ch30_states"),
    everywhere("stage3-async", "ch30_one_queue"),
    everywhere("stage3-async", "ch30_steal"),
    everywhere("stage3-async", "ch30_crawl"),
    everywhere("stage3-async", "ch31_broken_orphan"),
    everywhere("stage3-async", "ch31_join_set"),
    everywhere("stage3-async", "ch31_first_error_cancels"),
    everywhere("stage3-async", "ch31_token"),
    everywhere("stage3-async", "ch31_close"),
    everywhere("stage3-async", "ch32_vtable"),
    everywhere("stage3-async", "ch32_broken_count"),
    on_linux("stage3-async", "ch32_one_allocation"),
    everywhere("stage3-async", "ch33_broken_unbounded"),
    everywhere("stage3-async", "ch33_bounded"),
    everywhere("stage3-async", "ch33_broken_deadlock"),
    everywhere("stage3-async", "ch33_semaphore"),
    everywhere("stage3-async", "ch33_stream"),
    everywhere("stage3-async", "ch33_buffered"),
    everywhere("stage3-async", "ch34_poll_read"),
    everywhere("stage3-async", "ch34_broken_adapter"),
    everywhere("stage3-async", "ch34_tls_over_anything"),
    everywhere("stage3-async", "ch34_timeout_by_hand"),
    everywhere("stage3-async", "ch34_async_closures"),
    everywhere("stage3-async", "ch34_happy_eyeballs"),
    everywhere("stage3-async", "ch34_broken_race"),
    everywhere("stage3-async", "ch35_completion"),
    everywhere("stage3-async", "ch35_broken_reused_buffer"),
    everywhere("stage3-async", "ch35_owned_buffer"),
    everywhere("stage3-async", "ch35_cancel_is_a_request"),
    everywhere("stage3-async", "ch36_timers"),
    everywhere("stage3-async", "ch36_broken_wheel"),
    everywhere("stage3-async", "ch36_virtual_clock"),
    everywhere("stage3-async", "ch36_broken_jump"),
    everywhere("stage3-async", "ch36_all_orders"),
    everywhere("stage3-async", "ch37_broken_two_seen"),
    everywhere("stage3-async", "ch37_broken_no_lease"),
    everywhere("stage3-async", "ch37_three_crawlers"),
    everywhere("stage3-async", "ch37_broken_done_first"),
    everywhere("stage3-async", "ch37_owners"),
];

/// What the book shows at a time.
const LONGEST_OUTPUT: usize = 15;
/// Of these it shows the beginning.
const SHOWN_IN_PART: &[&str] = &["ch10_round_robin"];
const LONGEST_LISTING: usize = 25;
const WIDEST_LINE: usize = 88;

struct Step {
    package: &'static str,
    name: &'static str,
    /// The output of other systems differs; there it is only run.
    only_linux: bool,
}

const fn everywhere(package: &'static str, name: &'static str) -> Step {
    Step { package, name, only_linux: false }
}

const fn on_linux(package: &'static str, name: &'static str) -> Step {
    Step { package, name, only_linux: true }
}

impl Step {
    fn file(&self, extension: &str) -> PathBuf {
        let folder = root().join(self.package).join("examples");
        folder.join(self.name).with_extension(extension)
    }

    /// What is wrong with what it prints, if anything is.
    fn check(&self) -> Option<String> {
        let built = programs::build(self.package, Kind::Examples);
        let Some(program) = built.get(self.name) else {
            return Some(format!("{}: no such example was built", self.name));
        };
        let finished = programs::run(&mut Command::new(program));
        if !finished.status.success() || !finished.err.is_empty() {
            return Some(format!("{}: {finished:#?}", self.name));
        }
        if self.only_linux && !cfg!(target_os = "linux") {
            return None;
        }
        let stored = fs::read_to_string(self.file("out")).unwrap_or_default();
        if normalise(&stored) == normalise(&finished.out) {
            return None;
        }
        if std::env::var_os("UPDATE_OUTPUTS").is_some() {
            fs::write(self.file("out"), finished.out).expect("the folder is ours");
            return None;
        }
        let (name, now) = (self.name, finished.out);
        Some(format!("{name}: stored is\n{stored}\nand now it prints\n{now}"))
    }
}

#[test]
fn every_step_prints_what_is_stored_beside_it() {
    let wrong: Vec<String> = STEPS.iter().filter_map(Step::check).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_example_is_a_step_with_an_output() {
    let steps: BTreeSet<PathBuf> = STEPS.iter().map(|step| step.file("rs")).collect();
    assert_eq!(files("rs"), steps, "each example has a line in STEPS");
    let outputs = STEPS.iter().map(|step| step.file("out")).collect();
    assert_eq!(files("out"), outputs, "each step has its output");
}

#[test]
fn every_step_opens_with_its_idea_and_how_to_run_it() {
    for step in STEPS {
        let text = read(&step.file("rs"));
        let command = format!("cargo run -p {} --example {}", step.package, step.name);
        assert!(text.starts_with("//! "), "{}: opens with its idea", step.name);
        let opening = text.lines().take_while(|line| line.starts_with("//!"));
        let tells = opening.filter(|line| line.contains(&command)).count();
        assert_eq!(tells, 1, "{}: says {command}", step.name);
    }
}

#[test]
fn no_output_is_longer_than_the_book_shows() {
    let is_whole = |file: &PathBuf| {
        !SHOWN_IN_PART.iter().any(|name| file.file_stem() == Some(OsStr::new(name)))
    };
    for file in files("out").into_iter().filter(is_whole) {
        let lines = read(&file).lines().count();
        assert!((1..=LONGEST_OUTPUT).contains(&lines), "{file:?}: {lines} lines");
    }
}

#[test]
fn no_listing_is_longer_or_wider_than_the_book_shows() {
    let wrong: Vec<String> =
        files("rs").iter().flat_map(|file| unprintable(file)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What nightly Rust has and stable does not. (`RUSTC_BOOTSTRAP` lets this stable
/// compiler have it as well, so that the test needs no other one.)
#[test]
fn the_step_in_nightly_rust_prints_what_is_stored_beside_it() {
    let compiler = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let version =
        Command::new(&compiler).arg("--version").output().expect("it built this");
    if !version.stdout.starts_with(COMPILER.as_bytes()) {
        return;
    }
    let step = root().join("stage2-generators/examples/nightly/ch09_nightly.rs");
    let folder = tempfile::tempdir().expect("a folder for this test");
    let program = folder.path().join("ch09_nightly").with_extension(EXE_EXTENSION);
    let output = Command::new(&compiler)
        .env("RUSTC_BOOTSTRAP", "1")
        .args(["--edition", "2024", "-o"])
        .args([&program, &step])
        .output()
        .expect("it built this");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let finished = programs::run(&mut Command::new(program));
    assert_eq!(normalise(&finished.out), normalise(&read(&step.with_extension("out"))));
}

#[test]
fn a_listing_that_is_never_closed_is_found() {
    assert!(listings("// ANCHOR: a\nfn a() {}\n").is_err());
    assert!(listings("// ANCHOR: a\n// ANCHOR_END: b\n").is_err());
    let nested = "// ANCHOR: a\n1\n    // ANCHOR: b\n2\n    // ANCHOR_END: b\n// ANCHOR_END: a\n";
    assert_eq!(listings(nested), Ok(vec![("b", 1), ("a", 2)]));
}

/// What the book could not show of a file.
fn unprintable(file: &Path) -> Vec<String> {
    let text = read(file);
    let listings = listings(&text).unwrap_or_else(|why| panic!("{file:?}: {why}"));
    let long = listings.into_iter().filter(|(_, length)| *length > LONGEST_LISTING);
    let long =
        long.map(|(name, length)| format!("{file:?}: {name} has {length} lines"));
    let wide = text.lines().filter(|line| line.chars().count() > WIDEST_LINE);
    let wide = wide.map(|line| format!("{file:?}: too wide: {line}"));
    long.chain(wide).collect()
}

/// The anchored parts of a file: their names, and how many lines a reader sees of each.
fn listings(text: &str) -> Result<Vec<(&str, usize)>, String> {
    let (mut open, mut done) = (Vec::new(), Vec::new());
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix("// ANCHOR: ") {
            open.push((name, 0));
        } else if let Some(name) = line.strip_prefix("// ANCHOR_END: ") {
            let listing = open.pop().ok_or(format!("{name} was never opened"))?;
            if listing.0 != name || done.contains(&listing) {
                return Err(format!("{name} closes {}", listing.0));
            }
            done.push(listing);
        } else {
            open.iter_mut().for_each(|(_, length)| *length += 1);
        }
    }
    match open.first() {
        Some((name, _)) => Err(format!("{name} is never closed")),
        None => Ok(done),
    }
}

/// All files of the steps with that extension, in all packages.
fn files(extension: &str) -> BTreeSet<PathBuf> {
    let packages = fs::read_dir(root()).expect("the workspace is here");
    let packages = packages.map(|entry| entry.expect("it can be read").path());
    packages
        .flat_map(|package| in_folder(&package.join("examples"), extension))
        .collect()
}

fn in_folder(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    paths.filter(|path| path.extension() == Some(OsStr::new(extension))).collect()
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{file:?}: {error}"))
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace holds the tests")
}
