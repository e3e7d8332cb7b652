//! The settings that a target gets before it runs: written in one go, in order, and only then is it let go.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use legwork_cdp::{
    CdpError, Command, Limit, Link, Posted, SessionId,
    protocol::{emulation, fetch, network, page, runtime, target, web_authn},
};

use crate::{
    capture::script::{GUARD, STRICT_GUARD},
    tab::WORLD,
    viewport::Viewport,
};

/// How pages save memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Thrift {
    /// Not at all.
    #[default]
    None,
    /// They run no scripts.
    NoScripts,
    /// Nor do they, and they are small.
    NoScriptsAndSmall,
}

/// What pages are told about us.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settings {
    /// Instead of the browser's own, when that one names the headless mode.
    pub(crate) user_agent: Option<String>,
    /// For browsers whose environment is not ours to set.
    pub(crate) timezone: Option<&'static str>,
    /// The size of pages.
    pub(crate) viewport: Viewport,
    /// Who presses and types in it beside us.
    pub(crate) hands: Hands,
    pub(crate) barrier: Standing,
    /// Whether also what carries nothing but its address waits at the barrier.
    pub(crate) everything: Arc<AtomicBool>,
}

/// Where the barrier on the wire stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Standing {
    /// Before the browser as a whole: nothing passes it, whoever sends it and whatever becomes of the sender.
    Browser,
    /// Before each target: in a browser that other people use too. What a target sends while it closes passes.
    #[default]
    Targets,
}

/// Who presses and types in a browser beside us.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Hands {
    /// Nobody: it has no window, and is ours.
    None,
    /// Perhaps a person.
    #[default]
    Persons,
}

impl Settings {
    /// The guard is the first to meet what is pressed, in every document from its beginning.
    fn guard(&self) -> page::AddScriptToEvaluateOnNewDocument<'static> {
        let source = match self.hands {
            Hands::None => STRICT_GUARD,
            Hands::Persons => GUARD,
        };
        page::AddScriptToEvaluateOnNewDocument { source, world_name: Some(WORLD), run_immediately: true }
    }
}

/// Commands on their way. Some may fail (an emulation that the target kind does not know), some may not.
pub(crate) struct Steps {
    required: Vec<Posted>,
    optional: Vec<Posted>,
    tree: Option<Posted>,
}

impl Steps {
    /// Waits for all of them; the frame tree, where there is one.
    pub(crate) async fn done(self, limit: &Limit) -> Result<Option<page::FrameTree>, CdpError> {
        for posted in self.required {
            posted.reply(limit).await?;
        }
        for posted in self.optional {
            if let Err(error) = posted.reply(limit).await {
                tracing::debug!(%error, "an optional setting was refused");
            }
        }
        match self.tree {
            Some(posted) => Ok(Some(posted.reply(limit).await?.read::<page::GotFrameTree>()?.frame_tree)),
            None => Ok(None),
        }
    }
}

/// A page in front and focused, of our size, with its frames and workers attached as they come.
pub(crate) fn prepare_page(
    link: &Link,
    session: &SessionId,
    settings: &Settings,
    sockets: &[String],
    thrift: Thrift,
) -> Result<Steps, CdpError> {
    let post = Post { link, session };
    let size = if thrift == Thrift::NoScriptsAndSmall { Viewport::SMALL } else { settings.viewport };
    let mut required = post.barrier(settings)?;
    required.extend([
        post.send(&PAST_SERVICE_WORKERS)?,
        post.no_sockets(sockets)?,
        post.send(&page::Enable {})?,
        post.send(&page::SetLifecycleEventsEnabled { enabled: true })?,
        post.send(&AUTO_ATTACH)?,
        post.send(&settings.guard())?,
        post.send(&NETWORK)?,
        post.send(&emulation::SetFocusEmulationEnabled { enabled: true })?,
        post.send(&emulation::SetDeviceMetricsOverride {
            width: size.width(),
            height: size.height(),
            device_scale_factor: 1.0,
            mobile: false,
        })?,
    ]);
    required.extend(post.scripts(thrift)?);
    let mut optional = post.identity(settings)?;
    optional.push(post.send(&NO_KEYS)?);
    if let Some(timezone_id) = settings.timezone {
        optional.push(post.send(&emulation::SetTimezoneOverride { timezone_id })?);
    }
    let tree = post.send(&page::GetFrameTree {})?;
    required.push(post.send(&runtime::RunIfWaitingForDebugger {})?);
    Ok(Steps { required, optional, tree: Some(tree) })
}

/// An out-of-process frame: its events, and those of what is in it.
pub(crate) fn prepare_frame(
    link: &Link,
    session: &SessionId,
    settings: &Settings,
    sockets: &[String],
    thrift: Thrift,
) -> Result<Steps, CdpError> {
    let post = Post { link, session };
    let mut required = post.barrier(settings)?;
    required.extend([
        post.send(&PAST_SERVICE_WORKERS)?,
        post.no_sockets(sockets)?,
        post.send(&page::Enable {})?,
        post.send(&page::SetLifecycleEventsEnabled { enabled: true })?,
        post.send(&AUTO_ATTACH)?,
        post.send(&settings.guard())?,
        post.send(&NETWORK)?,
    ]);
    required.extend(post.scripts(thrift)?);
    let mut optional = post.identity(settings)?;
    optional.push(post.send(&NO_KEYS)?);
    let tree = post.send(&page::GetFrameTree {})?;
    optional.push(post.send(&runtime::RunIfWaitingForDebugger {})?);
    Ok(Steps { required, optional, tree: Some(tree) })
}

/// A worker: what it starts is attached too.
pub(crate) fn prepare_worker(
    link: &Link,
    session: &SessionId,
    settings: &Settings,
    sockets: &[String],
) -> Result<Steps, CdpError> {
    let post = Post { link, session };
    // Workers of one page have no barrier of their own: theirs is that of the page.
    let mut optional = post.barrier(settings)?;
    optional.extend([post.no_sockets_now(sockets)?, post.send(&AUTO_ATTACH)?, post.send(&NETWORK)?]);
    optional.extend(post.identity(settings)?);
    optional.push(post.send(&runtime::RunIfWaitingForDebugger {})?);
    Ok(Steps { required: vec![], optional, tree: None })
}

/// Closes every channel that nobody can see through, in a target that will not be prepared: in what it shows now, and in what it will show.
pub(crate) fn close_sockets(link: &Link, session: &SessionId) -> Result<[Posted; 4], CdpError> {
    let post = Post { link, session };
    // Scripts for what comes are run only where pages are watched, and workers and frames of others only where they are attached.
    Ok([
        post.send(&page::Enable {})?,
        post.send(&AUTO_ATTACH)?,
        post.no_sockets(&[])?,
        post.no_sockets_now(&[])?,
    ])
}

/// The kinds of requests that can write. Pictures, scripts, styles, fonts and media carry nothing.
pub(crate) const WRITING: &[fetch::Pattern] = EVERYTHING.split_at(7).0;

/// The same first, then what a page is made of: its addresses can carry something away. Chromium takes no other kinds: what is fetched
/// in advance, tracks of texts and manifests come as one of these or not at all.
pub(crate) const EVERYTHING: &[fetch::Pattern] = &[
    fetch::Pattern { resource_type: "Document" },
    fetch::Pattern { resource_type: "XHR" },
    fetch::Pattern { resource_type: "Fetch" },
    fetch::Pattern { resource_type: "Ping" },
    fetch::Pattern { resource_type: "CSPViolationReport" },
    fetch::Pattern { resource_type: "Other" },
    fetch::Pattern { resource_type: "EventSource" },
    fetch::Pattern { resource_type: "Image" },
    fetch::Pattern { resource_type: "Script" },
    fetch::Pattern { resource_type: "Stylesheet" },
    fetch::Pattern { resource_type: "Font" },
    fetch::Pattern { resource_type: "Media" },
];

/// A service worker could answer for a server, or ask something else of it than the page did.
const PAST_SERVICE_WORKERS: network::SetBypassServiceWorker =
    network::SetBypassServiceWorker { bypass: true };

/// Closes every channel that nobody can see through, but for pages of these origins.
fn no_sockets(allowed: &[String]) -> String {
    let allowed = serde_json::Value::from(allowed.to_vec());
    format!("{}({allowed});", NO_SOCKETS.trim_end())
}

const NO_SOCKETS: &str = include_str!("injected/no_sockets.js");

/// A page that wants a key of a person would get a dialog of the browser, which lies over the page until somebody answers it.
const NO_KEYS: web_authn::Enable = web_authn::Enable { enable_ui: false };

/// Everything that a target brings forth is attached before it runs.
pub(crate) const AUTO_ATTACH: target::SetAutoAttach =
    target::SetAutoAttach { auto_attach: true, wait_for_debugger_on_start: true, flatten: true };

/// Who sends what where to, and nothing of what it carries. None at all would mean all of it; and what a form sends along with the
/// document that it asks for comes all the same, but nobody reads it.
const NETWORK: network::Enable =
    network::Enable { max_total_buffer_size: 0, max_resource_buffer_size: 0, max_post_data_size: 1 };

struct Post<'a> {
    link: &'a Link,
    session: &'a SessionId,
}

impl Post<'_> {
    fn send<C: Command>(&self, command: &C) -> Result<Posted, CdpError> {
        self.link.post(Some(self.session), command)
    }

    /// The barrier of a target, where each has its own.
    fn barrier(&self, settings: &Settings) -> Result<Vec<Posted>, CdpError> {
        match settings.barrier {
            Standing::Browser => Ok(vec![]),
            Standing::Targets => {
                let patterns = if settings.everything.load(Relaxed) { EVERYTHING } else { WRITING };
                Ok(vec![self.send(&fetch::Enable { patterns })?])
            }
        }
    }

    fn scripts(&self, thrift: Thrift) -> Result<Option<Posted>, CdpError> {
        match thrift {
            Thrift::None => Ok(None),
            Thrift::NoScripts | Thrift::NoScriptsAndSmall => {
                self.send(&emulation::SetScriptExecutionDisabled { value: true }).map(Some)
            }
        }
    }

    fn no_sockets(&self, allowed: &[String]) -> Result<Posted, CdpError> {
        let source = no_sockets(allowed);
        self.send(&page::AddScriptToEvaluateOnNewDocument {
            source: &source,
            world_name: None,
            run_immediately: true,
        })
    }

    /// The same in what runs there now.
    fn no_sockets_now(&self, allowed: &[String]) -> Result<Posted, CdpError> {
        let expression = no_sockets(allowed);
        self.send(&runtime::Evaluate {
            expression: &expression,
            context_id: None,
            return_by_value: true,
            await_promise: false,
        })
    }

    /// Each process asks for its own: a frame or worker elsewhere would still give the headless mode's name.
    fn identity(&self, settings: &Settings) -> Result<Vec<Posted>, CdpError> {
        let Some(user_agent) = &settings.user_agent else { return Ok(vec![]) };
        Ok(vec![self.send(&emulation::SetUserAgentOverride { user_agent, accept_language: "en-US" })?])
    }
}
