//! The options: what they are when nothing is said, and what is refused.

use clap::{CommandFactory, Parser};
use shared::{Options, Program};
use std::time::Duration;

#[derive(Debug, Parser)]
struct Line {
    #[command(flatten)]
    options: Options,
}

fn read(arguments: &[&str]) -> Result<Options, String> {
    let line = Line::try_parse_from([&["stage"], arguments].concat());
    line.map(|line| line.options).map_err(|error| error.to_string())
}

#[test]
fn the_command_line_is_sound() {
    Line::command().debug_assert();
}

#[test]
fn defaults_are_what_the_command_line_says_when_nothing_is_said() {
    for options in [Options::default(), read(&[]).unwrap()] {
        assert!(options.roots.is_empty());
        assert_eq!(options.max_tasks, 10);
        assert_eq!(options.max_redirect, 10);
        assert_eq!(options.max_tries, 4);
        assert_eq!(options.max_pages, None);
        assert_eq!(options.max_depth, None);
        assert_eq!(options.timeout, Duration::from_secs(30));
        assert_eq!(options.max_body, 10 * 1024 * 1024);
        assert!(options.exclude.is_empty());
        assert!(!options.lenient && !options.strict);
        assert_eq!((options.user_agent, options.helpers), (None, None));
        assert!(!options.links && !options.progress);
        assert!(!options.fragments && !options.resources && !options.external);
        assert_eq!(options.trace, None);
        assert_eq!((options.verbose, options.quiet), (0, 0));
    }
}

#[test]
fn each_option_is_heard() {
    let options = read(&[
        "--max-tasks=100000",
        "--max-redirect=0",
        "--max-tries=1",
        "--max-pages=1",
        "--max-depth=0",
        "--timeout=0.25",
        "--max-body=0",
        "--exclude=a",
        "--exclude=b",
        "--lenient",
        "--user-agent= Me/1.0 ",
        "--helpers=0",
        "--links",
        "--trace=t",
        "-vv",
        "-q",
    ]);
    let options = options.unwrap();
    assert_eq!((options.max_tasks, options.max_redirect), (100_000, 0));
    assert_eq!((options.max_tries, options.max_pages), (1, Some(1)));
    assert_eq!((options.max_depth, options.max_body), (Some(0), 0));
    assert_eq!(options.timeout, Duration::from_millis(250));
    let exclude: Vec<_> = options.exclude.iter().map(|regex| regex.as_str()).collect();
    assert_eq!(exclude, ["a", "b"]);
    assert!(options.lenient && options.links);
    assert_eq!(options.user_agent.as_deref(), Some("Me/1.0"));
    assert_eq!(options.helpers, Some(0));
    assert_eq!(options.trace.unwrap().to_str(), Some("t"));
    assert_eq!((options.verbose, options.quiet), (2, 1));
}

#[test]
fn the_last_of_strict_and_lenient_counts() {
    assert!(!read(&["--lenient", "--strict"]).unwrap().lenient);
    assert!(read(&["--strict", "--lenient"]).unwrap().lenient);
}

#[test]
fn a_value_that_cannot_be_is_refused() {
    for argument in [
        "--max-tasks=0",
        "--max-tasks=100001",
        "--max-tasks=-1",
        "--max-tasks=ten",
        "--max-redirect=-1",
        "--max-tries=0",
        "--max-pages=0",
        "--max-depth=-1",
        "--max-depth=4294967296",
        "--max-body=-1",
        "--max-body=10X",
        "--delay=0",
        "--rate=0",
        "--user=me",
        "--header=Host: x",
        "--max-body=1.5",
        "--helpers=1025",
        "--timeout=0",
        "--timeout=-1",
        "--timeout=-0",
        "--timeout=inf",
        "--timeout=nan",
        "--timeout=1e400",
        "--timeout=1e-300",
        "--timeout=31536001",
        "--timeout=soon",
        "--timeout=",
        "--exclude=(",
        "--user-agent=",
        "--user-agent=  ",
        "--user-agent=a\r\nHost: b",
        "--user-agent=ü",
        "--unheard-of",
    ] {
        assert!(read(&[argument]).is_err(), "{argument}");
    }
}

#[test]
fn a_pattern_that_cannot_be_or_is_too_large_says_why() {
    for (pattern, why) in [
        ("(", "open group without closing"),
        ("[a", "no closing bracket"),
        (r"\p{L}", "Unicode character classes are not supported"),
        (r"\w{100000}", "exceeded size limit"),
        ("(a{1000}){1000}", "exceeded size limit"),
    ] {
        let error = read(&["--exclude", pattern]).expect_err(pattern);
        assert!(error.contains(why) && error.contains("--exclude"), "{error}");
    }
    let many = "/private/|/tmp/|".repeat(20) + r"\.(pdf|zip|png|jpe?g|svg)(\?.*)?$";
    assert!(read(&["--exclude", &many]).is_ok());
}

#[test]
fn no_time_out_overflows_the_clock() {
    let options = read(&["--timeout=31536000"]).unwrap();
    assert!(std::time::Instant::now().checked_add(options.timeout).is_some());
}

#[test]
fn the_user_agent_is_the_program_unless_the_user_says_otherwise() {
    let program = Program { name: "stage9", version: "1.2.3", speaks_https: false };
    let agent = Options::default().user_agent(&program);
    assert!(agent.starts_with("stage9/1.2.3"), "{agent}");
    assert!(agent.bytes().all(|byte| (b' '..=b'~').contains(&byte)));
    let own = Options { user_agent: Some("Me".into()), ..Options::default() };
    assert_eq!(own.user_agent(&program), "Me");
}

#[test]
fn only_limits_make_a_crawl_go_by_levels() {
    assert!(!Options::default().goes_by_levels());
    for limit in ["--max-pages=9", "--max-depth=9"] {
        assert!(read(&[limit]).unwrap().goes_by_levels(), "{limit}");
    }
}
