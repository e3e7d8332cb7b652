//! What an answer is made of, by its content type, and what is worth saying about it. Pure.

use legwork_browser::{Body, Landing};
use legwork_types::{
    PageText,
    contract::{Banner, Severity},
};

/// What an answer is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matter {
    /// A page of the web.
    Page,
    /// Words without anything to act on, as a rule: plain text, JSON, XML.
    Words,
    /// A picture, which a screenshot shows.
    Picture,
    /// Something that can be neither read nor drawn here: a PDF, a film, a sound.
    Sealed,
}

impl Matter {
    /// What a page went to is made of. Without a word of the browser it counts as a page.
    pub fn of(landing: &Landing) -> Self {
        let kind = landing.content_type.as_deref().unwrap_or("text/html");
        match kind.split_once('/').unwrap_or((kind, "")) {
            ("text", "html") | ("application", "xhtml+xml") => Self::Page,
            ("image", "svg+xml") | ("text", _) => Self::Words,
            ("image", _) => Self::Picture,
            ("application", form) if is_words(form) => Self::Words,
            _ => Self::Sealed,
        }
    }
}

fn is_words(form: &str) -> bool {
    const FORMS: [&str; 6] = ["json", "xml", "javascript", "ecmascript", "x-javascript", "x-ndjson"];
    FORMS.contains(&form) || form.ends_with("+json") || form.ends_with("+xml")
}

/// What an observation says about an answer that is no web page: it would look like an empty one.
pub(crate) fn notice(landing: &Landing) -> Option<Banner> {
    let banner = |severity, text: String| Some(Banner { severity, text: PageText::from(text) });
    match (landing.body, landing.status, landing.content_type.as_deref()) {
        (Body::Empty, Some(status), _) => {
            banner(Severity::Error, format!("HTTP {status} with an empty body"))
        }
        (_, _, Some(kind)) if Matter::of(landing) != Matter::Page => {
            banner(Severity::Info, format!("not a web page: {kind}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn landing(kind: Option<&str>) -> Landing {
        Landing {
            url: "http://a/".into(),
            title: String::new(),
            status: Some(200),
            content_type: kind.map(str::to_owned),
            body: Body::Whole,
        }
    }

    #[test]
    fn a_content_type_says_whether_there_are_words_or_a_picture() {
        for (kind, expected) in [
            ("text/html", Matter::Page),
            ("application/xhtml+xml", Matter::Page),
            ("text/plain", Matter::Words),
            ("application/json", Matter::Words),
            ("application/problem+json", Matter::Words),
            ("application/rss+xml", Matter::Words),
            ("image/svg+xml", Matter::Words),
            ("image/png", Matter::Picture),
            ("application/pdf", Matter::Sealed),
            ("video/mp4", Matter::Sealed),
            ("nonsense", Matter::Sealed),
        ] {
            assert_eq!(Matter::of(&landing(Some(kind))), expected, "{kind}");
        }
        assert_eq!(Matter::of(&landing(None)), Matter::Page);
    }

    #[test]
    fn only_what_is_no_page_is_noticed() {
        let words = |landing: &Landing| notice(landing).map(|banner| banner.text.untrusted().to_owned());
        assert_eq!(words(&landing(Some("text/html"))), None);
        assert_eq!(words(&landing(Some("image/png"))).as_deref(), Some("not a web page: image/png"));
        let empty = Landing { status: Some(500), body: Body::Empty, ..landing(None) };
        assert_eq!(words(&empty).as_deref(), Some("HTTP 500 with an empty body"));
    }
}
