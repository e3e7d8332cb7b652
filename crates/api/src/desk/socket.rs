//! The side of the socket that has the questions. Only processes of the same user are heard.

use std::{fs, io, os::unix::fs::PermissionsExt, path::Path, sync::Arc, time::Duration};

use legwork_runtime::{Approvals, CancellationToken};
use rustix::process::geteuid;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{UnixListener, UnixStream},
    sync::Semaphore,
    task::JoinSet,
    time::{sleep, timeout},
};

use super::protocol::{LONGEST_ASKED, Told};

/// How long one exchange may take.
const EXCHANGE: Duration = Duration::from_secs(10);
/// The most at a time.
const CONNECTIONS: usize = 16;
/// How long it is waited where the system has no room for another connection.
const NO_ROOM: Duration = Duration::from_millis(100);

/// A socket that is bound and not yet served.
#[derive(Debug)]
pub struct DeskSocket(UnixListener);

impl DeskSocket {
    /// Makes the socket, in a folder that nobody else may enter.
    pub fn bind(path: &Path) -> io::Result<Self> {
        let listener = UnixListener::bind(path)?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
        Ok(Self(listener))
    }

    /// Serves it until it is called off.
    pub async fn serve(self, desk: Arc<Approvals>, cancel: CancellationToken) {
        let room = Arc::new(Semaphore::new(CONNECTIONS));
        let mut connections = JoinSet::new();
        loop {
            let accepted = tokio::select! {
                () = cancel.cancelled() => return,
                Some(_) = connections.join_next() => continue,
                accepted = self.0.accept() => accepted,
            };
            match (accepted, room.clone().try_acquire_owned()) {
                (Ok((stream, _)), Ok(place)) if is_same_user(&stream) => {
                    let desk = desk.clone();
                    connections.spawn(async move {
                        let _ = timeout(EXCHANGE, answer(stream, &desk)).await;
                        drop(place);
                    });
                }
                (Ok(_), _) => {}
                (Err(_), _) => sleep(NO_ROOM).await,
            }
        }
    }
}

fn is_same_user(stream: &UnixStream) -> bool {
    let same = stream.peer_cred().is_ok_and(|peer| peer.uid() == geteuid().as_raw());
    if !same {
        tracing::warn!("somebody else came to the desk and was sent away");
    }
    same
}

async fn answer(stream: UnixStream, desk: &Approvals) -> io::Result<()> {
    let (read, mut write) = stream.into_split();
    let mut line = String::new();
    BufReader::new(read.take(LONGEST_ASKED)).read_line(&mut line).await?;
    // What broke off may have been meant to go on.
    let told = if line.ends_with('\n') { Told::to(&line, desk) } else { Told::Unreadable };
    let mut json = serde_json::to_vec(&told)?;
    json.push(b'\n');
    write.write_all(&json).await
}
