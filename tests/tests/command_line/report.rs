//! What comes out: standard output carries the report and nothing else.

use super::{Rule, Stage, json_lines, row, rules};
use conformance::programs;
use conformance::scripted::{Server, Site, answer};
use regex::Regex;
use serde_json::Value;
use shared::demo_site::DemoSite;
use std::fs;
use std::io::Read;
use std::process::Stdio;
use tempfile::tempdir;

pub(crate) const ALL: &[(&str, Rule)] = rules![
    a_row_has_these_keys_and_types_in_this_order,
    the_summary_has_these_keys_and_types_in_this_order,
    the_totals_add_up,
    rows_are_sorted_and_the_summary_is_last,
    links_are_listed_where_they_are_asked_for,
    summary_is_the_last_line_of_jsonl_alone,
    text_names_at_most_three_pages_that_link_to_a_failure,
    a_failure_behind_redirects_says_which_link_leads_there,
    the_same_crawl_prints_the_same,
    a_file_takes_the_report_and_standard_output_nothing,
    what_was_in_the_file_stays_until_there_is_a_report,
    quiet_says_nothing,
    verbose_tells_of_each_url_as_it_is_done,
    verbose_tells_where_a_redirect_leads,
    very_verbose_tells_of_each_try,
    a_closed_standard_output_ends_the_program_quietly,
    a_reader_who_has_seen_enough_ends_the_program_quietly,
    a_closed_standard_error_changes_nothing,
    a_trace_is_written_beside_the_report,
];

const ROW: [(&str, Kind); 14] = [
    ("url", Kind::Text),
    ("outcome", Kind::Text),
    ("status", Kind::NumberOrNull),
    ("next_url", Kind::TextOrNull),
    ("error", Kind::TextOrNull),
    ("content_type", Kind::TextOrNull),
    ("encoding", Kind::TextOrNull),
    ("size", Kind::NumberOrNull),
    ("num_links", Kind::Number),
    ("num_new_links", Kind::Number),
    ("attempts", Kind::Number),
    ("elapsed_ms", Kind::Time),
    ("depth", Kind::Number),
    ("found_on", Kind::Texts),
];

const SUMMARY: [(&str, Kind); 14] = [
    ("stage", Kind::Text),
    ("urls", Kind::Number),
    ("ok", Kind::Number),
    ("redirect", Kind::Number),
    ("http-error", Kind::Number),
    ("failed", Kind::Number),
    ("bytes", Kind::Number),
    ("elapsed_ms", Kind::Time),
    ("max_tasks", Kind::Number),
    ("peak_tasks", Kind::Number),
    ("complete", Kind::YesOrNo),
    ("left", Kind::Number),
    ("excluded", Kind::Number),
    ("unsearched", Kind::Number),
];

/// What a value may be. Numbers are whole and not negative; a time may have fractions.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Text,
    TextOrNull,
    Texts,
    Number,
    NumberOrNull,
    Time,
    YesOrNo,
}

impl Kind {
    fn fits(self, value: &Value) -> bool {
        let is_texts =
            || value.as_array().is_some_and(|all| all.iter().all(Value::is_string));
        match self {
            Kind::Text => value.is_string(),
            Kind::TextOrNull => value.is_string() || value.is_null(),
            Kind::Texts => is_texts(),
            Kind::Number => value.is_u64(),
            Kind::NumberOrNull => value.is_u64() || value.is_null(),
            Kind::Time => value.as_f64().is_some_and(|time| time >= 0.0),
            Kind::YesOrNo => value.is_boolean(),
        }
    }
}

/// Asserts the keys of an object, the types of their values, and their order.
#[track_caller]
fn assert_keys(line: &str, object: &Value, keys: &[(&str, Kind)]) {
    let object = object.as_object().unwrap_or_else(|| panic!("no object: {line}"));
    assert_eq!(object.len(), keys.len(), "{line}");
    let mut rest = line;
    for (key, kind) in keys {
        let value = object.get(*key).unwrap_or_else(|| panic!("no {key}: {line}"));
        assert!(kind.fits(value), "{key} is no {kind:?}: {line}");
        let place = rest.find(&format!("\"{key}\":"));
        rest =
            &rest[place.unwrap_or_else(|| panic!("{key} comes too early: {line}"))..];
    }
}

/// A site with rows of many kinds: ok, redirects, errors, images, charsets.
fn demo() -> DemoSite {
    DemoSite::start().expect("the demo site starts")
}

fn a_row_has_these_keys_and_types_in_this_order(stage: &Stage) {
    let site = demo();
    let out = stage.run(&["--format=jsonl", &site.url("/")]).left_with(0).out;
    let lines = json_lines(&out);
    for (line, row) in out.lines().zip(&lines[..lines.len() - 1]) {
        let mut keys = ROW.to_vec();
        keys.extend(row.get("via").map(|_| ("via", Kind::Texts)));
        assert_keys(line, row, &keys);
    }
    assert!(lines.len() > 50);
}

fn the_summary_has_these_keys_and_types_in_this_order(stage: &Stage) {
    let server = two_pages();
    let out = stage.run(&["--format=summary", &server.url("/")]).left_with(0).out;
    let line = json_lines(&out).remove(0);
    assert_eq!(line.as_object().map(serde_json::Map::len), Some(1));
    assert_keys(&out, &line["summary"], &SUMMARY);
    assert_eq!(line["summary"]["stage"], stage.package);
    assert_eq!(line["summary"]["max_tasks"], 10);
}

fn the_totals_add_up(stage: &Stage) {
    let site = demo();
    let arguments = ["--format=jsonl", "--max-tasks=7", &site.url("/")];
    let lines = json_lines(&stage.run(&arguments).left_with(0).out);
    let (summary, rows) = lines.split_last().expect("there is a summary");
    let sum = &summary["summary"];
    let number = |key: &str| sum[key].as_u64().expect("a number");
    let count = |outcome| rows.iter().filter(|row| row["outcome"] == outcome).count();
    for outcome in ["ok", "redirect", "http-error"] {
        assert_eq!(number(outcome), count(outcome) as u64, "{outcome}");
    }
    let parts = ["ok", "redirect", "http-error", "failed"].map(number);
    assert_eq!(number("urls"), parts.iter().sum::<u64>());
    assert_eq!(number("urls"), rows.len() as u64);
    let bytes: u64 = rows.iter().filter_map(|row| row["size"].as_u64()).sum();
    assert_eq!(number("bytes"), bytes);
    assert_eq!((number("max_tasks"), number("left")), (7, 0));
    assert!(number("peak_tasks") <= 7);
    assert!(sum["complete"].as_bool().expect("yes or no"));
}

fn rows_are_sorted_and_the_summary_is_last(stage: &Stage) {
    let site = demo();
    let out = stage.run(&["--format=jsonl", &site.url("/")]).left_with(0).out;
    let lines = json_lines(&out);
    let (summary, rows) = lines.split_last().expect("there is a summary");
    let url = |row: &Value| row["url"].as_str().expect("a row has a URL").to_string();
    let urls: Vec<String> = rows.iter().map(url).collect();
    assert!(urls.is_sorted_by(|a, b| a < b), "sorted, each once: {urls:#?}");
    assert!(summary["summary"].is_object());
    assert!(out.ends_with("}\n"));
}

fn links_are_listed_where_they_are_asked_for(stage: &Stage) {
    let server =
        Site::new().page("/", &["/b", "http://x.invalid/", "/a", "/b"]).serve();
    let lines = stage.crawl(&server, "/", &["--links"]);
    let mut links =
        [server.url("/a"), server.url("/b"), "http://x.invalid/".to_string()];
    links.sort();
    assert_eq!(row(&lines, &server.url("/"))["links"], serde_json::json!(links));
    assert_eq!(lines[0]["num_links"], 3);
    let out =
        stage.run(&["--links", "--format=jsonl", &server.url("/")]).left_with(0).out;
    let mut keys = ROW.to_vec();
    keys.insert(10, ("links", Kind::Texts));
    assert_keys(out.lines().next().expect("a row"), &lines[0], &keys);
}

fn summary_is_the_last_line_of_jsonl_alone(stage: &Stage) {
    let server = two_pages();
    let [all, alone] = ["--format=jsonl", "--format=summary"]
        .map(|format| stage.run(&[format, &server.url("/")]).left_with(0).out);
    assert_eq!((all.lines().count(), alone.lines().count()), (3, 1));
    assert_eq!(
        without_times(all.lines().last().expect("a line")),
        without_times(&alone).trim()
    );
}

fn text_names_at_most_three_pages_that_link_to_a_failure(stage: &Stage) {
    let pages = ["/1", "/2", "/3", "/4", "/5"];
    let mut site = Site::new().page("/", &pages);
    for page in pages {
        site = site.page(page, &["/missing"]);
    }
    let server = site.serve();
    let out = stage.run(&[&server.url("/")]).left_with(0).out;
    for (page, is_named) in pages.iter().zip([true, true, true, false, false]) {
        let named = out.contains(&format!("found on {}\n", server.url(page)));
        assert_eq!(named, is_named, "{out}");
    }
    assert!(out.contains("and from 2 more pages\n"), "{out}");
}

fn a_failure_behind_redirects_says_which_link_leads_there(stage: &Stage) {
    let hops: Vec<String> = (0..=11).map(|hop| format!("/hop/{hop}")).collect();
    let mut site = Site::new()
        .page("/", &["/old", "/hop/0"])
        .redirect("/old", "/mid")
        .redirect("/mid", "/new");
    for hop in hops.windows(2) {
        site = site.redirect(&hop[0], &hop[1]);
    }
    let server = site.serve();
    let root = server.url("/");
    let out = stage.run(&["--check", &root]).left_with(1).out;
    let told = format!("found on {root} as /old, which leads to /mid, /new\n");
    assert!(out.contains(&told), "{out}");
    // Ten redirects were followed, so the eleventh one failed.
    let hops = &hops[..11];
    let rest = hops[1..].join(", ");
    let told = format!(
        "  {}\n    too-many-redirects: no redirect left\n    \
         found on {root} as /hop/0, which leads to {rest}\n",
        server.url("/hop/10")
    );
    assert!(out.contains(&told), "{out}");
    let out = stage.run(&["--format=jsonl", &root]).left_with(0).out;
    let lines = json_lines(&out);
    let hops: Vec<String> = hops.iter().map(|hop| server.url(hop)).collect();
    let way = ["/old", "/mid", "/new"].map(|path| server.url(path));
    for (line, object) in out.lines().zip(&lines) {
        let url = object["url"].as_str().unwrap_or_default();
        let via = match url.strip_prefix(&server.url("")) {
            Some("/new") => serde_json::json!(way),
            Some("/hop/10") => serde_json::json!(hops),
            _ => Value::Null,
        };
        assert_eq!(object["via"], via, "{line}");
        if !via.is_null() {
            assert_keys(line, object, &[&ROW[..], &[("via", Kind::Texts)]].concat());
        }
    }
}

fn the_same_crawl_prints_the_same(stage: &Stage) {
    let site = demo();
    for format in ["--format=text", "--format=jsonl"] {
        let [once, twice] = [(); 2].map(|()| {
            let done = stage.run(&[format, &site.url("/")]).left_with(0);
            assert_eq!(done.err, "");
            without_times(&done.out)
        });
        assert_eq!(once, twice);
    }
}

fn a_file_takes_the_report_and_standard_output_nothing(stage: &Stage) {
    let server = two_pages();
    let folder = tempdir().expect("a folder for this test");
    let file = folder.path().join("report");
    let name = file.to_str().expect("a plain name");
    for format in ["--format=text", "--format=jsonl", "--format=summary"] {
        let out = stage.run(&[format, &server.url("/")]).left_with(0).out;
        for option in ["-o", "--output"] {
            let to_file = stage.run(&[format, option, name, &server.url("/")]);
            assert_eq!(to_file.left_with(0).out, "");
            let written = fs::read_to_string(&file).expect("the report is there");
            assert_eq!(without_times(&written), without_times(&out));
        }
    }
}

fn quiet_says_nothing(stage: &Stage) {
    let demo = stage.run(&["-q"]).left_with(0);
    assert_eq!(demo.err, "");
    assert!(demo.out.contains("\nFinished "), "the report is printed all the same");
    let machine = stage.run(&["--format=summary"]).left_with(0);
    assert_eq!(machine.err, "", "no hints for a machine");
}

fn verbose_tells_of_each_url_as_it_is_done(stage: &Stage) {
    let server = two_pages();
    let silent = stage.run(&[&server.url("/")]).left_with(0);
    assert_eq!(silent.err, "");
    let told = stage.run(&["-v", &server.url("/")]).left_with(0);
    assert_eq!(without_times(&told.out), without_times(&silent.out));
    let expected =
        [format!("ok 200 {}", server.url("/")), format!("ok 200 {}", server.url("/a"))];
    assert_eq!(told.err.lines().collect::<Vec<_>>(), expected);
}

fn verbose_tells_where_a_redirect_leads(stage: &Stage) {
    let server = Site::new().redirect("/old", "/new").page("/new", &[]).serve();
    let (old, new) = (server.url("/old"), server.url("/new"));
    let told = stage.run(&["-v", &old]).left_with(0).err;
    assert_eq!(told, format!("redirect 302 {old} -> {new}\nok 200 {new}\n"));
}

fn very_verbose_tells_of_each_try(stage: &Stage) {
    let busy = answer("503 Busy", "Retry-After: 0\r\n", b"");
    let server = Site::new().raw("/", &busy).serve();
    let told = stage.run(&["-vv", "--max-tries=3", &server.url("/")]).left_with(0).err;
    let tries =
        told.lines().filter(|line| line.contains("503") && line.contains("again"));
    assert_eq!(tries.count(), 2, "{told}");
}

fn what_was_in_the_file_stays_until_there_is_a_report(stage: &Stage) {
    let folder = tempfile::tempdir().expect("a folder for this test");
    let (file, none) = (folder.path().join("report"), folder.path().join("no/trace"));
    let old = "the report of yesterday\n".repeat(1000);
    fs::write(&file, &old).expect("it can be written");
    let (file, none) = (file.display().to_string(), none.display().to_string());
    let server = Site::new().page("/", &[]).serve();
    let root = server.url("/");
    stage.run(&["-o", &file, "--trace", &none, &root]).left_with(2);
    stage.run(&["-o", &file, "--trace", &file, &root]).left_with(2);
    let name = folder.path().file_name().expect("a folder has a name");
    let detour = folder.path().join("..").join(name).join("report");
    let detour = detour.display().to_string();
    stage.run(&["-o", &file, "--trace", &detour, &root]).left_with(2);
    let (new, detour) =
        (file.replace("report", "new"), detour.replace("report", "new"));
    stage.run(&["-o", &new, "--trace", &detour, &root]).left_with(2);
    assert_eq!(fs::read_to_string(&file).expect("it is there"), old);
    stage.run(&["-o", &file, "--format=summary", &root]).left_with(0);
    let new = fs::read_to_string(&file).expect("it is there");
    assert_eq!(new.lines().count(), 1, "nothing of the old one is left");
}

fn a_closed_standard_output_ends_the_program_quietly(stage: &Stage) {
    let site = demo();
    for format in ["text", "jsonl", "summary"] {
        let mut command = stage.command(&["--format", format, &site.url("/")]);
        let done =
            programs::start_with(&mut command, programs::closed(), Stdio::piped());
        assert_eq!(done.wait().left_with(0).err, "");
    }
    for option in ["--help", "--version"] {
        let mut command = stage.command(&[option]);
        let done =
            programs::start_with(&mut command, programs::closed(), Stdio::piped());
        assert_eq!(done.wait().err, "");
    }
}

/// The report is longer than what a pipe holds, and its reader goes after a byte.
fn a_reader_who_has_seen_enough_ends_the_program_quietly(stage: &Stage) {
    let missing: Vec<String> = (0..1000).map(|page| format!("/{page}")).collect();
    let missing: Vec<&str> = missing.iter().map(String::as_str).collect();
    let server = Site::new().page("/", &missing).serve();
    for format in ["--format=text", "--format=jsonl"] {
        let (mut reader, writer) = std::io::pipe().expect("there are descriptors left");
        let mut command = stage.command(&[format, &server.url("/")]);
        let running = programs::start_with(&mut command, writer.into(), Stdio::piped());
        drop(command); // it holds the pipe, too
        reader.read_exact(&mut [0]).expect("the report begins");
        drop(reader);
        assert_eq!(running.wait().left_with(0).err, "");
    }
    let whole = stage.run(&["--format=text", &server.url("/")]).left_with(0).out;
    assert!(whole.len() > 1 << 16, "{} bytes", whole.len());
}

fn a_closed_standard_error_changes_nothing(stage: &Stage) {
    let server = two_pages();
    let run = |arguments: &[&str]| {
        let mut command = stage.command(arguments);
        programs::start_with(&mut command, Stdio::piped(), programs::closed()).wait()
    };
    let usual = stage.run(&[&server.url("/")]).left_with(0);
    let told = run(&["-vv", &server.url("/")]).left_with(0);
    assert_eq!(without_times(&told.out), without_times(&usual.out));
    assert!(run(&[]).left_with(0).out.contains("\nFinished "), "the hints go nowhere");
    run(&["--format", "xml"]).left_with(2);
    run(&["ftp://x"]).left_with(2);
}

fn a_trace_is_written_beside_the_report(stage: &Stage) {
    let server = two_pages();
    let folder = tempdir().expect("a folder for this test");
    let file = folder.path().join("trace");
    let name = file.to_str().expect("a plain name");
    let plain = stage.run(&[&server.url("/")]).left_with(0);
    let traced = stage.run(&["--trace", name, &server.url("/")]).left_with(0);
    assert_eq!(without_times(&traced.out), without_times(&plain.out));
    assert_eq!(traced.err, "");
    let trace = json_lines(&fs::read_to_string(&file).expect("the trace is there"));
    assert_eq!(
        (&trace[0]["trace"], &trace[0]["program"]),
        (&4.into(), &stage.package.into())
    );
    assert!(trace.len() > 1);
}

fn two_pages() -> Server {
    Site::new().page("/", &["/a"]).page("/a", &[]).serve()
}

/// The report without what differs from run to run. How many tries a page takes is no
/// part of the promise either.
fn without_times(report: &str) -> String {
    let differs = r#"in \d+\.\d{3} secs|"elapsed_ms":[0-9.]+|"attempts":\d+"#;
    let differs = Regex::new(differs).expect("it is a regex");
    differs.replace_all(report, "*").into_owned()
}
