//! What went wrong, as the loop knows it.

use legwork_agent::{Trouble, TroubleKind};
use legwork_browser::Lost;
use legwork_types::{Code, Details, Problem};

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
        Code::PageCrashed => TroubleKind::PageCrash,
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

/// The same while a page was being painted. A browser that ends abruptly then may have run out of memory.
pub(super) fn while_painting(trouble: Trouble, problem: &Problem, memory: &Memory) -> Trouble {
    // What only fell silent did not end.
    let slow = [Lost::Silent, Lost::Congested, Lost::Ended].map(|lost| lost.to_string());
    let is_abrupt = problem.cause.as_ref().is_none_or(|cause| !slow.iter().any(|slow| cause.contains(slow)));
    match trouble.kind {
        TroubleKind::Disconnect if memory.ran_out() => Trouble { kind: TroubleKind::OutOfMemory, ..trouble },
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
    /// As it is now.
    pub(super) fn now() -> Self {
        let vmstat = std::fs::read_to_string("/proc/vmstat").unwrap_or_default();
        let killed = vmstat.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok());
        Self { killed }
    }

    /// Whether the system has killed something since.
    fn ran_out(&self) -> bool {
        matches!((self.killed, Self::now().killed), (Some(before), Some(now)) if now > before)
    }
}
