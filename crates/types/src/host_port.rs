//! One host and port that the operator names in a grant.

use std::{fmt, str::FromStr};

use url::Host;

/// A host (name or address, canonical) with its port: both must be written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HostPort {
    host: Host<String>,
    port: u16,
}

/// Why a grant could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HostPortError {
    /// No `:PORT` at the end.
    #[error("the port is missing; write HOST:PORT, for example 127.0.0.1:8080")]
    PortMissing,
    /// The port is not a number from 1 to 65535.
    #[error("\"{0}\" is not a port; write a number from 1 to 65535")]
    PortInvalid(String),
    /// The host is not a name, an IPv4 or a bracketed IPv6 address.
    #[error(
        "\"{0}\" is not a host; write a name, an IPv4 address or an IPv6 address in brackets, nothing more"
    )]
    HostInvalid(String),
}

impl HostPort {
    /// The canonical host.
    pub fn host(&self) -> &Host<String> {
        &self.host
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }
}

impl FromStr for HostPort {
    type Err = HostPortError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (host, port) = text.rsplit_once(':').ok_or(HostPortError::PortMissing)?;
        if port.ends_with(']') {
            return Err(HostPortError::PortMissing);
        }
        let number = port.parse::<u16>().ok().filter(|n| *n != 0 && port.bytes().all(|b| b.is_ascii_digit()));
        let port = number.ok_or_else(|| HostPortError::PortInvalid(port.to_owned()))?;
        let host = match Host::parse(host) {
            Ok(Host::Domain(name)) if name.contains('*') => None,
            Ok(host) => Some(host),
            Err(_) => None,
        };
        let host = host.ok_or_else(|| HostPortError::HostInvalid(text.to_owned()))?;
        Ok(Self { host, port })
    }
}

impl fmt::Display for HostPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_names_and_addresses_in_canonical_form() {
        for (text, canonical) in [
            ("127.0.0.1:8080", "127.0.0.1:8080"),
            ("LocalHost:1", "localhost:1"),
            ("[::1]:443", "[::1]:443"),
            ("127.1:80", "127.0.0.1:80"),
            ("0x7f000001:80", "127.0.0.1:80"),
        ] {
            assert_eq!(text.parse::<HostPort>().unwrap().to_string(), canonical);
        }
    }

    #[test]
    fn refuses_what_is_not_exactly_a_host_and_a_port() {
        for text in [
            "",
            "localhost",
            "localhost:",
            "localhost:0",
            "localhost:+1",
            "localhost:70000",
            "[::1]",
            "::1",
            "http://localhost:80",
            "*.test:80",
            "a/b:80",
            "a@b:80",
            "a b:80",
            ":80",
            "localhost:80/x",
        ] {
            assert!(text.parse::<HostPort>().is_err(), "{text}");
        }
    }
}
