//! On which machine it was, since numbers say little without that.

use serde::Serialize;
use std::process::Command;
use std::{env, fmt, thread};
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

/// A machine, and how busy it was.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// The processor's name.
    pub cpu: String,
    /// Cores that we may use.
    pub cores: usize,
    /// Memory, in bytes.
    pub memory: u64,
    /// The operating system, its version and its kernel's.
    pub os: String,
    /// As in `x86_64`.
    pub architecture: &'static str,
    /// The compiler.
    pub rustc: String,
    /// How many threads wanted to run in the last minute, before we began; 0 on Windows,
    /// which does not count them.
    pub load: f64,
}

impl Machine {
    /// This one.
    pub fn this() -> Machine {
        let what = RefreshKind::nothing()
            .with_cpu(CpuRefreshKind::nothing())
            .with_memory(MemoryRefreshKind::nothing().with_ram());
        let system = System::new_with_specifics(what);
        let name = |cpu: &sysinfo::Cpu| cpu.brand().trim().to_string();
        let unknown = || "unknown".to_string();
        let os = [System::long_os_version(), System::kernel_version()];
        Machine {
            cpu: system.cpus().first().map(name).unwrap_or_else(unknown),
            cores: thread::available_parallelism().map_or(1, |cores| cores.get()),
            memory: system.total_memory(),
            os: os.into_iter().flatten().collect::<Vec<_>>().join(", "),
            architecture: env::consts::ARCH,
            rustc: rustc_version().unwrap_or_else(unknown),
            load: System::load_average().one,
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Machine { cpu, cores, os, architecture, rustc, load, .. } = self;
        let memory = self.memory as f64 / f64::from(1 << 30);
        write!(
            f,
            "{cpu} ({architecture}), {cores} cores, {memory:.0} GiB; {os}; {rustc}; "
        )?;
        write!(f, "load {load:.1}")
    }
}

/// Of the compiler that cargo uses here, which has built us as a rule.
fn rustc_version() -> Option<String> {
    let rustc = env::var_os("RUSTC").unwrap_or("rustc".into());
    let output = Command::new(rustc).arg("--version").output().ok()?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_has_a_core_some_memory_and_a_compiler() {
        let machine = Machine::this();
        assert!(machine.cores >= 1 && machine.memory > 100_000_000, "{machine:?}");
        assert!(machine.rustc.starts_with("rustc 1."), "{machine:?}");
        assert!(machine.to_string().contains("GiB"));
    }
}
