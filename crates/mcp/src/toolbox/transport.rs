//! The protocol on the two pipes of a server: a message on a line. What is no message is skipped, what is too long is told of.

use std::{collections::VecDeque, io, sync::Arc};

use rmcp::{
    RoleClient,
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::unix::pipe::{Receiver, Sender},
    sync::{Mutex, watch},
};

use crate::lines::{LONGEST_LINE, Line, Lines};

/// How many bytes are read at once.
const CHUNK: usize = 64 * 1024;

/// The two pipes as the library wants them.
pub(super) struct Pipes {
    input: Arc<Mutex<Option<Sender>>>,
    output: Receiver,
    cutter: Lines,
    lines: VecDeque<Line>,
    chunk: Vec<u8>,
    /// How many lines were too long.
    too_long: watch::Sender<u32>,
}

impl Pipes {
    /// The pipes, and the number of lines that were too long.
    pub(super) fn new(input: Sender, output: Receiver) -> (Self, watch::Receiver<u32>) {
        let (too_long, told) = watch::channel(0);
        let pipes = Self {
            input: Arc::new(Mutex::new(Some(input))),
            output,
            cutter: Lines::new(LONGEST_LINE),
            lines: VecDeque::new(),
            chunk: vec![0; CHUNK],
            too_long,
        };
        (pipes, told)
    }
}

impl Transport<RoleClient> for Pipes {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let input = self.input.clone();
        async move {
            let mut line = serde_json::to_vec(&item)?;
            line.push(b'\n');
            let mut input = input.lock().await;
            let input = input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
            input.write_all(&line).await
        }
    }

    // May be dropped and called again at any wait: nothing is lost by that.
    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            while let Some(line) = self.lines.pop_front() {
                match line {
                    Line::TooLong => {
                        tracing::warn!(most = LONGEST_LINE, "a line of the toolbox was too long and skipped");
                        self.too_long.send_modify(|count| *count = count.wrapping_add(1));
                    }
                    Line::Whole(bytes) => match serde_json::from_slice(bytes.trim_ascii()) {
                        Ok(message) => return Some(message),
                        // Servers chat on their output now and then.
                        Err(error) => tracing::debug!(%error, "a line of the toolbox is no message"),
                    },
                }
            }
            match self.output.read(&mut self.chunk).await {
                Ok(0) | Err(_) => return None,
                Ok(count) => self.lines.extend(self.cutter.take(&self.chunk[..count])),
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        *self.input.lock().await = None;
        Ok(())
    }
}
