//! An address that a tab may be sent to. Whoever holds one has passed the scheme rule.

use std::{borrow::Cow, fmt};

use serde::Serialize;
use url::Url;

use crate::{Code, Details, Problem};

/// `http:`, `https:` or exactly `about:blank`. Chromium itself would accept `file:`, `chrome:`, `devtools:` and
/// `view-source:` from us without a network request, so the rule must hold before the browser is asked.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PageUrl(Url);

/// Why an address was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrlRefusal {
    /// Not a URL at all.
    #[error("not a web address: {reason}")]
    Malformed {
        /// What the parser says.
        reason: String,
    },
    /// A URL, but of a scheme that tabs are not sent to.
    #[error("scheme \"{scheme}\" is not allowed")]
    Scheme {
        /// The scheme, cut to a length that is safe to print.
        scheme: String,
    },
}

impl PageUrl {
    /// Reads an address. Nothing is guessed: `example.com` without a scheme is refused with a hint.
    pub fn parse(text: &str) -> Result<Self, UrlRefusal> {
        // The URL standard strips tabs, newlines and outer blanks without a word; an address that needs it is
        // not what its writer believes it to be.
        if text.chars().any(|c| c.is_control()) || text.trim() != text {
            return Err(UrlRefusal::Malformed {
                reason: "it contains control characters or outer blanks".into(),
            });
        }
        let url = Url::parse(text).map_err(|error| UrlRefusal::Malformed { reason: error.to_string() })?;
        match url.scheme() {
            "http" | "https" => {}
            "about" if url.as_str() == "about:blank" => return Ok(Self(url)),
            // `localhost:8080` and `example.com:443` parse as schemes.
            host if host == "localhost" || host.contains('.') => {
                return Err(UrlRefusal::Malformed { reason: "the scheme is missing".into() });
            }
            other => return Err(UrlRefusal::Scheme { scheme: other.chars().take(40).collect() }),
        }
        if text.contains('\\') {
            return Err(UrlRefusal::Malformed { reason: "it contains a backslash".into() });
        }
        if !has_two_slashes(text) {
            return Err(UrlRefusal::Malformed { reason: "\"//\" is missing after the scheme".into() });
        }
        Ok(Self(url))
    }

    /// The blank page on which every tab is born.
    pub fn blank() -> Self {
        // The literal parses; a fallback would only hide a defect of the parser.
        #[allow(clippy::expect_used)]
        Self(Url::parse("about:blank").expect("about:blank is a URL"))
    }

    /// The address in canonical form.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The parsed form.
    pub fn as_url(&self) -> &Url {
        &self.0
    }
}

/// `http:example.com` and `http:/example.com` parse too, to the surprise of the reader.
fn has_two_slashes(text: &str) -> bool {
    text.split_once(':').is_some_and(|(_, rest)| rest.starts_with("//") && !rest.starts_with("///"))
}

/// For people, logs and errors: a name and password in the address stay out.
impl fmt::Display for PageUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&without_credentials(self.as_str()))
    }
}

/// An address without the name and the password that may be in it: both may be secrets.
pub fn without_credentials(address: &str) -> Cow<'_, str> {
    let Some(mut url) = address.contains('@').then(|| Url::parse(address).ok()).flatten() else {
        return address.into();
    };
    if url.username().is_empty() && url.password().is_none() {
        return address.into();
    }
    // Refused only for addresses that can't have them.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    String::from(url).into()
}

impl Serialize for PageUrl {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl From<&UrlRefusal> for Problem {
    fn from(refusal: &UrlRefusal) -> Self {
        match refusal {
            UrlRefusal::Malformed { reason } => Problem::new(
                Code::InvalidUrl,
                "this is not a web address",
                "write the whole address with its scheme: http:// or https:// in front",
            )
            .because(reason.clone()),
            UrlRefusal::Scheme { scheme } => Problem::new(
                Code::NavigationBlocked,
                format!("addresses of the scheme \"{scheme}\" are not opened"),
                "only http:, https: and about:blank are; serve a local file over http to open it",
            )
            .because("rule: scheme")
            .with(Details::Rule { rule: "scheme".into() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn web_addresses_pass() {
        for text in
            ["http://example.com", "HTTPS://Example.com:8443/a?b#c", "about:blank", "http://[::1]:80/"]
        {
            assert!(PageUrl::parse(text).is_ok(), "{text}");
        }
        assert_eq!(PageUrl::parse("HTTP://EXAMPLE.com").unwrap().as_str(), "http://example.com/");
    }

    #[test]
    fn a_password_in_the_address_is_used_but_not_shown() {
        let url = PageUrl::parse("http://me:secret@example.com/x").unwrap();
        assert!(url.as_str().contains("secret"));
        assert_eq!(url.to_string(), "http://example.com/x");
        assert_eq!(serde_json::to_string(&url).unwrap(), "\"http://example.com/x\"");
    }

    #[test]
    fn other_schemes_are_refused_by_the_scheme_rule() {
        for text in [
            "file:///etc/passwd",
            "chrome://settings",
            "devtools://devtools/x",
            "view-source:http://example.com",
            "data:text/html,x",
            "javascript:alert(1)",
            "about:srcdoc",
            "about:blank#x",
            "blob:http://a/b",
            "filesystem:http://a/b",
            "chrome-extension://a/b",
            "ftp://a/",
            "mailto:a@b",
            "ABOUT:config",
        ] {
            assert!(matches!(PageUrl::parse(text), Err(UrlRefusal::Scheme { .. })), "{text}");
        }
    }

    #[test]
    fn malformed_addresses_are_refused() {
        for text in [
            "",
            "example.com",
            "localhost:80",
            "example.com:443/x",
            "//example.com",
            "http://",
            "http:///x",
            "http:example.com",
            "http:/example.com",
            "http:/\\example.com",
            "http:\\\\example.com",
            "http://a b/",
            "http://[::1",
            "http://a:99999/",
            " http://a/",
            "http://a/\n",
            "ht\ttp://a/",
            "http://a\0/",
            "http://256.1.1.1/",
            "java\nscript:alert(1)",
        ] {
            assert!(matches!(PageUrl::parse(text), Err(UrlRefusal::Malformed { .. })), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn whatever_passes_is_http_or_blank(text in "\\PC{0,60}|[a-z:/\\\\@.#?%\\[\\]0-9]{0,60}") {
            if let Ok(url) = PageUrl::parse(&text) {
                let blank = url.as_str() == "about:blank";
                prop_assert!(blank || ["http", "https"].contains(&url.as_url().scheme()));
                prop_assert!(blank || url.as_url().host_str().is_some_and(|host| !host.is_empty()));
                prop_assert_eq!(PageUrl::parse(url.as_str()).unwrap(), url);
            }
        }
    }
}
