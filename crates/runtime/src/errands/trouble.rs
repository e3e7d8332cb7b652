//! What went wrong, as the loop knows it.

use std::fs;

use legwork_agent::{Trouble, TroubleKind};
use legwork_browser::Lost;
use legwork_types::{Code, Details, Problem};

use super::page_note;
use crate::{harmless, words};

/// The most characters of what is said of it.
const LONGEST: usize = 400;
/// The most characters of what the page had a part in.
const PAGES: usize = 500;

/// A problem, as the loop knows it.
pub(super) fn trouble(problem: &Problem) -> Trouble {
    let (ours, pages) = words::problem_lines(problem);
    let mut left = PAGES;
    let fits = |line: &String| {
        let fits = line.chars().count() <= left;
        left = left.saturating_sub(line.chars().count());
        fits
    };
    Trouble {
        code: problem.code.as_str().to_owned(),
        words: harmless(ours.first().map(String::as_str).unwrap_or_default(), LONGEST),
        pages: words::fenced(&pages.into_iter().take_while(fits).collect::<Vec<_>>()),
        kind: kind(problem),
        url: match problem.details.as_deref() {
            Some(Details::Gone { gone_at, .. }) => Some(page_note::address(gone_at.untrusted())),
            _ => None,
        },
    }
}

/// The same for whoever started the errand.
pub(super) fn problem(trouble: &Trouble) -> Problem {
    let code = Code::ALL.iter().copied().find(|code| code.as_str() == trouble.code);
    let hint = "see what was done so far before you run it again";
    Problem::new(code.unwrap_or(Code::InternalError), trouble.words.clone(), hint)
}

/// What follows from a problem. That a page was being painted when its browser was lost is for those to say who had it painted.
fn kind(problem: &Problem) -> TroubleKind {
    // A file that comes down, and an answer without a page, are no failures of the network.
    let is_answer = matches!(
        problem.details.as_deref(),
        Some(Details::Network { net }) if matches!(net.as_str(), "download" | "net::ERR_ABORTED")
    );
    match problem.code {
        Code::PageCrashed => crash(problem),
        Code::PageUnresponsive | Code::PageHostile => TroubleKind::PageClosed,
        Code::NavigationFailed if !is_answer => TroubleKind::Network,
        Code::BrowserDisconnected | Code::SessionNotFound => TroubleKind::Disconnect,
        Code::BrowserNotFound
        | Code::BrowserLaunchFailed
        | Code::SandboxUnavailable
        | Code::ProfileLocked
        | Code::ProfileUnusable
        | Code::EndpointRefused
        | Code::EndpointsExhausted => TroubleKind::NoBrowser,
        _ => TroubleKind::Told,
    }
}

/// What follows from a crash, by how it ended.
pub(super) fn crash(problem: &Problem) -> TroubleKind {
    match problem.details.as_deref() {
        Some(Details::Gone { may_lack_memory: true, .. }) => TroubleKind::PageGaveUp,
        _ => TroubleKind::PageCrash,
    }
}

/// The same while a page was being painted. A browser that ends abruptly then may have run out of memory.
pub(super) fn while_painting(trouble: Trouble, problem: &Problem, memory_ran_out: bool) -> Trouble {
    // What only fell silent did not end.
    let slow = [Lost::Silent, Lost::Congested, Lost::Unattended, Lost::Ended].map(|lost| lost.to_string());
    let is_abrupt = problem.cause.as_ref().is_none_or(|cause| !slow.iter().any(|slow| cause.contains(slow)));
    match trouble.kind {
        TroubleKind::Disconnect if memory_ran_out => Trouble { kind: TroubleKind::OutOfMemory, ..trouble },
        // The system ends what is largest, and that is a page as a rule.
        TroubleKind::PageCrash | TroubleKind::PageGaveUp if memory_ran_out => {
            Trouble { kind: TroubleKind::PageOutOfMemory, ..trouble }
        }
        TroubleKind::Disconnect if is_abrupt => {
            Trouble { kind: TroubleKind::DisconnectWhilePainting, ..trouble }
        }
        _ => trouble,
    }
}

/// What the system says of its memory.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// How many processes it had killed for want of it; none where it does not say so.
    killed: Option<u64>,
}

impl Memory {
    /// As it is now: in the group of processes that is ours, and on the whole machine only where there is no such group.
    pub(super) fn now() -> Self {
        let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let ours = groups.lines().find_map(|line| line.strip_prefix("0::"));
        let ours = ours.map(|group| fs::read_to_string(format!("/sys/fs/cgroup{group}/memory.events")));
        let all = || fs::read_to_string("/proc/vmstat").unwrap_or_default();
        Self::told_by(&ours.and_then(Result::ok).unwrap_or_else(all))
    }

    /// Both files tell it in the same line.
    fn told_by(file: &str) -> Self {
        Self { killed: file.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok()) }
    }

    /// Whether the system has killed something since.
    pub(super) fn ran_out(&self) -> bool {
        self.ran_out_by(&Self::now())
    }

    fn ran_out_by(&self, later: &Self) -> bool {
        matches!((self.killed, later.killed), (Some(before), Some(later)) if later > before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_abrupt_end_while_painting_may_be_want_of_memory() {
        let lost = |cause: Lost| {
            Problem::new(Code::BrowserDisconnected, "Browser connection lost", "run it again")
                .because(cause.to_string())
        };
        let kind = |problem: &Problem, ran_out| while_painting(trouble(problem), problem, ran_out).kind;
        for (cause, expected) in [
            (Lost::Closed, TroubleKind::DisconnectWhilePainting),
            (Lost::Silent, TroubleKind::Disconnect),
            (Lost::Congested, TroubleKind::Disconnect),
            (Lost::Unattended, TroubleKind::Disconnect),
            (Lost::Ended, TroubleKind::Disconnect),
        ] {
            assert_eq!(kind(&lost(cause.clone()), false), expected);
            // The system says so itself, whatever the connection says.
            assert_eq!(kind(&lost(cause), true), TroubleKind::OutOfMemory);
        }
        let crashed = Problem::new(Code::PageCrashed, "the page crashed", "load it again");
        assert_eq!(kind(&crashed, false), TroubleKind::PageCrash);
        assert_eq!(kind(&crashed, true), TroubleKind::PageOutOfMemory);
        let gone = |may_lack_memory| Details::Gone { gone_at: "https://shop.test/b".into(), may_lack_memory };
        let heavy = crashed.clone().with(gone(true));
        assert_eq!(kind(&heavy, false), TroubleKind::PageGaveUp);
        assert_eq!(kind(&heavy, true), TroubleKind::PageOutOfMemory);
        let other = trouble(&crashed.with(gone(false)));
        assert_eq!((other.kind, other.url.as_deref()), (TroubleKind::PageCrash, Some("https://shop.test/b")));
    }

    #[test]
    fn memory_ran_out_where_the_system_has_killed_something_since() {
        let killed = |killed: Option<u64>| Memory { killed };
        for (file, expected) in [
            ("low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n", Some(2)),
            ("nr_free_pages 1\noom_kill 7\n", Some(7)),
            ("oom 3\n", None),
        ] {
            assert_eq!(Memory::told_by(file).killed, expected, "{file}");
        }
        assert!(killed(Some(3)).ran_out_by(&killed(Some(4))));
        for (before, later) in [(Some(3), Some(3)), (None, Some(1)), (Some(1), None)] {
            assert!(!killed(before).ran_out_by(&killed(later)), "{before:?} {later:?}");
        }
    }
}
