//! The names and arguments of the Playwright MCP tools, for prompts and habits that know them. One session per caller, opened when it
//! is needed; `ref` is a number of the latest snapshot; the gates behind them are the same.

use legwork_runtime::{Acted, OpenRequest, words};
use legwork_types::{
    Code, Details, PageUrl, Problem, TabId,
    contract::{
        ActRequest, Action, ActionId, Expect, FieldValue, FormFill, Modifier, MouseButton, ObserveOptions,
        Target, WaitFor,
    },
};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::{
    answer::Answer,
    arguments::{Arguments, mended, mismatch, need, nothing_more, take},
    desk::Unnamed,
    tools::{Call, told},
};

/// A number, however it is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ref(pub(crate) ActionId);

impl<'de> Deserialize<'de> for Ref {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let number = match &value {
            Value::Number(number) => number.as_u64(),
            Value::String(text) => text.trim().trim_start_matches(['e', '#']).parse().ok(),
            _ => None,
        };
        let number = number.and_then(|number| u32::try_from(number).ok()).filter(|number| *number > 0);
        number.map(|number| Self(ActionId(number))).ok_or_else(|| {
            serde::de::Error::custom(
                "a ref is a number of the latest snapshot; take a new one with browser_snapshot",
            )
        })
    }
}

impl Call<'_> {
    /// Does what a tool of this name does elsewhere.
    pub(crate) async fn perform_compat(&self, name: &str, arguments: Arguments) -> Result<Answer, Problem> {
        let mut given = mended(arguments);
        // What the caller calls the element is for people who read along.
        for words in ["element", "startElement", "endElement"] {
            take::<String>(&mut given, words)?;
        }
        match name {
            "browser_navigate" => {
                let url = need::<String>(&mut given, "url")?;
                nothing_more(&given)?;
                self.go(&url).await
            }
            "browser_snapshot" => {
                nothing_more(&given)?;
                self.snapshot().await
            }
            "browser_take_screenshot" => self.take_screenshot(given).await,
            "browser_tabs" => self.tabs_of_compat(given).await,
            "browser_type" => self.type_into(given).await,
            "browser_file_upload" => self.file_upload(given).await,
            name => {
                let (target, action) = single(name, &mut given)?;
                nothing_more(&given)?;
                self.act_on(target, action).await
            }
        }
    }

    /// The session of a caller who names none.
    pub(crate) async fn unnamed(&self) -> Result<Unnamed, Problem> {
        if let Some(unnamed) = self.desk.unnamed(self.caller) {
            return Ok(unnamed);
        }
        self.begin(None).await?;
        self.desk.unnamed(self.caller).ok_or_else(lost)
    }

    /// Opens the session of a caller who names none.
    async fn begin(&self, url: Option<PageUrl>) -> Result<String, Problem> {
        // These tools name no look: a number must not mean one thing now and another one later.
        let numbering = self.desk.numbering(self.caller);
        let request = OpenRequest { url, numbering, ..OpenRequest::default() };
        let opened = self.sessions.open(self.caller, request, self.cancel).await?;
        self.desk.choose(self.caller, &opened.seen.look);
        let page = words::seen(&opened.seen, &ObserveOptions::default())?;
        Ok(format!("{}{page}", words::trust(&opened)))
    }

    /// Goes to an address, in a new session where there is none any more.
    pub(crate) async fn go(&self, url: &str) -> Result<Answer, Problem> {
        let parsed = PageUrl::parse(url).map_err(|refusal| Problem::from(&refusal))?;
        if self.desk.unnamed(self.caller).is_some() {
            let answer = self.act_on(Target::Page {}, Action::Navigate { url: url.to_owned() }).await?;
            if answer.failed != Some(Code::SessionNotFound) {
                return Ok(answer);
            }
        }
        self.begin(Some(parsed)).await.map(Answer::text)
    }

    /// Looks again.
    pub(crate) async fn snapshot(&self) -> Result<Answer, Problem> {
        let Unnamed { session, .. } = self.unnamed().await?;
        let options = ObserveOptions::default();
        match self.sessions.observe(self.caller, &session, &options, self.cancel).await {
            Ok(seen) => {
                self.desk.saw(self.caller, &seen.look);
                words::seen(&seen, &options).map(Answer::text)
            }
            Err(problem) => {
                if problem.code == Code::SessionNotFound {
                    self.desk.forget(self.caller, &session);
                }
                Err(problem)
            }
        }
    }

    /// Acts by the snapshot that the caller saw last.
    pub(crate) async fn act_on(&self, target: Target, action: Action) -> Result<Answer, Problem> {
        let (deed, acted) = self.act_by_latest(target, action).await?;
        Ok(told(&deed, acted))
    }

    /// The same, before it is told: what was asked for, and what came of it.
    async fn act_by_latest(&self, target: Target, action: Action) -> Result<(String, Acted), Problem> {
        let Unnamed { session, look } = self.unnamed().await?;
        let request = ActRequest {
            session_id: session.clone(),
            observation_id: look.id().clone(),
            target,
            action,
            expect: Expect::default(),
            reason: None,
            confirm: false,
            confirmation_text: None,
            observe: ObserveOptions::default(),
        };
        let deed = words::deed(request.target, &request.action);
        let mut acted = self.acted(request).await;
        acted.error = acted.error.map(without_yes);
        if acted.error.as_ref().is_some_and(|problem| problem.code == Code::SessionNotFound) {
            self.desk.forget(self.caller, &session);
        }
        Ok((deed, acted))
    }

    async fn type_into(&self, mut given: Arguments) -> Result<Answer, Problem> {
        let target = element(&mut given, "ref")?;
        let text = FieldValue::Text(need::<String>(&mut given, "text")?);
        let submit = take::<bool>(&mut given, "submit")?.unwrap_or_default();
        let slowly = take::<bool>(&mut given, "slowly")?.unwrap_or_default();
        nothing_more(&given)?;
        let action = if slowly { Action::Type { text, delay_ms: 0 } } else { Action::Fill { value: text } };
        let (typing, typed) = self.act_by_latest(target, action).await?;
        if !submit || typed.error.is_some() {
            return Ok(told(&typing, typed));
        }
        // The field has the keys now; where it has not, the judge of the key sees what has.
        let enter = Action::PressKey { key: "Enter".to_owned() };
        let (pressing, pressed) = self.act_by_latest(Target::Page {}, enter).await?;
        let first = words::came_of_it(&typing, &typed);
        let then = words::came_of_it(&pressing, &pressed);
        // A refusal begins with its code; that something was done before it must be told all the same.
        let both =
            if pressed.error.is_some() { format!("{then}before that: {first}") } else { first + &then };
        let text = both + &words::page_after(&pressed);
        Ok(Answer { text, ..told(&pressing, pressed) })
    }

    async fn take_screenshot(&self, mut given: Arguments) -> Result<Answer, Problem> {
        take::<String>(&mut given, "type")?;
        for (name, why) in [
            ("fullPage", "only what is in sight can be pictured"),
            ("ref", "only what is in sight can be pictured"),
            ("filename", "the picture is answered and not written to a file"),
        ] {
            if take::<Value>(&mut given, name)?.is_some_and(|value| value != Value::Bool(false)) {
                return Err(mismatch(name, why));
            }
        }
        nothing_more(&given)?;
        let Unnamed { session, .. } = self.unnamed().await?;
        self.sessions.screenshot(self.caller, &session, None, self.cancel).await.map(Answer::picture)
    }

    async fn tabs_of_compat(&self, mut given: Arguments) -> Result<Answer, Problem> {
        let action = take::<String>(&mut given, "action")?.unwrap_or_else(|| "list".to_owned());
        let index = take::<usize>(&mut given, "index")?;
        nothing_more(&given)?;
        let Unnamed { session, .. } = self.unnamed().await?;
        let tabs = self.sessions.tabs(self.caller, &session, self.cancel).await?;
        let chosen = |index: Option<usize>| -> Result<TabId, Problem> {
            let tab = match index {
                Some(index) => tabs.get(index),
                None => tabs.iter().find(|tab| tab.active),
            };
            tab.map(|tab| tab.tab_id)
                .ok_or_else(|| mismatch("index", "there is no such tab; the first one is 0"))
        };
        let action = match action.as_str() {
            "list" => return Ok(Answer::text(words::tabs(&tabs))),
            "select" => Action::SwitchTab { tab_id: chosen(Some(index.unwrap_or_default()))? },
            "close" => Action::CloseTab { tab_id: chosen(index)? },
            _ => {
                return Err(mismatch("action", "list, select or close; a new tab can't be opened by itself"));
            }
        };
        self.act_on(Target::Page {}, action).await
    }

    async fn file_upload(&self, mut given: Arguments) -> Result<Answer, Problem> {
        let files = need::<Vec<String>>(&mut given, "paths")?;
        let target = take::<Ref>(&mut given, "ref")?;
        nothing_more(&given)?;
        let target = match target {
            Some(Ref(action_id)) => Target::Element { action_id },
            None => {
                let Unnamed { look, .. } = self.unnamed().await?;
                let options = ObserveOptions { max_affordances: 200, ..ObserveOptions::default() };
                let seen = look.observe(&options, None).map_err(|error| error.problem())?;
                let mut fields = seen.affordances.iter().filter(|one| one.role == "file");
                match (fields.next(), fields.next()) {
                    (Some(only), None) => Target::Element { action_id: only.action_id },
                    _ => return Err(mismatch("ref", "name the field: there is none, or more than one")),
                }
            }
        };
        self.act_on(target, Action::Upload { files }).await
    }
}

/// The tools that are one action of the contract.
fn single(name: &str, given: &mut Arguments) -> Result<(Target, Action), Problem> {
    let page = |action| Ok((Target::Page {}, action));
    match name {
        "browser_navigate_back" => page(Action::Back {}),
        "browser_press_key" => page(Action::PressKey { key: need(given, "key")? }),
        "browser_handle_dialog" => {
            page(Action::HandleDialog { accept: need(given, "accept")?, text: take(given, "promptText")? })
        }
        "browser_wait_for" => page(wait(given)?),
        "browser_click" => {
            let target = element(given, "ref")?;
            let button = take::<MouseButton>(given, "button")?.unwrap_or_default();
            let count = if take::<bool>(given, "doubleClick")?.unwrap_or_default() { 2 } else { 1 };
            let modifiers = take::<Vec<String>>(given, "modifiers")?.unwrap_or_default();
            let modifiers = modifiers.iter().map(|name| modifier(name)).collect::<Result<_, _>>()?;
            Ok((target, Action::Click { button, count, modifiers }))
        }
        "browser_hover" => Ok((element(given, "ref")?, Action::Hover {})),
        "browser_drag" => {
            let target = element(given, "startRef")?;
            let Ref(to) = need(given, "endRef")?;
            Ok((target, Action::Drag { to }))
        }
        "browser_select_option" => {
            let target = element(given, "ref")?;
            let mut values = need::<Vec<String>>(given, "values")?;
            match (values.pop(), values.is_empty()) {
                // Playwright takes either the label or the value; a form's field does so too.
                (Some(value), true) => {
                    let Target::Element { action_id } = target else { return Err(lost()) };
                    let fields = vec![FormFill { action_id, value: FieldValue::Text(value) }];
                    page(Action::FillForm { fields })
                }
                _ => Err(mismatch("values", "just one can be chosen in one call")),
            }
        }
        "browser_fill_form" => {
            #[derive(Deserialize)]
            #[serde(deny_unknown_fields)]
            struct Field {
                #[serde(rename = "ref")]
                number: Ref,
                value: Value,
                #[serde(default, rename = "name")]
                _name: Option<String>,
                #[serde(default, rename = "type")]
                _kind: Option<String>,
                #[serde(default, rename = "element")]
                _element: Option<String>,
            }
            let fields = need::<Vec<Field>>(given, "fields")?;
            let fields = fields.into_iter().map(|field| {
                let value = match field.value {
                    Value::String(text) => text,
                    other => other.to_string(),
                };
                FormFill { action_id: field.number.0, value: FieldValue::Text(value) }
            });
            page(Action::FillForm { fields: fields.collect() })
        }
        _ => Err(lost()),
    }
}

fn wait(given: &mut Arguments) -> Result<Action, Problem> {
    let seconds = take::<f64>(given, "time")?;
    let (text, gone) = (take::<String>(given, "text")?, take::<String>(given, "textGone")?);
    let longest = legwork_types::LONGEST_WAIT;
    let ms = seconds.map_or(10_000, |seconds| (seconds.clamp(0.0, 30.0) * 1_000.0) as u64).min(longest);
    match (text, gone, seconds) {
        (Some(text), None, _) => Ok(Action::Wait { what: WaitFor::Text, value: Some(text), ms }),
        (None, Some(text), _) => Ok(Action::Wait { what: WaitFor::TextGone, value: Some(text), ms }),
        (None, None, Some(_)) => Ok(Action::Wait { what: WaitFor::Timeout, value: None, ms }),
        _ => Err(mismatch("text", "one of time, text and textGone")),
    }
}

fn element(given: &mut Arguments, name: &str) -> Result<Target, Problem> {
    // Newer versions call it `target`.
    let found = take::<Ref>(given, name)?;
    let found = match (found, name) {
        (None, "ref") => take::<Ref>(given, "target")?,
        (found, _) => found,
    };
    found
        .map(|Ref(action_id)| Target::Element { action_id })
        .ok_or_else(|| mismatch(name, "it is missing; take a new snapshot with browser_snapshot"))
}

fn modifier(name: &str) -> Result<Modifier, Problem> {
    match name {
        "Alt" => Ok(Modifier::Alt),
        "Control" | "ControlOrMeta" => Ok(Modifier::Control),
        "Meta" => Ok(Modifier::Meta),
        "Shift" => Ok(Modifier::Shift),
        _ => Err(mismatch("modifiers", "Alt, Control, ControlOrMeta, Meta or Shift")),
    }
}

/// The same refusal without what these tools have no arguments for.
fn without_yes(mut problem: Problem) -> Problem {
    if problem.code != Code::SafetyConfirmationRequired {
        return problem;
    }
    if let Some(Details::Caught { required_confirmation_text, .. }) = problem.details.as_deref_mut() {
        *required_confirmation_text = None;
        return problem;
    }
    problem.hint = "these tools can't confirm: let a person do this step, or use the default tools of a server that was started \
        with --confirm caller"
        .into();
    if let Some(Details::Confirmation { required_confirmation_text, missing, mismatch, provided, .. }) =
        problem.details.as_deref_mut()
    {
        (*required_confirmation_text, *missing, *mismatch, *provided) = (None, None, false, None);
    }
    problem
}

fn lost() -> Problem {
    Problem::new(Code::InternalError, "a tool without a deed", "report this as a defect")
}
