//! Ends what hangs: a test that does not come back in time has failed.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Far more than any case needs, on any machine; and more than whatever a case waits for
/// has, so that it is the case that says what is wrong.
const PATIENCE: Duration = Duration::from_secs(400);

/// Runs `test` on a thread of its own.
///
/// # Errors
/// The test panicked, or did not come back in time; then its thread is left behind.
pub fn guard(test: impl FnOnce() + Send + 'static) -> Result<(), String> {
    let (done, is_done) = channel();
    let thread = thread::spawn(move || {
        test();
        done.send(()).expect("the watchdog listens until it gives up");
    });
    match is_done.recv_timeout(PATIENCE) {
        Ok(()) => Ok(()),
        Err(RecvTimeoutError::Timeout) => {
            Err(format!("still not done after {PATIENCE:?}"))
        }
        Err(RecvTimeoutError::Disconnected) => {
            let panic = thread.join().expect_err("it ended without being done");
            let text = panic.downcast_ref::<String>().cloned();
            let text =
                text.or(panic.downcast_ref::<&str>().map(|text| text.to_string()));
            Err(text.unwrap_or("panicked".to_string()))
        }
    }
}
