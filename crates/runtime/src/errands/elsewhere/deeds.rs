//! What our actions are in somebody else's browser. Pure; what has no counterpart there is told.

use legwork_agent::Act;
use legwork_types::{
    Code, Problem,
    contract::{Action, ActionId, FieldValue, MouseButton, Target, WaitFor},
};

use super::{ForeignPage, ForeignPart};

/// The longest that is waited for anything at once, in milliseconds.
const LONGEST_WAIT: u64 = 10_000;

/// Something on the page, as the browser is told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct On {
    /// How the browser knows it.
    pub reference: String,
    /// What it is called, for older browsers that want to hear it. Words of the page.
    pub name: String,
}

/// Something that somebody else's browser is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForeignAct {
    /// Goes to an address.
    Go(String),
    /// One page back.
    Back,
    /// Presses the mouse on it, so many times.
    Click(On, u8),
    /// Puts a text in it, instead of what is there. Nothing is sent by that.
    Fill(On, String),
    /// Chooses what reads so.
    Choose(On, String),
    /// Moves the mouse over it.
    Hover(On),
    /// Drags the first to the second.
    Drag(On, On),
    /// Presses a key.
    Key(String),
    /// Waits so many milliseconds.
    Wait(u64),
    /// Waits for words.
    WaitFor(String),
    /// Answers the dialog: yes or no, with a text.
    Answer {
        /// Whether yes.
        accept: bool,
        /// What a prompt asked for.
        text: Option<String>,
    },
    /// Brings the tab of this place, from 0, to the front.
    Tab(u32),
    /// Closes it.
    CloseTab(u32),
}

/// What an act is there, one after the other; empty where it is so already.
pub fn acts_of(act: &Act, page: &ForeignPage) -> Result<Vec<ForeignAct>, Problem> {
    let target = || match act.target {
        Target::Element { action_id } => part(page, action_id),
        Target::Page {} => Err(unfit("this needs an element", "give the number of one")),
    };
    let one = |act| Ok(vec![act]);
    if let Some(why) = page.barred.as_ref().filter(|_| !leaves(&act.action)) {
        let hint = "go back, or to an address of the errand: nothing else is done here";
        return Err(Problem::new(Code::NavigationBlocked, why.clone(), hint));
    }
    let is_on_dialog = matches!(act.action, Action::HandleDialog { .. });
    if page.dialog.is_some() != is_on_dialog {
        return Err(match is_on_dialog {
            true => unfit("no dialog is open", "look at the page"),
            false => {
                Problem::new(Code::DialogOpen, "a dialog is open", "accept_dialog or dismiss_dialog first")
            }
        });
    }
    match &act.action {
        Action::Navigate { url } => one(ForeignAct::Go(url.clone())),
        Action::Reload {} => one(ForeignAct::Go(page.url.untrusted().to_owned())),
        Action::Back {} => one(ForeignAct::Back),
        Action::Click { button: MouseButton::Left, count: count @ 1..=2, modifiers }
            if modifiers.is_empty() =>
        {
            one(ForeignAct::Click(usable(target()?)?, *count))
        }
        Action::Click { .. } => Err(unfit("only plain clicks are done here", "click it once")),
        Action::Hover {} => one(ForeignAct::Hover(on(target()?)?)),
        Action::Focus {} if target()?.is_written_in() => one(ForeignAct::Click(usable(target()?)?, 1)),
        Action::Focus {} => Err(unfit("only what is written in gets the focus here", "click it, or fill it")),
        Action::Fill { value } | Action::Type { text: value, .. } => one(fill(target()?, value)?),
        Action::Clear {} => one(ForeignAct::Fill(usable(target()?)?, String::new())),
        Action::FillForm { fields } => {
            fields.iter().map(|field| fill(part(page, field.action_id)?, &field.value)).collect()
        }
        Action::SelectOption { label, value, index: None } => {
            let chosen = label.as_ref().or(value.as_ref());
            let chosen =
                chosen.ok_or_else(|| unfit("nothing is named to be chosen", "give what it reads"))?;
            one(ForeignAct::Choose(usable(target()?)?, chosen.clone()))
        }
        Action::SelectOption { .. } => {
            Err(unfit("nothing is chosen by its place here", "give what it reads"))
        }
        Action::Check {} => tick(target()?, true),
        Action::Uncheck {} => tick(target()?, false),
        Action::Drag { to } => one(ForeignAct::Drag(usable(target()?)?, on(part(page, *to)?)?)),
        Action::PressKey { key } => match act.target {
            Target::Page {} => one(ForeignAct::Key(key.clone())),
            // A key goes to where the focus is. A click gives it to what is written in; on all else it would press it.
            Target::Element { .. } if target()?.is_written_in() => {
                Ok(vec![ForeignAct::Click(usable(target()?)?, 1), ForeignAct::Key(key.clone())])
            }
            Target::Element { .. } => Err(unfit(
                "keys go only to what is written in, or to the page",
                "leave the element out, or click it",
            )),
        },
        Action::Wait { what: WaitFor::Text, value: Some(words), .. } => {
            one(ForeignAct::WaitFor(words.clone()))
        }
        Action::Wait { what: WaitFor::Timeout, ms, .. } => one(ForeignAct::Wait(*ms.min(&LONGEST_WAIT))),
        Action::Wait { .. } => one(ForeignAct::Wait(1_000)),
        Action::HandleDialog { accept, text } => {
            one(ForeignAct::Answer { accept: *accept, text: text.clone() })
        }
        Action::SwitchTab { tab_id } => one(ForeignAct::Tab(tab(&tab_id.to_string())?)),
        Action::CloseTab { tab_id } => one(ForeignAct::CloseTab(tab(&tab_id.to_string())?)),
        Action::Scroll { .. } | Action::ScrollIntoView {} => Err(unfit(
            "nothing has to be scrolled here",
            "the view is of the whole page: observe with find or cursor",
        )),
        Action::Forward {} => Err(unfit("this browser goes back alone", "follow a link, or goto")),
        Action::Upload { .. } => Err(unfit("no files are given to somebody else's browser", "do without")),
    }
}

/// Whether it may be done on a page that the errand has no business with.
fn leaves(action: &Action) -> bool {
    matches!(
        action,
        Action::Navigate { .. }
            | Action::Back {}
            | Action::SwitchTab { .. }
            | Action::CloseTab { .. }
            | Action::HandleDialog { accept: false, .. }
            | Action::Wait { what: WaitFor::Timeout, .. }
    )
}

fn unfit(message: &str, hint: &str) -> Problem {
    Problem::new(Code::ActionNotApplicable, message, hint)
}

fn part(page: &ForeignPage, number: ActionId) -> Result<&ForeignPart, Problem> {
    let hint = "take a number that the page shows now";
    page.control(number.0)
        .ok_or_else(|| Problem::new(Code::ActionNotFound, format!("there is no element {number}"), hint))
}

fn on(part: &ForeignPart) -> Result<On, Problem> {
    let reference =
        part.reference.clone().ok_or_else(|| unfit("nothing can be done to this", "take another"))?;
    Ok(On { reference, name: part.name.clipped(100).untrusted().to_owned() })
}

fn usable(part: &ForeignPart) -> Result<On, Problem> {
    match part.is("disabled") {
        true => Err(Problem::new(
            Code::ElementDisabled,
            "it can't be used now",
            "see what is missing on the page",
        )),
        false => on(part),
    }
}

fn fill(part: &ForeignPart, value: &FieldValue) -> Result<ForeignAct, Problem> {
    match value {
        FieldValue::Text(text) if part.is_written_in() => Ok(ForeignAct::Fill(usable(part)?, text.clone())),
        FieldValue::Text(_) => Err(unfit("nothing can be typed into this", "take a field")),
        FieldValue::Secret { .. } => Err(Problem::new(
            Code::SecretRefused,
            "secrets are never typed into somebody else's browser",
            "ask_user to log in there, or do without",
        )),
    }
}

/// A click turns what can be ticked; where it is so already nothing is done.
fn tick(part: &ForeignPart, wanted: bool) -> Result<Vec<ForeignAct>, Problem> {
    let is_ticked = part.is("checked") || part.is("selected") || part.is("pressed");
    match part.role.as_str() {
        "checkbox" | "switch" | "menuitemcheckbox" => {}
        "radio" | "menuitemradio" | "option" | "tab" if wanted => {}
        "radio" | "menuitemradio" | "option" | "tab" => {
            return Err(unfit("this is not taken back by itself", "choose another one instead"));
        }
        _ => return Err(unfit("this can't be ticked", "click it")),
    }
    match is_ticked == wanted {
        true => Ok(vec![]),
        false => Ok(vec![ForeignAct::Click(usable(part)?, 1)]),
    }
}

/// Tabs are counted from one for the model, and from zero there.
fn tab(name: &str) -> Result<u32, Problem> {
    let number = name.strip_prefix('t').and_then(|digits| digits.parse::<u32>().ok());
    number
        .and_then(|number| number.checked_sub(1))
        .ok_or_else(|| unfit("there is no such tab", "take one that is shown"))
}
