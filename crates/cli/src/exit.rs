//! The exit codes: stable, and told in `legwork --help` and docs/cli.md.

use legwork_types::Code;

/// Everything was done.
pub(crate) const DONE: u8 = 0;
/// The page or the job failed.
pub(crate) const FAILED: u8 = 1;
/// The command line or the file of rules is wrong.
pub(crate) const USAGE: u8 = 2;
/// There is no browser that could be used.
pub(crate) const NO_BROWSER: u8 = 3;
/// An errand is said to be done, and there is no proof.
pub(crate) const UNVERIFIED: u8 = 4;
/// Somebody said no to what an errand would have done, or nobody answered.
pub(crate) const DENIED: u8 = 5;
/// A dry run or a plan came to its end: nothing was sent.
pub(crate) const DRY_RUN: u8 = 6;
/// It was called off; the signal that did so says how it ends.
pub(crate) const CALLED_OFF: u8 = 130;

/// The exit code of a command that ended in this error.
pub(crate) fn exit_code(code: Code) -> u8 {
    match code {
        Code::Usage
        | Code::InvalidUrl
        | Code::ConfigInvalid
        | Code::ServiceUnknown
        | Code::ServiceInvalid
        | Code::ModelNotConfigured => USAGE,
        Code::BrowserNotFound
        | Code::BrowserLaunchFailed
        | Code::BrowserDisconnected
        | Code::SandboxUnavailable
        | Code::ProfileLocked
        | Code::ProfileUnusable
        | Code::EndpointRefused
        | Code::EndpointsExhausted
        | Code::ToolboxNodeMissing
        | Code::ToolboxFailed => NO_BROWSER,
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
                "USAGE"
                | "INVALID_URL"
                | "CONFIG_INVALID"
                | "SERVICE_UNKNOWN"
                | "SERVICE_INVALID"
                | "MODEL_NOT_CONFIGURED" => USAGE,
                word if ["BROWSER_", "SANDBOX_", "PROFILE_", "ENDPOINT", "TOOLBOX_"]
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
    /// The table of docs/cli.md: code, exit code, whether a second try may help.
    #[test]
    fn the_documentation_lists_every_code() {
        let documentation = include_str!("../../../docs/cli.md");
        let documented: Vec<String> = documentation
            .lines()
            .filter(|line| line.strip_prefix("| `").is_some_and(|rest| rest.starts_with(char::is_uppercase)))
            .filter_map(|line| line.rsplit_once(" | ").map(|(facts, _meaning)| facts.to_owned()))
            .collect();
        let expected: Vec<String> = Code::ALL
            .iter()
            .map(|code| {
                let retry = if code.retryable() { "yes" } else { "no" };
                format!("| `{code}` | {} | {retry}", exit_code(*code))
            })
            .collect();
        assert_eq!(documented, expected);
    }
}
