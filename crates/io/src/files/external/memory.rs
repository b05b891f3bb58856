//! Memory of a process and of all processes that it has started.

use std::collections::HashMap;

use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// Measures a process.
pub(crate) struct MemoryMeter {
    /// `None` on a system that doesn't list its processes.
    system: Option<System>,
    root: Pid,
}

impl MemoryMeter {
    pub(crate) fn of(process: u32) -> Self {
        Self { system: System::new().ok(), root: Pid::from_u32(process) }
    }

    /// Bytes in memory at this moment; 0 if that isn't known.
    pub(crate) fn used_bytes(&mut self) -> u64 {
        let Some(system) = &mut self.system else { return 0 };
        let kind = ProcessRefreshKind::nothing().with_memory().without_tasks();
        system.refresh_processes_specifics(ProcessesToUpdate::All, true, kind);
        let parents: HashMap<Pid, Option<Pid>> =
            system.processes().iter().map(|(&pid, process)| (pid, process.parent())).collect();
        let is_below_root = |mut pid: Pid| {
            // Numbers of ended processes are reused, so that parents may form a cycle.
            for _ in 0..parents.len() {
                if pid == self.root {
                    return true;
                }
                match parents.get(&pid) {
                    Some(Some(parent)) => pid = *parent,
                    _ => return false,
                }
            }
            false
        };
        let own = system.processes().iter().filter(|(pid, _)| is_below_root(**pid));
        own.map(|(_, process)| process.memory()).sum()
    }
}
