//! The fold: entries of a log in, news out. It waits for nothing and asks no clock, so the same log gives the same news.

use legwork_runtime::errands::{
    ActNote, Answer, Call, Caught, Entry, Event, Fate, Heard, Outcome, OutcomeKind, PageNote, Plan, Purpose,
    Reason, Ruling,
};
use legwork_types::contract::Action;
use serde_json::{Value, json};

use super::{News, Topic, data, metrics::Metrics};

/// Makes news of the log of one errand, entry by entry.
#[derive(Debug, Clone, Default)]
pub struct Newsroom {
    errand: String,
    task: String,
    start_url: Option<String>,
    /// The turn that was begun last.
    turn: u32,
    acts: u32,
    sum: Metrics,
    /// How often what the model said could not be used.
    mistakes: u32,
    /// How often what was said to be done was not taken for done.
    rejected: u32,
    /// Where the last page was.
    url: Option<String>,
    has_picture: bool,
    is_reading: bool,
    /// Whether the next call is the same again, of another model.
    is_asked_again: bool,
    /// What the model says that it has prepared, and what it costs.
    prepared: Option<(String, Option<String>)>,
    /// The question on the wire that waits.
    approval: Option<String>,
}

/// What a piece of news is about, and what it holds.
type Item = (Topic, Value);

impl Newsroom {
    /// For the errand of this name, from its beginning.
    pub fn new(errand: &str) -> Self {
        Self { errand: errand.to_owned(), ..Self::default() }
    }

    /// The news that an entry is. All entries have to be told, in their order. The time is when it was written, in milliseconds since
    /// 1970.
    pub fn tell(&mut self, at_ms_unix: u64, entry: &Entry) -> Vec<News> {
        let items = self.items(entry);
        let iteration_id = format!("{}-{}", self.errand, self.turn);
        let news = |(event, data): Item| {
            let mut data = match data {
                Value::Object(data) => data,
                _ => Default::default(),
            };
            // What there is nothing of is not there.
            data.retain(|_, value| !value.is_null());
            News { event, timestamp: at_ms_unix, iteration_id: iteration_id.clone(), data }
        };
        items.into_iter().map(news).collect()
    }

    fn items(&mut self, entry: &Entry) -> Vec<Item> {
        match &entry.event {
            Event::Started { spec } => {
                self.task.clone_from(&spec.goal);
                self.start_url.clone_from(&spec.start_url);
                vec![(Topic::TaskSetup, data::spec(spec))]
            }
            Event::Reserved { purpose, reserve } => self.asks(*purpose, reserve.tokens),
            Event::Answered { purpose, heard } => self.answered(*purpose, heard),
            Event::AskFailed { purpose, trouble, usage, money } => {
                let mut error = data::trouble("a model could not be asked", trouble);
                error["purpose"] = json!(purpose);
                let took = self.took(*purpose, Metrics::of_failure(*usage, *money));
                vec![(Topic::AiGenerationError, error), took]
            }
            Event::ModelChanged { handover, why } => {
                self.is_asked_again = true;
                let message = "the model can't be asked any more; another one goes on";
                let changed =
                    json!({"message": message, "model": handover.to, "instead": handover.from, "error": why});
                vec![(Topic::AgentStatus, changed)]
            }
            Event::Planned { plan } => vec![self.planned(plan)],
            Event::PlanRefused { why } => vec![self.mistake(json!({"what": "plan", "errors": [why]}))],
            Event::Looked { page } => self.looked(page),
            Event::LookFailed { trouble } => {
                vec![(Topic::AgentStatus, data::trouble("the page could not be looked at", trouble))]
            }
            Event::Called { call, ignored, .. } => {
                let mut action = data::action(call);
                action["ignored"] = json!(data::ignored(ignored));
                self.called(call, action)
            }
            Event::Misused { tool, why, ignored, .. } => {
                let ignored = data::ignored(ignored);
                let what = json!({"what": "call", "tool": tool, "errors": [why], "ignored": ignored});
                vec![self.mistake(what)]
            }
            Event::Prepares { act, .. } => {
                let mut action = data::act_data(act);
                action["by"] = json!("service");
                vec![(Topic::AgentAction, action)]
            }
            Event::Silent => {
                vec![self.mistake(json!({"what": "call", "errors": ["the model called nothing"]}))]
            }
            Event::Permitted { number, observation, verb } => {
                let begun = json!({"number": number, "action": verb, "observationId": observation});
                vec![(Topic::BrowserActionStarted, begun)]
            }
            Event::Acted { number, done } => self.acted(*number, done),
            Event::Told { words } => vec![self.told(words)],
            Event::Asked { question } => vec![(Topic::AgentWaiting, data::question(question))],
            Event::PersonSaid { answer } => vec![person_said(answer)],
            Event::Besides { happened, .. } => {
                let message = "the page did something by itself";
                vec![(Topic::AgentStatus, json!({"message": message, "happened": happened}))]
            }
            Event::Ruled { ruling } => vec![self.ruled(*ruling)],
            Event::PageLost { url } => {
                let message = "the page crashed and is loaded again";
                vec![(Topic::AgentStatus, json!({"message": message, "url": url}))]
            }
            Event::Disconnected { why, thrift, .. } => {
                vec![(Topic::BrowserDisconnected, json!({"error": why, "thrift": thrift}))]
            }
            Event::Reconnected { starting_url, logged_out, page } => {
                let back = json!({"startingUrl": starting_url, "loggedOut": logged_out});
                let mut items = vec![(Topic::BrowserReconnected, back)];
                self.url = None;
                items.extend(self.arrived(page));
                items
            }
            Event::Resumed { why, .. } => {
                let message = "another process goes on with the errand";
                vec![(Topic::AgentStatus, json!({"message": message, "error": why}))]
            }
            Event::Warned { words } => vec![status(words)],
            Event::Extended { limits } => {
                let message = "there is more to take now";
                vec![(Topic::AgentStatus, json!({"message": message, "limits": data::limits(limits)}))]
            }
            Event::Rejected { why } => vec![self.rejected(why)],
            Event::Interrupted => vec![status("somebody wants the errand to stop after this step")],
            Event::Ended { outcome } => self.ended(entry.at, outcome),
        }
    }

    fn asks(&mut self, purpose: Purpose, most: u64) -> Vec<Item> {
        let is_turn = purpose == Purpose::Turn;
        let is_new = is_turn && !std::mem::take(&mut self.is_asked_again);
        self.turn += u32::from(is_new);
        let step = is_new.then(|| (Topic::AgentStep, json!({"currentIteration": self.turn})));
        let asked =
            json!({"operation": purpose, "hasScreenshot": is_turn && self.has_picture, "mostTokens": most});
        step.into_iter().chain([(Topic::AgentProcessing, asked)]).collect()
    }

    fn answered(&mut self, purpose: Purpose, heard: &Heard) -> Vec<Item> {
        let (attempts, millis, model) = (heard.attempts, heard.millis, &heard.model);
        let in_words = heard.in_words.then_some(true);
        let answer = json!({
            "purpose": purpose, "attempts": attempts, "millis": millis, "model": model, "inWords": in_words,
        });
        let says = (!heard.text.trim().is_empty())
            .then(|| (Topic::AgentReasoned, json!({"purpose": purpose, "reasoning": heard.text})));
        let took = self.took(purpose, Metrics::of_answer(purpose, heard.usage, heard.money));
        [Some((Topic::AiGeneration, answer)), says, Some(took)].into_iter().flatten().collect()
    }

    fn took(&mut self, purpose: Purpose, call: Metrics) -> Item {
        self.sum = self.sum.plus(call);
        let took = json!({"purpose": purpose, "call": call.data(), "sum": self.sum.data()});
        (Topic::TaskMetricsIncremental, took)
    }

    fn planned(&self, plan: &Plan) -> Item {
        let url = self.start_url.as_ref().or(plan.url.as_ref());
        let started = json!({
            "task": self.task, "plan": plan.plan, "successCriteria": plan.success_criteria,
            "actionItems": plan.action_items, "url": url,
        });
        (Topic::TaskStarted, started)
    }

    fn mistake(&mut self, mut what: Value) -> Item {
        self.mistakes += 1;
        what["count"] = self.mistakes.into();
        (Topic::TaskValidationError, what)
    }

    fn looked(&mut self, page: &PageNote) -> Vec<Item> {
        let mut items = self.arrived(page);
        if items.is_empty() {
            let mut again = data::page(page);
            again["message"] = "the page was looked at again".into();
            items.push((Topic::AgentStatus, again));
        }
        items
    }

    /// What is new about a page: where it is, and a picture of it.
    fn arrived(&mut self, page: &PageNote) -> Vec<Item> {
        let is_new = self.url.as_ref() != Some(&page.url);
        self.url = Some(page.url.clone());
        self.has_picture = page.picture.is_some();
        let picture = page.picture.as_ref().map(|name| {
            (Topic::BrowserScreenshotCaptured, json!({"name": name, "observationId": page.observation}))
        });
        let navigated = is_new.then(|| (Topic::BrowserNavigated, data::page(page)));
        navigated.into_iter().chain(picture).collect()
    }

    fn called(&mut self, call: &Call, action: Value) -> Vec<Item> {
        self.is_reading = matches!(call, Call::Read { .. });
        if let Call::SubmitForApproval { summary, amount } = call {
            self.prepared = Some((summary.clone(), amount.clone()));
        }
        let waits = match call {
            Call::Act(act) => match &act.action {
                Action::Wait { what, ms, .. } => Some(json!({"for": "page", "what": what, "mostMillis": ms})),
                _ => None,
            },
            _ => None,
        };
        let waits = waits.map(|waits| (Topic::AgentWaiting, waits));
        [(Topic::AgentAction, action)].into_iter().chain(waits).collect()
    }

    fn acted(&mut self, number: u32, done: &ActNote) -> Vec<Item> {
        self.acts += 1;
        let mut items = vec![(Topic::BrowserActionCompleted, data::act(number, done))];
        if let Some(page) = &done.page {
            items.extend(self.arrived(page));
        }
        if let Some(Caught { fate: Fate::Held(approval) | Fate::ToBeRepeated(approval), request, .. }) =
            &done.caught
        {
            self.approval = Some(approval.clone());
            let (summary, amount) = self.prepared.clone().unzip();
            let waits = json!({
                "for": "approval", "approvalId": approval, "asks": request, "summary": summary,
                "amount": amount.flatten(),
            });
            items.push((Topic::AgentWaiting, waits));
        }
        items
    }

    /// Text of a page that the model reads is only counted; anything else is ours.
    fn told(&mut self, words: &str) -> Item {
        match std::mem::take(&mut self.is_reading) {
            true => (Topic::AgentExtracted, json!({"characters": words.chars().count()})),
            false => status(words),
        }
    }

    fn ruled(&mut self, ruling: Ruling) -> Item {
        let message = match ruling {
            Ruling::LetGo => "somebody said yes, and it was let go",
            Ruling::ToBeRepeated => "somebody said yes, and it has to be done again",
            Ruling::ToBeReached => "somebody said yes, and the way there has to be made again",
            Ruling::NotSent => "somebody said yes, and it could not leave any more",
            Ruling::Unknown => "somebody said yes, and whether it left is not known",
            Ruling::Denied => "somebody said no",
            Ruling::Expired => "nobody answered in time",
            Ruling::Withdrawn => "the question was taken back",
        };
        let ruled = json!({"message": message, "ruling": ruling, "approvalId": self.approval.take()});
        (Topic::AgentStatus, ruled)
    }

    fn rejected(&mut self, why: &str) -> Item {
        self.rejected += 1;
        validated(false, why, self.rejected)
    }

    fn ended(&self, at: u64, outcome: &Outcome) -> Vec<Item> {
        let attempt = self.rejected + 1;
        let judged = match (outcome.kind, outcome.reason) {
            (OutcomeKind::Verified, _) => Some(validated(true, &outcome.words, attempt)),
            (_, Reason::VerificationFailed) => Some(validated(false, &outcome.words, attempt)),
            _ => None,
        };
        let over = match outcome.kind {
            OutcomeKind::Verified | OutcomeKind::Unverified => Topic::TaskCompleted,
            OutcomeKind::Failed | OutcomeKind::Denied | OutcomeKind::Stopped => Topic::TaskAborted,
        };
        let mut took = self.sum.data();
        took["acts"] = self.acts.into();
        took["millis"] = at.into();
        let mut ended = data::outcome(outcome);
        ended["turns"] = self.turn.into();
        ended["finalUrl"] = json!(self.url);
        let last = [(over, ended), (Topic::TaskMetrics, took)];
        judged.into_iter().chain(last).collect()
    }
}

fn status(message: &str) -> Item {
    (Topic::AgentStatus, json!({"message": message}))
}

fn validated(success: bool, feedback: &str, attempt: u32) -> Item {
    (Topic::TaskValidated, json!({"success": success, "feedback": feedback, "attempt": attempt}))
}

/// That somebody answered. What it was in words is between the two.
fn person_said(answer: &Answer) -> Item {
    let answer = match answer {
        Answer::Yes => "yes",
        Answer::No => "no",
        Answer::Words(_) => "words",
        Answer::Nothing => "nothing",
    };
    (Topic::AgentStatus, json!({"message": "somebody was asked", "answer": answer}))
}
