//! Who has shown the code of a question, and who has shown wrong ones: as values, without a clock of their own.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use legwork_runtime::ApprovalId;
use subtle::ConstantTimeEq;

/// How long somebody who has shown the code may take.
pub(super) const VISIT: Duration = Duration::from_secs(15 * 60);
/// The most visits and the most failures that are remembered.
const KEPT: usize = 500;
/// So many wrong codes cost nothing: people mistype.
const FREE: u32 = 3;
/// The longest that anybody waits after a wrong code.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Somebody who has shown the code of one question.
#[derive(Debug, Clone)]
pub(super) struct Visit {
    id: ApprovalId,
    /// What the browser shows with every request.
    pub(super) cookie: String,
    /// What the page itself sends along with an answer.
    pub(super) token: String,
    until: Instant,
}

#[derive(Debug)]
struct Failures {
    id: ApprovalId,
    count: u32,
    not_before: Instant,
}

/// What becomes of a code that is shown.
#[derive(Debug)]
pub(super) enum Knock {
    /// It is the right one.
    Open(Visit),
    /// It is not.
    Wrong,
    /// There were too many wrong ones: not before so long.
    NotYet(Duration),
}

#[derive(Debug, Default)]
pub(super) struct Visits {
    visits: VecDeque<Visit>,
    failures: VecDeque<Failures>,
}

impl Visits {
    /// Holds a code against the right one. Nobody who guesses keeps out whoever knows it: only wrong ones have to wait.
    pub(super) fn knock(
        &mut self,
        id: &ApprovalId,
        right: &str,
        shown: &str,
        now: Instant,
        secret: impl Fn() -> Option<String>,
    ) -> Knock {
        let failed = self.failures.iter().position(|failures| failures.id == *id);
        let is_right = !right.is_empty() && same(right, shown);
        if let (true, Some(cookie), Some(token)) = (is_right, secret(), secret()) {
            if let Some(at) = failed {
                self.failures.remove(at);
            }
            let visit = Visit { id: id.clone(), cookie, token, until: now + VISIT };
            self.visits.retain(|visit| visit.until > now);
            kept(&mut self.visits, visit.clone());
            return Knock::Open(visit);
        }
        if let Some(failures) = failed.and_then(|at| self.failures.get(at)) {
            let wait = failures.not_before.saturating_duration_since(now);
            if !wait.is_zero() {
                return Knock::NotYet(wait);
            }
        }
        match failed.and_then(|at| self.failures.get_mut(at)) {
            Some(failures) => {
                failures.count += 1;
                failures.not_before = now + wait_after(failures.count);
            }
            None => kept(&mut self.failures, Failures { id: id.clone(), count: 1, not_before: now }),
        }
        Knock::Wrong
    }

    /// The visit of whoever shows this cookie.
    pub(super) fn find(&self, id: &ApprovalId, cookie: &str, now: Instant) -> Option<&Visit> {
        self.visits.iter().find(|visit| visit.id == *id && visit.until > now && same(&visit.cookie, cookie))
    }
}

impl Visit {
    /// Whether an answer comes from our own page.
    pub(super) fn gave(&self, token: &str) -> bool {
        same(&self.token, token)
    }
}

/// Takes as long for a near miss as for any other.
fn same(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

fn wait_after(count: u32) -> Duration {
    match count.saturating_sub(FREE) {
        0 => Duration::ZERO,
        more => Duration::from_secs(1 << more.min(6)).min(LONGEST_WAIT),
    }
}

fn kept<T>(list: &mut VecDeque<T>, one: T) {
    if list.len() >= KEPT {
        list.pop_front();
    }
    list.push_back(one);
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn id() -> ApprovalId {
        ApprovalId("a1".into())
    }

    #[test]
    fn only_the_right_code_opens_and_only_its_own_question() {
        let (mut visits, now, made) = (Visits::default(), Instant::now(), Cell::new(0));
        let secret = || {
            made.set(made.get() + 1);
            Some(format!("secret {}", made.get()))
        };
        for wrong in ["", "c", "codf", "code "] {
            assert!(
                matches!(Visits::default().knock(&id(), "code", wrong, now, secret), Knock::Wrong),
                "{wrong}"
            );
        }
        assert!(matches!(visits.knock(&id(), "", "", now, secret), Knock::Wrong), "no code is none");
        let Knock::Open(visit) = visits.knock(&id(), "code", "code", now, secret) else { panic!("refused") };
        assert!(visits.find(&id(), &visit.cookie, now).is_some());
        assert!(visits.find(&ApprovalId("a2".into()), &visit.cookie, now).is_none());
        assert!(visits.find(&id(), &visit.token, now).is_none() && !visit.gave(&visit.cookie));
        assert!(visits.find(&id(), &visit.cookie, now + VISIT).is_none(), "it is over some time");
    }

    #[test]
    fn wrong_codes_cost_time_and_the_right_one_always_opens() {
        let (mut visits, mut now) = (Visits::default(), Instant::now());
        let secret = || Some("secret".to_owned());
        let mut longest = Duration::ZERO;
        for _ in 0..50 {
            match visits.knock(&id(), "code", "wrong", now, secret) {
                Knock::Wrong => {}
                Knock::NotYet(wait) => {
                    longest = longest.max(wait);
                    now += wait;
                }
                Knock::Open(_) => panic!("opened"),
            }
        }
        assert_eq!(longest, LONGEST_WAIT);
        now += LONGEST_WAIT;
        assert!(matches!(visits.knock(&id(), "code", "wrong", now, secret), Knock::Wrong));
        assert!(matches!(visits.knock(&id(), "code", "wrong", now, secret), Knock::NotYet(_)));
        assert!(
            matches!(visits.knock(&id(), "code", "code", now, secret), Knock::Open(_)),
            "the owner waits"
        );
        assert!(matches!(visits.knock(&id(), "code", "wrong", now, secret), Knock::Wrong), "forgiven");
    }
}
