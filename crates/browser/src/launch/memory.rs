//! How much memory each process of a browser may take: what a page wants beyond that ends its own process, not others on the machine.

use std::process::Child;

/// Where a machine is small, as much is given all the same: pages of today need it.
const LEAST: u64 = 2 << 30;
/// No page of use needs more.
const MOST: u64 = 8 << 30;

/// Half of what the machine has, within bounds.
fn share_of(machine: u64) -> u64 {
    (machine / 2).clamp(LEAST, MOST)
}

/// Limits a process that was just started, and all that it will start. A system that can't is told in the log: the browser is used then
/// as it is, and Chromium's own limits hold in it.
#[cfg(target_os = "linux")]
pub(super) fn limit(child: &Child, most: Option<u64>) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let Some(pid) = Pid::from_raw(child.id().cast_signed()) else { return };
    let machine = rustix::system::sysinfo();
    let all = u64::from(machine.mem_unit).saturating_mul(machine.totalram);
    let most = most.unwrap_or_else(|| share_of(all));
    let limits = Rlimit { current: Some(most), maximum: Some(most) };
    if let Err(error) = prlimit(Some(pid), Resource::Data, limits) {
        tracing::warn!(%error, "the browser's memory could not be limited");
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn limit(_: &Child, _: Option<u64>) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_gets_half_of_the_machine_within_bounds() {
        const GIB: u64 = 1 << 30;
        for (machine, share) in [(0, 2), (1, 2), (4, 2), (6, 3), (16, 8), (24, 8), (512, 8)] {
            assert_eq!(share_of(machine * GIB), share * GIB, "{machine} GiB");
        }
        assert_eq!(share_of(u64::MAX), MOST);
    }
}
