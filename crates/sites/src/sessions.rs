//! The visitors of a site, by the cookie of each: at most so many, and the one that was away longest goes first.

use std::collections::{HashMap, VecDeque};

use crate::noise::Noise;

/// As many visitors as a site remembers.
const MOST: usize = 256;
/// As many tokens of one visitor as are still taken: that many pages may be open at once.
const TOKENS: usize = 32;

/// One visitor, with what the site keeps for it (`own`).
#[derive(Debug, Default)]
pub(crate) struct Visit<V> {
    /// The e-mail address of who is logged in.
    pub(crate) account: Option<String>,
    /// One sentence for the top of the next page.
    pub(crate) notice: Option<String>,
    pub(crate) own: V,
    tokens: VecDeque<String>,
    /// Whether the visitor gets a new cookie with this answer.
    renewed: bool,
}

impl<V> Visit<V> {
    pub(crate) fn account(&self) -> Option<&str> {
        self.account.as_deref()
    }

    /// Remembers the token of a page that is being made.
    pub(crate) fn give(&mut self, token: String) -> String {
        if self.tokens.len() == TOKENS {
            self.tokens.pop_front();
        }
        self.tokens.push_back(token.clone());
        token
    }

    /// Whether the token is of a page that this visitor was given lately.
    pub(crate) fn gave(&self, token: &str) -> bool {
        self.tokens.iter().any(|given| given == token)
    }

    /// The visitor is from now on who the account says: with a new cookie, and with no page from before.
    pub(crate) fn log_in(&mut self, account: String) {
        self.account = Some(account);
        self.tokens.clear();
        self.renewed = true;
    }
}

impl<V: Default> Visit<V> {
    /// The visitor is nobody again, and nothing is kept for it.
    pub(crate) fn log_out(&mut self) {
        *self = Self { notice: Some("You are logged out.".into()), renewed: true, ..Self::default() };
    }
}

/// All visitors.
#[derive(Debug)]
pub(crate) struct Sessions<V> {
    by_cookie: HashMap<String, (u64, Visit<V>)>,
    cookies: Noise,
    turn: u64,
}

impl<V: Default> Sessions<V> {
    pub(crate) fn new() -> Self {
        // A browser may come back with a cookie of an earlier run: that must open nothing in this one.
        Self { by_cookie: HashMap::new(), cookies: Noise::of_this_run(), turn: 0 }
    }

    /// Takes the visitor of this cookie out; a new one where there is none.
    pub(crate) fn take(&mut self, cookie: Option<&str>) -> Visit<V> {
        let known = cookie.and_then(|cookie| self.by_cookie.remove(cookie)).map(|(_, visit)| visit);
        known.unwrap_or_else(|| Visit { renewed: true, ..Visit::default() })
    }

    /// Puts a visitor back; the answer is the cookie, where it is a new one.
    pub(crate) fn put(&mut self, cookie: Option<&str>, mut visit: Visit<V>) -> Option<String> {
        if self.by_cookie.len() >= MOST {
            let oldest = self.by_cookie.iter().min_by_key(|(_, (turn, _))| *turn).map(|(key, _)| key.clone());
            oldest.and_then(|cookie| self.by_cookie.remove(&cookie));
        }
        self.turn += 1;
        let renewed = std::mem::take(&mut visit.renewed);
        match cookie.filter(|_| !renewed) {
            Some(cookie) => {
                self.by_cookie.insert(cookie.to_owned(), (self.turn, visit));
                None
            }
            None => {
                let cookie = self.cookies.token();
                self.by_cookie.insert(cookie.clone(), (self.turn, visit));
                Some(cookie)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_visitor_who_was_away_longest_is_forgotten() {
        let mut sessions = Sessions::<u32>::new();
        let mut come = |cookie: Option<&str>| {
            let visit = sessions.take(cookie);
            let own = visit.own;
            (own, sessions.put(cookie, Visit { own: 7, ..visit }))
        };
        let (_, first) = come(None);
        let first = first.unwrap();
        for _ in 0..MOST - 1 {
            come(None);
        }
        assert_eq!(come(Some(&first)), (7, None));
        for _ in 0..MOST {
            come(None);
        }
        let (own, cookie) = come(Some(&first));
        assert!(own == 0 && cookie.is_some_and(|cookie| cookie != first));
    }

    #[test]
    fn tokens_of_lately_are_taken_and_old_or_strange_ones_are_not() {
        let mut visit = Visit::<()>::default();
        for number in 0..=TOKENS {
            visit.give(number.to_string());
        }
        assert!(
            visit.gave("1") && visit.gave("32") && !visit.gave("0") && !visit.gave("") && !visit.gave("x")
        );
    }
}
