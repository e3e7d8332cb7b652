//! A caller who asks to be told of progress is told that its call has begun, and every second that it goes on.

use std::time::Duration;

use rmcp::{
    Peer, RoleServer,
    model::{ProgressNotificationParam, ProgressToken},
};
use tokio::time::{Instant, interval_at, timeout};

/// How often.
const BEAT: Duration = Duration::from_secs(1);

/// Does the work and tells of it meanwhile.
pub(crate) async fn told<T>(
    peer: &Peer<RoleServer>,
    token: Option<ProgressToken>,
    name: &str,
    work: impl Future<Output = T>,
) -> T {
    let Some(token) = token else { return work.await };
    // A caller that does not read what it asked for must not hold up the work.
    let _ = timeout(BEAT, tell(peer, &token, 0, format!("{name} has begun"))).await;
    tokio::select! {
        biased;
        done = work => done,
        never = beat(peer, &token, name) => match never {},
    }
}

async fn beat(peer: &Peer<RoleServer>, token: &ProgressToken, name: &str) -> std::convert::Infallible {
    let mut ticks = interval_at(Instant::now() + BEAT, BEAT);
    let mut seconds: u32 = 0;
    loop {
        ticks.tick().await;
        seconds += 1;
        tell(peer, token, seconds, format!("{name} goes on, {seconds} s so far")).await;
    }
}

async fn tell(peer: &Peer<RoleServer>, token: &ProgressToken, progress: u32, message: String) {
    let param = ProgressNotificationParam::new(token.clone(), progress.into()).with_message(message);
    // Who has gone away needs no progress.
    let _ = peer.notify_progress(param).await;
}
