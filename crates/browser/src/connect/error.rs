//! Why no endpoint gave us a browser.

use std::fmt;

use legwork_types::{Code, Problem};

use super::AttemptError;

/// Why no endpoint gave us a browser. Endpoints are named by their position, counted from 1, never by address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// An endpoint answered in a way that trying another one would only hide.
    #[error("endpoint {index} of {total} can't be used: {reason}")]
    Refused {
        /// Which endpoint, counted from 1.
        index: usize,
        /// How many there are.
        total: usize,
        /// Why.
        reason: AttemptError,
    },
    /// Every endpoint that was left has been tried once.
    #[error("{}", Tried { total: *total, reasons })]
    Exhausted {
        /// How many there are.
        total: usize,
        /// The names of the errors of the endpoints that were tried, up to the last one; empty if none was left.
        reasons: Vec<&'static str>,
    },
    /// The caller's time was over before an endpoint answered.
    #[error("the time was over while endpoint {index} of {total} was tried: {reason}")]
    Deadline {
        /// Which endpoint was tried last, counted from 1.
        index: usize,
        /// How many there are.
        total: usize,
        /// How its attempt ended.
        reason: AttemptError,
    },
    /// The caller called it off.
    #[error("connecting was called off")]
    Cancelled,
}

/// Which endpoint failed why. The tries always reach the end of the list, so positions follow from the count.
struct Tried<'a> {
    total: usize,
    reasons: &'a [&'static str],
}

impl fmt::Display for Tried<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.total;
        if self.reasons.is_empty() {
            return match total {
                0 => f.write_str("there is no endpoint to connect to"),
                _ => write!(f, "no endpoint is left: all {total} have been used"),
            };
        }
        f.write_str("no endpoint could be reached (")?;
        let first = total.saturating_sub(self.reasons.len()) + 1;
        for (offset, reason) in self.reasons.iter().enumerate() {
            let separator = if offset == 0 { "" } else { ", " };
            write!(f, "{separator}endpoint {} of {total}: {reason}", first + offset)?;
        }
        f.write_str(")")
    }
}

impl From<&ConnectError> for Problem {
    fn from(error: &ConnectError) -> Self {
        let message = error.to_string();
        match error {
            ConnectError::Refused { reason, .. } => {
                Problem::new(Code::EndpointRefused, message, reason.hint()).because(reason.name())
            }
            ConnectError::Exhausted { total, reasons } => {
                let hint = match (total, reasons.is_empty()) {
                    (0, _) => "give at least one endpoint, for example http://127.0.0.1:9222",
                    (_, true) => {
                        "each endpoint is used once per task: give more endpoints, or start the task again"
                    }
                    (_, false) => AttemptError::ConnectionRefused.hint(),
                };
                let problem = Problem::new(Code::EndpointsExhausted, message, hint);
                if reasons.is_empty() { problem } else { problem.because(reasons.join(", ")) }
            }
            ConnectError::Deadline { reason, .. } => Problem::new(
                Code::Timeout,
                message,
                "allow more time, or remove endpoints that do not answer",
            )
            .because(reason.name()),
            ConnectError::Cancelled => {
                Problem::new(Code::Cancelled, message, "run it again when you want to connect")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_endpoints_by_position_and_say_what_to_do() {
        let refused = |reason| ConnectError::Refused { index: 2, total: 3, reason };
        for (error, code, message, hint) in [
            (
                refused(AttemptError::Status(401)),
                Code::EndpointRefused,
                "endpoint 2 of 3 can't be used: it answered HTTP 401",
                "wants a token",
            ),
            (
                refused(AttemptError::Html),
                Code::EndpointRefused,
                "endpoint 2 of 3 can't be used: it answered with a web page",
                "--remote-debugging-port=9222",
            ),
            (
                ConnectError::Exhausted { total: 3, reasons: vec!["Timeout", "Http503"] },
                Code::EndpointsExhausted,
                "no endpoint could be reached (endpoint 2 of 3: Timeout, endpoint 3 of 3: Http503)",
                "--remote-debugging-port=9222",
            ),
            (
                ConnectError::Exhausted { total: 3, reasons: vec![] },
                Code::EndpointsExhausted,
                "no endpoint is left: all 3 have been used",
                "give more endpoints",
            ),
            (
                ConnectError::Exhausted { total: 0, reasons: vec![] },
                Code::EndpointsExhausted,
                "there is no endpoint to connect to",
                "at least one endpoint",
            ),
            (
                ConnectError::Deadline { index: 1, total: 2, reason: AttemptError::Timeout },
                Code::Timeout,
                "the time was over while endpoint 1 of 2 was tried: no answer in time",
                "more time",
            ),
            (ConnectError::Cancelled, Code::Cancelled, "connecting was called off", "run it again"),
        ] {
            let problem = Problem::from(&error);
            assert_eq!((problem.code, problem.message.as_str()), (code, message));
            assert!(problem.hint.contains(hint), "{}", problem.hint);
        }
    }
}
