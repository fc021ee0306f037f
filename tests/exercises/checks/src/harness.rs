//! Runs the cases of an exercise, each on a thread of its own with a watchdog beside it,
//! up to the first that fails.
//!
//! The runner sets `EXERCISE_REPORT` to a random word. Each line of the report then begins
//! with it, so that what a solution prints is no part of the report, and a solution that
//! leaves with `exit(0)` has not passed.

use crate::story;
use std::any::Any;
use std::backtrace::Backtrace;
use std::panic::{self, AssertUnwindSafe, Location, PanicHookInfo};
use std::path::Path;
use std::process::{self, ExitCode};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// A case: its name as a function, and the function, which panics if it does not hold.
pub type Case = (&'static str, fn());

/// Makes the function `check` of an exercise: the trait, and its cases in the order in
/// which they run. Each case is a generic function of the learner's type.
#[macro_export]
macro_rules! cases {
    ($trait:ident: $($case:ident),+ $(,)?) => {
        /// Runs the cases with your type, up to the first that fails.
        #[track_caller]
        pub fn check<Mine: $trait>() -> std::process::ExitCode {
            $crate::run(&[$((stringify!($case), $case::<Mine> as fn())),+])
        }
    };
}

/// The panics of the case that runs, on any thread, with those that were caught.
static PANICS: Mutex<Vec<Panic>> = Mutex::new(Vec::new());

/// The most panics that are kept.
const MOST: usize = 100;

#[derive(Clone, Default)]
struct Panic {
    text: String,
    /// Its line, if it is in the learner's file.
    line: Option<u32>,
    /// The calls that led to it.
    calls: Option<Arc<Backtrace>>,
}

impl Panic {
    /// Returns the lines of the learner's file that have led to it, the innermost first.
    fn lines_in(&self, own: &str) -> Vec<u32> {
        // `#`: with whole paths, and not as seen from the current folder.
        let calls = self.calls.as_ref().map_or(String::new(), |it| format!("{it:#}"));
        let places = calls.lines().filter_map(|line| line.trim().strip_prefix("at "));
        let lines = places.filter_map(|place| {
            let mut parts = place.rsplitn(3, ':');
            let (_column, line, file) = (parts.next()?, parts.next()?, parts.next()?);
            if Path::new(file).ends_with(own) { line.parse().ok() } else { None }
        });
        let mut lines: Vec<u32> = self.line.into_iter().chain(lines).collect();
        lines.dedup();
        lines
    }

    /// Returns whether its thread has waited for a lock.
    fn is_in_lock(&self) -> bool {
        let calls = self.calls.as_ref();
        calls.is_some_and(|it| it.to_string().contains("orders::mutex::Mutex"))
    }
}

fn panics() -> MutexGuard<'static, Vec<Panic>> {
    PANICS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs the cases one after the other, up to the first that fails.
///
/// `check` is called from the learner's file: that is how a panic in this file is told from
/// one in a case.
#[track_caller]
pub fn run(cases: &[Case]) -> ExitCode {
    let mark = std::env::var("EXERCISE_REPORT").ok();
    let report = Report { mark, file: Location::caller().file(), total: cases.len() };
    let report_of_hook = report.clone();
    panic::set_hook(Box::new(move |info| on_panic(info, &report_of_hook)));
    for (number, (function, case)) in cases.iter().enumerate() {
        let name = function.replace('_', " ");
        report.line("case", &name);
        story::begin();
        panics().clear();
        *current() = (number, name.clone());
        if let Err(failure) = run_case(*case) {
            report.failure(&failure);
            return ExitCode::FAILURE;
        }
        report.line("held", &name);
    }
    report.line("end", &format!("{0} {0}", cases.len()));
    ExitCode::SUCCESS
}

/// The case that runs: its number from 0, and its name.
static CURRENT: Mutex<(usize, String)> = Mutex::new((0, String::new()));

fn current() -> MutexGuard<'static, (usize, String)> {
    CURRENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps the panics of a case. One that reaches a destructor during another panic
/// is about to abort the process: then the first one is reported from here.
fn on_panic(info: &PanicHookInfo<'_>, report: &Report) {
    let text = text_of(info.payload());
    let own = info.location().filter(|it| it.file() == report.file);
    let line = own.map(|it| it.line());
    let is_abort = text.contains("cannot unwind") || text.contains("during cleanup");
    if is_abort {
        let first = panics().first().cloned().unwrap_or_default();
        report.failure(&Failure::Panicked(first));
        process::exit(1);
    }
    let mut panics = panics();
    if panics.len() < MOST {
        let calls = Some(Arc::new(Backtrace::force_capture()));
        panics.push(Panic { text, line, calls });
    }
}

/// Returns what a panic says. (`payload_as_str` asks for a newer Rust.)
fn text_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or(payload.downcast_ref::<&str>().copied());
    text.unwrap_or("it panics").to_string()
}

/// Returns the panic that has ended a case, with its place; but if that only passes on
/// what another thread has panicked with, the first one.
fn cause(text: &str) -> Panic {
    let panics = panics();
    let is_passed_on = text.ends_with("Any { .. }");
    let own = panics.iter().rfind(|it| it.text == text && !is_passed_on);
    own.or(panics.first()).cloned().unwrap_or_default()
}

/// Why a case does not hold.
enum Failure {
    Panicked(Panic),
    /// It was not done in time. A panic that left others waiting is its cause.
    Hung(Option<Panic>),
}

fn run_case(case: fn()) -> Result<(), Failure> {
    let (sender, receiver) = channel();
    thread::spawn(move || sender.send(panic::catch_unwind(case)));
    match receiver.recv_timeout(patience()) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(payload)) => Err(Failure::Panicked(cause(&text_of(&*payload)))),
        Err(_) => Err(Failure::Hung(panics().first().cloned())),
    }
}

/// How long a case may take. No right solution comes near it: only hangs are timed.
fn patience() -> Duration {
    let seconds = std::env::var("EXERCISE_SECONDS").ok().and_then(|it| it.parse().ok());
    Duration::from_secs(seconds.unwrap_or(5))
}

/// Returns the value of a panic that a case asks for, or `None` if `action` returns.
pub fn expect_panic(action: impl FnOnce()) -> Option<Box<dyn Any + Send>> {
    let result = panic::catch_unwind(AssertUnwindSafe(action));
    if result.is_err() {
        panics().pop();
    }
    result.err()
}

/// Where the report goes: to the runner, or to the terminal, if the program was started by hand.
#[derive(Clone)]
struct Report {
    mark: Option<String>,
    /// The learner's file, as the compiler knows it.
    file: &'static str,
    /// How many cases there are.
    total: usize,
}

impl Report {
    fn line(&self, kind: &str, text: &str) {
        match (&self.mark, kind) {
            (Some(mark), _) => println!("{mark} {kind} {text}"),
            (None, "case") => {}
            (None, "how") if text == "hung" => {
                println!("        It is not done in time.")
            }
            (None, "how") => {}
            (None, "held") => println!("  ok    {text}"),
            (None, "failed") => println!("  FAIL  {text}"),
            (None, "end") => {
                let (held, total) = text.split_once(' ').unwrap_or_default();
                println!("{held} of {total} cases hold");
            }
            (None, "story") => println!("          {text}"),
            (None, _) => println!("        {text}"),
        }
    }

    fn failure(&self, failure: &Failure) {
        let (number, name) = &*current();
        let (kind, panic) = match failure {
            Failure::Panicked(panic) => ("panicked", Some(panic)),
            Failure::Hung(panic) => ("hung", panic.as_ref()),
        };
        self.line("failed", name);
        self.line("how", kind);
        let story = story::lines();
        let last = story.last().map_or("", String::as_str);
        let lines = panic.map_or(Vec::new(), |panic| panic.lines_in(self.file));
        if let Some(panic) = panic {
            explain(panic, last).iter().for_each(|line| self.line("why", line));
            // Of a `RefCell`.
            let held = ["already borrowed", "already mutably borrowed"];
            let is_held =
                held.iter().any(|it| panic.text.contains(it)) || panic.is_in_lock();
            if let (true, [_, outer, ..]) = (is_held, &lines[..]) {
                let why = format!(
                    "Line {outer} led to it: what is borrowed or locked there?"
                );
                self.line("why", &why);
            }
        }
        if let Some(line) = lines.first() {
            self.line("at", &format!("{}:{line}", self.file));
        }
        for line in story {
            self.line("story", &line);
        }
        self.line("end", &format!("{number} {}", self.total));
    }
}

/// Returns whether an `assert!` without a message has failed, which ends like this.
fn is_poll(text: &str, end: &str) -> bool {
    text.starts_with("assertion failed: ") && text.ends_with(end)
}

/// Returns what the last line of the story is about, if that ends with this value: it is
/// the name of a value that an assertion without a message has found.
fn named(last: &str, value: &str) -> String {
    match last.strip_suffix(value).map(|it| it.trim().trim_end_matches(':')) {
        Some(name) if !name.is_empty() => name.into(),
        _ => "This is not what the case expects.".into(),
    }
}

/// Returns the lines of a panic's message. What loom says is said in our words. `last` is
/// the last line of the story.
fn explain(panic: &Panic, last: &str) -> Vec<String> {
    let text = &*panic.text;
    let poll = if last.contains(": Ready") || last.contains(": Pending") {
        last.split(": ").next().unwrap_or_default().trim()
    } else {
        "`poll`"
    };
    let message = if text.starts_with("deadlock; threads") {
        let rest = match panic.is_in_lock() {
            true => {
                "It waits for a lock that is held, maybe by itself: a guard in the head of a \
                 `while let`, an `if let` or a `match` lives until the end of its block."
            }
            false => "Which wake-up was lost, or which lock is never released?",
        };
        &format!(
            "In one of the orders in which the threads can run, all of them wait, and no \
             thread is left to wake another. {rest}"
        )
    } else if text.contains("expected to be able to acquire lock") {
        "A lock or an atomic of an earlier order is used again: it must not be a `static`."
    } else if text.contains("exceeded maximum number of branches") {
        "In one of the orders in which the threads can run, a thread goes round and round \
         and never waits: it spins."
    } else if is_poll(text, ".is_pending()") {
        &format!("{poll}: it is ready, and must be pending here.")
    } else if is_poll(text, ".is_ready()") {
        &format!("{poll}: it is pending, and must be ready here.")
    } else {
        // What `assert_eq!` says: a case has what it found first, and then what is right.
        // `assert_ne!` says the same value twice, and the second one is not right.
        let text = match text.strip_prefix("assertion `left != right` failed") {
            Some(rest) => {
                let found = rest.split_once("\n right: ").map_or(rest, |it| it.0);
                match found.strip_prefix(": ") {
                    Some(found) => found.to_string(),
                    None => format!("This must not be.{found}"),
                }
            }
            None => text.to_string(),
        };
        // The runner says the rest in our words. By hand, std's words stay.
        let text = match text.strip_prefix("assertion `left == right` failed\n  left: ")
        {
            Some(values) => {
                let found = values.split("\n right: ").next().unwrap_or_default();
                format!("{}\n  left: {values}", named(last, found))
            }
            None => text,
        };
        return text.lines().map(String::from).collect();
    };
    vec![message.into()]
}
