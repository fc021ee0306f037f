//! Whatever a solution does, the runner says clearly what came of it, and goes on.

mod common;

use common::{Folder, LEAF};
use runner::commands::Outcome;
use runner::run::{How, Verdict};

/// Returns how the program ends, and in which case.
fn ending(text: &str) -> (How, String) {
    match Folder::new().outcome("leaf", text) {
        Outcome::Ran(Verdict { failure: Some(failure), .. }, _) => {
            (failure.how, failure.case)
        }
        Outcome::Ran(..) => panic!("it passes"),
        Outcome::Refused(errors) => panic!("it does not compile: {errors}"),
    }
}

/// Returns why the program fails.
fn why(text: &str) -> Vec<String> {
    let outcome = Folder::new().outcome("leaf", text);
    let Outcome::Ran(verdict, _) = outcome else { panic!("it does not compile") };
    verdict.failure.expect("it fails").why
}

/// The solution of `leaf`, with this code where a number is delivered.
fn in_deliver(code: &str) -> String {
    let line = "        slot.number = Some(number);\n";
    assert_eq!(LEAF.matches(line).count(), 1);
    LEAF.replace(line, &format!("{line}        {code}\n"))
}

/// The solution of `leaf`, with this code before the check.
fn before_the_check(code: &str) -> String {
    let line = "    checks::leaf::check::<Mine>()\n";
    assert_eq!(LEAF.matches(line).count(), 1);
    LEAF.replace(line, &format!("    {code}\n{line}"))
}

const FIRST: &str = "a number that is there is taken at once";

#[test]
fn a_right_solution_passes_though_its_folder_has_a_blank() {
    let folder = Folder::new();
    assert!(folder.path().to_string_lossy().contains("a folder"));
    assert!(folder.outcome("leaf", LEAF).holds());
}

#[test]
fn a_file_with_the_line_ends_of_windows_passes() {
    let text = LEAF.replace('\n', "\r\n");
    assert!(Folder::new().outcome("leaf", &text).holds());
}

#[test]
fn a_file_that_does_not_compile_is_refused_with_its_line() {
    let outcome =
        Folder::new().outcome("leaf", &in_deliver("let number: u32 = \"seven\";"));
    let Outcome::Refused(errors) = outcome else { panic!("it compiles") };
    assert!(errors.contains("leaf.rs:37"), "{errors}");
}

#[test]
fn unsafe_code_is_refused() {
    let outcome = Folder::new().outcome("leaf", &in_deliver("unsafe {}"));
    assert!(matches!(outcome, Outcome::Refused(_)));
}

#[test]
fn a_case_that_loops_hangs() {
    assert_eq!(ending(&in_deliver("loop {}")), (How::Hung, FIRST.into()));
}

#[test]
fn a_program_that_loops_before_the_check_hangs_before_the_first_case() {
    assert_eq!(
        ending(&before_the_check("#[allow(unused)] loop {}")),
        (How::Hung, "".into())
    );
}

#[test]
fn a_program_that_prints_now_and_then_hangs_all_the_same() {
    // It would print for days before it has printed too much.
    let code = "while true { println!(\"here\"); \
                std::thread::sleep(std::time::Duration::from_millis(100)); }";
    assert_eq!(ending(&before_the_check(code)), (How::Hung, "".into()));
}

#[test]
fn a_thread_that_panics_and_leaves_others_waiting_is_named() {
    let code = "let (sender, receiver) = std::sync::mpsc::channel::<()>();
        std::thread::spawn(|| panic!(\"here\"));
        receiver.recv().unwrap();
        drop(sender);";
    let Outcome::Ran(verdict, _) = Folder::new().outcome("leaf", &in_deliver(code))
    else {
        panic!("it does not compile")
    };
    let failure = verdict.failure.expect("it hangs");
    assert_eq!((failure.how, &failure.why[..]), (How::Hung, &["here".to_string()][..]));
}

#[test]
fn calls_that_are_nested_without_end_are_named() {
    let code = "fn nest(n: u64) -> u64 { if n == 0 { 0 } else { 1 + nest(n + 1) } }
        std::hint::black_box(nest(1));";
    assert_eq!(ending(&in_deliver(code)), (How::Overflowed, FIRST.into()));
}

#[test]
fn a_program_that_prints_without_end_is_stopped() {
    let (how, _) = ending(&in_deliver("loop { println!(\"again\") }"));
    assert_eq!(how, How::Flooded);
    let (how, _) = ending(&in_deliver("loop { eprint!(\"without a line end \") }"));
    assert_eq!(how, How::Flooded);
}

#[test]
fn a_program_that_leaves_with_success_has_not_passed() {
    let exit = "std::process::exit(0);";
    assert_eq!(ending(&in_deliver(exit)), (How::Left, FIRST.into()));
    assert_eq!(ending(&before_the_check(exit)), (How::Left, "".into()));
    assert_eq!(
        ending("fn main() { println!(\"all 6 cases hold\") }"),
        (How::Left, "".into())
    );
}

#[test]
fn a_process_that_aborts_is_named_with_its_case() {
    assert_eq!(
        ending(&in_deliver("std::process::abort();")),
        (How::Aborted, FIRST.into())
    );
}

#[test]
fn a_panic_during_a_panic_reports_the_first_one() {
    let code = "struct Bad;
        impl Drop for Bad { fn drop(&mut self) { panic!(\"second\") } }
        let _bad = Bad;
        panic!(\"first\");";
    let Outcome::Ran(verdict, _) = Folder::new().outcome("leaf", &in_deliver(code))
    else {
        panic!("it does not compile")
    };
    let failure = verdict.failure.expect("it panics");
    assert_eq!(
        (failure.how, &failure.why[..]),
        (How::Panicked, &["first".to_string()][..])
    );
    assert!(failure.at.is_some_and(|at| at.ends_with("leaf.rs:40")));
}

#[test]
fn a_panic_that_was_caught_is_not_the_reason() {
    let code = "std::panic::catch_unwind(|| panic!(\"caught\")).unwrap_err();";
    assert!(Folder::new().outcome("leaf", &in_deliver(code)).holds());
    let code = format!("{code} panic!(\"not caught\");");
    assert_eq!(why(&in_deliver(&code)), ["not caught"]);
}

#[test]
fn the_panic_of_another_thread_is_the_reason() {
    let code = "std::thread::spawn(|| panic!(\"there\")).join().unwrap();";
    assert_eq!(why(&in_deliver(code)), ["there"]);
}

#[test]
fn a_hole_is_no_failure_but_the_learners() {
    let code = "todo!(\"store it\");";
    let text =
        in_deliver(code).replace("impl Delivery", "#[allow(unused)]\nimpl Delivery");
    assert_eq!(ending(&text), (How::Todo, FIRST.into()));
}

#[test]
fn what_a_solution_prints_is_shown_and_does_not_disturb_the_report() {
    let text = in_deliver("print!(\"no line end\");");
    assert!(Folder::new().outcome("leaf", &text).holds());
    let text = in_deliver("print!(\"here\"); eprintln!(\"there\"); panic!();");
    let Outcome::Ran(verdict, _) = Folder::new().outcome("leaf", &text) else {
        panic!("it does not compile")
    };
    let mut printed = verdict.failure.expect("it panics").printed;
    printed.sort();
    assert_eq!(printed, ["here", "there"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_takes_all_memory_is_named() {
    let code = "let mut all: Vec<Vec<u8>> = Vec::new();
        while true { all.push(vec![0; 1 << 20]) }";
    assert_eq!(ending(&in_deliver(code)), (How::OutOfMemory, FIRST.into()));
}

/// The solution starts itself again; what it has started connects, and never ends.
#[cfg(unix)]
#[test]
fn what_a_program_has_started_ends_with_it() {
    use std::io::Read;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    let code = format!(
        "if std::env::args().count() > 1 {{
            let _kept = std::net::TcpStream::connect(\"{address}\").unwrap();
            println!(\"connected\");
            while true {{ std::thread::park() }}
        }}
        let me = std::env::current_exe().unwrap();
        let mut again = std::process::Command::new(me);
        let pipe = std::process::Stdio::piped();
        let again = again.arg(\"again\").stdout(pipe).spawn().unwrap();
        let mut word = [0; 9];
        std::io::Read::read_exact(&mut again.stdout.unwrap(), &mut word).unwrap();"
    );
    let outcome = Folder::new().outcome("leaf", &before_the_check(&code));
    assert!(outcome.holds());
    let (mut stream, _) = listener.accept().expect("it has connected");
    // Only where it runs on is so long a time needed.
    let limit = std::time::Duration::from_secs(100);
    stream.set_read_timeout(Some(limit)).expect("it is not zero");
    let end = stream.read(&mut [0]);
    let is_reset =
        |it: &std::io::Error| it.kind() == std::io::ErrorKind::ConnectionReset;
    assert!(end.as_ref().map_or_else(is_reset, |count| *count == 0), "{end:?}");
}
