//! `legwork approvals`, `legwork approve` and `legwork deny`: what waits for an answer in all running instances of this user.

use std::{
    io::{self, IsTerminal},
    time::Duration,
};

use clap::Args;
use legwork_api::{Answered, Desks, Shown};
use legwork_runtime::{Answer, CancellationToken};
use legwork_types::{Code, Problem};
use serde::Serialize;

use crate::{
    card, exit,
    output::{Form, Output},
    plain::plain,
    prompt::{Everywhere, Keyboard, Left, Said, Yes, attend, lines_of, said, show},
};

/// List what waits for your yes, in all running instances
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  legwork approvals
  legwork approvals --json
  legwork approvals --watch             asks in this terminal, whenever something is asked

Each address holds the code of its question: whoever opens it may answer.
With --watch only a whole yes approves. Other words, the end of the input and Ctrl-C deny what is shown.")]
pub(crate) struct ApprovalsArgs {
    /// Stay in this terminal and ask each question as it comes
    #[arg(long)]
    watch: bool,

    /// With --watch: how long a question is shown before it is denied; as long as it waits if this is not given
    #[arg(long, value_name = "SECONDS", requires = "watch", value_parser = clap::value_parser!(u64).range(1..=604_800))]
    deny_after: Option<u64>,
}

/// Show one question and say yes to it
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  legwork approve a102938475610         shows what would be sent, and asks
  legwork approve a102938475610 --yes   says yes at once
  legwork approve a102938475610 --errand  also to what else goes to the same place until the session ends

Only y or yes approves. Anything else denies, and so do the end of the input and Ctrl-C.
--errand is there for requests of which nobody knows what they do; what pays, orders or deletes is asked about each time.")]
pub(crate) struct ApproveArgs {
    /// The name of the question, as `legwork approvals` lists it
    #[arg(value_name = "ID")]
    id: String,

    /// Say yes without being asked
    #[arg(long)]
    yes: bool,

    /// Let pass what else goes to the same place until the session ends, where the question offers it
    #[arg(long)]
    errand: bool,
}

/// Say no to one question; for the rest of its session nothing of the kind is sent
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  legwork deny a102938475610")]
pub(crate) struct DenyArgs {
    /// The name of the question, as `legwork approvals` lists it
    #[arg(value_name = "ID")]
    id: String,
}

/// All questions for programs.
#[derive(Debug, Serialize)]
struct Waiting<'a> {
    approvals: &'a [Shown],
}

/// What became of one question, for programs.
#[derive(Debug, Serialize)]
struct Outcome<'a> {
    id: &'a str,
    standing: &'a str,
}

/// Asks each question in this terminal as it comes.
async fn watch(args: &ApprovalsArgs, cancel: &CancellationToken, output: Output) -> Result<u8, Problem> {
    if output.form == Form::Json || !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        let hint =
            "run it in a terminal without --json, or answer with `legwork approve ID` and `legwork deny ID`";
        return Err(Problem::new(Code::Usage, "--watch asks a person, in a terminal", hint));
    }
    output.note("whatever needs your yes is asked here; Ctrl-C ends this");
    let mut keyboard = Keyboard::new(lines_of(io::stdin()));
    let patience = args.deny_after.map(Duration::from_secs);
    let left = attend(&mut Everywhere, &mut keyboard, &mut io::stderr(), patience, cancel).await;
    Ok(if left == Left::CalledOff { exit::CALLED_OFF } else { exit::DONE })
}

pub(crate) async fn list(
    args: &ApprovalsArgs,
    cancel: &CancellationToken,
    output: Output,
) -> Result<u8, Problem> {
    if args.watch {
        return watch(args, cancel, output).await;
    }
    let waiting = Desks::find().waiting().await;
    if output.form == Form::Json {
        output.json(&Waiting { approvals: &waiting })?;
        return Ok(exit::DONE);
    }
    if waiting.is_empty() {
        output.line("nothing waits for an answer")?;
    }
    for shown in &waiting {
        let head = format!("{}  {} ago  {}", shown.id, age(shown.waits), shown.in_short());
        output.line(&output.strong(&plain(&head)))?;
        let act = shown.act.as_deref().unwrap_or("the page did this by itself");
        output.line(&plain(&format!("  {act}, on {}", shown.page)))?;
        if let Some(url) = &shown.url {
            output.line(&plain(&format!("  {url}")))?;
        }
    }
    Ok(exit::DONE)
}

pub(crate) async fn approve(
    args: &ApproveArgs,
    cancel: &CancellationToken,
    output: Output,
) -> Result<u8, Problem> {
    let desks = Desks::find();
    let Ok(shown) = desks.show(&args.id).await else { return Err(not_found(&desks, &args.id).await) };
    if shown.standing != "waiting" {
        return Err(decided(&args.id, &shown.standing));
    }
    if args.errand && !shown.offers_errand {
        let message = "a yes to this question is for this once";
        return Err(Problem::new(Code::Usage, message, "leave out --errand; nothing was decided"));
    }
    let mut answer = if args.errand { Answer::YesForErrand } else { Answer::Yes };
    if !args.yes {
        let mut terminal = io::stderr();
        show(&mut terminal, &shown, Yes::Short);
        let mut lines = lines_of(io::stdin());
        let said = said(&mut lines, Yes::Short, cancel).await;
        if said == Said::Errand && shown.offers_errand {
            answer = Answer::YesForErrand;
        } else if said != Said::Yes {
            if !matches!(said, Said::Other | Said::Errand) {
                output.note("");
            }
            give(&desks, &args.id, Answer::No).await?;
            tell(output, &args.id, "denied", DENIED)?;
            return Ok(exit::FAILED);
        }
    } else if output.form == Form::Text {
        output.note(&card::lines(&shown).join("\n"));
    }
    give(&desks, &args.id, answer).await?;
    let words = if answer == Answer::YesForErrand { "approved, also from now on" } else { "approved" };
    tell(output, &args.id, "approved", words)?;
    Ok(exit::DONE)
}

const DENIED: &str = "denied: it is not sent";

pub(crate) async fn deny(args: &DenyArgs, output: Output) -> Result<u8, Problem> {
    give(&Desks::find(), &args.id, Answer::No).await?;
    tell(output, &args.id, "denied", DENIED)?;
    Ok(exit::DONE)
}

async fn give(desks: &Desks, id: &str, answer: Answer) -> Result<(), Problem> {
    match desks.answer(id, answer).await {
        Ok(Answered::Taken) => Ok(()),
        Ok(Answered::Decided(standing)) => Err(decided(id, &standing)),
        Err(_) => Err(not_found(desks, id).await),
    }
}

fn tell(output: Output, id: &str, standing: &str, words: &str) -> Result<(), Problem> {
    match output.form {
        Form::Json => output.json(&Outcome { id, standing }),
        Form::Text => output.line(&format!("{}: {words}", plain(id))),
    }
}

async fn not_found(desks: &Desks, id: &str) -> Problem {
    let waiting: Vec<String> = desks.waiting().await.into_iter().map(|shown| shown.id).collect();
    let cause = match waiting.is_empty() {
        true => "nothing waits for an answer".to_owned(),
        false => format!("these wait: {}", waiting.join(", ")),
    };
    let message = format!("there is no question {}", plain(id));
    Problem::new(Code::ApprovalNotFound, message, "see what waits with `legwork approvals`").because(cause)
}

/// The first answer counts.
fn decided(id: &str, standing: &str) -> Problem {
    let id = plain(id);
    match standing {
        "denied" => {
            let message = format!("{id} was denied before: the first answer counts");
            Problem::new(Code::ApprovalDenied, message, "if it was a slip, let the errand begin anew")
        }
        "expired" => {
            let message = format!("{id} was not answered in time, which is a no");
            Problem::new(Code::ApprovalExpired, message, "let it be asked again")
        }
        "approved" => {
            let message = format!("{id} was approved before: the first answer counts");
            Problem::new(Code::ApprovalNotFound, message, "close its session to stop what goes on in it")
        }
        _ => {
            let message = format!("what {id} was about is over: its session was closed");
            Problem::new(Code::ApprovalNotFound, message, "see what waits with `legwork approvals`")
        }
    }
}

fn age(seconds: u64) -> String {
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7_199 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3_600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_told_in_the_unit_that_fits() {
        for (seconds, words) in
            [(0, "0 s"), (119, "119 s"), (120, "2 min"), (7_199, "119 min"), (86_400, "24 h")]
        {
            assert_eq!(age(seconds), words);
        }
    }
}
