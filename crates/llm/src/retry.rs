//! When a call is tried again. Pure.

use std::time::{Duration, SystemTime};

use crate::error::{Retry, VendorError};

/// How often, and after which pauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempts {
    /// How often at all.
    pub most: u32,
    /// The first pause; each further one is twice as long.
    pub pause: Duration,
    /// The longest pause that is chosen here.
    pub longest_pause: Duration,
    /// The longest that a vendor may want us to wait.
    pub longest_wish: Duration,
}

impl Default for Attempts {
    fn default() -> Self {
        Self {
            most: 3,
            pause: Duration::from_secs(1),
            longest_pause: Duration::from_secs(10),
            longest_wish: Duration::from_secs(60),
        }
    }
}

impl Attempts {
    /// How long to wait after attempt number `attempt` (the first is 1) came to this; none if it is not tried again. `chance` is
    /// between 0 and 1: callers that failed together do not come back together.
    pub fn pause_after(&self, attempt: u32, error: &VendorError, chance: f64) -> Option<Duration> {
        let Retry::After(wish) = error.retry() else { return None };
        if attempt >= self.most {
            return None;
        }
        let doubled = self.pause.saturating_mul(2_u32.saturating_pow(attempt.saturating_sub(1)));
        let own = doubled.min(self.longest_pause).mul_f64(0.75 + 0.5 * chance.clamp(0.0, 1.0));
        match wish {
            Some(wish) if wish > self.longest_wish => None,
            // Never before the vendor wants it.
            Some(wish) => Some(wish.max(own.min(wish + self.pause))),
            None => Some(own),
        }
    }
}

/// How long `Retry-After` wants us to wait: seconds, or until a date by the clock of whoever wrote it.
pub(crate) fn wish(header: &str, now: SystemTime) -> Option<Duration> {
    let header = header.trim();
    match header.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        Err(_) => Some(httpdate::parse_http_date(header).ok()?.duration_since(now).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::error::{BadAnswer, Slow};

    fn refused(status: u16, again_after: Option<u64>) -> VendorError {
        let again_after = again_after.map(Duration::from_secs);
        VendorError::Refused { status, kind: String::new(), message: String::new(), again_after }
    }

    #[test]
    fn only_what_may_succeed_later_is_tried_again() {
        let attempts = Attempts::default();
        let again = |error: VendorError| attempts.pause_after(1, &error, 0.5).is_some();
        for status in [408, 409, 429, 500, 502, 503, 504, 529] {
            assert!(again(refused(status, None)), "{status}");
        }
        for status in [301, 400, 401, 403, 404, 413, 422] {
            assert!(!again(refused(status, None)), "{status}");
        }
        assert!(again(VendorError::Timeout(Slow::Idle(Duration::ZERO))));
        assert!(again(VendorError::Unreachable("refused".into())));
        assert!(again(BadAnswer::Cut.into()));
        assert!(!again(BadAnswer::TooLarge.into()));
        assert!(!again(VendorError::Cancelled));
        assert!(again(VendorError::told("overloaded_error", String::new())));
        assert!(!again(VendorError::told("invalid_request_error", String::new())));
        // Routers give the number of a status in a stream.
        assert!(again(VendorError::told("502", String::new())));
        assert!(!again(VendorError::told("402", String::new())));
        // Whoever has no money left is not helped by waiting.
        let kind = "insufficient_quota".to_owned();
        assert!(!again(VendorError::Refused {
            status: 429,
            kind,
            message: String::new(),
            again_after: None
        }));
    }

    #[test]
    fn pauses_grow_and_end() {
        let attempts = Attempts { most: 6, ..Attempts::default() };
        let pauses: Vec<_> =
            (1..=6).map(|attempt| attempts.pause_after(attempt, &refused(500, None), 0.5)).collect();
        let seconds = [Some(1), Some(2), Some(4), Some(8), Some(10), None];
        assert_eq!(pauses, seconds.map(|pause| pause.map(Duration::from_secs)));
    }

    #[test]
    fn a_vendor_that_wants_too_much_patience_is_not_asked_again() {
        let attempts = Attempts::default();
        assert_eq!(attempts.pause_after(1, &refused(429, Some(3600)), 0.5), None);
        let now = httpdate::parse_http_date("Wed, 21 Oct 2026 07:28:00 GMT").unwrap();
        assert_eq!(wish("2", now), Some(Duration::from_secs(2)));
        assert_eq!(wish(" 0.5 ", now), Some(Duration::from_millis(500)));
        assert_eq!(wish("Wed, 21 Oct 2026 07:28:30 GMT", now), Some(Duration::from_secs(30)));
        assert_eq!(wish("Wed, 21 Oct 2026 07:27:00 GMT", now), Some(Duration::ZERO));
        for odd in ["-1", "soon", "", "inf", "NaN", "Wed, 21 Oct"] {
            assert_eq!(wish(odd, now), None, "{odd}");
        }
    }

    proptest! {
        #[test]
        fn never_earlier_than_wished_and_never_much_later(wished in 0_u64..60, attempt in 1_u32..3, chance in 0.0..1.0) {
            let attempts = Attempts::default();
            let pause = attempts.pause_after(attempt, &refused(429, Some(wished)), chance).unwrap();
            let wished = Duration::from_secs(wished);
            prop_assert!(pause >= wished && pause <= wished + attempts.pause);
        }

        #[test]
        fn a_pause_is_within_a_quarter_of_what_it_should_be(attempt in 1_u32..3, chance in 0.0..1.0) {
            let attempts = Attempts::default();
            let pause = attempts.pause_after(attempt, &refused(503, None), chance).unwrap().as_secs_f64();
            let middle = f64::from(2_u32.pow(attempt - 1));
            prop_assert!(pause >= middle * 0.75 && pause <= middle * 1.25);
        }
    }
}
