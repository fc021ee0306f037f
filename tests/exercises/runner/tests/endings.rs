//! Whatever a solution does, the runner says clearly what came of it, and goes on.

mod common;

use common::{Folder, LEAF, PATIENT};
use runner::commands::{Outcome, on_threads};
use runner::run::{Failure, How, Verdict};
use runner::together::Together;

/// For what must hang.
const IMPATIENT: u64 = 3;

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

/// The name of the first case.
const FIRST: &str = "a number that is there is taken at once";
/// No case has begun.
const NONE: &str = "";

/// What a solution does, and what must be said about it.
struct Ending {
    what: &'static str,
    text: String,
    expected: Expected,
}

enum Expected {
    Holds,
    /// It ends like this, in this case.
    Ends(How, &'static str),
    /// These are the reasons.
    Why(How, &'static [&'static str]),
    /// It panics with "first", in this line of its file.
    At(u32),
    /// It has printed these lines.
    Printed(&'static [&'static str]),
}

use Expected::{At, Ends, Holds, Printed, Why};

fn endings() -> Vec<Ending> {
    let ending = |what, text, expected| Ending { what, text, expected };
    let deliver = |what, code: &str, expected| ending(what, in_deliver(code), expected);
    let before =
        |what, code: &str, expected| ending(what, before_the_check(code), expected);
    vec![
        deliver("a case loops", "loop {}", Ends(How::Hung, FIRST)),
        before("it loops before the check", "loop {}", Ends(How::Hung, NONE)),
        // It would print for days before it has printed too much.
        before(
            "it prints now and then before the check",
            "while true { println!(\"here\");
            std::thread::sleep(std::time::Duration::from_millis(100)); }",
            Ends(How::Hung, NONE),
        ),
        deliver(
            "a thread panics and leaves others waiting",
            "let (sender, receiver) = std::sync::mpsc::channel::<()>();
            std::thread::spawn(|| panic!(\"here\"));
            receiver.recv().unwrap();
            drop(sender);",
            Why(How::Hung, &["here"]),
        ),
        deliver(
            "calls are nested without end",
            "fn nest(n: u64) -> u64 { if n == 0 { 0 } else { 1 + nest(n + 1) } }
            std::hint::black_box(nest(1));",
            Ends(How::Overflowed, FIRST),
        ),
        deliver(
            "it prints without end",
            "loop { println!(\"again\") }",
            Ends(How::Flooded, FIRST),
        ),
        deliver(
            "it prints a line without end",
            "loop { eprint!(\"without a line end \") }",
            Ends(How::Flooded, FIRST),
        ),
        deliver(
            "it prints blanks without end",
            "loop { print!(\"      \") }",
            Ends(How::Flooded, FIRST),
        ),
        // The report that follows in this line is a report all the same.
        deliver(
            "it prints a long line before it panics",
            "print!(\"{}\", \"x\".repeat(65_528)); panic!(\"first\");",
            At(37),
        ),
        deliver(
            "it leaves a case with success",
            "std::process::exit(0);",
            Ends(How::Left, FIRST),
        ),
        before(
            "it leaves with success before the check",
            "std::process::exit(0);",
            Ends(How::Left, NONE),
        ),
        ending(
            "it only says that all cases hold",
            "//! No check.\nfn main() { println!(\"all 6 cases hold\") }\n".into(),
            Ends(How::Left, NONE),
        ),
        deliver("it aborts", "std::process::abort();", Ends(How::Aborted, FIRST)),
        deliver(
            "it panics during a panic",
            "struct Bad;
            impl Drop for Bad { fn drop(&mut self) { panic!(\"second\") } }
            let _bad = Bad;
            panic!(\"first\");",
            At(40),
        ),
        deliver(
            "it catches a panic",
            "std::panic::catch_unwind(|| panic!(\"caught\")).unwrap_err();",
            Holds,
        ),
        deliver(
            "it catches a panic before another one",
            "std::panic::catch_unwind(|| panic!(\"caught\")).unwrap_err();
            panic!(\"not caught\");",
            Why(How::Panicked, &["not caught"]),
        ),
        deliver(
            "it passes on the panic of another thread",
            "std::thread::spawn(|| panic!(\"there\")).join().unwrap();",
            Why(How::Panicked, &["there"]),
        ),
        deliver(
            "it has a hole",
            "if true { todo!(\"store it\") }",
            Why(How::Todo, &["store it"]),
        ),
        deliver("it prints a line that does not end", "print!(\"here\");", Holds),
        deliver(
            "it prints before it panics",
            "print!(\"here\"); eprintln!(\"there\"); panic!();",
            Printed(&["here", "there"]),
        ),
        #[cfg(target_os = "linux")]
        deliver(
            "it takes all memory",
            "let mut all: Vec<Vec<u8>> = Vec::new();
            while true { all.push(vec![0; 1 << 20]) }",
            Ends(How::OutOfMemory, FIRST),
        ),
    ]
}

/// Returns whether a verdict is the expected one.
fn is_right(expected: &Expected, verdict: &Verdict) -> bool {
    let of = |failure: &Failure| match expected {
        Holds => false,
        Ends(how, case) => (failure.how, failure.case.as_str()) == (*how, *case),
        Why(how, why) => failure.how == *how && failure.why == *why,
        At(line) => {
            let at = failure.at.as_deref().unwrap_or_default();
            failure.how == How::Panicked
                && failure.why == ["first"]
                && at.ends_with(&format!(".rs:{line}"))
        }
        Printed(lines) => {
            let mut printed = failure.printed.clone();
            printed.sort();
            printed == *lines
        }
    };
    verdict.failure.as_ref().map_or(matches!(expected, Holds), of)
}

/// All of them are one program, and run side by side.
#[test]
fn whatever_a_solution_does_it_is_said_what_that_is() {
    let endings = endings();
    let texts: Vec<&str> = endings.iter().map(|it| it.text.as_str()).collect();
    let library = Folder::new().desk().library().expect("the checks compile");
    let program = Together::compile(&library, "endings", &texts).expect("it compiles");
    let verdicts = on_threads(endings.len(), endings.len(), |number| {
        let hangs =
            matches!(endings[number].expected, Ends(How::Hung, _) | Why(How::Hung, _));
        let seconds = if hangs { IMPATIENT } else { PATIENT };
        program.run(number, seconds).expect("it can be run")
    });
    for (ending, verdict) in endings.iter().zip(verdicts) {
        assert!(is_right(&ending.expected, &verdict), "{}: {verdict:#?}", ending.what);
    }
}

#[test]
fn a_file_with_the_line_ends_of_windows_passes() {
    let text = LEAF.replace('\n', "\r\n");
    assert!(Folder::new().outcome("leaf", &text).holds());
}

#[test]
fn unsafe_code_is_refused() {
    let outcome = Folder::new().outcome("leaf", &in_deliver("unsafe {}"));
    assert!(matches!(outcome, Outcome::Refused(_)));
    // Among the variants of an exercise, too.
    let library = Folder::new().desk().library().expect("the checks compile");
    let texts = [LEAF.as_str(), &in_deliver("unsafe {}")];
    assert!(Together::compile(&library, "unsafe", &texts).is_err());
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

#[test]
fn a_panic_of_the_checks_names_the_line_that_led_to_it() {
    let solution =
        include_str!("../../../../stage3-async/exercises/small_frame/solution.rs");
    let text = runner::holes::filled(solution).expect("its marks are right");
    let text = text.replace("page.arrives().await;", "");
    let line = text.lines().position(|line| line.contains("page.read()")).unwrap() + 1;
    let Outcome::Ran(verdict, _) = Folder::new().outcome("small_frame", &text) else {
        panic!("it compiles")
    };
    let failure = verdict.failure.expect("nothing has arrived");
    assert_eq!(failure.why, ["it reads, and nothing has arrived"]);
    let at = failure.at.expect("the learner's file has called `read`");
    assert!(at.ends_with(&format!("small_frame.rs:{line}")), "{at}, not {line}");
}
