//! What went wrong, as the loop knows it.

use legwork_agent::Trouble;
use legwork_types::{Code, Problem};

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
        is_loss: is_loss(problem.code),
    }
}

/// The same for whoever started the errand.
pub(super) fn problem(trouble: &Trouble) -> Problem {
    let code = Code::ALL.iter().copied().find(|code| code.as_str() == trouble.code);
    let hint = "see what was done so far before you run it again";
    Problem::new(code.unwrap_or(Code::InternalError), trouble.words.clone(), hint)
}

/// Whether the browser, or the session in it, is gone or can't be had: to try again would be the same.
fn is_loss(code: Code) -> bool {
    matches!(
        code,
        Code::BrowserNotFound
            | Code::BrowserLaunchFailed
            | Code::BrowserDisconnected
            | Code::SandboxUnavailable
            | Code::ProfileLocked
            | Code::ProfileUnusable
            | Code::EndpointRefused
            | Code::EndpointsExhausted
            | Code::SessionNotFound
    )
}
