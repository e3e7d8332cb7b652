//! What a server says of its own options: whether it has one is asked before it is given one.

use std::time::Duration;

use tokio::{io::AsyncReadExt as _, time::timeout};

use super::{Start, process};

/// How much of it is read, in bytes.
const MOST: u64 = 256 * 1024;
/// How long it may take to end.
const LEAVE: Duration = Duration::from_secs(1);

/// Whether the server's help tells of this option. One that does not answer has none.
pub(super) async fn tells_of(start: &Start, option: &str, limit: Duration) -> bool {
    let mut words = start.words.clone();
    words.push("--help".into());
    let Ok((process, input, output)) = process::start(&words, &start.folder, &start.environment) else {
        return false;
    };
    drop(input);
    let mut help = Vec::new();
    let read = timeout(limit, output.take(MOST).read_to_end(&mut help)).await;
    process.end(LEAVE).await;
    let help = String::from_utf8_lossy(&help);
    matches!(read, Ok(Ok(_))) && help.split_whitespace().any(|word| word == option)
}
