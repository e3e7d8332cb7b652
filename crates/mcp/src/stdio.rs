//! The protocol on standard input and output: one message on a line. Whatever comes in, the answer is a message or nothing, and the
//! end of the input is the end of the service.

use std::{
    io::{self, Read, Write},
    thread,
    time::Duration,
};

use legwork_runtime::{Caller, CancellationToken};
use rmcp::{
    RoleServer,
    model::JsonRpcMessage,
    service::{RxJsonRpcMessage, ServerInitializeError, TxJsonRpcMessage, serve_server_with_ct},
    transport::Transport,
};
use serde_json::{Value, json};
use tokio::{
    sync::{mpsc, oneshot},
    time::timeout,
};

use crate::{
    Server,
    lines::{LONGEST_LINE, Line, Lines},
};

/// How many lines may wait to be understood: one may be 8 MiB.
const WAITING_LINES: usize = 2;
/// How many bytes are read at once.
const CHUNK: usize = 64 * 1024;
/// How long the last words may take to be written.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Serves whoever started us, until the input ends or it is called off. The sessions stay as they are.
pub async fn serve_stdio(server: &Server, cancel: &CancellationToken) {
    let broken = CancellationToken::new();
    let (out, written) = write(io::stdout(), broken.clone());
    let lines = read(io::stdin());
    let transport = Stdio { lines, out: Some(out), broken, unsent: None, begun: false };
    let service = server.for_caller(Caller::new("stdio"));
    match serve_server_with_ct(service, transport, cancel.child_token()).await {
        Ok(running) => {
            let _ = running.waiting().await;
        }
        // Who leaves before the first words, or is called off, ends us as well as anybody else.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {}
        Err(error) => tracing::warn!(%error, "no conversation came about"),
    }
    let _ = timeout(LAST_WORDS, written).await;
}

/// Reads on a thread of its own: a read of standard input can't be called off, and nobody should wait for it at the end.
fn read(mut input: impl Read + Send + 'static) -> mpsc::Receiver<Line> {
    let (sender, lines) = mpsc::channel(WAITING_LINES);
    let work = move || {
        let mut cutter = Lines::new(LONGEST_LINE);
        let mut chunk = vec![0; CHUNK];
        loop {
            let count = match input.read(&mut chunk) {
                Ok(0) => return,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return,
            };
            for line in cutter.take(&chunk[..count]) {
                if sender.blocking_send(line).is_err() {
                    return;
                }
            }
        }
    };
    if let Err(error) = thread::Builder::new().name("stdin".into()).spawn(work) {
        tracing::error!(%error, "standard input can't be read");
    }
    lines
}

/// A message on its way out, and who wants to know when it is.
struct Outgoing {
    line: Vec<u8>,
    written: Option<oneshot::Sender<()>>,
}

/// Writes on a thread of its own, for the same reason: nobody may be reading. The second value comes when all is written.
fn write(
    mut output: impl Write + Send + 'static,
    broken: CancellationToken,
) -> (mpsc::Sender<Outgoing>, oneshot::Receiver<()>) {
    let (sender, mut messages) = mpsc::channel::<Outgoing>(16);
    let (all, written) = oneshot::channel();
    let work = move || {
        // Dropped at the end, however it comes.
        let _all = all;
        while let Some(Outgoing { mut line, written }) = messages.blocking_recv() {
            line.push(b'\n');
            if output.write_all(&line).and_then(|()| output.flush()).is_err() {
                broken.cancel();
                return;
            }
            if let Some(written) = written {
                let _ = written.send(());
            }
        }
    };
    if let Err(error) = thread::Builder::new().name("stdout".into()).spawn(work) {
        tracing::error!(%error, "standard output can't be written");
    }
    (sender, written)
}

/// The two streams as the library wants them.
struct Stdio {
    lines: mpsc::Receiver<Line>,
    out: Option<mpsc::Sender<Outgoing>>,
    /// Nobody reads what we write.
    broken: CancellationToken,
    /// Our answer to what was no message, not yet on its way.
    unsent: Option<Value>,
    /// Whether a first request came. What is no request means nothing before.
    begun: bool,
}

impl Transport<RoleServer> for Stdio {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let out = self.out.clone();
        async move {
            let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
            let line = serde_json::to_vec(&item)?;
            let (written, known) = oneshot::channel();
            let outgoing = Outgoing { line, written: Some(written) };
            out.ok_or_else(gone)?.send(outgoing).await.map_err(|_| gone())?;
            known.await.map_err(|_| gone())
        }
    }

    // May be dropped and called again at any wait: nothing is lost by that.
    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if self.unsent.is_some() {
                let place = self.out.as_ref()?.reserve().await.ok()?;
                if let Some(line) = self.unsent.take().and_then(|answer| serde_json::to_vec(&answer).ok()) {
                    place.send(Outgoing { line, written: None });
                }
            }
            let line = tokio::select! {
                line = self.lines.recv() => line?,
                () = self.broken.cancelled() => return None,
            };
            match understand(&line) {
                Heard::Message(message) => {
                    self.begun |= matches!(*message, JsonRpcMessage::Request(_));
                    if self.begun {
                        return Some(*message);
                    }
                }
                Heard::Wrong(answer) => self.unsent = Some(answer),
                Heard::Nothing => {}
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.out = None;
        Ok(())
    }
}

/// What a line is.
#[derive(Debug)]
pub(crate) enum Heard {
    /// A message.
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    /// None; this is to be answered.
    Wrong(Value),
    /// Nothing that wants an answer.
    Nothing,
}

pub(crate) fn understand(line: &Line) -> Heard {
    let Line::Whole(bytes) = line else {
        return wrong(Value::Null, -32600, &format!("a line of more than {LONGEST_LINE} bytes was skipped"));
    };
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii();
    if bytes.is_empty() {
        return Heard::Nothing;
    }
    if std::str::from_utf8(bytes).is_err() {
        return wrong(Value::Null, -32700, "not UTF-8");
    }
    match serde_json::from_slice(bytes) {
        Ok(message) => Heard::Message(Box::new(message)),
        Err(_) => match serde_json::from_slice::<Value>(bytes) {
            Err(error) => wrong(Value::Null, -32700, &format!("not JSON: {error}")),
            Ok(value) if value.get("method").is_some() && value.get("id").is_none() => Heard::Nothing,
            Ok(value) => {
                let id = value.get("id").filter(|id| id.is_string() || id.is_number()).cloned();
                wrong(id.unwrap_or_default(), -32600, "not a message of the protocol")
            }
        },
    }
}

fn wrong(id: Value, code: i32, message: &str) -> Heard {
    Heard::Wrong(json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code_of(line: &[u8]) -> Option<(Value, i64)> {
        match understand(&Line::Whole(line.to_vec())) {
            Heard::Wrong(answer) => Some((answer["id"].clone(), answer["error"]["code"].as_i64()?)),
            _ => None,
        }
    }

    #[test]
    fn what_is_no_message_is_answered_by_its_kind() {
        for (line, expected) in [
            (&b"{"[..], Some((Value::Null, -32700))),
            (b"\xff\xfe{}", Some((Value::Null, -32700))),
            (b"[]", Some((Value::Null, -32600))),
            (b"7", Some((Value::Null, -32600))),
            (br#"{"jsonrpc":"2.0","id":7}"#, Some((7.into(), -32600))),
            (br#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, Some((Value::Null, -32600))),
            (br#"{"jsonrpc":"2.0","method":"notifications/unheard/of"}"#, None),
            (b"  \r", None),
        ] {
            assert_eq!(code_of(line), expected, "{}", String::from_utf8_lossy(line));
        }
        let ping = Line::Whole(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.to_vec());
        assert!(matches!(understand(&ping), Heard::Message(_)));
        assert!(matches!(understand(&Line::TooLong), Heard::Wrong(_)));
    }
}
