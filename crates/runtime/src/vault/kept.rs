//! What is hidden besides the secrets that have a name: codes for as long as a server may take them, values of logins by when they
//! were last seen. Pure.

use std::{
    collections::VecDeque,
    time::{Duration, SystemTime},
};

use legwork_policy::secrets::SecretText;

/// How long a code is hidden after it was typed: servers take the one before too, and some make them for a minute.
const CODE_LIFE: Duration = Duration::from_secs(180);
/// The most codes that are hidden at a time.
const MOST_CODES: usize = 512;
/// The most values of logins: each makes looking for them a little slower.
const MOST_VALUES: usize = 1_024;

/// Codes that were typed lately, the newest last.
#[derive(Default)]
pub(super) struct Codes(VecDeque<(SystemTime, SecretText)>);

impl Codes {
    /// One that was made now. Those that nobody takes any more are let go.
    pub(super) fn add(&mut self, code: SecretText, now: SystemTime) {
        // A clock that was set back makes none of them older.
        let lives =
            |then: SystemTime| now.duration_since(then).is_ok_and(|age| age <= CODE_LIFE) || then > now;
        self.0.retain(|(then, known)| lives(*then) && *known != code);
        self.0.push_back((now, code));
        while self.0.len() > MOST_CODES {
            self.0.pop_front();
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &SecretText> {
        self.0.iter().map(|(_, code)| code)
    }
}

/// By what sessions are logged in, what was seen last at the end.
#[derive(Default)]
pub(super) struct Values(VecDeque<SecretText>);

/// Whether there is something new to hide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum News {
    Some,
    None,
}

impl Values {
    /// Those that were seen now, the most important ones first: they are the last to be let go.
    pub(super) fn see(&mut self, values: Vec<SecretText>) -> News {
        let mut news = News::None;
        for value in values.into_iter().rev() {
            match self.0.iter().position(|known| *known == value) {
                Some(at) => drop(self.0.remove(at)),
                None => news = News::Some,
            }
            self.0.push_back(value);
        }
        while self.0.len() > MOST_VALUES {
            self.0.pop_front();
        }
        news
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &SecretText> {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(of: std::ops::Range<usize>) -> Vec<SecretText> {
        of.map(|n| format!("value-{n:08}").as_str().into()).collect()
    }

    #[test]
    fn a_value_that_is_seen_again_outlives_all_that_are_not() {
        let session: SecretText = "s3ssion-of-the-user".into();
        let mut kept = Values::default();
        assert_eq!(kept.see(vec![session.clone()]), News::Some);
        for round in 0..3 {
            kept.see(values(round * MOST_VALUES..(round + 1) * MOST_VALUES - 1));
            assert_eq!(kept.see(vec![session.clone()]), News::None, "it never was let go");
        }
        assert_eq!(kept.iter().count(), MOST_VALUES);
        // Of those that come together the first ones matter most.
        let mut many = values(0..MOST_VALUES + 9);
        many.insert(0, session.clone());
        kept.see(many);
        assert!(kept.iter().any(|value| *value == session));
    }

    #[test]
    fn a_code_is_hidden_for_as_long_as_it_is_taken_however_many_there_are() {
        let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        let at = |seconds| start + Duration::from_secs(seconds);
        let has = |codes: &Codes, code: &str| codes.iter().any(|known| known.expose() == code);
        let mut codes = Codes::default();
        codes.add("135790".into(), start);
        (0..40).for_each(|n: u64| codes.add(format!("{:06}", 200_000 + n).as_str().into(), at(n)));
        assert!(has(&codes, "135790") && has(&codes, "200039"));
        codes.add("246801".into(), at(CODE_LIFE.as_secs() + 1));
        assert!(!has(&codes, "135790") && has(&codes, "246801") && has(&codes, "200039"), "its time is over");
        codes.add("864209".into(), start);
        assert!(has(&codes, "246801"), "a clock that was set back");
    }
}
