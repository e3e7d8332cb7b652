//! Bounded waiting: looks again every 5 ms until a condition holds, fails the test when time is up.

use std::{
    thread,
    time::{Duration, Instant},
};

const STEP: Duration = Duration::from_millis(5);

/// Blocks until `condition` holds. Panics after `limit`, naming `what` was awaited.
#[track_caller]
pub fn wait_until(limit: Duration, what: &str, mut condition: impl FnMut() -> bool) {
    let end = Instant::now() + limit;
    while !condition() {
        assert!(Instant::now() < end, "not within {limit:?}: {what}");
        thread::sleep(STEP);
    }
}

/// Waits until `condition` holds, without blocking the runtime. Panics after `limit`, naming `what` was
/// awaited; a condition that itself never answers counts as not holding.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// use std::time::Duration;
/// let mut looks = 0;
/// legwork_testkit::wait_until_async(Duration::from_secs(1), "a third look", async || {
///     looks += 1;
///     looks == 3
/// })
/// .await;
/// # });
/// ```
pub async fn wait_until_async(limit: Duration, what: &str, mut condition: impl AsyncFnMut() -> bool) {
    let polling = async {
        while !condition().await {
            tokio::time::sleep(STEP).await;
        }
    };
    if tokio::time::timeout(limit, polling).await.is_err() {
        panic!("not within {limit:?}: {what}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_as_soon_as_the_condition_holds() {
        let mut looks = 0;
        wait_until(Duration::from_secs(5), "a third look", || {
            looks += 1;
            looks == 3
        });
        assert_eq!(looks, 3);
    }

    #[test]
    #[should_panic(expected = "not within 20ms: the moon")]
    fn names_what_did_not_come() {
        wait_until(Duration::from_millis(20), "the moon", || false);
    }

    #[tokio::test]
    #[should_panic(expected = "not within 20ms: the moon")]
    async fn names_what_did_not_come_async() {
        wait_until_async(Duration::from_millis(20), "the moon", async || false).await;
    }

    #[tokio::test]
    #[should_panic(expected = "not within 20ms: an answer")]
    async fn a_condition_that_never_answers_is_bounded() {
        wait_until_async(Duration::from_millis(20), "an answer", async || std::future::pending().await).await;
    }
}
