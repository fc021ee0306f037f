//! Handles SIGINT and SIGTERM: the first one stops the crawl, a second one ends the
//! process.
//!
//! SIGHUP keeps its default action, which ends a program whose terminal has closed.
//! With `nohup` the program ignores the signal.

use crate::stop::Stop;
use std::io;
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// Added to the number of a signal to get the exit code.
const SIGNAL_EXIT_BASE: u8 = 128;
/// The exit code after SIGINT. Also after Ctrl-C on systems without signals.
const SIGINT_EXIT_CODE: u8 = SIGNAL_EXIT_BASE + 2;

/// How soon the same signal may be repeated without counting as a second one. Programs
/// such as `timeout` send a signal to a process and then to its group.
const REPEAT_WINDOW: Duration = Duration::from_millis(250);

/// The exit code of the signal that stopped the crawl; that of SIGINT before any
/// signal.
pub(super) struct Signals(Arc<AtomicU8>);

impl Signals {
    /// Starts to handle signals: the first one requests `stop`.
    ///
    /// # Errors
    /// The handler cannot be installed, or its thread cannot be started.
    pub(super) fn handle(stop: &Stop) -> io::Result<Signals> {
        let (stop, code) = (stop.clone(), Arc::new(AtomicU8::new(SIGINT_EXIT_CODE)));
        let signals = Signals(Arc::clone(&code));
        let mut first = None;
        on_signal(move |exit_code| {
            match effect(&mut first, exit_code, Instant::now()) {
                Effect::Stop => {
                    code.store(exit_code, SeqCst);
                    stop.request();
                }
                Effect::Exit => exit(i32::from(exit_code)),
                Effect::Nothing => {}
            }
        })?;
        Ok(signals)
    }

    /// Returns the exit code of a crawl that was interrupted.
    pub(super) fn exit_code(&self) -> u8 {
        self.0.load(SeqCst)
    }
}

/// The effect of a signal.
#[derive(Debug, PartialEq, Eq)]
enum Effect {
    /// Stop the crawl, and print its report.
    Stop,
    /// End the process at once.
    Exit,
    Nothing,
}

/// Returns the effect of a signal that arrives `now`. `first` holds the first signal
/// and its time. It is `None` until the first call, which sets it.
fn effect(first: &mut Option<(u8, Instant)>, code: u8, now: Instant) -> Effect {
    match *first {
        Some((known, at)) if known == code && now - at < REPEAT_WINDOW => {
            Effect::Nothing
        }
        Some(_) => Effect::Exit,
        None => {
            *first = Some((code, now));
            Effect::Stop
        }
    }
}

/// Starts a thread that calls `handler` at each signal, with the exit code of the
/// signal.
#[cfg(unix)]
fn on_signal(mut handler: impl FnMut(u8) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    let each = move || signals.forever().for_each(|signal| handler(code_of(signal)));
    std::thread::Builder::new().name("signals".to_string()).spawn(each)?;
    Ok(())
}

#[cfg(unix)]
fn code_of(signal: i32) -> u8 {
    u8::try_from(signal)
        .map_or(SIGINT_EXIT_CODE, |number| SIGNAL_EXIT_BASE.saturating_add(number))
}

/// Calls `handler` at Ctrl-C, and when the console is closed.
#[cfg(not(unix))]
fn on_signal(mut handler: impl FnMut(u8) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || handler(SIGINT_EXIT_CODE)).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_signal_twice_at_once_is_one_and_any_other_second_one_ends_it() {
        const SIGTERM_EXIT_CODE: u8 = SIGNAL_EXIT_BASE + 15;
        let (at, soon) = (Instant::now(), REPEAT_WINDOW - Duration::from_nanos(1));
        for (code, after, expected) in [
            (SIGINT_EXIT_CODE, Duration::ZERO, Effect::Nothing),
            (SIGINT_EXIT_CODE, soon, Effect::Nothing),
            (SIGINT_EXIT_CODE, REPEAT_WINDOW, Effect::Exit),
            (SIGTERM_EXIT_CODE, Duration::ZERO, Effect::Exit),
        ] {
            let mut first = None;
            assert_eq!(effect(&mut first, SIGINT_EXIT_CODE, at), Effect::Stop);
            assert_eq!(effect(&mut first, code, at + after), expected, "{after:?}");
        }
    }
}
