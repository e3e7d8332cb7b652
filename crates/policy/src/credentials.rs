//! Hides what looks like a credential that nobody named: in what servers, proxies and programs answer, which is told and logged.
//! Secrets that are known are found by their values; this finds others by how they are written.

use std::borrow::Cow;

use crate::secrets::MASK;

/// Headers whose values let somebody in.
const HEADERS: &[&str] = &[
    "authorization",
    "proxy-authorization",
    "cookie",
    "set-cookie",
    "x-api-key",
    "api-key",
    "x-auth-token",
    "x-csrf-token",
    "x-goog-api-key",
    "x-amz-security-token",
];

/// How values of such headers begin.
const SCHEMES: &[&str] = &["bearer", "basic", "digest", "negotiate", "token", "apikey"];

/// Names of fields whose values let somebody in.
const FIELDS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "client_secret",
    "token",
    "access_token",
    "refresh_token",
    "id_token",
    "auth_token",
    "api_key",
    "apikey",
    "api-key",
    "sessionid",
    "session_id",
    "signature",
];

/// How keys of well-known services begin.
const PREFIXES: &[&str] = &[
    "sk-",
    "sk_live_",
    "sk_test_",
    "rk_live_",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "xoxa-",
    "xapp-",
    "akia",
    "aiza",
    "ya29.",
    "eyj",
    "hf_",
    "npm_",
    "pypi-",
];

/// The fewest letters of a key behind its prefix.
const SHORTEST_KEY: usize = 12;
/// The fewest letters of what stands behind a scheme.
const SHORTEST_TOKEN: usize = 8;

/// The text with a mask in the place of whatever looks like a credential.
pub fn hide_credentials(text: &str) -> Cow<'_, str> {
    let mut spans = Vec::new();
    let small = text.to_ascii_lowercase();
    let finder = Finder { text, small: &small };
    finder.headers(&mut spans);
    finder.schemes(&mut spans);
    finder.fields(&mut spans);
    finder.keys(&mut spans);
    finder.names_in_addresses(&mut spans);
    spans.sort_unstable();
    let (mut hidden, mut copied) = (String::new(), 0);
    for (from, to) in spans {
        if from >= copied {
            hidden.push_str(text.get(copied..from).unwrap_or_default());
            hidden.push_str(MASK);
        }
        copied = copied.max(to);
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    hidden.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(hidden)
}

struct Finder<'t> {
    text: &'t str,
    /// The same in lower case; every letter is at the same place.
    small: &'t str,
}

type Spans = Vec<(usize, usize)>;

impl<'t> Finder<'t> {
    /// Where a word ends that stands alone: `authorization`, but not `authorizations`.
    fn ends_of(&self, word: &'t str) -> impl Iterator<Item = (usize, usize)> {
        let bytes = self.small.as_bytes();
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        self.small.match_indices(word).filter_map(move |(at, _)| {
            let before = at.checked_sub(1).and_then(|at| bytes.get(at));
            let end = at + word.len();
            let is_alone = !before.is_some_and(is_part) && !bytes.get(end).is_some_and(is_part);
            is_alone.then_some((at, end))
        })
    }

    fn rest(&self, from: usize) -> &'t str {
        self.text.get(from..).unwrap_or_default()
    }

    /// `Authorization: Bearer abc`, `"cookie":"a=b; c=d"`.
    fn headers(&self, spans: &mut Spans) {
        for name in HEADERS {
            for (_, end) in self.ends_of(name) {
                let Some(value) = self.value_of(end) else { continue };
                let text = self.text.get(value.0..value.1).unwrap_or_default();
                let (first, _) = text.split_once(' ').unwrap_or((text, ""));
                let has_scheme = SCHEMES.contains(&first.to_ascii_lowercase().as_str());
                if has_scheme {
                    let from = value.0 + first.len() + 1;
                    spans.extend((from < value.1).then_some((from, value.1)));
                } else if first.contains('=') {
                    spans.push(value);
                } else if is_keylike(first, SHORTEST_TOKEN) {
                    spans.push((value.0, value.0 + first.len()));
                }
            }
        }
    }

    /// The value behind the name of a header: to the quote that closes it, or to the end of its line.
    fn value_of(&self, end: usize) -> Option<(usize, usize)> {
        let rest = self.rest(end);
        let quoted = rest.strip_prefix(['"', '\'']).unwrap_or(rest);
        let rest = quoted.trim_start_matches(' ').strip_prefix([':', '='])?.trim_start_matches(' ');
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
        let value = quote.map_or(rest, |quote| rest.trim_start_matches(quote));
        let from = self.text.len() - value.len();
        let stops = |c: char| {
            matches!(c, '\n' | '\r') || Some(c) == quote || (quote.is_none() && matches!(c, '"' | '\''))
        };
        let length = value.find(stops).unwrap_or(value.len());
        (length > 0).then_some((from, from + length))
    }

    /// `Bearer abc` wherever it stands.
    fn schemes(&self, spans: &mut Spans) {
        for scheme in ["bearer", "basic"] {
            for (_, end) in self.ends_of(scheme) {
                let rest = self.rest(end);
                let word = rest.trim_start_matches(' ');
                let from = self.text.len() - word.len();
                let length = length_of(word, |c| c.is_ascii_alphanumeric() || "._~+/=-".contains(c));
                if from > end && is_keylike(word.get(..length).unwrap_or_default(), SHORTEST_TOKEN) {
                    spans.push((from, from + length));
                }
            }
        }
    }

    /// `password=abc`, `"password": "abc"`.
    fn fields(&self, spans: &mut Spans) {
        for name in FIELDS {
            for (_, end) in self.ends_of(name) {
                let rest = self.rest(end);
                if let Some(value) = rest.strip_prefix('=') {
                    let from = end + 1;
                    let stops = |c: char| c.is_whitespace() || "&;,\"'<>)#".contains(c);
                    let length = value.find(stops).unwrap_or(value.len());
                    spans.extend((length > 0).then_some((from, from + length)));
                } else if let Some(behind) = rest.strip_prefix("\"")
                    && let Some(value) = behind.trim_start().strip_prefix(':')
                    && let Some(value) = value.trim_start().strip_prefix('"')
                {
                    let from = self.text.len() - value.len();
                    let length = value.find('"').unwrap_or(value.len());
                    spans.extend((length > 0).then_some((from, from + length)));
                }
            }
        }
    }

    /// `ghp_…`, `sk-…`, tokens of three parts.
    fn keys(&self, spans: &mut Spans) {
        let bytes = self.small.as_bytes();
        for prefix in PREFIXES {
            for (at, _) in self.small.match_indices(prefix) {
                let before = at.checked_sub(1).and_then(|at| bytes.get(at));
                if before.is_some_and(|byte| byte.is_ascii_alphanumeric()) {
                    continue;
                }
                let word = self.rest(at);
                let length = length_of(word, |c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
                let key = word.get(prefix.len()..length).unwrap_or_default();
                if is_keylike(key, SHORTEST_KEY) && key.bytes().any(|byte| byte.is_ascii_digit()) {
                    spans.push((at, at + length));
                }
            }
        }
    }

    /// `https://name:password@host`.
    fn names_in_addresses(&self, spans: &mut Spans) {
        for (at, _) in self.text.match_indices("://") {
            let from = at + 3;
            let rest = self.rest(from);
            let stops = |c: char| c.is_whitespace() || c.is_control() || "/?#\"'<>\\".contains(c);
            let authority = rest.get(..rest.find(stops).unwrap_or(rest.len())).unwrap_or_default();
            if let Some(length) = authority.rfind('@').filter(|length| *length > 0) {
                spans.push((from, from + length));
            }
        }
    }
}

fn length_of(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

/// Whether it is no word of a language: with digits, or with capitals within it.
fn is_keylike(word: &str, shortest: usize) -> bool {
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    let has_small = word.bytes().any(|byte| byte.is_ascii_lowercase());
    let has_capital_within = word.bytes().skip(1).any(|byte| byte.is_ascii_uppercase());
    word.chars().count() >= shortest && (has_digit || (has_small && has_capital_within))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_looks_like_a_credential_is_hidden() {
        for (text, expected) in [
            ("Authorization: Bearer abc.def-123", "Authorization: Bearer •••"),
            ("authorization:Basic dXNlcjpwYXNz\nHost: a", "authorization:Basic •••\nHost: a"),
            ("AUTHORIZATION: hunter22", "AUTHORIZATION: •••"),
            ("Proxy-Authorization: Basic dXNlcjpwYXNz", "Proxy-Authorization: Basic •••"),
            (r#"{"authorization":"Bearer abc","x":1}"#, r#"{"authorization":"Bearer •••","x":1}"#),
            (r#"headers: {'Cookie': 'sid=1; b=2'}, more"#, r#"headers: {'Cookie': '•••'}, more"#),
            ("Set-Cookie: sid=4f1c; HttpOnly\r\nX: y", "Set-Cookie: •••\r\nX: y"),
            ("X-Api-Key: 12345678", "X-Api-Key: •••"),
            ("sent Bearer eyJhbGciOi.eyJzdWIi.c2ln to them", "sent Bearer ••• to them"),
            ("Basic dXNlcjpwYXNz was refused", "Basic ••• was refused"),
            ("key sk-proj-4f1c9a02be77d154 is revoked", "key ••• is revoked"),
            ("(ghp_abcDEF123456789012345)", "(•••)"),
            ("AKIAIOSFODNN7EXAMPLE.", "•••"),
            ("jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "jwt •••"),
            ("http://me:hunter22@host/path", "http://•••@host/path"),
            ("proxy https://tok3n@proxy.test:8080", "proxy https://•••@proxy.test:8080"),
            ("GET /?user=ada&password=hunter22&x=1", "GET /?user=ada&password=•••&x=1"),
            ("access_token=abc#top", "access_token=•••#top"),
            (r#"{"password" : "hunter 22"}"#, r#"{"password" : "•••"}"#),
        ] {
            assert_eq!(hide_credentials(text), expected, "{text}");
        }
    }

    #[test]
    fn ordinary_text_stays_as_it_is() {
        for text in [
            "",
            "the page could not be opened",
            "Authorization: required",
            "authorization is needed, ask for it",
            "Cookie: a small file that sites keep",
            "Accept cookies: yes or no",
            "the password must have eight characters",
            "Password: at least 8 characters",
            "Basic functionality and bearer authentication",
            "Bearer of good news",
            "a token of my esteem; token: none",
            "see https://shop.example/path?q=coffee#top",
            "write to ada@example.org",
            "mailto:ada@example.org",
            "risk-averse, task-oriented sk-learn users",
            "sk-learn-is-a-nice-library-for-all",
            "net::ERR_CONNECTION_REFUSED at 127.0.0.1:8080",
            "session bs_012345678901 was closed",
            "o123456789012 is not the latest look",
            "unknown option --secret shop=env:SHOP_PASSWORD@https://shop.example",
            "the secret \"shop\" can't be used",
            "Größe: 12 • naïve café",
            "•••",
        ] {
            assert!(
                matches!(hide_credentials(text), Cow::Borrowed(same) if same == text),
                "{text}: {}",
                hide_credentials(text)
            );
        }
    }

    fn pieces() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            prop::sample::select(vec![
                "Authorization",
                "cookie",
                ":",
                "=",
                " ",
                "Bearer",
                "basic",
                "password",
                "token",
                "://",
                "@",
                "\"",
                "'",
                "&",
                "\n",
                ";",
                "ghp_",
                "sk-",
                "eyJ",
                "a1B2c3D4e5F6g7",
                "•••",
                "ä",
                "x",
            ])
            .prop_map(str::to_owned),
            "[a-zA-Z0-9]{0,6}",
        ];
        prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn hiding_twice_is_hiding_once_and_never_much_longer(text in pieces()) {
            let once = hide_credentials(&text).into_owned();
            prop_assert_eq!(&*hide_credentials(&once), &*once);
            prop_assert!(once.len() <= 3 * text.len() + 16);
        }
    }
}
