//! `legwork demo`: shows what Legwork does, without the network: what it sees on a page, and an errand in a shop that keeps books.

mod errand;
mod person;

use std::path::{Path, PathBuf};

use clap::Args;
use legwork_runtime::Picture;
use legwork_types::{
    Code, HostPort, PageUrl, Problem,
    contract::{Observation, ObserveOptions},
};
use serde::Serialize;

use super::observe::{Account, Parts, look};
use crate::{
    browser_args::BrowserArgs,
    model_args::ModelArgs,
    output::{Form, Output},
    page_server::PageServer,
    picture::{self, Destination},
    plain::plain,
    signals::Calls,
};

const PAGE: &str = include_str!("page.html");

/// Show what Legwork sees on a page, and how it does an errand and asks you before it orders, on sites that come with it
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  legwork demo --out demo-out
  legwork demo --out demo-out --yes
  legwork demo --out demo-out --json

Without a key and without a local model a script answers in the place of a model, and the demo says so. With one, the same
errand is done by the real model.

It ends with 0 where the dry run was stopped and the order was placed once, or somebody said no to it; with --yes there has to be an
order.")]
pub(crate) struct DemoArgs {
    /// The folder for the pictures; made where it is missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Say yes to the order, for scripts; it is one of the demo's own shop
    #[arg(long)]
    yes: bool,

    #[command(flatten)]
    model: ModelArgs,

    #[command(flatten)]
    browser: BrowserArgs,
}

/// The result for programs.
#[derive(Debug, Serialize)]
struct Report<'a> {
    file: &'a Path,
    bytes: usize,
    width: u16,
    height: u16,
    observation: &'a Observation,
    errand: errand::Account,
}

pub(crate) async fn run(args: &DemoArgs, calls: &Calls, output: Output) -> Result<u8, Problem> {
    let cancel = &calls.off;
    let (browser, rules) = args.browser.ruled()?;
    let mind = errand::Mind::found(args.model.for_demo(&rules).await, legwork_sites::brain::coffee()).await?;
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
    let browser = browser.granting(address);
    if output.form == Form::Text {
        output.line(&format!("A page that comes with Legwork is served at {url} (this machine only)."))?;
        output
            .line("A real browser opens it and is closed again. This is what Legwork sees on the page:\n")?;
    }
    let options = ObserveOptions::default();
    let sight = tokio::select! {
        sight = look(&url, &options, Picture::Marked, &browser, cancel, output) => sight?,
        // It serves for as long as it is waited for.
        never = server.serve() => match never {},
    };
    let account = Account::of(&sight, &options, Parts::First, output)?;
    let jpeg = sight.jpeg.unwrap_or_default();
    destination.write(&jpeg)?;
    let (width, height) = picture::size(&jpeg).unwrap_or_default();
    if let Account::First(observation) = &account {
        let errand = errand::show(&args.out, &mind, args.yes, &browser, calls, output).await?;
        let code = errand.exit_code(args.yes);
        output.json(&Report { file: &file, bytes: jpeg.len(), width, height, observation, errand })?;
        return Ok(code);
    }
    account.tell(output)?;
    output.line(&format!(
        "\nsaved {} ({width}×{height}, {} KB): the page with the same numbers on it",
        plain(&file.display().to_string()),
        jpeg.len().div_ceil(1000)
    ))?;
    let errand = errand::show(&args.out, &mind, args.yes, &browser, calls, output).await?;
    Ok(errand.exit_code(args.yes))
}
