//! The options: their defaults, and which values are refused.

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
        "--max-body=1",
        "--exclude=a",
        "--exclude=b",
        "--lenient",
        "--user-agent= Me/1.0 ",
        "--helpers=0",
        "--links",
        "--trace=t",
        "-vv",
    ]);
    let options = options.unwrap();
    assert_eq!((options.max_tasks, options.max_redirect), (100_000, 0));
    assert_eq!((options.max_tries, options.max_pages), (1, Some(1)));
    assert_eq!((options.max_depth, options.max_body), (Some(0), 1));
    assert_eq!(options.timeout, Duration::from_millis(250));
    let exclude: Vec<_> = options.exclude.iter().map(|regex| regex.as_str()).collect();
    assert_eq!(exclude, ["a", "b"]);
    assert!(options.lenient && options.links);
    assert_eq!(options.user_agent.as_deref(), Some("Me/1.0"));
    assert_eq!(options.helpers, Some(0));
    assert_eq!(options.trace.unwrap().to_str(), Some("t"));
    assert_eq!((options.verbose, options.quiet), (2, 0));
    assert_eq!(read(&["-qq"]).unwrap().quiet, 2);
}

#[test]
fn the_last_of_strict_and_lenient_counts() {
    assert!(!read(&["--lenient", "--strict"]).unwrap().lenient);
    assert!(read(&["--strict", "--lenient"]).unwrap().lenient);
}

/// An argument, and the words that follow the option's name in the error message.
#[rustfmt::skip]
const REFUSED: &[(&str, &str)] = &[
    ("--max-tasks=0", "must be at least 1"),
    ("--max-tasks=100001", "must be at most 100000"),
    ("--max-tasks=-1", "must be at least 1"),
    ("--max-tasks=ten", "not a whole number"),
    ("--max-redirect=-1", "must be at least 0"),
    ("--max-redirect=1.5", "not a whole number"),
    ("--max-tries=0", "must be at least 1"),
    ("--max-pages=0", "must be at least 1"),
    ("--max-depth=-1", "must be at least 0"),
    ("--max-depth=4294967296", "must be at most 4294967295"),
    ("--max-body=0", "must be at least 1"),
    ("--max-body=-1", BYTES),
    ("--max-body=10X", BYTES),
    ("--max-body=1.5", BYTES),
    ("--max-body=17179869184G", "more bytes than a machine has"),
    ("--helpers=1025", "must be at most 1024"),
    ("--delay=0", SECONDS),
    ("--delay=soon", "not a number of seconds"),
    ("--max-time=0", SECONDS),
    ("--rate=0", "must be more than 0 and at most 1000000 per second"),
    ("--rate=fast", "not a number of requests per second"),
    ("--timeout=0", SECONDS),
    ("--timeout=-1", SECONDS),
    ("--timeout=-0", SECONDS),
    ("--timeout=inf", SECONDS),
    ("--timeout=nan", SECONDS),
    ("--timeout=1e400", SECONDS),
    ("--timeout=1e-300", SECONDS),
    ("--timeout=31536001", SECONDS),
    ("--timeout=soon", "not a number of seconds"),
    ("--timeout=", "not a number of seconds"),
    ("--user-agent=", TEXT),
    ("--user-agent=  ", TEXT),
    ("--user-agent=a\r\nHost: b", TEXT),
    ("--user-agent=ü", TEXT),
    ("--user=me", "there is no colon between name and password"),
    ("--user=a:\0", "a control character in it"),
    ("--header=Host", "there is no colon in it"),
    ("--header=a b:c", "its name is not that of a header field"),
    ("--header=a:ä", "its value must be printable ASCII"),
    ("--header=User-Agent: x", "User-Agent is set with --user-agent"),
    ("--header=X: a\r\nY: b", "its value must be printable ASCII"),
    ("--header=Host: x", "Host is set by the crawler"),
    ("--header=content-length: 1", "content-length is set by the crawler"),
    ("--header=Transfer-Encoding: x", "Transfer-Encoding is set by the crawler"),
];
const BYTES: &str = "not a number of bytes, as in 500, 64k, 10M or 1G";
const SECONDS: &str = "must be more than 0 and at most 31536000 seconds";
const TEXT: &str = "must be printable ASCII, and not empty";

#[test]
fn a_value_that_cannot_be_is_refused_with_the_reason() {
    for (argument, why) in REFUSED {
        let error = read(&[argument]).expect_err(argument);
        assert!(error.contains(&format!("': {why}\n")), "{argument}: {error}");
    }
    let long = "x".repeat(9000);
    for (option, value) in [("--header", format!("X:{long}")), ("--user", long + ":")] {
        let error = read(&[option, &value]).expect_err(option);
        assert!(error.contains(">': longer than 8192 bytes\n"), "{error}");
    }
    assert!(read(&["--unheard-of"]).is_err());
}

#[cfg(unix)]
#[test]
fn a_password_that_is_no_text_is_refused_with_the_reason() {
    use std::os::unix::ffi::OsStrExt;
    let user = std::ffi::OsStr::from_bytes(b"--user=me:\xff");
    let error = Line::try_parse_from(["stage".as_ref(), user]).unwrap_err().to_string();
    assert!(error.contains("<NAME:PASSWORD>': not UTF-8\n"), "{error}");
}

/// The value may be a password.
#[test]
fn a_refused_header_or_user_is_not_repeated() {
    let error = read(&["--user=secret"]).expect_err("no colon");
    let first = "error: invalid value for '--user <NAME:PASSWORD>': there is no colon";
    assert!(error.starts_with(first) && !error.contains("secret"), "{error}");
}

#[test]
fn a_pattern_that_cannot_be_or_is_too_large_says_why() {
    for (pattern, why) in [
        ("", "an empty pattern matches every URL"),
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
