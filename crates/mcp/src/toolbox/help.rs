//! What a server says of its own options: whether it has one is asked before it is given one.

use std::time::Duration;

use tokio::{io::AsyncReadExt as _, time::timeout};

use super::{Start, process};

/// How much of it is read, in bytes.
const MOST: u64 = 256 * 1024;
/// How long it may take to end.
const LEAVE: Duration = Duration::from_secs(1);

/// The server's help, which says what options it has.
pub(super) struct Help(String);

impl Help {
    /// Whether it tells of this option.
    pub(super) fn tells_of(&self, option: &str) -> bool {
        self.0.split_whitespace().any(|word| word == option)
    }
}

/// Asks a server for its help. One that does not answer has no options.
pub(super) async fn help(start: &Start, limit: Duration) -> Help {
    let mut start = start.clone();
    start.words.push("--help".into());
    let Ok((process, input, output)) = process::start(&start) else { return Help(String::new()) };
    drop(input);
    let mut help = Vec::new();
    let read = timeout(limit, output.take(MOST).read_to_end(&mut help)).await;
    process.end(LEAVE).await;
    match read {
        Ok(Ok(_)) => Help(String::from_utf8_lossy(&help).into_owned()),
        Ok(Err(_)) | Err(_) => Help(String::new()),
    }
}
