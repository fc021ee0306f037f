//! A smoke test of `cargo compare`: all crawlers, all jobs, with little to do.

use compare::before;
use compare::counter::Counter;
use compare::crawlers::{self, CRAWLERS};
use compare::nginx;
use conformance::programs;
use conformance::scripted::Site;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The jobs of a whole comparison.
const JOBS: usize = 6;

/// All that it needs is built before, so that this is not in the time of a test.
fn compare(arguments: &[&str]) -> Command {
    crawlers::build().expect("it can be built");
    let mut command = Command::new(env!("CARGO_BIN_EXE_compare"));
    command.arg("--tiny").args(arguments);
    command
}

#[test]
fn each_crawler_does_each_job_and_the_json_and_the_plots_tell() {
    let plots = tempfile::tempdir().expect("a folder");
    let folder = plots.path().to_str().expect("a name that is text");
    let mut command = compare(&["--json", "--plots", folder]);
    let text = programs::run(&mut command).left_with(0).out;
    let results: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert!(
        results["machine"]["rustc"].as_str().expect("a compiler").contains("rustc")
    );
    let jobs = results["jobs"].as_array().expect("jobs");
    assert_eq!(jobs.len(), JOBS);
    for job in jobs {
        let rows = job["rows"].as_array().expect("rows");
        let names: Vec<_> =
            rows.iter().filter_map(|row| row["crawler"].as_str()).collect();
        assert_eq!(names, CRAWLERS.map(|crawler| crawler.name));
        for row in rows {
            assert!(row["error"].is_null(), "{row}");
            let rate = &row["figures"]["pages_per_second"];
            let [low, median, high] = ["low", "median", "high"]
                .map(|it| rate[it].as_f64().expect("a number"));
            assert!(0.0 < low && low <= median && median <= high, "{rate}");
            assert_eq!(row["runs"].as_array().expect("runs").len(), 1);
            assert_eq!(row["runs"][0]["site"]["requests"], job["pages"]);
        }
    }
    for picture in ["throughput.svg", "memory.svg", "crowd.svg", "cpu.svg"] {
        let svg = std::fs::read_to_string(plots.path().join(picture));
        let svg = svg.unwrap_or_else(|error| panic!("{picture}: {error}"));
        assert!(
            svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"),
            "{picture}"
        );
        for crawler in CRAWLERS {
            assert!(svg.contains(crawler.name), "{picture}: {}", crawler.name);
        }
    }
}

/// The book's plots show what its tables say.
#[test]
fn the_plots_of_the_book_are_those_of_its_tables() {
    let book = step::root().join("book");
    let plots = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_compare"));
    command.arg("--draw").arg(book.join("measured/compare.md"));
    programs::run(command.arg("--plots").arg(plots.path())).left_with(0);
    for picture in ["throughput.svg", "memory.svg", "crowd.svg", "cpu.svg"] {
        let read = |folder: &Path| std::fs::read_to_string(folder.join(picture));
        let stored = read(&book.join("src/plots")).expect("it is in the book");
        let drawn = read(plots.path()).expect("it is drawn");
        assert!(
            stored.replace('\r', "") == drawn,
            "{picture}: draw it again with `cargo compare --draw book/measured/compare.md \
             --plots book/src/plots`"
        );
    }
}

#[test]
fn a_file_without_tables_is_an_error_and_not_nothing() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_compare"));
    let plots = tempfile::tempdir().expect("a folder");
    command.arg("--plots").arg(plots.path()).args(["--draw", file!()]);
    let ended = programs::run(command.current_dir(env!("CARGO_MANIFEST_DIR")));
    let ended = ended.left_with(2);
    assert!(ended.err.contains("there is no table to draw"), "{}", ended.err);
}

#[test]
fn a_table_names_the_machine_and_only_the_crawlers_that_were_asked_for() {
    let plots = tempfile::tempdir().expect("a folder");
    let folder = plots.path().to_str().expect("a name that is text");
    let only = ["--job", "fast-kept", "--crawler", "stage 1", "--plots", folder];
    let text = programs::run(&mut compare(&only)).left_with(0).out;
    assert!(text.contains("rustc 1."), "{text}");
    assert!(text.contains("| stage 1"), "{text}");
    assert!(!text.contains("stage 2"), "{text}");
}

/// The older version is this one: what is tested is the way there and the table.
#[test]
fn two_versions_of_a_stage_are_compared_with_each_other() {
    let folder = step::root();
    before::build(folder).expect("it can be built");
    let only = ["--job", "fast-kept", "--crawler", "stage 3", "--before"];
    let mut command = compare(&only);
    let text = programs::run(command.arg(folder)).left_with(0).out;
    let (crawls, tasks) = text.split_once("\n## Tasks\n").expect("both parts");
    let lines = rows(crawls);
    assert_eq!(lines[0], ["", "figure", "before", "after", "after/before"]);
    assert_eq!(lines[2][..2], ["stage 3", "processor time of a page, µs"]);
    assert_eq!(lines.len(), 2 + 5, "the head, and the figures of one stage: {text}");
    let rate = lines.iter().find(|line| line[1] == "pages in a second");
    let ratio = rate.expect("a line")[4].split(' ').next().expect("a ratio");
    assert!(ratio.parse::<f64>().expect("a number") > 0.0, "{text}");
    assert!(tasks.contains("A parked task of stage 3: "), "{text}");
    let lines = rows(tasks);
    assert_eq!(
        lines[0][..4],
        ["executor of stage 3, ns", "before", "after", "after/before"]
    );
    assert_eq!(lines.len(), 2 + 7, "the head, and each case of the benchmark: {text}");
    for line in &lines[2..] {
        let ratios = line[3..].iter().map(|cell| cell.split(' ').next()?.parse().ok());
        assert!(
            ratios.flatten().filter(|ratio: &f64| *ratio > 0.0).count() == 2,
            "{line:?}"
        );
    }
}

/// The cells of all tables of a text, row by row.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let lines = text.lines().filter(|line| line.starts_with('|'));
    lines
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

/// A manual of three pages behind nginx: the way there and the table. Passes without a look
/// where nginx is missing, and counts no instructions where valgrind is; neither with
/// `ALL_SERVERS`.
#[test]
fn a_manual_behind_nginx_is_crawled_by_each_crawler_whole() {
    if nginx::find().is_none() && std::env::var_os("ALL_SERVERS").is_none() {
        return eprintln!("skipped: it needs nginx");
    }
    let manual = tempfile::tempdir().expect("a folder");
    let pages = [
        ("index.html", "<a href=1.html>1</a> <a href=2.html#x>2</a>"),
        ("1.html", "<a href=/>home</a> <a href=http://other.test/>other</a>"),
        ("2.html", "<a href=1.html>1</a>"),
    ];
    for (name, text) in pages {
        std::fs::write(manual.path().join(name), text).expect("the folder is ours");
    }
    let folder = manual.path().to_str().expect("a name that is text");
    let only = ["--job", "manual-10", "--manual", folder, "--plots", folder, "--json"];
    let text = programs::run(&mut compare(&only)).left_with(0).out;
    let results: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let job = &results["jobs"][0];
    assert_eq!((&job["pages"], &job["links"]), (&3.into(), &5.into()));
    let rows = job["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), CRAWLERS.len());
    let counts = Counter::of_instructions().is_some();
    assert!(counts || std::env::var_os("ALL_SERVERS").is_none(), "it needs valgrind");
    for row in rows {
        // What a crawler does not fetch, fetches twice, or does not find is an error.
        assert!(row["error"].is_null(), "{row}");
        assert_eq!(row["instructions_per_page"].is_f64(), counts, "{row}");
    }
}

#[test]
fn a_manual_that_cannot_be_crawled_is_an_error() {
    let empty = tempfile::tempdir().expect("a folder");
    let folder = empty.path().to_str().expect("a name that is text");
    let only = ["--job", "manual-10", "--manual", folder];
    let ended = programs::run(&mut compare(&only)).left_with(2);
    assert!(ended.err.contains("index.html"), "{}", ended.err);
}

#[test]
fn an_older_version_is_a_checkout_and_nothing_else() {
    let empty = tempfile::tempdir().expect("a folder");
    let folder = empty.path().to_str().expect("a name that is text");
    let ended = programs::run(&mut compare(&["--before", folder])).left_with(2);
    assert!(ended.err.contains("no checkout of this project"), "{}", ended.err);
}

#[test]
fn what_is_not_known_is_an_error_and_not_nothing() {
    let job = programs::run(&mut compare(&["--job", "nothing"])).left_with(2);
    assert!(job.err.contains("no job nothing; there are fast-kept,"), "{}", job.err);
    let crawler = programs::run(&mut compare(&["--crawler", "nothing"])).left_with(2);
    assert!(crawler.err.contains("no crawler has that"), "{}", crawler.err);
}

/// By the server's clock, as for our crawlers.
#[test]
fn the_peer_with_threads_pauses_before_another_attempt() {
    let server = Site::new().page("/", &["/bad"]).acts("/bad", vec![vec![]]).serve();
    let mut command = Command::new(env!("CARGO_BIN_EXE_peer_threads"));
    command.args(["--max-tries", "3", &server.url("/")]);
    programs::run(&mut command).left_with(0);
    let times = server.times("/bad");
    let pauses: Vec<Duration> = times.windows(2).map(|two| two[1] - two[0]).collect();
    let least = [250, 500].map(Duration::from_millis);
    assert_eq!(pauses.len(), least.len());
    assert!(pauses.iter().zip(least).all(|(pause, least)| *pause >= least));
}

/// What `compare_measure` says of a shell command that is to end after this many seconds.
#[cfg(unix)]
fn measured(limit: &str, shell: &str) -> serde_json::Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_compare_measure"));
    command.args([limit, "/dev/null", "sh", "-c", shell]);
    let text = programs::run(&mut command).left_with(0).out;
    serde_json::from_str(&text).expect("JSON")
}

#[cfg(unix)]
#[test]
fn a_program_that_is_late_is_ended_even_if_it_does_not_listen() {
    let in_time = measured("60", "exit 0");
    assert_eq!(
        (&in_time["was_late"], &in_time["has_succeeded"]),
        (&false.into(), &true.into())
    );
    let failed = measured("60", "exit 1");
    assert_eq!(
        (&failed["was_late"], &failed["has_succeeded"]),
        (&false.into(), &false.into())
    );
    // An ignored signal stays ignored in the program that takes the shell's place.
    for shell in ["exec sleep 600", "trap '' TERM; exec sleep 600"] {
        let late = measured("0.1", shell);
        assert_eq!(
            (&late["was_late"], &late["has_succeeded"]),
            (&true.into(), &false.into())
        );
    }
}
