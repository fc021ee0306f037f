//! SIGINT and SIGTERM: the first one stops the crawl, the second one ends the process.
//!
//! SIGHUP is left alone: it ends a program whose terminal is gone, unless `nohup` has the
//! program ignore it.

use crate::stop::Stop;
use std::io;
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};

/// The exit code after a signal is this and the signal's number.
const BY_SIGNAL: u8 = 128;
/// The exit code after SIGINT, and after Ctrl-C where there are no signals.
const BY_SIGINT: u8 = BY_SIGNAL + 2;

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
        on_signal(move |by_signal| {
            if stop.is_requested() {
                exit(i32::from(by_signal));
            }
            code.store(by_signal, SeqCst);
            stop.request();
        })?;
        Ok(signals)
    }

    /// The exit code of a crawl that was stopped.
    pub(super) fn exit_code(&self) -> u8 {
        self.0.load(SeqCst)
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
