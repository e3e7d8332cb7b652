//! The demo of the gate: an order at the bundled coffee shop, which a dry run stops and a live one asks about. The shop's own books
//! tell what really happened.

use std::{
    io::{self, IsTerminal},
    path::Path,
    time::Duration,
};

use legwork_api::Shown;
use legwork_runtime::{Answer, CancellationToken, Mode, Standing};
use legwork_sites::Bundled;
use legwork_types::{Code, Details, Problem};
use serde::Serialize;
use tokio::time::{sleep, timeout};

use super::errand::Errand;
use crate::{
    browser_args::Browser,
    card,
    output::{Form, Output},
    picture::Destination,
    plain::plain,
    prompt::{attend, lines_of},
};

/// How long an order may take to be in the books after a yes.
const BOOKED: Duration = Duration::from_secs(10);

/// What the shop's books say.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Books {
    /// What was said to the last press of the dry run.
    dry_run: Code,
    orders_after_dry_run: usize,
    /// What was said to the question of the live one.
    answer: &'static str,
    orders_after_live: usize,
}

/// Shows it, and saves the page before the last press.
pub(super) async fn show(
    folder: &Path,
    browser: &Browser,
    cancel: &CancellationToken,
    output: Output,
) -> Result<Books, Problem> {
    let shop = Bundled::start().map_err(|error| {
        let hint = "see whether this machine has a loopback network (127.0.0.1)";
        Problem::new(Code::InternalError, "the bundled shop can't be served", hint).because(error.to_string())
    })?;
    let tell = |line: &str| match output.form {
        Form::Text => output.line(line),
        Form::Json => Ok(()),
    };
    let orders = || shop.coffee_ledger().count("order-placed");
    tell(&format!("\nThe gate. A coffee shop with a ledger is served at {}", shop.coffee_url("/")))?;
    tell(
        "A scripted caller logs in, fills the basket, chooses address and payment, and presses \"Place order\".",
    )?;

    tell("\n1. As a dry run, which is how Legwork runs unless told:")?;
    let mut errand = Errand::begin(&shop, Mode::DryRun, browser, cancel, output).await?;
    errand.prepare().await?;
    let file = folder.join("checkout.jpg");
    Destination::choose(&file)?.write(&errand.picture().await?)?;
    let stopped = errand.order().await?.ok_or_else(unruled)?;
    errand.sessions.shut().await;
    tell(&format!("   {}: {}", stopped.code, stopped.message))?;
    for line in decoded(&stopped) {
        tell(&format!("   {}", plain(&line)))?;
    }
    let after_dry_run = orders();
    tell(&format!("   orders in the shop's books: {after_dry_run}"))?;
    tell(&format!("   saved {}: the page before the press", plain(&file.display().to_string())))?;

    tell("\n2. Live, where a person is asked about what would really leave:")?;
    let mut errand = Errand::begin(&shop, Mode::Live, browser, cancel, output).await?;
    errand.prepare().await?;
    errand.order().await?.ok_or_else(unruled)?;
    let answer = answered(&errand, cancel, output).await?;
    if answer == Answer::Yes {
        let booked = async {
            while orders() == after_dry_run {
                sleep(Duration::from_millis(50)).await;
            }
        };
        // Whatever comes of it is told below.
        let _ = timeout(BOOKED, booked).await;
    }
    errand.sessions.shut().await;
    let answer = if answer == Answer::Yes { "yes" } else { "no" };
    tell(&format!("   the answer was {answer}; orders in the shop's books: {}", orders()))?;
    Ok(Books {
        dry_run: stopped.code,
        orders_after_dry_run: after_dry_run,
        answer,
        orders_after_live: orders(),
    })
}

/// Asks whoever sits at the terminal. Where nobody does the question is shown, and no answer is a no.
async fn answered(errand: &Errand, cancel: &CancellationToken, output: Output) -> Result<Answer, Problem> {
    let desk = errand.sessions.approvals();
    let approval = desk.waiting().into_iter().next().ok_or_else(unruled)?;
    let is_there = io::stdin().is_terminal() && io::stderr().is_terminal() && output.form == Form::Text;
    if is_there {
        let mut lines = lines_of(io::stdin());
        let (mut own, mut terminal) = (&**desk, io::stderr());
        tokio::select! {
            _ = attend(&mut own, &mut lines, &mut terminal, None, cancel) => {}
            _ = desk.decided(&approval.id) => {}
        }
    } else if output.form == Form::Text {
        for line in card::lines(&Shown::of(&approval, Standing::Waiting)) {
            output.line(&format!("   {line}"))?;
        }
        output.line("   There is no terminal here to answer in: run this in one, and type yes or no.")?;
        output.line("   No answer is a no.")?;
    }
    Ok(if desk.standing(&approval.id) == Standing::Approved { Answer::Yes } else { Answer::No })
}

/// What would have been sent.
fn decoded(stopped: &Problem) -> Vec<String> {
    let Some(Details::Caught { request, reasons, .. }) = stopped.details.as_deref() else { return vec![] };
    let sent = format!(
        "would have sent {} {}{}",
        request.method,
        request.origin.untrusted(),
        request.path.untrusted()
    );
    let amounts = request.amounts.iter().map(|amount| format!("  ** {} **", amount.untrusted()));
    let fields = request
        .fields
        .iter()
        .map(|field| format!("  {} = {}", field.name.untrusted(), field.value.untrusted()));
    let why = format!("because: {}", reasons.join("; "));
    std::iter::once(sent).chain(amounts).chain(fields).chain([why]).collect()
}

/// Nothing was asked about what can't be undone, which must not be.
fn unruled() -> Problem {
    Problem::new(
        Code::InternalError,
        "the order was neither stopped nor asked about",
        "do not use this build, and report it",
    )
}
