//! Where a page is, as far as a condition is about it: a host, and the beginning of a path. Never what is asked of an address.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use url::{Host, Url};

/// `www.stream.example/account`, `*.stream.example`, `127.0.0.1:8080/account`.
///
/// Hosts are compared as parsed hosts, label by label; `*.stream.example` is everything below `stream.example`. Paths are compared step
/// by step, whatever the case of their letters: `/account` is also `/account/plan`, and not `/accounts`. Without a port a rule is about
/// every port.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct UrlRule {
    hosts: Hosts,
    port: Option<u16>,
    path: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Hosts {
    One(Host),
    Below(String),
}

/// Why a rule about addresses could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UrlRuleError(&'static str);

impl fmt::Display for UrlRuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for UrlRuleError {}

impl FromStr for UrlRule {
    type Err = UrlRuleError;

    fn from_str(text: &str) -> Result<Self, UrlRuleError> {
        if text.contains("://") {
            return Err(UrlRuleError("write the host and the path alone, without https://"));
        }
        if text.contains(['?', '#']) {
            return Err(UrlRuleError("only the host and the path count: leave out ? and # and what follows"));
        }
        if text.chars().any(|c| c.is_control() || c.is_whitespace() || "@\\".contains(c)) {
            return Err(UrlRuleError("write a host and a path, such as www.stream.example/account"));
        }
        let (place, path) = text.split_once('/').unwrap_or((text, ""));
        if path.contains('*') {
            return Err(UrlRuleError("a path has no star: the beginning of one is enough"));
        }
        let (name, port) = match place.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
            _ => (place, None),
        };
        let no_port = UrlRuleError("the port has to be a number from 1 to 65535");
        let read = |port: &str| port.parse::<u16>().ok().filter(|port| *port != 0).ok_or(no_port);
        let url = Url::parse(&format!("https://path.example/{path}"));
        let url = url.map_err(|_| UrlRuleError("the path can't be read"))?;
        Ok(Self { hosts: hosts(name)?, port: port.map(read).transpose()?, path: steps(&url) })
    }
}

fn hosts(name: &str) -> Result<Hosts, UrlRuleError> {
    let wrong = UrlRuleError("write a host such as www.stream.example or *.stream.example");
    let (below, name) = name.strip_prefix("*.").map_or((false, name), |name| (true, name));
    if name.is_empty() || name.contains('*') {
        return Err(wrong);
    }
    match Host::parse(name.trim_end_matches('.')).map_err(|_| wrong)? {
        Host::Domain(name) if below => Ok(Hosts::Below(name)),
        host if !below => Ok(Hosts::One(host)),
        _ => Err(wrong),
    }
}

/// The steps of a path as they are compared.
fn steps(url: &Url) -> Vec<String> {
    let parts = url.path().split('/').filter(|part| !part.is_empty());
    parts.map(|part| decoded(part).to_lowercase()).collect()
}

/// What is written in hexadecimal digits means the same as what is not.
fn decoded(part: &str) -> String {
    let (mut bytes, mut rest) = (Vec::with_capacity(part.len()), part.bytes().peekable());
    while let Some(byte) = rest.next() {
        let digits: String = rest.clone().take(2).map(char::from).collect();
        let code = u8::from_str_radix(&digits, 16).ok();
        match code.filter(|_| byte == b'%' && digits.len() == 2 && !digits.starts_with('+')) {
            Some(code) => {
                bytes.push(code);
                rest.nth(1);
            }
            None => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl UrlRule {
    /// Whether a page there is meant.
    pub fn covers(&self, url: &Url) -> bool {
        matches!(url.scheme(), "http" | "https")
            && self.port.is_none_or(|port| url.port_or_known_default() == Some(port))
            && self.covers_host(url)
            && steps(url).starts_with(&self.path)
    }

    fn covers_host(&self, url: &Url) -> bool {
        match (&self.hosts, url.host()) {
            (Hosts::One(Host::Domain(own)), Some(Host::Domain(name))) => own == name.trim_end_matches('.'),
            (Hosts::One(own), Some(host)) => *own == host.to_owned(),
            (Hosts::Below(above), Some(Host::Domain(name))) => {
                let labels = name.trim_end_matches('.').strip_suffix(above.as_str());
                labels.is_some_and(|labels| labels.len() > 1 && labels.ends_with('.'))
            }
            _ => false,
        }
    }

    /// The same rule where the service of one address stands at another: what was about that host is about this one.
    #[must_use]
    pub fn moved(&self, from: &Url, to: &Url) -> Self {
        match to.host() {
            Some(host) if self.covers_host(from) => {
                Self { hosts: Hosts::One(host.to_owned()), port: to.port(), path: self.path.clone() }
            }
            _ => self.clone(),
        }
    }

    /// An address that it covers, for asking whether such a place may be reached at all.
    pub fn example(&self) -> String {
        let host = match &self.hosts {
            Hosts::One(host) => host.to_string(),
            Hosts::Below(name) => format!("any.{name}"),
        };
        self.port.map_or_else(|| format!("https://{host}/"), |port| format!("https://{host}:{port}/"))
    }
}

/// Reads as the same rule again.
impl fmt::Display for UrlRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.hosts {
            Hosts::One(host) => write!(f, "{host}")?,
            Hosts::Below(name) => write!(f, "*.{name}")?,
        }
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))?;
        self.path.iter().try_for_each(|step| write!(f, "/{}", encoded(step)))
    }
}

/// What would not be read as the same step is written in hexadecimal digits.
fn encoded(step: &str) -> String {
    let is_plain =
        |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) && step != "." && step != "..";
    let write = |byte: u8| match is_plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02x}"),
    };
    step.bytes().map(write).collect()
}

impl TryFrom<String> for UrlRule {
    type Error = UrlRuleError;

    fn try_from(text: String) -> Result<Self, UrlRuleError> {
        text.parse()
    }
}

impl From<UrlRule> for String {
    fn from(rule: UrlRule) -> Self {
        rule.to_string()
    }
}
