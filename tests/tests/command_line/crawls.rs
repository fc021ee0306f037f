//! What is crawled: the demo site, roots of every kind; and how it is limited.

use super::usage::assert_refused;
use super::{Rule, Stage, json_lines, paths, row, rules};
use conformance::programs::Finished;
use conformance::scripted::{Act, Site, answer, html};
use serde_json::{Value, json};
use std::net::{Ipv4Addr, SocketAddr};

pub(crate) const ALL: &[(&str, Rule)] = rules![
    without_arguments_the_demo_site_is_crawled,
    check_leaves_with_1_if_any_url_failed,
    check_leaves_with_1_if_a_link_is_broken_in_any_way,
    check_leaves_with_1_if_nothing_was_checked,
    check_leaves_with_1_if_the_time_is_over,
    a_time_that_is_over_before_any_response_leaves_with_2,
    what_else_is_checked_is_asked_for,
    an_unknown_host_leaves_with_2_and_a_report,
    a_refused_port_leaves_with_2_and_a_report,
    one_root_that_answers_is_enough,
    a_status_is_an_answer,
    localhost_is_found_where_only_127_0_0_1_listens,
    a_root_may_lack_its_scheme,
    a_root_loses_its_fragment,
    a_root_with_a_user_or_password_is_refused,
    https_is_unsupported_where_it_is_not_spoken,
    max_pages_limits,
    max_depth_limits,
    max_body_limits,
    max_tries_limits,
    max_redirect_limits,
    a_time_out_may_be_a_fraction,
    exclude_may_be_repeated,
    exclude_may_not_match_everything,
];

fn without_arguments_the_demo_site_is_crawled(stage: &Stage) {
    let demo = stage.run(&[]).left_with(0);
    let (rows, failures) = demo.out.split_once("What went wrong").expect("/missing");
    assert!(rows.lines().count() > 50, "{demo:#?}");
    let failures: Vec<&str> = failures.lines().map(str::trim).collect();
    let missing = failures.iter().position(|line| line.ends_with("/missing"));
    let [_, why, page] = failures[missing.expect("it is named")..][..3] else {
        panic!()
    };
    assert_eq!(why, "http-error: status 404");
    assert!(page.starts_with("found on http://127.0.0.1:") && page.ends_with('/'));
    assert!(failures.iter().any(|line| line.starts_with("Finished ")), "{demo:#?}");
    let hints: Vec<&str> = demo.err.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(hints.len(), 2, "what to try next: {demo:#?}");
    assert!(hints[0].ends_with("  cargo lab"), "{demo:#?}");
    assert!(hints[1].contains("  cargo run -- --check"), "{demo:#?}");
}

fn check_leaves_with_1_if_any_url_failed(stage: &Stage) {
    let broken = Site::new().page("/", &["/missing"]).serve();
    stage.run(&[&broken.url("/")]).left_with(0);
    stage.run(&["--check", &broken.url("/")]).left_with(1);
    let whole = Site::new()
        .page("/", &["/moved"])
        .redirect("/moved", "/a")
        .page("/a", &[])
        .serve();
    stage.run(&["--check", &whole.url("/")]).left_with(0);
}

fn check_leaves_with_1_if_a_link_is_broken_in_any_way(stage: &Stage) {
    for site in [
        Site::new().page("/", &["/loop"]).redirect("/loop", "/loop"),
        Site::new().redirect("/", "/back").redirect("/back", "/"),
        Site::new().page("/", &["http://[::1"]),
        Site::new().page("/", &["/moved"]).redirect("/moved", "/gone"),
    ] {
        let server = site.serve();
        stage.run(&[&server.url("/")]).left_with(0);
        stage.run(&["--check", &server.url("/")]).left_with(1);
    }
    let server = Site::new().page("/", &["http://a b/\u{1b}[2J\u{9b}"]).serve();
    for format in ["--format=text", "--format=jsonl"] {
        let done = stage.run(&[format, &server.url("/")]).left_with(0);
        assert!(done.out.contains("invalid-url") && done.out.contains("http://a b/"));
        let is_raw = |at: char| at.is_control() && at != '\n';
        assert!(!done.out.contains(is_raw), "{done:#?}");
    }
}

fn check_leaves_with_1_if_nothing_was_checked(stage: &Stage) {
    let gzip = "Content-Type: text/html\r\nContent-Encoding: gzip\r\n";
    for (page, why) in [
        (answer("200 OK", gzip, b"?"), "the root is text/html, compressed (gzip)"),
        (answer("200 OK", "Content-Type: a/b\r\n", b"?"), "the root is a/b"),
        (
            answer("302 Found", "Location: http://x.invalid/\r\n", b""),
            "start there with http://x.invalid/",
        ),
    ] {
        let server = Site::new().raw("/", &page).serve();
        let done = stage.run(&["--check", &server.url("/")]).left_with(1);
        assert!(
            done.err.starts_with("warning: ") && done.err.contains(why),
            "{done:#?}"
        );
        assert_eq!(done.err.lines().count(), 1, "{done:#?}");
        stage.run(&[&server.url("/")]).left_with(0);
        let silent = stage.run(&["-qq", "--check", &server.url("/")]).left_with(1);
        assert_eq!(silent.err, "");
    }
}

fn check_leaves_with_1_if_the_time_is_over(stage: &Stage) {
    let stalls = vec![vec![Act::Stall]];
    let server = Site::new().page("/", &["/x"]).acts("/x", stalls).serve();
    // The root has to be answered in this time, on a busy machine too.
    let arguments = ["--max-time", "3", &server.url("/")];
    let done = stage.run(&arguments).left_with(0);
    assert!(done.out.contains("Out of time"), "{done:#?}");
    stage.run(&[&["--check"], &arguments[..]].concat()).left_with(1);
}

/// A report of nothing must not look like one without failures.
fn a_time_that_is_over_before_any_response_leaves_with_2(stage: &Stage) {
    let server = Site::new().acts("/", vec![vec![Act::Stall]]).serve();
    let root = server.url("/");
    for check in [&[][..], &["--check"]] {
        let arguments = [check, &["--max-time", "0.2", &root]].concat();
        let done = stage.run(&arguments).left_with(2);
        assert!(done.out.contains("Out of time"), "{done:#?}");
        assert_eq!(
            done.err,
            "error: --max-time was over before any root gave an HTTP response\n"
        );
    }
}

fn what_else_is_checked_is_asked_for(stage: &Stage) {
    let other = Site::new().serve();
    let page = format!("<a href='#x'></a><img src=/y><a href='{}'>", other.url("/z"));
    let server = Site::new().raw("/", &html(&page)).serve();
    let root = server.url("/");
    stage.run(&["--check", &root]).left_with(0);
    for (option, broken) in [
        ("--fragments", server.url("/#x")),
        ("--resources", server.url("/y")),
        ("--external", other.url("/z")),
    ] {
        stage.run(&["--check", option, &root]).left_with(1);
        let lines = stage.crawl(&server, "/", &[option]);
        assert_eq!(lines.len(), 3, "{option}: {lines:#?}");
        assert_eq!(row(&lines, &broken)["found_on"], json!([root]), "{option}");
    }
}

fn an_unknown_host_leaves_with_2_and_a_report(stage: &Stage) {
    let root = "http://no-such-name.invalid/";
    let lines = unanswered(stage, &["--max-tries", "1", "--timeout", "20", root]);
    let outcome = &row(&lines, root)["outcome"];
    // A resolver without a network may say no, or nothing at all.
    assert!(outcome == "network-error" || outcome == "timeout", "{outcome}");
}

fn a_refused_port_leaves_with_2_and_a_report(stage: &Stage) {
    let (address, _held) = refusing_port();
    let root = format!("http://{address}/");
    let lines = unanswered(stage, &["--max-tries", "1", &root]);
    assert_eq!(row(&lines, &root)["outcome"], "network-error");
    assert_eq!(row(&lines, &root)["error"], "connection refused");
}

fn one_root_that_answers_is_enough(stage: &Stage) {
    let server = Site::new().page("/", &[]).serve();
    let (address, _held) = refusing_port();
    let refused = format!("http://{address}/");
    let lines = stage.crawl(&server, "/", &["--max-tries", "1", &refused]);
    assert_eq!(row(&lines, &refused)["outcome"], "network-error");
    assert_eq!(row(&lines, &server.url("/"))["outcome"], "ok");
}

fn a_status_is_an_answer(stage: &Stage) {
    let server = Site::new().serve();
    let lines = stage.crawl(&server, "/missing", &[]);
    assert_eq!(row(&lines, &server.url("/missing"))["status"], 404);
}

fn localhost_is_found_where_only_127_0_0_1_listens(stage: &Stage) {
    let server = Site::new().page("/", &["/a"]).page("/a", &[]).serve();
    let root = format!("http://localhost:{}/", server.address().port());
    let lines = json_lines(&stage.run(&["--format=jsonl", &root]).left_with(0).out);
    assert_eq!(row(&lines, &root)["outcome"], "ok");
    assert_eq!(row(&lines, &format!("{root}a"))["outcome"], "ok");
}

fn a_root_may_lack_its_scheme(stage: &Stage) {
    let server = Site::new().page("/", &["/a"]).page("/a", &[]).serve();
    let port = server.address().port();
    for host in ["localhost", "127.0.0.1"] {
        let root = format!("{host}:{port}");
        let lines = json_lines(&stage.run(&["--format=jsonl", &root]).left_with(0).out);
        assert_eq!(row(&lines, &format!("http://{host}:{port}/"))["outcome"], "ok");
        assert_eq!(row(&lines, &format!("http://{host}:{port}/a"))["outcome"], "ok");
    }
}

fn a_root_loses_its_fragment(stage: &Stage) {
    let server = Site::new().page("/a", &[]).serve();
    let root = format!("http://{}/a#part", server.address());
    let done = stage.run(&["-vv", "--format=jsonl", &root, &server.url("/a")]);
    let done = done.left_with(0);
    assert_eq!(paths(&json_lines(&done.out), &server), ["/a"]);
    assert_eq!(server.count("/a"), 1);
}

fn a_root_with_a_user_or_password_is_refused(stage: &Stage) {
    let server = Site::new().page("/", &[]).serve();
    for user in ["user:secret", "user", ":secret"] {
        let root = format!("http://{user}@{}/", server.address());
        let done = stage.run(&[&root]).left_with(2);
        assert!(done.err.contains("a user or password in the URL"), "{done:#?}");
    }
    assert_eq!(server.seen().connections, 0);
}

fn https_is_unsupported_where_it_is_not_spoken(stage: &Stage) {
    if stage.speaks_https {
        return;
    }
    let root = "https://127.0.0.1:1/";
    let lines = unanswered(stage, &[root]);
    let row = row(&lines, root);
    assert_eq!((&row["outcome"], &row["attempts"]), (&json!("unsupported"), &json!(0)));
    assert!(row["error"].as_str().expect("a sentence").contains("stage 3"), "{row}");
    let text = stage.run(&[root]).left_with(2).out;
    assert!(text.contains("unsupported") && text.contains("stage 3"), "{text}");
}

fn max_pages_limits(stage: &Stage) {
    let server = chain().serve();
    let lines = stage.crawl(&server, "/", &["--max-pages", "2"]);
    assert_eq!(paths(&lines, &server), ["/", "/1"]);
    let summary = &lines[2]["summary"];
    assert_eq!((&summary["complete"], &summary["left"]), (&json!(false), &json!(1)));
    assert_eq!(server.seen().requests.len(), 2);
}

fn max_depth_limits(stage: &Stage) {
    let server = chain().serve();
    let lines = stage.crawl(&server, "/", &["--max-depth", "1"]);
    assert_eq!(paths(&lines, &server), ["/", "/1"]);
    assert_eq!(server.seen().requests.len(), 2);
}

fn max_body_limits(stage: &Stage) {
    let server = Site::new()
        .raw("/", &html(&"x".repeat(1000)))
        .raw("/longer", &html(&"x".repeat(1001)))
        .serve();
    let lines =
        stage.crawl(&server, "/", &["--max-body", "1000", &server.url("/longer")]);
    assert_eq!(row(&lines, &server.url("/"))["outcome"], "ok");
    assert_eq!(row(&lines, &server.url("/longer"))["outcome"], "too-large");
}

fn max_tries_limits(stage: &Stage) {
    let busy = answer("503 Busy", "Retry-After: 0\r\n", b"");
    let server = Site::new().raw("/", &busy).serve();
    let lines = stage.crawl(&server, "/", &["--max-tries", "2"]);
    assert_eq!(lines[0]["attempts"], 2);
    assert_eq!(server.count("/"), 2);
}

fn max_redirect_limits(stage: &Stage) {
    let server =
        Site::new().redirect("/", "/1").redirect("/1", "/2").page("/2", &[]).serve();
    let lines = stage.crawl(&server, "/", &["--max-redirect", "1"]);
    assert_eq!(paths(&lines, &server), ["/", "/1"]);
    assert_eq!(row(&lines, &server.url("/1"))["outcome"], "too-many-redirects");
}

fn a_time_out_may_be_a_fraction(stage: &Stage) {
    let server = Site::new().acts("/", vec![vec![Act::Stall]]).serve();
    let lines =
        unanswered(stage, &["--max-tries", "1", "--timeout", "0.25", &server.url("/")]);
    assert_eq!(lines[0]["outcome"], "timeout");
    let error = lines[0]["error"].as_str().expect("a sentence");
    assert!(error.contains("0.25 s"), "{error}");
}

fn exclude_may_be_repeated(stage: &Stage) {
    let links = ["/a", "/private/b", "/c.zip", "/d.zip?x"];
    let server =
        Site::new().page("/", &links).page("/a", &[]).page("/d.zip?x", &[]).serve();
    let exclude = ["--exclude", "/private/", "--exclude", r"\.zip$"];
    let lines = stage.crawl(&server, "/", &exclude);
    assert_eq!(paths(&lines, &server), ["/", "/a", "/d.zip?x"]);
    assert_eq!(lines[0]["num_links"], 4, "an excluded link is a link");
    assert_eq!(lines[3]["summary"]["excluded"], 2);
    let root = server.url("/");
    let text = stage.run(&[&exclude[..], &[&root]].concat()).left_with(0).out;
    assert!(text.contains("\n2 URLs excluded\n"), "{text}");
}

/// An empty variable of a script, and a pattern that matches all: nothing was checked.
fn exclude_may_not_match_everything(stage: &Stage) {
    let server = Site::new().page("/", &["/a", "/b"]).page("/a", &[]).serve();
    let root = server.url("/");
    let refused = stage.run(&["--check", "--exclude", "", &root]);
    assert_refused(&refused, "an empty pattern matches every URL");
    assert_eq!(server.seen().connections, 0);
    let told =
        "warning: nothing but the root was checked: --exclude matches all other URLs\n";
    let exclude = ["--exclude", ".", &root];
    assert_eq!(stage.run(&exclude).left_with(0).err, told);
    let done = stage.run(&[&exclude[..], &["--check"]].concat()).left_with(1);
    assert_eq!(done.err, told);
    assert!(done.out.contains("\n2 URLs excluded\n"), "{done:#?}");
}

/// Crawls where no root gives an HTTP answer: 2, with a report, and a word about it.
#[track_caller]
fn unanswered(stage: &Stage, arguments: &[&str]) -> Vec<Value> {
    let done: Finished =
        stage.run(&[&["--format=jsonl"], arguments].concat()).left_with(2);
    assert!(done.err.contains("no root gave an HTTP response"), "{done:#?}");
    json_lines(&done.out)
}

/// A port without a listener, and where no other program can listen: it is bound.
fn refusing_port() -> (SocketAddr, socket2::Socket) {
    let socket =
        socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None)
            .expect("there are descriptors left");
    let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    socket.bind(&any.into()).expect("loopback has a free port");
    let address = socket.local_addr().expect("a bound socket has an address");
    (address.as_socket().expect("it is an IPv4 address"), socket)
}

fn chain() -> Site {
    Site::new().page("/", &["/1"]).page("/1", &["/2"]).page("/2", &["/3"])
}
