//! The exit codes: stable, and told in `legwork --help` and docs/cli.md.

use legwork_types::Code;

/// Everything was done.
pub(crate) const DONE: u8 = 0;
/// The page or the job failed.
pub(crate) const FAILED: u8 = 1;
/// The command line is wrong.
pub(crate) const USAGE: u8 = 2;
/// There is no browser that could be used.
pub(crate) const NO_BROWSER: u8 = 3;

/// The exit code of a command that ended in this error.
pub(crate) fn exit_code(code: Code) -> u8 {
    match code {
        Code::Usage | Code::InvalidUrl => USAGE,
        Code::BrowserNotFound
        | Code::BrowserLaunchFailed
        | Code::BrowserDisconnected
        | Code::SandboxUnavailable
        | Code::ProfileLocked
        | Code::ProfileUnusable
        | Code::EndpointRefused
        | Code::EndpointsExhausted => NO_BROWSER,
        _ => FAILED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_the_exit_code_of_its_family() {
        for code in Code::ALL {
            let expected = match code.as_str() {
                "USAGE" | "INVALID_URL" => USAGE,
                word if ["BROWSER_", "SANDBOX_", "PROFILE_", "ENDPOINT"]
                    .iter()
                    .any(|family| word.starts_with(family)) =>
                {
                    NO_BROWSER
                }
                _ => FAILED,
            };
            assert_eq!(exit_code(*code), expected, "{code}");
        }
    }
}
