//! One start of a server: the handshake, the list of its tools, calls with a deadline, and its end.

use std::{borrow::Cow, time::Duration};

use rmcp::{
    RoleClient,
    model::{
        CallToolRequestParams, CallToolResponse, ClientCapabilities, ClientConfig, Implementation,
        PaginatedRequestParams,
    },
    service::{ClientInitializeError, RunningService, ServiceError, serve_client},
};
use serde_json::{Map, Value};
use tokio::{
    sync::{OnceCell, watch},
    time::timeout,
};

use super::{
    Start, Tool, ToolAnswer, ToolboxError,
    process::{self, ServerProcess},
    tool::MOST_TOOLS,
    transport::Pipes,
};
use crate::LONGEST_LINE;

/// How many parts a list of tools may come in.
const MOST_PAGES: usize = 10;
/// How long the last words may take after the end.
const LAST_WORDS: Duration = Duration::from_millis(200);
/// How long the conversation may take to end.
const LEAVE: Duration = Duration::from_secs(1);

/// A server that was started, and the conversation with it.
#[derive(Debug)]
pub(super) struct Connection {
    conversation: RunningService<RoleClient, ClientConfig>,
    process: ServerProcess,
    tools: OnceCell<Vec<Tool>>,
    /// How many lines of it were too long.
    too_long: watch::Receiver<u32>,
}

impl Connection {
    /// Starts the server and shakes hands with it.
    pub(super) async fn open(start: &Start, limit: Duration) -> Result<Self, ToolboxError> {
        let started = process::start(start);
        let (process, input, output) = started
            .map_err(|error| ToolboxError::NotUp { why: error.to_string(), last_words: String::new() })?;
        let (pipes, too_long) = Pipes::new(input, output);
        // We offer the server nothing: no files, no model, nobody to ask.
        let us = Implementation::new("legwork", env!("CARGO_PKG_VERSION"));
        let us = ClientConfig::new(ClientCapabilities::default(), us);
        let why = match timeout(limit, serve_client(us, pipes)).await {
            Ok(Ok(conversation)) => {
                return Ok(Self { conversation, process, tools: OnceCell::new(), too_long });
            }
            Ok(Err(ClientInitializeError::ConnectionClosed(_))) => "it ended before it answered".to_owned(),
            Ok(Err(error)) => error.to_string().chars().take(300).collect(),
            Err(_) => format!("it did not answer within {limit:?}"),
        };
        tokio::time::sleep(LAST_WORDS).await;
        let last_words = process.last_words();
        process.end(LEAVE).await;
        Err(ToolboxError::NotUp { why, last_words })
    }

    pub(super) fn is_up(&self) -> bool {
        !self.conversation.is_closed() && !self.conversation.peer().is_transport_closed()
    }

    pub(super) fn group(&self) -> u32 {
        self.process.id()
    }

    /// The tools, asked for once.
    pub(super) async fn tools(&self, limit: Duration) -> Result<&[Tool], ToolboxError> {
        let tools = self.tools.get_or_try_init(|| async {
            let listed = self.waited("the list of tools", limit, self.list()).await?;
            match listed {
                Ok(tools) => Ok(tools),
                Err(error) => Err(self.failure("the list of tools", limit, error).await),
            }
        });
        Ok(tools.await?)
    }

    async fn list(&self) -> Result<Vec<Tool>, ServiceError> {
        let mut tools = Vec::new();
        let mut page = None;
        for _ in 0..MOST_PAGES {
            let listed = self.conversation.peer().list_tools(page.take()).await?;
            tools.extend(listed.tools.iter().filter_map(Tool::of));
            match listed.next_cursor {
                Some(cursor) if tools.len() < MOST_TOOLS => {
                    page = Some(PaginatedRequestParams::default().with_cursor(Some(cursor)));
                }
                _ => break,
            }
        }
        tools.truncate(MOST_TOOLS);
        Ok(tools)
    }

    /// Calls a tool, once.
    pub(super) async fn call(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        limit: Duration,
    ) -> Result<ToolAnswer, ToolboxError> {
        let call = CallToolRequestParams::new(Cow::Owned(name.to_owned())).with_arguments(arguments);
        let answered = self.waited(name, limit, self.conversation.peer().call_tool_once(call)).await?;
        match answered {
            Ok(CallToolResponse::Complete(result)) => Ok(ToolAnswer::of(result)),
            Ok(_) => {
                Ok(ToolAnswer::failed("the tool wants to know more before it answers, and nobody tells it"))
            }
            Err(ServiceError::McpError(error)) => Ok(ToolAnswer::failed(&error.message)),
            Err(error) => Err(self.failure(name, limit, error).await),
        }
    }

    /// What comes of it within the limit. An answer that was too long never comes; whether a line that was too long was the answer
    /// nobody knows.
    async fn waited<T>(
        &self,
        what: &str,
        limit: Duration,
        answer: impl Future<Output = T>,
    ) -> Result<T, ToolboxError> {
        let mut too_long = self.too_long.clone();
        too_long.mark_unchanged();
        let answered = async {
            tokio::select! {
                answer = answer => Ok(answer),
                Ok(()) = too_long.changed() => {
                    Err(ToolboxError::TooLarge { what: what.to_owned(), most: LONGEST_LINE })
                }
            }
        };
        match timeout(limit, answered).await {
            Ok(answered) => answered,
            Err(_) => Err(ToolboxError::TimedOut { what: what.to_owned(), limit }),
        }
    }

    async fn failure(&self, what: &str, limit: Duration, error: ServiceError) -> ToolboxError {
        match error {
            ServiceError::TransportClosed
            | ServiceError::TransportSend(_)
            | ServiceError::Cancelled { .. } => {
                // What it said last may come a moment after its end.
                tokio::time::sleep(LAST_WORDS).await;
                ToolboxError::Lost {
                    why: format!("it ended while it was asked for {what}"),
                    last_words: self.process.last_words(),
                }
            }
            ServiceError::Timeout { .. } => ToolboxError::TimedOut { what: what.to_owned(), limit },
            error => ToolboxError::Protocol(error.to_string().chars().take(300).collect()),
        }
    }

    /// Ends the conversation, then the process with all that it started.
    pub(super) async fn close(&mut self, grace: Duration) {
        // Closes its input, which is how this transport says goodbye.
        let _ = self.conversation.close_with_timeout(LEAVE).await;
        self.process.end(grace).await;
    }
}
