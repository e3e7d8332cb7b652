//! Why no endpoint gave us a browser.

use std::fmt;

use legwork_types::{Code, Problem};

use super::AttemptError;

/// Why no endpoint gave us a browser. Endpoints are named by their position, counted from 1, never by address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// Every endpoint that was left has been tried once.
    #[error("{}", Tried { total: *total, reasons })]
    Exhausted {
        /// How many there are.
        total: usize,
        /// Why those that were tried failed, up to the last one; empty if none was left.
        reasons: Vec<AttemptError>,
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
    reasons: &'a [AttemptError],
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
        f.write_str("no endpoint can be used (")?;
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
            ConnectError::Exhausted { total, reasons } if reasons.is_empty() => {
                let hint = match total {
                    0 => "give at least one endpoint, for example http://127.0.0.1:9222",
                    _ => "each endpoint is used once per task: give more endpoints, or start the task again",
                };
                Problem::new(Code::EndpointsExhausted, message, hint)
            }
            ConnectError::Exhausted { reasons, .. } => {
                // Where nothing will be better at the next try, nobody should try again.
                let code = if reasons.iter().all(AttemptError::is_lasting) {
                    Code::EndpointRefused
                } else {
                    Code::EndpointsExhausted
                };
                // The network may mend itself; what lasts, somebody has to change.
                let told = reasons.iter().find(|reason| reason.is_lasting());
                let hint = told.unwrap_or(&AttemptError::ConnectionRefused).hint();
                let names: Vec<_> = reasons.iter().map(AttemptError::name).collect();
                Problem::new(code, message, hint).because(names.join(", "))
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
        let exhausted = |reasons| ConnectError::Exhausted { total: 3, reasons };
        for (error, code, message, hint) in [
            (
                exhausted(vec![AttemptError::Status(401)]),
                Code::EndpointRefused,
                "no endpoint can be used (endpoint 3 of 3: it answered HTTP 401)",
                "wants a token",
            ),
            (
                exhausted(vec![AttemptError::Html, AttemptError::Status(404)]),
                Code::EndpointRefused,
                "no endpoint can be used (endpoint 2 of 3: it answered with a web page, endpoint 3 of 3: it answered HTTP 404)",
                "--remote-debugging-port=9222",
            ),
            (
                exhausted(vec![AttemptError::Timeout, AttemptError::Status(403)]),
                Code::EndpointsExhausted,
                "no endpoint can be used (endpoint 2 of 3: no answer in time, endpoint 3 of 3: it answered HTTP 403)",
                "wants a token",
            ),
            (
                exhausted(vec![AttemptError::Timeout, AttemptError::Status(503)]),
                Code::EndpointsExhausted,
                "no endpoint can be used (endpoint 2 of 3: no answer in time, endpoint 3 of 3: it answered HTTP 503)",
                "--remote-debugging-port=9222",
            ),
            (
                exhausted(vec![]),
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
