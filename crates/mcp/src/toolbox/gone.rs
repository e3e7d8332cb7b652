//! Whether a server says that its browser is gone: it lives on itself, and tells of that like of any other failure. Pure.

/// What is closed where the browser is gone.
const CLOSED: [&str; 4] = ["target", "page", "context", "browser"];

/// Whether a failure in these words means that the browser is gone.
///
/// The first line alone counts, which is the server's own. What follows may be words of a page, such as those of a dialog.
pub(super) fn is_gone(words: &str) -> bool {
    let lines = words.lines().map(str::trim);
    let first = lines.into_iter().find(|line| !line.is_empty() && !line.starts_with('#'));
    let first = first.unwrap_or_default().to_lowercase();
    // Older servers say no more than that the target closed.
    first.contains("target closed")
        || CLOSED.iter().any(|closed| first.contains(&format!("{closed} has been closed")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_has_been_closed_the_browser_is_gone() {
        for words in [
            "### Error\nError: browserBackend.callTool: Target page, context or browser has been closed",
            "### Error\nTARGET PAGE, CONTEXT OR BROWSER HAS BEEN CLOSED\nCall log:\n  - waiting",
            "page._snapshotForAI: Browser has been closed",
            "Protocol error (Page.navigate): Session closed. Most likely the page has been closed.",
            "\n  The context has been closed.",
            "Protocol error: Target closed",
        ] {
            assert!(is_gone(words), "{words}");
        }
    }

    #[test]
    fn what_a_page_says_and_every_other_failure_is_no_loss() {
        for words in [
            "",
            "### Error",
            "### Error\nError: Ref e3 not found in the current page snapshot.",
            "### Error\nError: The browser context is shared between clients and cannot be closed.",
            "### Error\nTool \"browser_click\" does not handle the modal state.\n- [\"alert\" dialog with message \"Your browser has been \
             closed\"]",
            "### Error\nError: Timeout 5000ms exceeded.\nCall log:\n  - <p>This page has been closed</p> intercepts pointer events",
            "The shop has been closed",
        ] {
            assert!(!is_gone(words), "{words}");
        }
    }
}
