//! Programs that end with all that they have started: on Unix each is a process group of its
//! own. Ctrl-C in a terminal reaches none of these groups, so they are ended here. On other
//! systems only the program is ended, and what it has started runs on.

use std::io;
use std::process::{Child, Command};

/// Starts a program in a process group of its own. A signal that comes meanwhile ends it,
/// too.
pub fn spawn(command: &mut Command) -> io::Result<Child> {
    #[cfg(unix)]
    return unix::spawn(command);
    #[cfg(not(unix))]
    command.spawn()
}

/// Ends the program and all that it has started. Then it can be waited for.
pub fn end(program: &mut Child) {
    #[cfg(unix)]
    unix::kill(program.id());
    program.kill().ok(); // no error worth a word: it has ended
    forget(program);
}

/// Forgets the group. Do it before the program is waited for, or at once after that: when
/// no process of the group is left, another one may get its number.
pub fn forget(program: &Child) {
    #[cfg(unix)]
    unix::forget(program.id());
    #[cfg(not(unix))]
    let _ = program; // there is no list
}

#[cfg(unix)]
mod unix {
    use rustix::process::{Pid, Signal, kill_process_group};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use std::collections::BTreeSet;
    use std::os::unix::process::CommandExt;
    use std::process::{self, Child, Command};
    use std::sync::{Mutex, MutexGuard, Once};
    use std::{io, thread};

    static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

    fn running() -> MutexGuard<'static, BTreeSet<u32>> {
        RUNNING.lock().expect("nothing panics while it holds the groups")
    }

    pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
        listen();
        let mut running = running(); // locked, so that a signal waits for the number
        let child = command.process_group(0).spawn()?;
        running.insert(child.id());
        Ok(child)
    }

    fn listen() {
        static LISTEN: Once = Once::new();
        LISTEN.call_once(|| {
            // Without signals only Ctrl-C is less thorough.
            let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else {
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

    pub(super) fn forget(group: u32) {
        running().remove(&group);
    }

    pub(super) fn kill(group: u32) {
        if let Some(group) = i32::try_from(group).ok().and_then(Pid::from_raw) {
            kill_process_group(group, Signal::KILL).ok(); // fails if all have ended
        }
    }
}
