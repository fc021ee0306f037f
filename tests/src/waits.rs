//! How long the cases of a suite wait, and how many of them wait at the same time.
//!
//! A case computes for milliseconds and may wait for seconds: for a time-out, for a pause,
//! for a server that drips. So a suite runs more cases at the same time than there are
//! processors.

use libtest_mimic::Arguments;
use std::time::Duration;

/// The crawler's time-out in cases in which an attempt must run into it. All good pages
/// arrive within it, on a machine that is busy with other programs, too.
pub const SHORT_TIME_OUT: Duration = Duration::from_secs(2);

/// How many cases run at the same time. With 64 of them a suite is hardly faster, and on a
/// machine that is busy with other programs their good pages run into the time-out, because
/// they all compete for the same processors.
const CASES_AT_ONCE: usize = 16;

/// Returns the arguments that a suite was started with, and the number of cases that run at
/// the same time if they give none.
///
/// Also raises this process's limit of open descriptors as far as the system allows. The
/// cases of a suite have hundreds of sockets open at the same time, and on macOS a process
/// starts with a limit of 256.
pub fn arguments() -> Arguments {
    // If the system refuses, the suite runs with the descriptors that it has.
    rlimit::increase_nofile_limit(u64::MAX).ok();
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(CASES_AT_ONCE);
    arguments
}
