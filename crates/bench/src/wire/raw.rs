//! The floor: a browser with the product's own flags that nobody watches. It has no proxy but where one is asked for, and no barrier.

use std::{
    net::SocketAddr,
    os::fd::OwnedFd,
    process::{Child, Command, Stdio},
    time::Duration,
};

use anyhow::Context;
use command_fds::{CommandFdExt, FdMapping};
use legwork_browser::{find_browser, unwatched_flags, waiting_kinds};
use legwork_cdp::{
    Command as Order, Connection, Limit, PipeTransport, SessionId, Signal,
    protocol::{browser, fetch, network, page, target},
};
use legwork_testkit::{end_browser, keep_in};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;
use tokio::{
    net::unix::pipe::{Receiver, Sender},
    task::JoinSet,
};

const PATIENCE: Duration = Duration::from_secs(60);

/// Whether anybody hears what a page asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Watch {
    /// Nobody.
    No,
    /// Chromium tells of every request, answer and document, as it tells sessions; nothing is done with it.
    Yes,
}

/// Such a browser. Dropping it ends it.
pub(crate) struct RawBrowser {
    connection: Connection,
    product: String,
    child: Child,
    profile: TempDir,
    barrier: JoinSet<()>,
}

impl RawBrowser {
    pub(crate) async fn start() -> anyhow::Result<Self> {
        let binary = find_browser(None)?.path;
        let profile = tempfile::Builder::new().prefix("legwork-bench-").tempdir()?;
        let (browser_reads, to_browser) = std::io::pipe()?;
        let (from_browser, browser_writes) = std::io::pipe()?;
        let mut command = Command::new(&binary);
        keep_in(profile.path(), &mut command);
        command.args(unwatched_flags(profile.path()));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.fd_mappings(vec![
            FdMapping { parent_fd: browser_reads.into(), child_fd: 3 },
            FdMapping { parent_fd: browser_writes.into(), child_fd: 4 },
        ])?;
        let child = command.spawn().with_context(|| format!("{} could not be started", binary.display()))?;
        drop(command);
        let reader = Receiver::from_owned_fd(OwnedFd::from(from_browser))?;
        let writer = Sender::from_owned_fd(OwnedFd::from(to_browser))?;
        let connection = Connection::start(PipeTransport::new(reader, writer));
        let mut raw = Self { connection, product: String::new(), child, profile, barrier: JoinSet::new() };
        let limit = Limit::within(PATIENCE);
        let version = raw.connection.link().call(None, &browser::GetVersion {}, &limit).await?;
        raw.product = version.read::<browser::Version>()?.product;
        Ok(raw)
    }

    pub(crate) fn product(&self) -> &str {
        &self.product
    }

    /// The same with the least of all barriers: Chromium has everything wait that could write, and it is let go at once, unread. No
    /// barrier that is built on this costs less.
    pub(crate) async fn start_with_barrier() -> anyhow::Result<Self> {
        let mut raw = Self::start().await?;
        let link = raw.connection.link().clone();
        let mut paused = link.subscribe(&[fetch::REQUEST_PAUSED]);
        link.call(None, &fetch::Enable { patterns: waiting_kinds() }, &Limit::within(PATIENCE)).await?;
        raw.barrier.spawn(async move {
            while let Some(Signal::Event(event)) = paused.next().await {
                let Ok(waits) = event.read::<Waits>() else { return };
                drop(link.post(None, &fetch::ContinueRequest { request_id: &waits.request_id }));
            }
        });
        Ok(raw)
    }

    /// Opens a page in a context of its own.
    pub(crate) async fn open(
        &self,
        url: &str,
        proxy: Option<SocketAddr>,
        watch: Watch,
    ) -> anyhow::Result<()> {
        let (link, limit) = (self.connection.link(), Limit::within(PATIENCE));
        let proxy = proxy.map(|proxy| format!("http://{proxy}"));
        let create = target::CreateBrowserContext {
            dispose_on_detach: true,
            proxy_server: proxy.as_deref(),
            proxy_bypass_list: proxy.as_ref().map(|_| "<-loopback>"),
        };
        let created = link.call(None, &create, &limit).await?;
        let context = created.read::<target::CreatedContext>()?.browser_context_id;
        let first = if watch == Watch::Yes { "about:blank" } else { url };
        let page = target::CreateTarget { url: first, browser_context_id: Some(&context) };
        let created = link.call(None, &page, &limit).await?;
        if watch == Watch::Yes {
            let target = created.read::<target::CreatedTarget>()?.target_id;
            let attach = target::AttachToTarget { target_id: &target, flatten: true };
            let session = link.call(None, &attach, &limit).await?.read::<Attached>()?.session_id;
            let session = Some(&session);
            link.call(session, &page::Enable {}, &limit).await?;
            link.call(session, &page::SetLifecycleEventsEnabled { enabled: true }, &limit).await?;
            let network = network::Enable {
                max_total_buffer_size: 0,
                max_resource_buffer_size: 0,
                max_post_data_size: 1,
            };
            link.call(session, &network, &limit).await?;
            link.call(session, &Navigate { url }, &limit).await?;
        }
        Ok(())
    }
}

impl Drop for RawBrowser {
    fn drop(&mut self) {
        end_browser(self.profile.path(), &mut self.child);
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attached {
    session_id: SessionId,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Waits {
    request_id: String,
}

#[derive(Serialize)]
struct Navigate<'a> {
    url: &'a str,
}

impl Order for Navigate<'_> {
    const METHOD: &'static str = "Page.navigate";
}
