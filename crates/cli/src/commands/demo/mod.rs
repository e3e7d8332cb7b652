//! `legwork demo`: shows in a few seconds that everything works, without the network.

mod server;

use std::path::PathBuf;

use clap::Args;
use legwork_runtime::CancellationToken;
use legwork_types::{Code, HostPort, PageUrl, Problem};

use self::server::PageServer;
use super::screenshot::{report, take};
use crate::{
    browser_args::BrowserArgs,
    exit,
    output::{Form, Output},
    picture::Destination,
    plain::plain,
};

const PAGE: &str = include_str!("page.html");

/// Open a page that comes with Legwork and save a picture of it
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  legwork demo --out demo-out")]
pub(crate) struct DemoArgs {
    /// The folder for the picture; made where it is missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    #[command(flatten)]
    browser: BrowserArgs,
}

pub(crate) async fn run(args: &DemoArgs, cancel: &CancellationToken, output: Output) -> Result<u8, Problem> {
    let folder = plain(&args.out.display().to_string());
    std::fs::create_dir_all(&args.out).map_err(|error| {
        let hint = "name a folder that you may write";
        Problem::new(Code::OutputFailed, format!("the folder {folder} can't be made"), hint)
            .because(error.to_string())
    })?;
    let file = args.out.join("demo.jpg");
    let destination = Destination::choose(&file)?;

    let unserved = |reason: String| {
        let hint = "see whether this machine has a loopback network (127.0.0.1)";
        Problem::new(Code::InternalError, "the demo page can't be served", hint).because(reason)
    };
    let server = PageServer::open(PAGE).await.map_err(|error| unserved(error.to_string()))?;
    let url = PageUrl::parse(&server.url()).map_err(|refusal| unserved(refusal.to_string()))?;
    let address = server.address().parse::<HostPort>().map_err(|error| unserved(error.to_string()))?;
    let browser = args.browser.granting(address);
    if output.form == Form::Text {
        output.line(&format!("A page that comes with Legwork is served at {url} (this machine only)."))?;
        output.line("A real browser is started, opens it, is photographed and closed.")?;
    }
    let shot = tokio::select! {
        shot = take(&url, &browser, cancel, output) => shot?,
        // It serves for as long as it is waited for.
        never = server.serve() => match never {},
    };
    destination.write(&shot.jpeg)?;
    report(&shot, &file, &destination, output)?;
    Ok(exit::DONE)
}
