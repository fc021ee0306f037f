//! The processes that tests have started, which end with the process of the tests.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard};

/// The processes of the programs that run.
pub(crate) static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Kills all programs that run: this process is about to exit, without dropping
/// anything.
pub(crate) fn kill_all() {
    #[cfg(unix)]
    for process in lock(&RUNNING).iter() {
        use rustix::process::{Pid, Signal, kill_process};
        if let Some(process) = Pid::from_raw(*process as i32) {
            kill_process(process, Signal::KILL).ok(); // fails if it has just ended
        }
    }
}

/// Locks, even after a panic of another thread with the lock: that test has failed by
/// itself.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
