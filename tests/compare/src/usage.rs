//! What processes have used of processor and memory, as the system counts it.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What was used.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub struct Usage {
    /// Processor time, in the program and in the system for it.
    pub cpu: Duration,
    /// The most memory at once, in bytes: pages that were resident. Stacks that the system
    /// itself keeps for threads, and what it holds for sockets, are not in it.
    pub memory: u64,
}

/// What this process has used; `None` where the system does not tell (Windows).
pub fn own() -> Option<Usage> {
    imp::usage(imp::Who::RUSAGE_SELF)
}

/// What the children of this process have used that have ended: their times together, and
/// the memory of the largest. On Linux that is at least what this process itself had when
/// it started them.
pub fn children() -> Option<Usage> {
    imp::usage(imp::Who::RUSAGE_CHILDREN)
}

#[cfg(unix)]
mod imp {
    use super::Usage;
    pub(super) use nix::sys::resource::UsageWho as Who;
    use nix::sys::{resource::getrusage, time::TimeValLike};
    use std::time::Duration;

    /// Apple counts memory in bytes, others count in kilobytes.
    const UNIT: u64 = if cfg!(target_vendor = "apple") { 1 } else { 1024 };

    pub(super) fn usage(who: Who) -> Option<Usage> {
        let usage = getrusage(who).ok()?;
        let times = [usage.user_time(), usage.system_time()];
        let micros: i64 = times.iter().map(TimeValLike::num_microseconds).sum();
        let cpu = Duration::from_micros(micros.try_into().ok()?);
        let memory = u64::try_from(usage.max_rss()).ok()? * UNIT;
        Some(Usage { cpu, memory })
    }
}

#[cfg(not(unix))]
mod imp {
    #[allow(non_camel_case_types, reason = "as the system names them elsewhere")]
    pub(super) enum Who {
        RUSAGE_SELF,
        RUSAGE_CHILDREN,
    }

    pub(super) fn usage(_: Who) -> Option<super::Usage> {
        None
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_computes_has_used_time_and_memory() {
        let before = own().expect("this system tells");
        let mut sum = 0u64;
        while own().expect("as before").cpu == before.cpu {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        assert!(before.memory > 100_000, "{before:?}, in bytes");
        assert!(before.memory < 100_000_000_000, "{before:?}, in bytes");
    }
}
