//! A program that a learner wrote, as a child process. It ends with all processes that it
//! has started, and its memory is limited where the system can do that:
//!
//! | system | its own processes | memory |
//! |---|---|---|
//! | Linux, Android | end with it: one process group | limited: `prlimit` |
//! | macOS, other Unix | end with it: one process group | not limited: no limit can be set from outside, and macOS ignores limits of the address space |
//! | Windows | run on | not limited |
//!
//! Where it is not limited, a program that takes more and more memory is ended by its
//! watchdog.

use crate::groups;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;
use wait_timeout::ChildExt;

/// How much memory a learner's program may allocate, in bytes. The suite takes less with
/// eight cases at once, and eight programs at once fit into a laptop.
pub const MOST_MEMORY: u64 = 512 << 20;

/// A running program. Dropping it ends the program.
pub struct Running {
    /// The process: its pipes can be taken from here.
    pub child: Child,
    has_ended: bool,
}

/// Starts a program in a process group of its own.
pub fn start(command: &mut Command) -> io::Result<Running> {
    let child = groups::spawn(command)?;
    limit_memory(&child);
    Ok(Running { child, has_ended: false })
}

impl Running {
    /// Waits for the program to end by itself, but no longer than this.
    pub fn wait_for(&mut self, time: Duration) -> io::Result<Option<ExitStatus>> {
        self.child.wait_timeout(time)
    }

    /// Ends the program and all that it has started.
    pub fn end(&mut self) -> io::Result<ExitStatus> {
        groups::end(&mut self.child);
        self.has_ended = true;
        self.child.wait()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.has_ended {
            self.end().ok(); // nothing is left to do about it
        }
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn limit_memory(child: &Child) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let limit = Rlimit { current: Some(MOST_MEMORY), maximum: Some(MOST_MEMORY) };
    // It may have ended, or the limit of this process is lower: then that one holds.
    prlimit(Pid::from_raw(child.id() as i32), Resource::Data, limit).ok();
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn limit_memory(_: &Child) {}
