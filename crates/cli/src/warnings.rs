//! What a person should know of the way to a page although the command went well, each with what to do next. Pure.

use legwork_runtime::{Body, Happening, Landing, Matter, Recorded};

/// A browser that somebody else started is used.
pub(crate) const DEGRADED: &str = "Legwork did not start this browser and can't vouch for it: no secret is typed in it and nothing is \
                                   done that can't be undone; --trust-endpoint if you know it";

/// What a command wants of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// What it says and offers.
    Words,
    /// How it looks.
    Picture,
}

/// The warnings, one line each.
pub(crate) fn warnings(landing: &Landing, happenings: &[Recorded], wanted: Wanted) -> Vec<String> {
    let dialogs = happenings.iter().filter_map(|happening| match &happening.what {
        Happening::Dialog { kind, message, answer, .. } => {
            Some(format!("the page opened a dialog ({kind:?}: {message:?}); it was {}", word(answer)))
        }
        _ => None,
    });
    [answer(landing), matter(landing, wanted), body(landing)].into_iter().flatten().chain(dialogs).collect()
}

/// The server's answer is an error.
fn answer(landing: &Landing) -> Option<String> {
    let status = landing.status.filter(|status| *status >= 400)?;
    let told = format!("the server answered HTTP {status} for {}", landing.url);
    Some(match landing.body {
        Body::Empty => format!("{told} with an empty body; {}", after(status)),
        _ => format!("{told}; this is what that answer shows"),
    })
}

/// What to do about an error of which there is nothing to see.
fn after(status: u16) -> &'static str {
    match status {
        401 | 407 => "log in first, with --profile DIR for a login that stays",
        403 => "this address is not for us; try another one, or log in first",
        404 | 410 => "check the path of the address",
        429 => "wait before you try again",
        500.. => "the server failed: see its log, or try again later",
        _ => "check the address",
    }
}

/// The answer is no web page.
fn matter(landing: &Landing, wanted: Wanted) -> Option<String> {
    let next = match (Matter::of(landing), wanted) {
        (Matter::Page, _) | (Matter::Words | Matter::Picture, Wanted::Picture) => return None,
        (Matter::Words, Wanted::Words) => "--text gives more of its text",
        (Matter::Picture, Wanted::Words) => "`legwork screenshot` saves what it shows",
        (Matter::Sealed, _) => "it can't be shown here: download it and open it with a program for its kind",
    };
    let kind = landing.content_type.as_deref().unwrap_or_default();
    Some(format!("{} is {kind}, not a web page; {next}", landing.url))
}

/// The answer has not come to its end.
fn body(landing: &Landing) -> Option<String> {
    let told = match landing.body {
        Body::Whole | Body::Empty => return None,
        Body::Coming => "was still loading; this is what has come so far, and --timeout allows it more time",
        Body::BrokenOff => "broke off before its end; this is what has come, and another try may bring more",
    };
    Some(format!("{} {told}", landing.url))
}

/// A dialog that was held has been dismissed by us.
fn word(answer: &str) -> &str {
    if answer == "held" { "dismissed" } else { answer }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn landing(status: u16, kind: &str, body: Body) -> Landing {
        let (url, title) = ("http://a/b".to_owned(), String::new());
        Landing { url, title, status: Some(status), content_type: Some(kind.into()), body }
    }

    #[test]
    fn a_whole_page_is_nothing_to_warn_of() {
        let page = landing(200, "text/html", Body::Whole);
        assert_eq!(warnings(&page, &[], Wanted::Words), [""; 0]);
    }

    #[test]
    fn each_warning_says_what_is_wrong_and_what_next() {
        for (landing, wanted, expected) in [
            (
                landing(404, "text/html", Body::Whole),
                Wanted::Words,
                "the server answered HTTP 404 for http://a/b; this is what that answer shows",
            ),
            (
                landing(404, "text/html", Body::Empty),
                Wanted::Picture,
                "the server answered HTTP 404 for http://a/b with an empty body; check the path of the address",
            ),
            (
                landing(200, "application/json", Body::Whole),
                Wanted::Words,
                "http://a/b is application/json, not a web page; --text gives more of its text",
            ),
            (
                landing(200, "application/pdf", Body::Whole),
                Wanted::Picture,
                "http://a/b is application/pdf, not a web page; it can't be shown here: download it and open it with \
                 a program for its kind",
            ),
            (
                landing(200, "text/html", Body::Coming),
                Wanted::Words,
                "http://a/b was still loading; this is what has come so far, and --timeout allows it more time",
            ),
            (
                landing(200, "text/html", Body::BrokenOff),
                Wanted::Words,
                "http://a/b broke off before its end; this is what has come, and another try may bring more",
            ),
        ] {
            assert_eq!(warnings(&landing, &[], wanted), [expected]);
        }
        assert_eq!(warnings(&landing(200, "image/png", Body::Whole), &[], Wanted::Picture), [""; 0]);
    }
}
