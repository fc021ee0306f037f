//! What the options say about themselves, and roots from elsewhere than the command line.

use super::usage::assert_refused;
use super::{Rule, Stage, json_lines, paths, row, rules};
use conformance::programs;
use conformance::scripted::{Site, html};
use serde_json::Value;
use shared::demo_site::DemoSite;
use std::collections::BTreeSet;
use std::fs;

pub(crate) const ALL: &[(&str, Rule)] = rules![
    roots_come_from_standard_input,
    a_bad_line_of_standard_input_is_named_and_nothing_is_contacted,
    lines_of_standard_input_are_paths_in_a_served_folder,
    bytes_have_units,
    the_names_of_others_are_known,
    failures_shows_what_failed_and_the_totals,
    check_shows_failures_unless_a_format_is_given,
    the_schema_describes_every_line,
    what_is_printed_for_a_closed_output_is_no_error,
    fields_and_passwords_are_sent_and_never_printed,
    a_pause_is_kept,
    options_of_stage_3_are_refused_by_the_others,
];

/// Runs the program with this on its standard input.
fn run_with(stage: &Stage, arguments: &[&str], input: &[u8]) -> programs::Finished {
    programs::run_with_input(&mut stage.command(arguments), input)
}

fn roots_come_from_standard_input(stage: &Stage) {
    let server = Site::new().page("/a", &[]).page("/b", &[]).page("/c", &[]).serve();
    let input =
        format!("# two roots\n\n  {}\r\n{}", server.url("/a"), server.url("/b"));
    let arguments = ["--format=jsonl", &server.url("/c"), "-"];
    let lines =
        json_lines(&run_with(stage, &arguments, input.as_bytes()).left_with(0).out);
    assert_eq!(paths(&lines, &server), ["/a", "/b", "/c"]);
}

fn a_bad_line_of_standard_input_is_named_and_nothing_is_contacted(stage: &Stage) {
    let server = Site::new().page("/", &[]).serve();
    let input = format!("{}\n\nftp://x\n", server.url("/"));
    let refused = run_with(stage, &["-"], input.as_bytes());
    assert_refused(&refused, "'ftp://x' in line 3 of standard input");
    assert_refused(&run_with(stage, &["-"], b"\n\xff\n"), "line 2 of standard input");
    assert_eq!(server.seen().connections, 0);
}

fn lines_of_standard_input_are_paths_in_a_served_folder(stage: &Stage) {
    let folder = tempfile::tempdir().expect("a folder for this test");
    fs::write(folder.path().join("page.html"), "no links").expect("it is ours");
    let folder = folder.path().to_str().expect("a plain name");
    let arguments = ["--json", "--serve", folder, "-"];
    let done = run_with(stage, &arguments, b"page.html\n").left_with(0);
    let lines = json_lines(&done.out);
    assert_eq!((lines.len(), &lines[0]["status"]), (2, &Value::from(200)));
    let refused = run_with(stage, &arguments, b"/\nhttp://a.test/\n");
    assert_refused(&refused, "'http://a.test/' in line 2 of standard input");
}

fn bytes_have_units(stage: &Stage) {
    let server = Site::new()
        .raw("/", &html(&"x".repeat(2048)))
        .raw("/longer", &html(&"x".repeat(2049)))
        .serve();
    let lines = stage.crawl(&server, "/", &["--max-body=2k", &server.url("/longer")]);
    assert_eq!(row(&lines, &server.url("/"))["outcome"], "ok");
    assert_eq!(row(&lines, &server.url("/longer"))["outcome"], "too-large");
}

fn the_names_of_others_are_known(stage: &Stage) {
    let server = Site::new().page("/", &["/1"]).page("/1", &["/2"]).serve();
    let arguments = ["--json", "--depth", "1", "--concurrency", "3", &server.url("/")];
    let lines = json_lines(&stage.run(&arguments).left_with(0).out);
    assert_eq!(paths(&lines, &server), ["/", "/1"]);
    assert_eq!(lines[2]["summary"]["max_tasks"], 3);
}

fn failures_shows_what_failed_and_the_totals(stage: &Stage) {
    let server = Site::new().page("/", &["/good", "/gone"]).page("/good", &[]).serve();
    let done = stage.run(&["--format=failures", &server.url("/")]).left_with(0);
    let (text, _) = done.out.split_once("\nFinished ").expect("the totals");
    let expected = format!(
        "What went wrong, and where it was found:\n  {}\n    http-error: status 404\n    \
         found on {}\n\n2 ok, 0 redirects, 1 HTTP error, 0 other failures; ",
        server.url("/gone"),
        server.url("/")
    );
    assert!(text.starts_with(&expected), "{text}");
    let fine = stage.run(&["--format=failures", &server.url("/good")]).left_with(0);
    assert!(fine.out.starts_with("1 ok, 0 redirects, 0 HTTP errors"), "{fine:#?}");
    assert_eq!(fine.out.lines().count(), 2, "{fine:#?}");
}

fn check_shows_failures_unless_a_format_is_given(stage: &Stage) {
    let server = Site::new().page("/", &["/gone"]).serve();
    let root = server.url("/");
    let is_table = |arguments: &[&str]| {
        let done = stage.run(&[arguments, &[&root, "--check"]].concat()).left_with(1);
        assert!(done.out.contains("status 404"), "{done:#?}");
        done.out.starts_with("status")
    };
    assert!(!is_table(&[]));
    assert!(!is_table(&["--format=failures"]));
    assert!(is_table(&["--format=text"]));
    let lines = stage.run(&["--check", "--json", &root]).left_with(1).out;
    assert_eq!(json_lines(&lines).len(), 3);
}

fn the_schema_describes_every_line(stage: &Stage) {
    let schema = &stage.run(&["--schema"]).left_with(0).out;
    let schema: Value = serde_json::from_str(schema).expect("it is JSON");
    let site = DemoSite::start().expect("the demo site starts");
    let root = site.url("/");
    let folder = tempfile::tempdir().expect("a folder for this test");
    let folder = folder.path().to_str().expect("a plain name");
    let mut met = BTreeSet::new();
    for crawl in [&[&*root][..], &[&root, "--links"], &["--serve", folder]] {
        let arguments = [&["--format=jsonl", "--max-tries=1"], crawl].concat();
        let lines = json_lines(&stage.run(&arguments).left_with(0).out);
        let (last, rows) = lines.split_last().expect("a summary");
        for row in rows {
            check(&schema, &schema["$defs"]["row"], row);
            met.extend(row.as_object().expect("an object").keys().cloned());
        }
        check(&schema, &schema["$defs"]["last"], last);
    }
    let known = schema["$defs"]["row"]["properties"].as_object().expect("an object");
    assert_eq!(met, known.keys().cloned().collect(), "each property is in some row");
}

/// Checks a value against a schema, as far as ours goes: another keyword is an error.
fn check(whole: &Value, schema: &Value, value: &Value) {
    for (keyword, says) in schema.as_object().expect("a schema is an object") {
        let list = || says.as_array().cloned().unwrap_or_else(|| vec![says.clone()]);
        let is_right = match keyword.as_str() {
            "description" => true,
            "$ref" => {
                let path = says.as_str().expect("a path").trim_start_matches('#');
                check(whole, whole.pointer(path).expect("it leads somewhere"), value);
                true
            }
            "type" => list().iter().any(|kind| match kind.as_str() {
                Some("null") => value.is_null(),
                Some("string") => value.is_string(),
                Some("boolean") => value.is_boolean(),
                Some("integer") => value.is_u64() || value.is_i64(),
                Some("number") => value.is_number(),
                Some("array") => value.is_array(),
                Some("object") => value.is_object(),
                _ => false,
            }),
            "enum" => list().contains(value),
            "minimum" => value.as_f64() >= says.as_f64(),
            "required" => list()
                .iter()
                .all(|name| value.get(name.as_str().expect("a name")).is_some()),
            "additionalProperties" => {
                let known = &schema["properties"];
                let object = value.as_object().expect("an object");
                *says == false && object.keys().all(|name| known.get(name).is_some())
            }
            "properties" => {
                let object = value.as_object().expect("an object");
                for (name, value) in object {
                    check(whole, &says[name], value);
                }
                true
            }
            "items" => {
                value
                    .as_array()
                    .expect("a list")
                    .iter()
                    .for_each(|value| check(whole, says, value));
                true
            }
            _ => false,
        };
        assert!(is_right, "{keyword}: {says} does not hold for {value}");
    }
}

fn what_is_printed_for_a_closed_output_is_no_error(stage: &Stage) {
    for option in ["--schema", "--completions=bash", "--man"] {
        let (out, err) = (programs::closed(), std::process::Stdio::piped());
        let mut command = stage.command(&[option]);
        let done = programs::start_with(&mut command, out, err).wait().left_with(0);
        assert_eq!(done.err, "");
    }
}

const SECRETS: [&str; 3] = ["k3y", "s3cret", "bWU6czNjcmV0"];

#[track_caller]
fn assert_no_secret(text: &str) {
    for secret in SECRETS {
        assert!(!text.contains(secret), "{secret} is printed: {text}");
    }
}

fn fields_and_passwords_are_sent_and_never_printed(stage: &Stage) {
    let server = Site::new().page("/", &["/gone"]).serve();
    let folder = tempfile::tempdir().expect("a folder for this test");
    let trace = folder.path().join("trace");
    let trace = trace.to_str().expect("a plain name");
    let root = server.url("/");
    for format in ["text", "jsonl", "failures"] {
        let common = ["--header=X-Key: k3y", "--user", "me:s3cret", "-vv", &root];
        let own = ["--format", format, "--trace", trace];
        let done = stage.run(&[&common[..], &own].concat()).left_with(0);
        assert_no_secret(&done.out);
        assert_no_secret(&done.err);
        assert_no_secret(&fs::read_to_string(trace).expect("it is written"));
    }
    let requests = server.seen().requests;
    assert_eq!(requests.len(), 6);
    for request in requests {
        let both = "\r\nX-Key: k3y\r\nAuthorization: Basic bWU6czNjcmV0\r\n";
        assert!(request.contains(both), "{request}");
    }
}

/// The fourth request comes three pauses after the first one at the earliest.
fn a_pause_is_kept(stage: &Stage) {
    let server = Site::new().page("/", &["/1", "/2", "/3"]).serve();
    for option in ["--delay=0.1", "--rate=10"] {
        let began = std::time::Instant::now();
        stage.crawl(&server, "/", &[option]);
        assert!(began.elapsed() >= std::time::Duration::from_millis(300), "{option}");
    }
}

fn options_of_stage_3_are_refused_by_the_others(stage: &Stage) {
    if stage.speaks_https {
        return;
    }
    for arguments in [&["--insecure"][..], &["--ca-file", "any"], &["--helpers", "0"]] {
        let refused = stage.run(arguments);
        assert_refused(&refused, arguments[0]);
        assert!(refused.err.contains("stage 3"), "{refused:#?}");
    }
}
