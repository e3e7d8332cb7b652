//! Choosing from lists that pages draw themselves: opened by a press, searched for the option, which is pressed too.

use std::time::Duration;

use legwork_observe::{
    ElementRef,
    capture::{Attributes, Control, ControlState, Rect},
};
use legwork_types::{Choice, Click, PageText};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Field, Subject, ask_field, hand, not_applicable,
    select::{no_such_option, switched_off},
    wanted, write,
};
use crate::act::{
    Blocked, Did, Miss,
    grip::{Grip, Needs},
    keyboard::Stroke,
};

/// How long a page may take to draw the options.
const PATIENCE: Duration = Duration::from_secs(3);

/// One more element that the walker remembers.
#[derive(Debug, Deserialize)]
pub(super) struct Kept {
    index: u32,
    tag: Box<str>,
    role: Box<str>,
    name: PageText,
    #[serde(default)]
    attributes: Box<Attributes>,
}

impl Kept {
    /// As an element of the same look and frame as another one.
    pub(super) fn element(self, beside: &ElementRef) -> ElementRef {
        let control = Control {
            index: self.index,
            tag: self.tag,
            role: self.role,
            name: self.name,
            state: ControlState::default(),
            rect: Rect::default(),
            attributes: self.attributes,
            children: Vec::new(),
        };
        ElementRef { index: self.index, identity: control.identity(&[]), ..beside.clone() }
    }
}

/// How a control stands before it is opened.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListState {
    is_open: bool,
    /// Whether the page says that it is for choosing.
    is_chooser: bool,
}

/// What our script found of an option.
#[derive(Deserialize)]
#[serde(tag = "state", rename_all = "lowercase", rename_all_fields = "camelCase")]
enum Sought {
    Kept {
        is_chosen: bool,
        element: Option<Kept>,
    },
    /// The control that it was to be chosen in is not in the page any more.
    Gone,
    Off,
    /// A press on it would do more than choose it.
    More,
    Missing {
        labels: Vec<PageText>,
        count: usize,
    },
}

/// What a suggestion of the browser's would write.
#[derive(Deserialize)]
#[serde(tag = "state", rename_all = "lowercase")]
enum Suggested {
    Found { value: String },
    Missing { labels: Vec<PageText>, count: usize },
}

/// Chooses an option of a list that the page draws.
pub(super) async fn choose(subject: &Subject<'_>, field: &Field, choice: &Choice) -> Result<Did, Miss> {
    let grip = subject.take(Needs::Presence).await?;
    let state: ListState = grip.ask("listState", &Value::Null).await?;
    // Whatever a press on it would do is not what was judged.
    if !state.is_chooser {
        return Err(not_applicable("there is nothing to choose from in it").into());
    }
    let has_opened = !state.is_open;
    if has_opened {
        subject.press(&Click::default()).await?;
    }
    let chosen = choose_in_open(subject, &grip, field, choice).await;
    match chosen {
        Ok(Did::Nothing) | Err(_) if has_opened => close(subject, &grip).await,
        _ => {}
    }
    match chosen {
        // It was opened and closed, so the page has had something.
        Ok(Did::Nothing) if has_opened => Ok(Did::Sent),
        Err(miss) if has_opened => Err(miss.during()),
        chosen => chosen,
    }
}

async fn choose_in_open(
    subject: &Subject<'_>,
    grip: &Grip<'_>,
    field: &Field,
    choice: &Choice,
) -> Result<Did, Miss> {
    let sought = seek(subject, grip, choice).await?;
    // What is typed into narrows its options down, or fetches them.
    if let (true, Sought::Missing { .. }, Some(words)) = (field.is_editable, &sought, words(choice)) {
        write::bring_keys(grip, "all").await?;
        hand::strike_held(grip, &[Stroke::Letters(words.to_owned())], Duration::ZERO, subject.limit).await?;
        let sought = seek(subject, grip, choice).await.map_err(Miss::During)?;
        return press_sought(subject, sought).await.map_err(Miss::during);
    }
    press_sought(subject, sought).await
}

async fn press_sought(subject: &Subject<'_>, sought: Sought) -> Result<Did, Miss> {
    let kept = match sought {
        Sought::Kept { is_chosen: true, .. } => return Ok(Did::Nothing),
        Sought::Kept { element, .. } => element.ok_or(Blocked::Gone)?,
        Sought::Gone => return Err(Blocked::Gone.into()),
        Sought::Off => return Err(switched_off().into()),
        Sought::More => {
            let why = "this option leads somewhere or sends something: open the list and press it by its own number";
            return Err(not_applicable(why).into());
        }
        Sought::Missing { labels, count } => return Err(no_such_option(labels, count).into()),
    };
    let element = kept.element(subject.element);
    let option = Subject { element: &element, ..*subject };
    option.press(&Click::default()).await?;
    Ok(Did::Sent)
}

async fn seek(subject: &Subject<'_>, grip: &Grip<'_>, choice: &Choice) -> Result<Sought, Blocked> {
    let asked = json!({
        "epoch": subject.epoch.to_string(),
        "index": subject.element.index,
        "wanted": wanted(choice),
        "milliseconds": PATIENCE.as_millis(),
    });
    grip.ask("awaitOption", &asked).await
}

fn words(choice: &Choice) -> Option<&str> {
    match choice {
        Choice::Label(words) | Choice::LabelOrValue(words) => Some(words),
        Choice::Value(_) | Choice::Index(_) => None,
    }
}

/// Closes a list that was opened in vain.
async fn close(subject: &Subject<'_>, grip: &Grip<'_>) {
    if matches!(grip.ask::<bool>("isOpenStill", &Value::Null).await, Ok(true)) {
        let _ = hand::strike(grip, &[Stroke::named("Escape")], Duration::ZERO, subject.limit).await;
    }
}

/// Writes what a suggestion of the browser's would write. Its list is drawn in a window of its own, and choosing from it does
/// nothing else.
pub(super) async fn choose_suggested(
    subject: &Subject<'_>,
    grip: &Grip<'_>,
    choice: &Choice,
) -> Result<Did, Miss> {
    match grip.ask("suggestedValue", &wanted(choice)).await? {
        Suggested::Found { value } => write::fill(subject, &value).await,
        Suggested::Missing { labels, count } => Err(no_such_option(labels, count).into()),
    }
}

/// Writes a text into what may also offer options for it, and chooses the option of that name if there is one.
pub(super) async fn choose_or_write(subject: &Subject<'_>, text: &str) -> Result<Did, Miss> {
    let grip = subject.take(Needs::Presence).await?;
    let field = ask_field(&grip).await?;
    let choice = Choice::LabelOrValue(text.to_owned());
    match choose(subject, &field, &choice).await {
        Err(Miss::Before(why) | Miss::During(why)) if field.is_editable && is_no_option(&why) => {
            write::fill(subject, text).await.map_err(Miss::during)
        }
        chosen => chosen,
    }
}

/// Whether it was the option that is missing, and nothing worse.
fn is_no_option(why: &Blocked) -> bool {
    matches!(why, Blocked::NotApplicable { .. } | Blocked::NoSuchOption { .. })
}
