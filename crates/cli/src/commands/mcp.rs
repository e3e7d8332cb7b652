//! `legwork mcp`: serves a model's client, on standard input and output or over HTTP on this machine.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
    time::Duration,
};

use clap::{Args, ValueEnum};
use legwork_mcp::{Group, Http, Server, ServerOptions, Token, TokenFile, serve_stdio};
use legwork_runtime::{CancellationToken, Rules, SessionSettings};
use legwork_types::{Code, Problem};

use crate::{
    browser_args::BrowserArgs, exit, front_desk::FrontDesk, login_args::LoginArgs, output::Output,
    plain::plain, safety_args::SafetyArgs, secret_args::SecretArgs,
};

/// The environment variable with the token of callers over HTTP.
const TOKEN_VARIABLE: &str = "LEGWORK_MCP_TOKEN";

/// Serve a browser to a model's client by the Model Context Protocol
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  legwork mcp                                       on standard input and output
  legwork mcp --http 127.0.0.1:8931                 over HTTP on this machine; asks for a token
  legwork mcp --tools compat                        with the names of the Playwright MCP tools
  legwork mcp --allow-upload ~/invoices             files of one folder may be uploaded
  legwork mcp --secret shop=env:SHOP_PASSWORD@https://shop.example
                                                    a password may be typed there by its name
  legwork mcp --login shop@https://shop.example     sessions stay logged in there

Standard output holds the protocol alone. It ends when standard input does, or by a signal, and the browser with it.")]
pub(crate) struct McpArgs {
    /// Serve over HTTP at this address of this machine (path /mcp) instead of standard input and output
    #[arg(long, value_name = "HOST:PORT")]
    http: Option<Address>,

    /// A file that holds the token of callers over HTTP, readable by you alone [env: LEGWORK_MCP_TOKEN; default: a new
    /// token, told on standard error]
    #[arg(long, value_name = "FILE", requires = "http")]
    token_file: Option<PathBuf>,

    /// Which tools; where two have the same name, that of the group named first is meant
    #[arg(long, value_name = "GROUP", value_enum, value_delimiter = ',', default_value = "default")]
    tools: Vec<GroupArg>,

    /// Add structured content to every answer of the default tools, for programs
    #[arg(long)]
    structured: bool,

    /// A folder whose files may be uploaded; may be repeated
    #[arg(long, value_name = "FOLDER")]
    allow_upload: Vec<PathBuf>,

    /// Close a session that nobody uses for so long [default: 900]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    idle: Option<u64>,

    /// The most sessions at a time [default: 64]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000))]
    max_sessions: Option<u64>,

    /// The most acts of one session [default: 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    max_acts: Option<u64>,

    #[command(flatten)]
    safety: SafetyArgs,

    #[command(flatten)]
    secrets: SecretArgs,

    #[command(flatten)]
    logins: LoginArgs,

    #[command(flatten)]
    browser: BrowserArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GroupArg {
    /// Legwork's own: open, observe, act, read, screenshot, tabs, close
    Default,
    /// The names and arguments of the Playwright MCP tools
    Compat,
    /// Six tools that answer plain texts; only where BROWSER_AGENT_ENABLED is true
    Annie,
}

#[derive(Debug, Clone, Copy)]
struct Address(SocketAddr);

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = match text.strip_prefix("localhost:") {
            Some(port) => format!("127.0.0.1:{port}"),
            None => text.to_owned(),
        };
        text.parse().map(Self).map_err(|_| "not an address and a port, such as 127.0.0.1:8931".to_owned())
    }
}

pub(crate) async fn run(args: &McpArgs, cancel: &CancellationToken, output: Output) -> Result<u8, Problem> {
    // Whatever can be refused is refused before anybody is served.
    let (browser, file) = args.browser.ruled()?;
    let safety = args.safety.beside(&file)?;
    let usual = SessionSettings::default();
    let most =
        args.max_sessions.or(file.session.most).map(|most| usize::try_from(most).unwrap_or(usize::MAX));
    let most_acts = args.max_acts.or(file.session.acts).map(|most| u32::try_from(most).unwrap_or(u32::MAX));
    let uploads = [args.allow_upload.clone(), file.uploads()].concat();
    let mut settings = SessionSettings {
        idle: args.idle.or(file.session.idle).map_or(usual.idle, Duration::from_secs),
        most: most.unwrap_or(usual.most),
        most_acts: most_acts.unwrap_or(usual.most_acts),
        rules: Rules {
            who_confirms: safety.who_confirms(),
            uploads: uploads.iter().map(|folder| existing(folder)).collect::<Result<_, _>>()?,
        },
        question_life: safety.question_life(),
        vault: Arc::new(args.secrets.vault(&file.secrets, &browser.reach()).await?),
        logins: Arc::new(args.logins.logins(&browser.reach()).await?),
        ..usual
    };
    let options = ServerOptions {
        groups: args.tools.iter().map(|group| group.group()).collect(),
        structured: args.structured,
        annie_switch: std::env::var("BROWSER_AGENT_ENABLED").ok(),
    };
    let door = match args.http {
        None => None,
        Some(Address(address)) => {
            let given = given_token(args.token_file.as_deref())?;
            Some((Http::bind(address).await?, given))
        }
    };
    let served: Vec<u16> = door.iter().map(|(http, _)| http.address().port()).collect();
    let front_desk = FrontDesk::prepare(safety.who_confirms(), &served, output).await?;
    let mut wire = safety.wire();
    wire.reach.own = front_desk.own();
    settings.wire = Arc::new(wire);
    let sessions = Arc::new(browser.sessions(settings, output)?);
    let _open = front_desk.open(sessions.approvals(), cancel, output);
    let server = Server::new(sessions.clone(), &options);
    let served = match door {
        None => {
            serve_stdio(&server, cancel).await;
            Ok(())
        }
        Some((http, given)) => serve_http(&server, http, given, cancel, output).await,
    };
    sessions.shut().await;
    served.map(|()| exit::DONE)
}

async fn serve_http(
    server: &Server,
    http: Http,
    given: Option<Token>,
    cancel: &CancellationToken,
    output: Output,
) -> Result<(), Problem> {
    let address = http.address();
    output.note(&format!("listening on http://{address}/mcp"));
    let (token, _file) = match given {
        Some(token) => (token, None),
        None => {
            let token = Token::made()?;
            let file = TokenFile::write(&token, address.port())?;
            let place = plain(&file.path().display().to_string());
            output.note(&format!("token {} (also in {place} until this ends)", token.reveal()));
            (token, Some(file))
        }
    };
    http.serve(server, token, cancel).await
}

/// The operator's token, if there is one.
fn given_token(file: Option<&Path>) -> Result<Option<Token>, Problem> {
    if let Some(file) = file {
        return Token::in_file(file).map(Some);
    }
    let named = std::env::var(TOKEN_VARIABLE).ok().filter(|token| !token.is_empty());
    named.map(|token| Token::given(&token)).transpose()
}

/// A folder that is there, links followed.
pub(crate) fn existing(folder: &Path) -> Result<PathBuf, Problem> {
    let refuse = |why: String| {
        let message = format!("files of {} can't be uploaded", plain(&folder.display().to_string()));
        Problem::new(Code::Usage, message, "name a folder that is there").because(why)
    };
    let whole = folder.canonicalize().map_err(|error| refuse(error.to_string()))?;
    if whole.is_dir() { Ok(whole) } else { Err(refuse("it is no folder".to_owned())) }
}

impl GroupArg {
    fn group(self) -> Group {
        match self {
            Self::Default => Group::Default,
            Self::Compat => Group::Compat,
            Self::Annie => Group::Annie,
        }
    }
}
