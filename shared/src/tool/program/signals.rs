//! SIGINT and SIGTERM: the first one stops the crawl, a later one ends the process.
//!
//! SIGHUP is left alone: it ends a program whose terminal is gone, unless `nohup` has the
//! program ignore it.

use crate::stop::Stop;
use std::io;
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// The exit code after a signal is this and the signal's number.
const BY_SIGNAL: u8 = 128;
/// The exit code after SIGINT, and after Ctrl-C where there are no signals.
const BY_SIGINT: u8 = BY_SIGNAL + 2;

/// The same signal within this time after the first one is not a second one: programs such
/// as `timeout` send it to a process, and then to its group.
const SAME_SIGNAL: Duration = Duration::from_millis(250);

/// Tells which signal stopped the crawl.
pub(super) struct Signals(Arc<AtomicU8>);

impl Signals {
    /// Handles signals from now on.
    ///
    /// # Errors
    /// The system has no handler, or no thread, for it.
    pub(super) fn handle(stop: &Stop) -> io::Result<Signals> {
        let (stop, code) = (stop.clone(), Arc::new(AtomicU8::new(BY_SIGINT)));
        let signals = Signals(Arc::clone(&code));
        let mut first = None;
        on_signal(move |by_signal| {
            match effect(&mut first, by_signal, Instant::now()) {
                Effect::Stop => {
                    code.store(by_signal, SeqCst);
                    stop.request();
                }
                Effect::Exit => exit(i32::from(by_signal)),
                Effect::Nothing => {}
            }
        })?;
        Ok(signals)
    }

    /// The exit code of a crawl that was stopped.
    pub(super) fn exit_code(&self) -> u8 {
        self.0.load(SeqCst)
    }
}

/// What a signal does.
#[derive(Debug, PartialEq, Eq)]
enum Effect {
    /// Stops the crawl, which then prints its report.
    Stop,
    /// Ends the process.
    Exit,
    Nothing,
}

/// Returns what a signal does that arrives `now`. `first` is the first signal and when it
/// arrived; `None` before it, which sets it.
fn effect(first: &mut Option<(u8, Instant)>, code: u8, now: Instant) -> Effect {
    match *first {
        Some((known, at)) if known == code && now - at < SAME_SIGNAL => Effect::Nothing,
        Some(_) => Effect::Exit,
        None => {
            *first = Some((code, now));
            Effect::Stop
        }
    }
}

/// Calls `handler` on a thread of its own, at each signal, with the exit code for it.
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
    u8::try_from(signal).map_or(BY_SIGINT, |number| BY_SIGNAL.saturating_add(number))
}

/// The same for Ctrl-C, and for the end of the console.
#[cfg(not(unix))]
fn on_signal(mut handler: impl FnMut(u8) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || handler(BY_SIGINT)).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_signal_twice_at_once_is_one_and_any_other_second_one_ends_it() {
        const BY_SIGTERM: u8 = BY_SIGNAL + 15;
        let (at, soon) = (Instant::now(), SAME_SIGNAL - Duration::from_nanos(1));
        for (code, after, expected) in [
            (BY_SIGINT, Duration::ZERO, Effect::Nothing),
            (BY_SIGINT, soon, Effect::Nothing),
            (BY_SIGINT, SAME_SIGNAL, Effect::Exit),
            (BY_SIGTERM, Duration::ZERO, Effect::Exit),
        ] {
            let mut first = None;
            assert_eq!(effect(&mut first, BY_SIGINT, at), Effect::Stop);
            assert_eq!(effect(&mut first, code, at + after), expected, "{after:?}");
        }
    }
}
