//! Ends a suite that hangs.
//!
//! A crawler whose loop is broken mostly hangs, and in most cases. So the first case
//! that takes longer than the suite's patience ends the whole process, with the name of
//! the case. `PATIENCE=5` in the environment sets that time in seconds.

use crate::processes;
use libtest_mimic::Trial;
use std::cell::Cell;
use std::io::Write;
use std::panic::resume_unwind;
use std::process;
use std::sync::LazyLock;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Far more than any case needs, on any machine.
const DEFAULT_PATIENCE: Duration = Duration::from_secs(400);
/// What a process of cargo's own test harness exits with when a test has failed.
const FAILED: i32 = 101;

/// What a thread under a watchdog unwinds with when it has waited for too long: the
/// reason.
struct Hang(String);

thread_local! {
    /// Whether this thread runs a case under a watchdog.
    static IS_WATCHED: Cell<bool> = const { Cell::new(false) };
}

/// How long a case may take: `PATIENCE` seconds, or else 400. A `PATIENCE` that is not
/// a positive number ends the process.
pub fn patience() -> Duration {
    static PATIENCE: LazyLock<Duration> = LazyLock::new(|| {
        let Ok(text) = std::env::var("PATIENCE") else { return DEFAULT_PATIENCE };
        let seconds = text.parse().ok().filter(|seconds| *seconds > 0.0);
        let time = seconds.and_then(|it: f64| Duration::try_from_secs_f64(it).ok());
        time.unwrap_or_else(|| exit(&format!("PATIENCE={text} is no time in seconds")))
    });
    *PATIENCE
}

/// How long anything inside of a case may be waited for. This is shorter than the
/// patience, so that the helper that waits can say what it waits for.
pub fn limit() -> Duration {
    patience() * 3 / 4
}

/// Ends the case because something has not happened in time. Under a watchdog this ends
/// the suite, too.
///
/// # Panics
/// Always.
pub fn hangs(why: String) -> ! {
    if IS_WATCHED.get() {
        resume_unwind(Box::new(Hang(why))); // the watchdog prints it, with the case's name
    }
    panic!("{why}")
}

/// A test of libtest-mimic, under a watchdog.
pub fn trial(name: String, test: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name.clone(), move || guard(&name, test).map_err(Into::into))
}

/// Runs the body of a `#[test]` under a watchdog.
///
/// # Panics
/// The test panicked.
pub fn run(test: impl FnOnce() + Send + 'static) {
    let thread = thread::current();
    if let Err(why) = guard(thread.name().unwrap_or("a test"), test) {
        resume_unwind(Box::new(why)); // its text has been printed
    }
}

/// How a test ends that does not pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bad {
    /// It panicked, with this text.
    Panicked(String),
    /// It has not ended in time, for this reason. Its thread still runs.
    Hung(String),
}

/// Runs `test` on a thread of its own. Where it hangs, this does not return: it ends
/// the process.
///
/// # Errors
/// The text of the panic with which the test ended.
pub fn guard(name: &str, test: impl FnOnce() + Send + 'static) -> Result<(), String> {
    watch(name, test).map_err(|bad| match bad {
        Bad::Panicked(text) => text,
        Bad::Hung(why) => give_up(name, &why),
    })
}

/// Runs `test` on a thread of its own, for no longer than the patience.
///
/// # Errors
/// It panicked, or it hangs.
pub fn watch(name: &str, test: impl FnOnce() + Send + 'static) -> Result<(), Bad> {
    let (done, is_done) = channel();
    // The name is printed with a panic.
    let thread = thread::Builder::new().name(name.to_string());
    let thread = thread.spawn(move || {
        IS_WATCHED.set(true);
        test();
        // After its time the watchdog may have stopped listening.
        done.send(()).ok();
    });
    let thread = thread.expect("there are threads left");
    let panic = match is_done.recv_timeout(patience()) {
        Ok(()) => return Ok(()),
        Err(RecvTimeoutError::Timeout) => {
            return Err(Bad::Hung("it is still running".into()));
        }
        Err(RecvTimeoutError::Disconnected) => {
            thread.join().expect_err("it ended without being done")
        }
    };
    if let Some(Hang(why)) = panic.downcast_ref() {
        return Err(Bad::Hung(why.clone()));
    }
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or(panic.downcast_ref::<&str>().map(|text| text.to_string()));
    Err(Bad::Panicked(text.unwrap_or("panicked".to_string())))
}

/// Ends the process, and with it all programs that it has started.
fn give_up(name: &str, why: &str) -> ! {
    processes::kill_all();
    let limit = patience();
    exit(&format!(
        "\n{name} hangs: {why}.\n\
         The suite ends here. A case may take {limit:?}; PATIENCE=SECONDS sets that."
    ))
}

/// Ends the process with a last word.
fn exit(why: &str) -> ! {
    // Not by a macro: those print into the output of a test, which would be lost.
    writeln!(std::io::stderr(), "{why}").ok();
    process::exit(FAILED)
}
