//! Runs one program, and prints what it has used of time, processor, memory and threads.
//!
//! `compare_measure LIMIT FILE PROGRAM [ARGUMENT]...`: what the program prints goes to FILE;
//! after LIMIT seconds it is ended.
//! A process of its own, since the system tells what all children together have used: here
//! there is one. And a small one, since on Linux a child's peak memory is never less than
//! that of the process that starts it.

use compare::{Used, usage};
use std::fs::{self, File};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, error::Error, io};
use wait_timeout::ChildExt;

/// How often the number of threads is looked at.
const INTERVAL: Duration = Duration::from_millis(10);

/// How long a program that was asked to end may take.
const PATIENCE: Duration = Duration::from_secs(3);

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let mut next = || arguments.next().ok_or("LIMIT FILE PROGRAM [ARGUMENT]...");
    let limit = Duration::from_secs_f64(next()?.parse()?);
    let (file, program) = (File::create(next()?)?, next()?);
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(file);
    let began = Instant::now();
    let mut child = command.spawn()?;
    let mut threads = None;
    let status = loop {
        if let Some(status) = child.wait_timeout(INTERVAL)? {
            break Some(status);
        }
        threads = threads.max(count_threads(child.id()));
        if began.elapsed() > limit {
            end(&mut child)?;
            break None;
        }
    };
    let used = Used {
        time: began.elapsed(),
        has_succeeded: status.is_some_and(|status| status.success()),
        was_late: status.is_none(),
        usage: usage::children(),
        threads,
    };
    println!("{}", serde_json::to_string(&used)?);
    Ok(())
}

/// How many threads that process has now. Linux tells.
fn count_threads(process: u32) -> Option<usize> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("Threads:"))?;
    line.trim().parse().ok()
}

/// Ends the program: it is asked, so that one that runs another (perf) ends that, too; and
/// killed, if it does not listen.
fn end(child: &mut Child) -> io::Result<()> {
    ask_to_end(child);
    if child.wait_timeout(PATIENCE)?.is_none() {
        child.kill()?;
        child.wait()?;
    }
    Ok(())
}

#[cfg(unix)]
fn ask_to_end(child: &Child) {
    use nix::sys::signal::{Signal, kill};
    // It is there, or has ended and is not waited for: no other process has its number.
    let id = nix::unistd::Pid::from_raw(child.id() as i32);
    kill(id, Signal::SIGTERM).ok();
}

#[cfg(not(unix))]
fn ask_to_end(_: &Child) {}
