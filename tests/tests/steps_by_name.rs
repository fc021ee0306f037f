//! `cargo step` and `cargo lab`: a step by its name, and a program beside the demo site.

use conformance::outputs::normalise;
use conformance::programs::{self, Finished};
use conformance::shown_command::root;
use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::process::Command;
#[cfg(unix)]
use std::process::Stdio;
use tempfile::TempDir;

/// Runs programs with a file of the last step that no other program has.
struct Reader(TempDir);

impl Reader {
    fn new() -> Reader {
        Reader(tempfile::tempdir().expect("a folder for this test"))
    }

    fn command(&self, port: u16, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(programs::program(program));
        command.args(arguments).current_dir(root()).env("LAB_PORT", port.to_string());
        command.env("LAST_STEP", self.0.path().join("last-step"));
        command
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Finished {
        self.run_on(0, program, arguments)
    }

    /// Runs a program whose site is on this port.
    fn run_on(&self, port: u16, program: &str, arguments: &[&str]) -> Finished {
        programs::run(&mut self.command(port, program, arguments))
    }

    /// Runs `lab`, which serves the site; `SITE` in the arguments is its URL, and `PORT`
    /// its port.
    fn run_lab(&self, arguments: &[&str]) -> Finished {
        on_a_free_port(|port| {
            let site = format!("http://127.0.0.1:{port}");
            let arguments = arguments.iter().map(|it| it.replace("SITE", &site));
            let arguments = arguments.map(|it| it.replace("PORT", &port.to_string()));
            let arguments: Vec<String> = arguments.collect();
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let done = self.run_on(port, "lab", &arguments);
            (!done.err.contains(TAKEN)).then_some(done)
        })
    }
}

/// What `lab` says when it does not serve the site itself.
const TAKEN: &str = "is taken: what is served there is used";

/// Calls `lab` with a port that was free a moment ago, until it returns something: it is
/// to return nothing if another program took the port meanwhile.
fn on_a_free_port<T>(lab: impl Fn(u16) -> Option<T>) -> T {
    let port = || {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        listener.local_addr().expect("it is bound").port()
    };
    (0..10).find_map(|_| lab(port())).expect("not every port is taken at once")
}

/// What an example has printed in a real run.
fn stored(file: &str) -> String {
    let text = fs::read_to_string(root().join(file));
    normalise(&text.expect("it is stored beside the step"))
}

#[test]
fn every_step_is_listed_with_its_idea_below_its_chapter() {
    let reader = Reader::new();
    let all = step::all(root()).expect("they can be read");
    let listed = reader.run("step", &[]).left_with(0).out;
    for step in &all {
        let (name, idea) = (&step.name, &step.idea);
        let line = listed.lines().find(|line| line.contains(&format!(" {name} ")));
        assert!(line.is_some_and(|line| line.ends_with(idea)), "{name}: {listed}");
    }
    let chapters = listed.lines().filter(|line| line.starts_with("chapter "));
    let mut expected: Vec<u32> = all.iter().map(|step| step.chapter).collect();
    expected.dedup();
    assert_eq!(chapters.count(), expected.len());
    assert_eq!(reader.run("step", &["list"]).out, listed);
    let of_one = reader.run("step", &["list", "ch05"]).left_with(0).out;
    assert_eq!(reader.run("step", &["list", "5"]).out, of_one);
    let names = of_one.lines().filter_map(|line| line.split_whitespace().next());
    let names: Vec<&str> = names.filter(|name| name.starts_with("ch0")).collect();
    let all = all.iter().filter(|step| step.chapter == 5).map(|step| &*step.name);
    assert_eq!(names, all.collect::<Vec<_>>(), "{of_one}");
    for wrong in [&["99"][..], &["1", "2"]] {
        reader.run("step", &[&["list"], wrong].concat()).left_with(2);
    }
}

#[test]
fn a_step_is_run_by_its_name_whatever_its_package() {
    let reader = Reader::new();
    let first = reader.run("step", &["ch10_actors"]).left_with(0);
    let expected = stored("stage2-generators/examples/ch10_actors.out");
    assert_eq!(normalise(&first.out), expected);
    assert!(first.err.contains("--example ch10_actors"), "{first:#?}");
    let other = reader.run("step", &["ch20_reactor"]).left_with(0);
    let expected = stored("stage3-async/examples/ch20_reactor.out");
    assert_eq!(normalise(&other.out), expected);
}

#[test]
fn the_next_step_follows_the_last_that_was_run() {
    let reader = Reader::new();
    reader.run("step", &["ch10_round_robin"]).left_with(0);
    let listed = reader.run("step", &["list"]).out;
    assert!(listed.contains("→ ch10_actors "), "{listed}");
    let other = Reader::new().run("step", &["list"]).out;
    assert!(!other.contains("→ ch10_actors "), "the file of another reader: {other}");
    let next = reader.run("step", &["next"]).left_with(0);
    let expected = stored("stage2-generators/examples/ch10_actors.out");
    assert_eq!(normalise(&next.out), expected);
    reader.run("step", &["next", "next"]).left_with(2);
}

#[cfg(unix)]
#[test]
fn a_program_whose_reader_goes_away_ends_without_a_word() {
    let reader = Reader::new();
    for (program, arguments) in [
        ("step", &["ch01_without_sockets"][..]),
        ("step", &["list"]),
        ("lab", &["--help"]),
    ] {
        let (end, output) = std::io::pipe().expect("a pipe");
        drop(end);
        let mut command = reader.command(0, program, arguments);
        let running = programs::start_with(&mut command, output.into(), Stdio::piped());
        let done = running.wait().left_with(0);
        assert!(!done.err.contains("panicked"), "{done:#?}");
    }
}

#[test]
fn a_url_may_lack_its_scheme_and_what_is_none_is_told_in_words() {
    let reader = Reader::new();
    let step = reader.run_lab(&["ch02_blocking", "127.0.0.1:PORT/baz"]).left_with(0);
    assert!(step.out.starts_with("http://127.0.0.1:"), "{step:#?}");
    let wrong = reader.run("step", &["ch02_blocking", "ftp://x"]).left_with(1);
    assert!(wrong.err.contains("ftp:// is not crawled"), "{wrong:#?}");
}

#[test]
fn a_step_that_the_compiler_refuses_shows_its_error() {
    let reader = Reader::new();
    let refused = reader.run("step", &["ch05_captured_todo"]).left_with(1);
    assert!(refused.err.contains("error[E0499]"), "{refused:#?}");
}

#[test]
fn a_name_that_no_step_has_is_an_error() {
    let reader = Reader::new();
    for program in ["step", "lab"] {
        let unknown = reader.run(program, &["fetcher"]).left_with(2);
        assert!(unknown.err.contains("there are: ch05_fetcher"), "{unknown:#?}");
        assert_eq!(unknown.out, "");
    }
}

/// Runs `cargo show` with this typed: it waits for Enter as at a terminal.
fn show(arguments: &[&str], typed: &str) -> Finished {
    let arguments = [&["show", "--ask"], arguments].concat();
    let mut command = Reader::new().command(0, "step", &arguments);
    programs::run_with_input(&mut command, typed.as_bytes())
}

/// The executor's step, as it is shown: its command, and the output that is stored.
fn executor_shown() -> String {
    let stored =
        fs::read_to_string(root().join("stage3-async/examples/ch19_executor.out"));
    format!("$ cargo step ch19_executor\n{}", stored.expect("it is stored"))
}

#[test]
fn an_output_is_shown_a_line_for_each_enter() {
    let all = executor_shown();
    let lines = |count| all.split_inclusive('\n').take(count).collect::<String>();
    for (typed, count) in
        [("", 1), ("\n", 2), ("q\n", 1), ("\n\nq\n", 3), ("\n\n\n", 4)]
    {
        let shown = show(&["ch19_executor"], typed).left_with(0);
        assert_eq!(shown.out, lines(count), "{typed:?}");
    }
    for typed in ["a\n".to_string(), "\na\n".to_string(), "\n".repeat(50)] {
        let shown = show(&["ch19_executor"], &typed).left_with(0);
        assert_eq!(shown.out, all, "{typed:?}");
    }
}

#[test]
fn an_output_that_goes_to_no_terminal_is_shown_at_once() {
    let reader = Reader::new();
    let shown = reader.run("step", &["show", "ch19_executor"]).left_with(0);
    assert_eq!(shown.out, executor_shown());
    assert_eq!(show(&["--all", "ch19_executor"], "").out, executor_shown());
}

#[test]
fn a_run_of_the_book_is_shown_with_its_own_command() {
    let shown = show(&["introduction-five-at-once"], "").left_with(0);
    assert!(shown.out.starts_with("$ cargo lab stage3 --max-depth 1"), "{shown:#?}");
    assert_eq!(shown.out.lines().count(), 1);
}

#[test]
fn a_step_that_runs_now_is_shown_in_the_same_way() {
    let all = show(&["--live", "ch19_executor"], "a\n").left_with(0);
    assert_eq!(all.out, executor_shown());
    let some = show(&["--live", "ch19_executor"], "\nq\n").left_with(0);
    let lines: Vec<&str> = some.out.lines().collect();
    assert_eq!(lines, executor_shown().lines().take(2).collect::<Vec<_>>());
    let refused = show(&["--live", "ch05_captured_todo"], "a\n").left_with(1);
    assert!(refused.out.contains("error[E0499]"), "{refused:#?}");
}

/// The page takes a minute, and the step gives up with an error before: `q` and the end
/// of the input wait for neither.
#[test]
fn a_step_that_still_runs_is_ended() {
    let site = shared::demo_site::DemoSite::start().expect("a port is free");
    let slow = site.url("/slow/1?ms=60000");
    for typed in ["\nq\n", "\n"] {
        // Its first line is printed before it waits.
        let shown = show(&["--live", "ch03_spin", &slow], typed).left_with(0);
        assert_eq!(shown.out.lines().count(), 2, "{shown:#?}");
    }
    let ended = show(&["--live", "ch03_spin", &slow], "a\n").left_with(1);
    assert!(ended.out.contains("Error"), "{ended:#?}");
}

#[test]
fn what_cannot_be_shown_is_an_error_that_lists_similar_names() {
    let unknown = show(&["fetcher"], "").left_with(2);
    assert!(unknown.err.contains("no step or run is called"), "{unknown:#?}");
    assert!(unknown.err.contains("there are: ch05_fetcher"), "{unknown:#?}");
    let live = show(&["--live", "fetcher"], "").left_with(2);
    assert!(live.err.contains("there are: ch05_fetcher"), "{live:#?}");
    let arguments = show(&["ch04_selector", "http://127.0.0.1:1/"], "").left_with(2);
    assert!(arguments.err.contains("`--live`"), "{arguments:#?}");
    assert!(show(&[], "").left_with(0).out.starts_with("Usage: cargo show"));
}

#[test]
fn a_program_beside_the_site_meets_it_and_its_exit_code_is_passed_on() {
    let reader = Reader::new();
    let slow = "SITE/slow?count=2&ms=1";
    let report =
        reader.run_lab(&["stage1", "-q", "--max-depth=1", "--exclude=/$", slow]);
    assert!(report.left_with(0).out.contains("/slow/2?ms=1\n"));
    let missing = reader.run_lab(&["-q", "--check", "SITE/missing"]);
    assert!(missing.left_with(1).out.contains("404"));
    let step = reader.run_lab(&["ch02_blocking", "SITE/baz"]);
    assert!(step.left_with(0).out.contains("/baz"));
}

#[test]
fn a_site_that_is_served_already_is_used() {
    let reader = Reader::new();
    let site = shared::demo_site::DemoSite::start().expect("a port is free");
    let port = site.address().port();
    let crawl = ["stage2", "-q", "--max-depth=0", &site.url("/baz")];
    let crawl = reader.run_on(port, "lab", &crawl).left_with(0);
    assert!(crawl.err.contains(TAKEN), "{crawl:#?}");
    assert_eq!(site.requests("/baz"), 1);
}

#[test]
fn a_site_alone_on_a_port_that_is_taken_is_an_error() {
    let reader = Reader::new();
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
    let port = taken.local_addr().expect("it is bound").port();
    let error = reader.run_on(port, "lab", &[]).left_with(2).err;
    assert!(error.contains(&format!("127.0.0.1:{port} is taken")), "{error}");
    let error = reader.run("lab", &[]).left_with(2).err;
    assert!(error.contains("not a port"), "0 is no port to crawl: {error}");
}

#[test]
fn the_port_of_the_site_is_a_variable() {
    let reader = Reader::new();
    for option in [&["--port", "9000"][..], &["--port=9000"]] {
        let error = reader.run("lab", option).left_with(2).err;
        assert!(error.contains("LAB_PORT=N"), "{error}");
    }
    let mut command = reader.command(0, "lab", &["stage3", "--schema"]);
    let schema = programs::run(command.env("LAB_PORT", "")).left_with(0);
    assert!(
        schema.err.contains("127.0.0.1:8000"),
        "as if it were not set: {schema:#?}"
    );
}

/// The trace is a script beside the page, and the address of the page is printed, whether a
/// browser opens it or not.
#[test]
fn a_trace_is_put_beside_the_page_that_plays_it() {
    let folder = tempfile::tempdir().expect("a folder for this test");
    let [bin, book] = ["debug", "book"].map(|name| folder.path().join(name));
    for it in [&bin, &book] {
        fs::create_dir(it).expect("the folder is new");
    }
    // The program looks for the built book beside the folder in which it is.
    let lab = bin.join("lab").with_extension(std::env::consts::EXE_EXTENSION);
    fs::copy(programs::program("lab"), &lab).expect("it was built");
    fs::write(book.join("your-own-trace.html"), "").expect("the folder is here");
    let trace = folder.path().join("a \"trace\".jsonl");
    let text = "{\"trace\":1}\r\n\t\\ \u{2028} </script>\n";
    fs::write(&trace, text).expect("the folder is here");
    let play = |arguments: &[&std::ffi::OsStr]| {
        let mut command = Command::new(&lab);
        command.arg("play").args(arguments).env("BROWSER", "/no/such/browser");
        programs::run(&mut command)
    };
    let done = play(&[trace.as_os_str()]).left_with(0);
    assert!(done.out.contains("/book/your-own-trace.html#played"), "{done:#?}");
    assert!(done.out.starts_with("the trace is on file:///"), "{done:#?}");
    let script = fs::read_to_string(book.join("played.js")).expect("it was written");
    let value = script.strip_prefix("Player.played = ").expect("an assignment");
    let value: serde_json::Value =
        serde_json::from_str(value.trim_end().trim_end_matches(';')).expect("JSON");
    assert_eq!(value["text"], text);
    assert_eq!(value["name"], "a \"trace\".jsonl");
    let missing = play(&["no-such-file".as_ref()]).left_with(2);
    assert!(missing.err.contains("no-such-file: "), "{missing:#?}");
    let none = play(&[]).left_with(2);
    assert!(none.err.contains("`play` takes one file"), "{none:#?}");
}

/// Ctrl-C reaches both: the crawler prints its report, and only then the site ends.
#[cfg(unix)]
#[test]
fn an_interrupted_program_prints_its_report_beside_the_site() {
    use rustix::process::{Pid, Signal, kill_process_group};
    use std::os::unix::process::CommandExt;
    use std::time::Duration;
    let reader = Reader::new();
    programs::program("stage3-async"); // so that nothing is built meanwhile
    let running = on_a_free_port(|port| {
        let [quick, slow] = ["baz", "slow/1?ms=60000"]
            .map(|path| format!("http://127.0.0.1:{port}/{path}"));
        let arguments = ["stage3", "-v", "--max-depth=0", &quick, &slow];
        let mut command = reader.command(port, "lab", &arguments);
        let mut running = programs::start(command.process_group(0));
        // The quick page is there, and the crawl waits for the slow one.
        while !["ok 200 ", TAKEN].iter().any(|it| running.said().contains(it)) {
            let has_ended = running.ends_within(Duration::from_millis(1));
            assert!(!has_ended, "{}", running.said());
        }
        (!running.said().contains(TAKEN)).then_some(running)
    });
    let id = i32::try_from(running.id()).ok().and_then(Pid::from_raw);
    kill_process_group(id.expect("a process"), Signal::INT).expect("it runs still");
    let done = running.wait().left_with(130);
    assert!(done.out.contains("Interrupted"), "{done:#?}");
}
