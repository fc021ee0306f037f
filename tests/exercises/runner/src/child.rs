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
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(unix)]
    let child = groups::spawn(command)?;
    #[cfg(not(unix))]
    let child = command.spawn()?;
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
        #[cfg(unix)]
        groups::kill(self.child.id());
        self.child.kill().ok(); // no error worth a word: it has ended
        self.has_ended = true;
        // Before the wait: after it another process may get the number.
        #[cfg(unix)]
        groups::remove(self.child.id());
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

/// The process groups that run. Ctrl-C in a terminal reaches none of them, so they are
/// ended here.
#[cfg(unix)]
mod groups {
    use rustix::process::{Pid, Signal, kill_process_group};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use std::collections::BTreeSet;
    use std::process::{self, Child, Command};
    use std::sync::{Mutex, MutexGuard, Once};
    use std::{io, thread};

    static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

    fn running() -> MutexGuard<'static, BTreeSet<u32>> {
        RUNNING.lock().expect("nothing panics while it holds the groups")
    }

    /// Starts a program. A signal that comes meanwhile ends it, too: the list is locked.
    pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
        listen();
        let mut running = running();
        let child = command.spawn()?;
        running.insert(child.id());
        Ok(child)
    }

    fn listen() {
        static LISTEN: Once = Once::new();
        LISTEN.call_once(|| {
            // Without signals only Ctrl-C is less thorough.
            let Ok(mut signals) =
                signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])
            else {
                return;
            };
            thread::spawn(move || {
                let signal = signals.forever().next().unwrap_or(SIGINT);
                let running = running(); // to the end, so that no program starts after it
                running.iter().copied().for_each(kill);
                process::exit(128 + signal)
            });
        });
    }

    pub(super) fn remove(id: u32) {
        running().remove(&id);
    }

    pub(super) fn kill(id: u32) {
        if let Some(group) = Pid::from_raw(id as i32) {
            kill_process_group(group, Signal::KILL).ok(); // fails if all have ended
        }
    }
}
