//! Credentials that nobody named, hidden in problems by how they are written: the last step before a problem is told or logged.

use std::borrow::Cow;

use legwork_policy::hide_credentials;
use legwork_types::Problem;

/// A problem without what looks like a credential in its words. Its details are values of ours or of the page, and are masked by value.
#[must_use]
pub fn without_credentials_of_others(mut problem: Problem) -> Problem {
    let texts = [Some(&mut problem.message), Some(&mut problem.hint), problem.cause.as_mut()];
    for text in texts.into_iter().flatten() {
        if let Cow::Owned(hidden) = hide_credentials(text) {
            *text = hidden;
        }
    }
    problem
}

#[cfg(test)]
mod tests {
    use legwork_types::Code;

    use super::*;
    use crate::session::noted;

    #[test]
    fn a_problem_that_repeats_a_key_is_told_without_it() {
        let echoed =
            "401: {\"error\":\"bad key\",\"headers\":{\"Authorization\":\"Bearer sk-4f1c9a02be77d1540e\"}}";
        let problem =
            Problem::new(Code::NavigationFailed, "https://me:hunter22@a.test/ failed", "set ?token=abcd1234")
                .because(echoed);
        let told = format!("{:?}", noted(problem, "open", None));
        for key in ["4f1c9a02", "hunter22", "abcd1234"] {
            assert!(!told.contains(key), "{told}");
        }
        // The twin: a problem without a key is told as it is.
        let plain = Problem::new(Code::NavigationFailed, "https://a.test/ failed", "check the port")
            .because("net::ERR");
        assert_eq!(without_credentials_of_others(plain.clone()), plain);
    }
}
