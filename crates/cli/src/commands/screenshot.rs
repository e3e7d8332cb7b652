//! `legwork screenshot`: opens one page and saves a picture of it.

use std::path::{Path, PathBuf};

use clap::Args;
use legwork_runtime::{CancellationToken, Landing, Picture, Recorded, Shot, screenshot};
use legwork_types::{Code, PageUrl, Problem, contract::ObserveOptions};
use serde::Serialize;

use super::observe::look;
use crate::{
    browser_args::{Browser, BrowserArgs},
    exit,
    output::{Form, Output},
    picture::{self, Destination},
    plain::plain,
    warnings::{Wanted, warnings},
};

/// Open a page and save a picture of what a person would see (JPEG, 1280×720 unless --viewport says otherwise)
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  legwork screenshot https://example.com -o page.jpg
  legwork screenshot https://example.com -o page.jpg --json
  legwork screenshot https://example.com -o page.jpg --marked
  legwork screenshot https://example.com -o - > page.jpg")]
pub(crate) struct ScreenshotArgs {
    /// The whole address, with http:// or https://
    url: String,

    /// Put the numbers on it that `legwork observe` gives to what can be acted on
    #[arg(long)]
    marked: bool,

    /// Where to save the picture; - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    #[command(flatten)]
    browser: BrowserArgs,
}

/// The result for programs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    file: &'a Path,
    bytes: usize,
    width: u16,
    height: u16,
    landing: &'a Landing,
    happenings: &'a [Recorded],
}

pub(crate) async fn run(
    args: &ScreenshotArgs,
    cancel: &CancellationToken,
    output: Output,
) -> Result<u8, Problem> {
    // Whatever can be refused is refused before a browser is started.
    let url = PageUrl::parse(&args.url).map_err(|refusal| Problem::from(&refusal))?;
    let destination = Destination::choose(&args.output)?;
    if destination == Destination::Stdout && output.form == Form::Json {
        return Err(Problem::new(
            Code::Usage,
            "the picture and the JSON can't both go to standard output",
            "name a file with -o FILE, or leave --json away",
        ));
    }
    let (browser, _) = args.browser.ruled()?;
    let shot = if args.marked {
        take_marked(&url, &browser, cancel, output).await?
    } else {
        take(&url, &browser, cancel, output).await?
    };
    destination.write(&shot.jpeg)?;
    report(&shot, &args.output, &destination, output)?;
    Ok(exit::DONE)
}

/// Takes the picture and ends the browser, whatever came of it.
pub(crate) async fn take(
    url: &PageUrl,
    browser: &Browser,
    cancel: &CancellationToken,
    output: Output,
) -> Result<Shot, Problem> {
    let keeper = browser.keeper(output)?;
    let shot = screenshot(&keeper, url, browser.navigation(), cancel).await;
    keeper.close().await;
    shot.map_err(|error| Problem::from(&error))
}

/// The same with the numbers of a look on it.
async fn take_marked(
    url: &PageUrl,
    browser: &Browser,
    cancel: &CancellationToken,
    output: Output,
) -> Result<Shot, Problem> {
    let options = ObserveOptions::default();
    let sight = look(url, &options, Picture::Marked, browser, cancel, output).await?;
    Ok(Shot { landing: sight.landing, jpeg: sight.jpeg.unwrap_or_default(), happenings: sight.happenings })
}

/// Says what was saved, and what the picture may not show.
pub(crate) fn report(
    shot: &Shot,
    file: &Path,
    destination: &Destination,
    output: Output,
) -> Result<(), Problem> {
    let Shot { landing, jpeg, happenings } = shot;
    output.warn_all(&warnings(landing, happenings, Wanted::Picture));
    let (width, height) = picture::size(jpeg).unwrap_or_default();
    if output.form == Form::Json {
        return output.json(&Report { file, bytes: jpeg.len(), width, height, landing, happenings });
    }
    let place = match destination {
        Destination::Stdout => "to standard output".to_owned(),
        _ => plain(&file.display().to_string()),
    };
    let title = match landing.title.trim() {
        "" => "(no title)",
        title => title,
    };
    let line = format!(
        "saved {place} ({width}×{height}, {} KB) {} — {}",
        jpeg.len().div_ceil(1000),
        plain(title),
        plain(&landing.url)
    );
    match destination {
        Destination::Stdout => {
            output.note(&line);
            Ok(())
        }
        _ => output.line(&line),
    }
}
