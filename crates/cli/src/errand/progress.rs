//! What happens, a line each, for whoever watches.

use std::time::Instant;

use legwork_runtime::errands::{
    Act, Call, Caught, Entry, Event, Fate, MicroUsd, PageNote, Purpose, Ruling, Thrift, UNSEEN, deed,
};

use crate::{output::Output, plain::plain};

/// How much is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// What is done.
    Usual,
    /// And why, what the model says, and what was sent.
    Verbose,
}

/// Tells what happens.
pub(crate) struct Progress {
    detail: Detail,
    output: Output,
    began: Instant,
    spent: MicroUsd,
    page: Option<PageNote>,
    act: Option<Act>,
    place: String,
}

impl Progress {
    pub(crate) fn new(detail: Detail, output: Output) -> Self {
        let (spent, page, act, place) = Default::default();
        Self { detail, output, began: Instant::now(), spent, page, act, place }
    }

    /// Tells one line of the log.
    pub(crate) fn tell(&mut self, entry: &Entry, now: Instant) {
        for line in self.lines(entry, now) {
            self.output.note(&line);
        }
    }

    /// The lines that somebody who watches should see.
    fn lines(&mut self, entry: &Entry, now: Instant) -> Vec<String> {
        let mut lines = vec![];
        match &entry.event {
            Event::Answered { heard, purpose } => {
                self.spent = self.spent.plus(heard.money);
                if self.detail == Detail::Verbose {
                    let who = match purpose {
                        Purpose::Plan => "planner",
                        Purpose::Turn => "model",
                        Purpose::Judge => "judge",
                    };
                    let tokens = heard.usage.all_input();
                    let said = line("", &heard.text);
                    let name =
                        heard.model.as_ref().map(|name| format!(" ({})", plain(name))).unwrap_or_default();
                    lines.push(format!(
                        "  {who}{name}: {tokens} tokens in, {} out, {}, {} ms, asked {} times{}{said}",
                        heard.usage.output,
                        heard.money,
                        heard.millis,
                        heard.attempts,
                        if said.trim().is_empty() { "" } else { ":" },
                    ));
                }
            }
            Event::AskFailed { trouble, money, .. } => {
                self.spent = self.spent.plus(*money);
                lines.push(line("model:", &trouble.words));
            }
            Event::ModelChanged { handover, .. } => {
                let changed = format!("{} can't be asked; {} goes on", handover.from, handover.to);
                lines.push(line("model:", &changed));
            }
            Event::Planned { plan } => {
                lines.push(line("plan:", &plan.plan));
                lines.push(line("done when:", &plan.success_criteria));
            }
            Event::PlanRefused { why } if self.detail == Detail::Verbose => {
                lines.push(line("  no plan:", why));
            }
            Event::Looked { page } => lines.extend(self.arrived(page)),
            Event::LookFailed { trouble } => lines.push(line("page:", &trouble.words)),
            Event::Called { call, .. } => match &**call {
                Call::Act(act) => {
                    if self.detail == Detail::Verbose && !act.why.is_empty() {
                        lines.push(line("  why:", &act.why));
                    }
                    self.act = Some(act.clone());
                }
                Call::Observe(_) if self.detail == Detail::Verbose => lines.push("  looks again".into()),
                Call::Read { .. } if self.detail == Detail::Verbose => lines.push("  reads the page".into()),
                Call::SubmitForApproval { summary, amount } => {
                    let amount = amount.as_ref().map(|amount| format!(" ({amount})")).unwrap_or_default();
                    lines.push(line("prepared, says the model:", &format!("{summary}{amount}")));
                }
                Call::CompleteTask(claim) => {
                    lines.push(line("the model says:", &format!("{:?}: {}", claim.status, claim.reason)));
                }
                Call::Observe(_)
                | Call::Read { .. }
                | Call::RequestHumanApproval { .. }
                | Call::AskUser { .. } => {}
            },
            Event::Misused { tool, why, .. } => {
                lines.push(line("  the model called:", &format!("{tool}: {why}")))
            }
            Event::Prepares { act, .. } => self.act = Some((**act).clone()),
            Event::Silent => lines.push("  the model called nothing".into()),
            Event::Acted { number, done } => {
                let act = self.act.take();
                let what = act.map(|act| deed(&act, self.page.as_ref())).unwrap_or_default();
                let came = match (&done.caught, &done.trouble) {
                    (Some(Caught { fate, request, .. }), _) => format!("{}: {request}", fate_words(fate)),
                    (None, Some(trouble)) => trouble.words.clone(),
                    (None, None) => done.brief.clone(),
                };
                let seconds = now.saturating_duration_since(self.began).as_secs();
                lines.push(format!(
                    "{number:>3}  {} -> {}  [{}, {seconds} s]",
                    plain(&what),
                    plain(&came),
                    self.spent
                ));
                if self.detail == Detail::Verbose {
                    lines.extend(done.sent.iter().map(|sent| line("  sent:", sent)));
                }
                if let Some(page) = &done.page {
                    lines.extend(self.arrived(page));
                }
            }
            Event::Ruled { ruling } => lines.push(
                match ruling {
                    Ruling::LetGo => "a person said yes: it was let go",
                    Ruling::ToBeRepeated => "a person said yes: it is done again",
                    Ruling::ToBeReached => "a person said yes: the way there is made again",
                    Ruling::NotSent => "a person said yes, and it could not leave any more",
                    Ruling::Unknown => "a person said yes, and whether it left is not known",
                    Ruling::Denied => "a person said no: this was not sent",
                    Ruling::Expired => "nobody answered: this was not sent",
                    Ruling::Withdrawn => "the question was taken back: this was not sent",
                }
                .into(),
            ),
            Event::Besides { happened, .. } => {
                let besides = |one: &String| match one == UNSEEN {
                    true => line("note:", one),
                    false => line("by itself, the page:", one),
                };
                lines.extend(happened.iter().map(besides));
            }
            Event::PageLost { url } => lines.push(line("the page crashed and is loaded again:", url)),
            Event::Disconnected { why, thrift, .. } => {
                let thrift = match thrift {
                    Thrift::None => "",
                    Thrift::NoScripts => {
                        "; perhaps there was not enough memory: the next one runs no scripts"
                    }
                    Thrift::NoScriptsAndSmall => {
                        "; perhaps there was not enough memory: the next one runs no scripts and is small"
                    }
                };
                lines.push(line("the browser is gone, another one is started:", &format!("{why}{thrift}")));
            }
            Event::Reconnected { starting_url, logged_out, page } => {
                let from = starting_url.as_deref().unwrap_or("an empty page");
                lines.push(line("browser: reconnected, the plan begins again from", from));
                lines.extend(logged_out.then(|| "browser: nobody is logged in any more".into()));
                self.place.clear();
                lines.extend(self.arrived(page));
            }
            Event::Resumed { why, .. } => lines.push(line("the errand is gone on with:", why)),
            Event::Warned { words } => lines.push(line("the model is told:", words)),
            Event::Rejected { why } => lines.push(line("not taken for done:", why)),
            Event::Interrupted => lines.push("stops after this step".into()),
            // Whoever is asked is shown the question itself, and the end is told apart.
            Event::Started { .. }
            | Event::Reserved { .. }
            | Event::PlanRefused { .. }
            | Event::Permitted { .. }
            | Event::Told { .. }
            | Event::Asked { .. }
            | Event::PersonSaid { .. }
            | Event::Extended { .. }
            | Event::Ended { .. } => {}
        }
        lines
    }

    /// A page, if it is another one than before.
    fn arrived(&mut self, page: &PageNote) -> Option<String> {
        let is_new = self.place != page.url;
        self.place.clone_from(&page.url);
        self.page = Some(page.clone());
        is_new.then(|| format!("     at {} {}", plain(&page.url), plain(&page.title)))
    }
}

/// What became of a request that was caught.
fn fate_words(fate: &Fate) -> &'static str {
    match fate {
        Fate::DryRun => "stopped, this is a dry run",
        Fate::NobodyToAsk => "stopped, nobody can be asked",
        Fate::Held(_) | Fate::ToBeRepeated(_) => "needs a yes",
        Fate::Stopped => "stopped",
    }
}

/// A line with a text that somebody else wrote.
fn line(what: &str, text: &str) -> String {
    const LONGEST: usize = 400;
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST).collect();
    format!("{what} {}", plain(&text))
}
