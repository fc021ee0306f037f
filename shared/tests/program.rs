//! The messages and the exit code of a whole program, one line for each command line.
//! Each line runs this program again, as a crawler without sockets. The path of a ROOT
//! decides what the crawler finds there.
//!
//! `help.txt` and `schema.txt` contain the output of `--help` and `--schema`. After a
//! change run `UPDATE_OUTPUTS=1 cargo test -p shared --test program` to write them
//! again.

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use shared::crawl::body_budget;
use shared::http::MAX_HEAD;
use shared::options::{MAX_BODIES, MAX_FRAGMENTS, MAX_KNOWN};
use shared::page::links;
use shared::program::run;
use shared::{CrawlEnd, FetchError, Ledger, Options, Page, Program, Report, Stop};
use std::io::{self, ErrorKind};
use std::process::{Command, ExitCode, Output};
use std::{env, fs};

/// Set for the crawler to the number of its stage, since only stage 3 speaks https.
const STAGE: &str = "STAGE_OF_THE_TEST";

/// The stage and its arguments, the exit code, and the first paragraph of standard
/// error. (clap appends the usage.)
type Line = (&'static str, i32, &'static str);

#[rustfmt::skip]
const LINES: &[Line] = &[
    ("1 site.test", 0, ""),
    ("1 --max-task 1", 2, "error: unexpected argument '--max-task' found"),
    ("1 --max-tasks", 2, "error: a value is required for '--max-tasks <N>' but none was supplied"),
    ("1 --max-tasks -1", 2, "error: invalid value '-1' for '--max-tasks <N>': must be at least 1"),
    ("1 --timeout -1", 2, "error: invalid value '-1' for '--timeout <SECS>': must be more than 0 and at most 31536000 seconds"),
    ("1 --max-body 0", 2, "error: invalid value '0' for '--max-body <BYTES>': must be at least 1"),
    ("1 -v -qq", 2, "error: the argument '--verbose...' cannot be used with '--quiet...'"),
    ("1 --trace - site.test", 2, "error: --trace needs a file: standard output is the report's"),
    ("1 -- --check", 2, "error: bad ROOT '--check': options must come before `--`"),
    ("1 --user secret", 2, "error: invalid value for '--user <NAME:PASSWORD>': there is no colon between name and password"),
    ("1 --user-agent \u{202e}x", 2, "error: invalid value '\\u{202e}x' for '--user-agent <TEXT>': must be printable ASCII, and not empty"),
    ("1 --format xml", 2, "error: invalid value 'xml' for '--format <FORMAT>'\n  [possible values: text, jsonl, summary, failures]"),
    ("1 --trace-format xml", 2, "error: invalid value 'xml' for '--trace-format <FORMAT>'\n  [possible values: jsonl, perfetto]"),
    ("1 --trace-format jsonl", 2, "error: the following required arguments were not provided:\n  --trace <FILE>"),
    ("1 --delay 1 --rate 1", 2, "error: the argument '--delay <SECS>' cannot be used with '--rate <N>'"),
    ("1 --completions tcsh", 2, "error: invalid value 'tcsh' for '--completions <SHELL>'\n  [possible values: bash, elvish, fish, powershell, zsh]"),
    ("1 --links site.test", 2, "error: --links needs --format jsonl: no other format lists links"),
    ("1 --links --check site.test", 2, "error: --links needs --format jsonl: no other format lists links"),
    ("1 --links --format summary site.test", 2, "error: --links needs --format jsonl: no other format lists links"),
    ("1 --links --json -qq -o- site.test/refused", 2, "error: no root gave an HTTP response"),
    ("1 --user a:b --header Authorization:c site.test", 2, "error: --user and --header both set Authorization"),
    ("1 --ca-file x site.test", 2, "error: --ca-file cannot be used: this stage speaks http only; https is for stage 3 (stage3-async)"),
    ("1 --insecure site.test", 2, "error: --insecure cannot be used: this stage speaks http only; https is for stage 3 (stage3-async)"),
    ("1 --helpers 1 site.test", 2, "error: --helpers cannot be used: helper threads are for stage 3 (stage3-async)"),
    ("3 --helpers 1 site.test", 0, ""),
    ("3 --insecure https://site.test", 0, "warning: --insecure: no certificate is checked"),
    ("3 --insecure -qq https://site.test", 0, ""),
    ("3 --ca-file x https://site.test", 0, ""),
    ("3 --ca-file x site.test", 0, "warning: --ca-file was not used: no URL was https"),
    ("1 --exclude x site.test", 0, "warning: --exclude kept no URL out"),
    ("1 --exclude x -qq site.test", 0, ""),
    ("1 --exclude x --check --fragments site.test", 0, ""),
    ("3 --ca-file x -qq site.test", 0, ""),
    ("1 --output x --trace x site.test", 2, "error: --output and --trace name the same file"),
    ("1 --output no/such/file site.test", 2, "error: cannot write no/such/file: no such file or folder"),
    #[cfg(unix)]
    ("1 --output src site.test", 2, "error: cannot write src: it is a folder"),
    #[cfg(unix)]
    ("1 --output src/lib.rs/x site.test", 2, "error: cannot write src/lib.rs/x: not a folder"),
    ("1 --trace no/such/file site.test", 2, "error: cannot write the trace no/such/file: no such file or folder"),
    #[cfg(target_os = "linux")]
    ("1 --output /dev/full site.test", 2, "error: cannot write the report: no storage space"),
    #[cfg(target_os = "linux")]
    ("1 --trace /dev/full site.test", 0, "warning: the trace is not whole: no storage space"),
    ("1 -", 2, "error: there is no ROOT in standard input"),
    ("1 - -", 2, "error: there is no ROOT in standard input"),
    ("1 ftp://x", 2, "error: bad ROOT 'ftp://x': ftp:// is not crawled, only http:// and https://"),
    ("1 me:secret@site.test", 2, "error: bad ROOT '…@site.test': an e-mail address, or a user's name before the host"),
    ("1 src", 2, "error: bad ROOT 'src': a folder on this machine; a folder is crawled with --serve, a host with http://src"),
    ("1 /folder", 2, "error: bad ROOT '/folder': a path; a folder is crawled with --serve"),
    ("1 --base-path /x site.test", 2, "error: the following required arguments were not provided:\n  --serve <DIR>"),
    ("1 --base-path /x/../ --serve src", 2, "error: invalid value '/x/../' for '--base-path <PATH>': not a path as in /project/, without . or .., a query or a fragment"),
    #[cfg(not(feature = "demo"))]
    ("1", 2, "error: built without the demo site: name a ROOT"),
    ("1 site.test/json", 0, "warning: nothing was searched for links: the root is application/json"),
    ("1 --check -qq site.test/json", 1, ""),
    ("1 --exclude= site.test", 2, "error: invalid value '' for '--exclude <REGEX>': an empty pattern matches every URL"),
    ("1 --check --exclude . site.test/links", 1, "warning: nothing but the root was checked: --exclude matches all other URLs"),
    ("1 --exclude . site.test/links", 0, "warning: nothing but the root was checked: --exclude matches all other URLs"),
    ("1 --check --exclude b site.test/links", 0, ""),
    ("1 --max-tries 1 site.test/refused", 2, "error: no root gave an HTTP response"),
    ("1 site.test/late", 2, "error: --max-time was over before any root gave an HTTP response"),
    ("1 --check site.test site.test/late", 1, ""),
    ("1 site.test/stuck", 3, "stuck: jobs remain and nothing can happen any more\n/stuck: waits for a timer"),
    ("1 -v site.test", 0, "ok 200 http://site.test/"),
    ("1 -vv --max-tries 2 site.test/refused", 2, "again in 0.25 s: http://site.test/refused: connection refused\nnetwork-error http://site.test/refused\nerror: no root gave an HTTP response"),
    ("1 -vv --max-tries 2 site.test/busy", 0, "again in 0.25 s: http://site.test/busy: status 503\nhttp-error 503 http://site.test/busy"),
];

/// Lines of the manual that are not in the help.
const MANUAL: &[&str] = &[
    r"stage \- Crawls a web site and reports what every URL gave",
    "stage [OPTIONS] [ROOT]...",
    r"Crawls a web site: begins with the ROOTs, follows the links of each page within their sites, and reports what every URL gave. With \-\-check it is a link checker.",
    r"Maximum number of open connections, including idle ones. The same as \-\-concurrency",
    r#".SH "EXIT STATUS""#,
    r"SIGINT (Ctrl\-C)",
    ".SH LIMITS",
];

fn main() -> ExitCode {
    if let Ok(stage) = env::var(STAGE) {
        let speaks_https = stage == "3";
        let program = Program { name: "stage", version: "1.2.3", speaks_https };
        return run(&program, |options, _: &Stop| crawl(options, &program));
    }
    let line = |line: &'static Line| {
        Trial::test(line.0.escape_debug().to_string(), || check(line))
    };
    let mut trials: Vec<Trial> = LINES.iter().map(line).collect();
    trials.push(Trial::test("version", version));
    trials.push(Trial::test("manual", manual));
    trials.push(Trial::test("completions", completions));
    trials.push(Trial::test("limits", limits));
    trials.push(Trial::test("help", || is_stored("help.txt", &help()?)));
    trials.push(Trial::test("schema", || is_stored("schema.txt", &schema()?)));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// A crawl without sockets.
fn crawl(options: &Options, program: &Program) -> io::Result<Report> {
    let trace = options.open_trace(program)?;
    let (mut ledger, mut jobs) = Ledger::open(options, program);
    let mut end = CrawlEnd::Done;
    while let Some(mut job) = jobs.pop() {
        let url = ledger.begin(&mut job);
        let result = match url.path() {
            "/refused" => Err(FetchError::Network(ErrorKind::ConnectionRefused)),
            "/busy" => Ok(Page { status: 503, ..Page::default() }),
            "/links" => {
                let links = ["/a", "/b"].map(|path| url.join(path).expect("a path"));
                Ok(Page { links: links.into(), ..page("text/html", Some("utf-8")) })
            }
            "/json" => Ok(page("application/json", None)),
            "/late" => {
                end = CrawlEnd::OutOfTime;
                Err(FetchError::Interrupted)
            }
            "/stuck" => {
                end = CrawlEnd::Stuck("/stuck: waits for a timer".to_string());
                Err(FetchError::Interrupted)
            }
            _ => Ok(page("text/html", Some("utf-8"))),
        };
        jobs.extend(ledger.settle(job, result));
    }
    Ok(trace.close(ledger.close(end)))
}

fn page(kind: &str, encoding: Option<&str>) -> Page {
    let (content_type, encoding) = (Some(kind.to_string()), encoding.map(Into::into));
    Page { status: 200, content_type, encoding, ..Page::default() }
}

/// Runs the crawler of a stage. `line` is its number, followed by its arguments.
fn output(line: &str) -> io::Result<Output> {
    let mut words = line.split_whitespace();
    let stage = words.next().expect("a line begins with the stage");
    let mut command = Command::new(env::current_exe()?);
    command.env(STAGE, stage).env_remove("COLUMNS").args(words).output()
}

fn check((line, code, words): &Line) -> Result<(), Failed> {
    let output = output(line)?;
    let error = String::from_utf8(output.stderr)?;
    let first = error.split("\n\n").next().expect("split gives one at least");
    assert_eq!((output.status.code(), first.trim_end()), (Some(*code), *words));
    let is_usage = error.contains("--help");
    assert!(!is_usage || output.stdout.is_empty(), "a report of wrong usage");
    Ok(())
}

/// Returns what an option prints instead of crawling.
fn printed(line: &str) -> Result<String, Failed> {
    let output = output(line)?;
    assert!(output.status.success(), "{output:?}");
    Ok(String::from_utf8(output.stdout)?)
}

/// Returns the help. clap writes the file name of the program into the usage.
fn help() -> Result<String, Failed> {
    let file = env::current_exe()?;
    let file = file.file_name().expect("a program has a name").to_string_lossy();
    Ok(printed("3 --help")?.replace(&*file, "stage"))
}

fn version() -> Result<(), Failed> {
    assert_eq!(printed("1 --version")?, "stage 1.2.3\n");
    Ok(())
}

/// Returns the long names of the options, from lines such as `  -o, --output <FILE>
/// Write …`.
fn option_names() -> Result<Vec<String>, Failed> {
    let name = |line: &str| {
        let line = line.trim_start();
        let words = line.starts_with('-').then(|| line.split_whitespace())?;
        let name = words.take(2).find_map(|word| word.strip_prefix("--"))?;
        Some(name.trim_end_matches('.').to_string())
    };
    let options: Vec<String> = help()?.lines().filter_map(name).collect();
    assert!(options.len() > 30, "{options:?}");
    Ok(options)
}

fn manual() -> Result<(), Failed> {
    let manual = printed("3 --man")?;
    for line in MANUAL {
        assert!(manual.lines().any(|it| it == *line), "{line} is not in {manual}");
    }
    for option in option_names()? {
        let name = format!("--{option}").replace('-', r"\-");
        assert!(manual.contains(&name), "the manual does not know {option}");
    }
    Ok(())
}

fn completions() -> Result<(), Failed> {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let text = printed(&format!("3 --completions {shell}"))?;
        for option in option_names()? {
            assert!(text.contains(&option), "{shell} does not know {option}");
        }
    }
    Ok(())
}

/// The help lists the limits that have no option, with the numbers of the code.
fn limits() -> Result<(), Failed> {
    let help = help()?.split_whitespace().collect::<Vec<_>>().join(" ");
    for limit in [
        format!("URLs and their rows: {} GiB,", MAX_KNOWN >> 30),
        format!("links of a page: {} KiB,", links::FEW_LINKS >> 10),
        format!("and {} bytes for each byte of the page,", links::LINKS_PER_BYTE),
        format!("but at most {} MiB.", links::MAX_LINKS >> 20),
        format!("be parsed or are too long: {} MiB.", MAX_KNOWN >> 22),
        format!("to the crawl (--links): {} MiB.", MAX_KNOWN >> 22),
        format!("(--fragments): {} MiB.", MAX_FRAGMENTS >> 20),
        format!("Missing fragments: {} MiB.", MAX_FRAGMENTS >> 23),
        format!("bodies in flight: {} MiB.", MAX_BODIES >> 20),
        format!("to be settled: another {} MiB", MAX_BODIES >> 20),
        format!("each other one {} KiB,", body_budget::SHORT_BODY >> 10),
        format!("with a head of {} KiB.", MAX_HEAD >> 10),
    ] {
        assert!(help.contains(&limit), "{limit} is not in {help}");
    }
    Ok(())
}

/// Returns the meaning of each key of the schema, one per line.
fn schema() -> Result<String, Failed> {
    let schema: Value = serde_json::from_str(&printed("3 --schema")?)?;
    let mut text = format!("{}\n", schema["title"]);
    for part in ["row", "summary"] {
        let keys = schema["$defs"][part]["properties"].as_object();
        for (key, value) in keys.ok_or("it has no keys")? {
            let meaning = value.get("description").unwrap_or(&value["enum"]);
            text += &format!("{part} {key}: {meaning}\n");
        }
    }
    Ok(text)
}

/// Compares the text with the stored file, or writes the file.
fn is_stored(file: &str, text: &str) -> Result<(), Failed> {
    let file = format!("{}/tests/program/{file}", env!("CARGO_MANIFEST_DIR"));
    if env::var_os("UPDATE_OUTPUTS").is_some() {
        return Ok(fs::write(&file, text)?);
    }
    let stored = fs::read_to_string(&file)?;
    for (now, stored) in text.lines().zip(stored.lines()) {
        assert_eq!(now, stored, "{file} is stored again with UPDATE_OUTPUTS=1");
    }
    assert_eq!(text.len(), stored.len(), "{file} ends elsewhere");
    Ok(())
}
