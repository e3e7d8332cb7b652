//! A browser of somebody else's as a box of tools: a server of the Model Context Protocol such as `@playwright/mcp`, started by us
//! and spoken to over its standard streams.
//!
//! Legwork's gate on the wire is absent here: what leaves the browser is seen by nobody. What stands in its place is the list of
//! tools that are offered at all ([`offered`]) and a look at what a call would touch ([`judge`]); both say no to what they don't
//! know. A call that was interrupted is never repeated here.

mod answer;
mod browser;
mod calls;
mod connection;
mod environment;
mod error;
mod gone;
mod help;
mod node;
mod offer;
mod parts;
mod picture;
mod process;
mod snapshot;
mod strays;
mod tool;
mod transport;
mod tree;
mod words;

use std::{
    env,
    ffi::OsString,
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::{Map, Value};

pub use answer::{Outcome, RawPicture, ToolAnswer};
pub use browser::ToolboxBrowser;
pub use error::ToolboxError;
pub use node::{NodeError, OLDEST_NODE};
pub use offer::{Refusal, Uploads, judge, offered};
pub use picture::{Picture, PictureError, picture_of};
pub use snapshot::{Element, Snapshot, SnapshotError, UNKNOWN, normalise, snapshot_of};
pub use strays::end_toolboxes_of;
pub use tool::Tool;

use connection::Connection;

/// What keeps Playwright's server from collecting the tools that a page brings along. Older ones have no such tools.
const NO_TOOLS_OF_PAGES: &str = "--no-webmcp";

/// What tells Playwright's server where its profile is.
const PROFILE: &str = "--user-data-dir";

/// What to start, and where.
#[derive(Debug, Clone)]
pub struct ToolboxOptions {
    /// The program and its arguments, as on a command line. No shell is asked.
    pub command: String,
    /// More arguments, each as it is.
    pub more: Vec<OsString>,
    /// The folder of a profile that is kept, given as `--user-data-dir` where the server knows that.
    pub profile: Option<PathBuf>,
    /// The folder that the server works in, and leaves its pictures in. It has to be there.
    pub folder: PathBuf,
    /// By what whoever starts it is known: should that one be killed, what is left is ended by this ([`end_toolboxes_of`]).
    pub owner: String,
    /// How long things may take.
    pub limits: Limits,
}

/// How long things may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// To come up the first time: npx may have to fetch the server.
    pub first_start: Duration,
    /// To come up again.
    pub start: Duration,
    /// To list the tools.
    pub list: Duration,
    /// To answer a call.
    pub call: Duration,
    /// To end, once it was asked to.
    pub farewell: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            first_start: Duration::from_secs(120),
            start: Duration::from_secs(30),
            list: Duration::from_secs(10),
            call: Duration::from_secs(60),
            farewell: Duration::from_secs(5),
        }
    }
}

/// A server that runs, or ran. Dropping it ends it with all that it has started; [`Toolbox::close`] does so in good order.
#[derive(Debug)]
pub struct Toolbox {
    start: Start,
    limits: Limits,
    link: Link,
    /// Whether it was started anew before.
    restarted: bool,
    /// Whether the profile that was wanted is not the one that it has.
    is_without_profile: bool,
}

/// What is started, each time in the same way.
#[derive(Debug, Clone)]
struct Start {
    words: Vec<OsString>,
    folder: PathBuf,
    owner: String,
    environment: Vec<(OsString, OsString)>,
}

#[derive(Debug)]
enum Link {
    Up(Box<Connection>),
    /// It did not come up again.
    Down,
    Closed,
}

impl Toolbox {
    /// Starts the server and shakes hands with it. Where it runs on Node.js, that is looked at first.
    pub async fn connect(options: &ToolboxOptions) -> Result<Self, ToolboxError> {
        let environment = environment::passed_on(env::vars_os());
        let mut words: Vec<OsString> = words::words(&options.command)?.into_iter().map(Into::into).collect();
        if let Some(node) = words[0].to_str().and_then(node::node_of) {
            node::check(node, &environment).await?;
        }
        words[0] = find(&words[0], &environment)?.into();
        words.extend(options.more.iter().cloned());
        let (folder, owner) = (options.folder.clone(), options.owner.clone());
        let mut start = Start { words, folder, owner, environment };
        let is_playwright = options.command.contains("playwright");
        let mut is_without_profile = false;
        if is_playwright || options.profile.is_some() {
            let help = help::help(&start, options.limits.first_start).await;
            if is_playwright && help.tells_of(NO_TOOLS_OF_PAGES) {
                start.words.push(NO_TOOLS_OF_PAGES.into());
            }
            // Options come and go, and a server that gets one that it does not know starts nothing.
            is_without_profile = options.profile.is_some() && !help.tells_of(PROFILE);
            if let Some(profile) = options.profile.as_ref().filter(|_| !is_without_profile) {
                start.words.extend([PROFILE.into(), profile.clone().into()]);
            }
        }
        let link = Link::Up(Box::new(Connection::open(&start, options.limits.first_start).await?));
        Ok(Self { start, limits: options.limits, link, restarted: false, is_without_profile })
    }

    /// What the server can do, asked once for each start of it. For a model most of it is left out: see [`offered`].
    pub async fn tools(&self) -> Result<&[Tool], ToolboxError> {
        self.connection()?.tools(self.limits.list).await
    }

    /// Calls a tool. Where the server is lost or silent, whether it was done is not known, and it is not called again.
    pub async fn call(&self, name: &str, arguments: Map<String, Value>) -> Result<ToolAnswer, ToolboxError> {
        self.connection()?.call(name, arguments, self.limits.call).await
    }

    /// Whether the server can be spoken to, as far as is known.
    pub fn is_up(&self) -> bool {
        matches!(&self.link, Link::Up(connection) if connection.is_up())
    }

    /// Whether the server does not know how to be given the profile that was wanted: it goes on with one of its own.
    pub fn is_without_profile(&self) -> bool {
        self.is_without_profile
    }

    /// The folder that the server works in.
    pub fn folder(&self) -> &Path {
        &self.start.folder
    }

    /// The id of the server's process group, while there is one.
    pub fn group(&self) -> Option<u32> {
        match &self.link {
            Link::Up(connection) => Some(connection.group()),
            Link::Down | Link::Closed => None,
        }
    }

    /// Ends what is left of the server and starts it anew: once in the life of this value, and no more. What it had in mind is
    /// gone: the list of tools, the pages, and every reference into one.
    pub async fn reconnect(&mut self) -> Result<(), ToolboxError> {
        if matches!(self.link, Link::Closed) {
            return Err(ToolboxError::Closed);
        }
        if std::mem::replace(&mut self.restarted, true) {
            return Err(ToolboxError::NoMoreStarts);
        }
        if let Link::Up(mut connection) = std::mem::replace(&mut self.link, Link::Down) {
            connection.close(self.limits.farewell).await;
        }
        self.link = Link::Up(Box::new(Connection::open(&self.start, self.limits.start).await?));
        Ok(())
    }

    /// Ends the session, then the server, then whatever it has left. Afterwards nothing that it has started runs.
    pub async fn close(&mut self) {
        if let Link::Up(mut connection) = std::mem::replace(&mut self.link, Link::Closed) {
            connection.close(self.limits.farewell).await;
        }
    }

    fn connection(&self) -> Result<&Connection, ToolboxError> {
        match &self.link {
            Link::Up(connection) => Ok(connection),
            Link::Down => {
                Err(ToolboxError::Lost { why: "it did not come up again".into(), last_words: String::new() })
            }
            Link::Closed => Err(ToolboxError::Closed),
        }
    }
}

/// The whole path of a program: one with a slash stands for itself, another is looked for on the path.
fn find(program: &OsString, environment: &[(OsString, OsString)]) -> Result<PathBuf, ToolboxError> {
    let runs = |path: &Path| {
        fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    };
    let path = environment.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value.clone());
    let folders: Vec<PathBuf> = env::split_paths(&path.unwrap_or_default()).collect();
    let found = if Path::new(program).components().count() > 1 {
        // The server starts in another folder than we are in.
        std::path::absolute(program).ok().filter(|path| runs(path))
    } else {
        folders.iter().map(|folder| folder.join(program)).find(|path| runs(path))
    };
    found.ok_or_else(|| ToolboxError::NoProgram(program.to_string_lossy().into_owned()))
}
