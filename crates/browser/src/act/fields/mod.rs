//! What is done to fields: writing, typing, choosing, ticking, giving files, pressing keys. By real keys and presses; by script only
//! where Chromium knows no other way, which is told where it is done.

mod dates;
mod form;
mod hand;
mod lists;
mod press;
mod select;
mod sliders;
mod tick;
mod upload;
mod write;

use std::{path::PathBuf, time::Duration};

use legwork_cdp::Limit;
use legwork_observe::ElementRef;
use legwork_policy::secrets::SecretValues;
use legwork_types::{Choice, Click, Deed, contract::FieldValue};
use serde::Deserialize;
use serde_json::{Value, json};

pub(super) use form::fill as fill_form;
pub(super) use press::on_page as press_on_page;

use super::{
    Aims, Blocked, Did, Miss,
    grip::{Grip, Needs},
    pointer,
};
use crate::{Epoch, tab::Tab};

/// What kind of field an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// Written in with keys.
    Text,
    /// Written in with keys, and may hold more than text.
    Rich,
    /// A date, a time or both, which the browser draws in parts.
    Dated,
    Range,
    Color,
    /// A native list.
    Select,
    /// Ticked or not, the page's own ones included.
    Checkbox,
    /// One of several.
    Radio,
    File,
    Other,
}

/// What our script says of a field.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Field {
    kind: Kind,
    /// Its `type`, in the words of the browser or of us, never of the page.
    #[serde(rename = "type")]
    type_name: String,
    is_multiple: bool,
    is_off: bool,
    /// Whether it opens, or is, a list of the page's own making.
    is_list: bool,
    /// Whether text can be written into it.
    is_editable: bool,
    /// Whether a native list shows its options without being opened.
    #[serde(default)]
    is_drawn_open: bool,
    /// Whether the browser has suggestions for it.
    #[serde(default)]
    has_suggestions: bool,
    /// Whether it is written in together with what is around it.
    #[serde(default)]
    is_nested: bool,
}

/// An element with what is needed to do something to it.
#[derive(Clone, Copy)]
struct Subject<'a> {
    tab: &'a Tab,
    element: &'a ElementRef,
    epoch: &'a Epoch,
    limit: &'a Limit,
}

impl<'a> Subject<'a> {
    async fn take(&self, needs: Needs) -> Result<Grip<'a>, Blocked> {
        Grip::take(self.tab, self.element, self.epoch, needs, self.limit).await
    }

    async fn press(&self, click: &Click) -> Result<(), Miss> {
        pointer::click(self.tab, self.element, self.epoch, click, self.limit).await
    }
}

/// Does something to a field.
pub(super) async fn perform(
    tab: &Tab,
    element: &ElementRef,
    aims: &Aims,
    deed: &Deed,
    files: Vec<PathBuf>,
    limit: &Limit,
) -> Result<Did, Miss> {
    let subject = Subject { tab, element, epoch: &aims.epoch, limit };
    match deed {
        Deed::Fill(value) => write::fill(&subject, plain(value, &aims.secrets)?).await,
        Deed::Type { text, delay_ms } => {
            write::type_in(&subject, plain(text, &aims.secrets)?, Duration::from_millis(*delay_ms)).await
        }
        Deed::Clear => write::clear(&subject).await,
        Deed::Select(choice) => choose(&subject, choice).await,
        Deed::Tick(tick) => tick::tick(&subject, *tick).await,
        Deed::PressKey(chord) => press::on_element(&subject, chord).await,
        Deed::Upload(_) => upload::upload(&subject, files).await,
        _ => Err(not_applicable("this is not done to fields").into()),
    }
}

/// Chooses from a list of whatever kind.
async fn choose(subject: &Subject<'_>, choice: &Choice) -> Result<Did, Miss> {
    let grip = subject.take(Needs::Presence).await?;
    let field = ask_field(&grip).await?;
    match field.kind {
        Kind::Select => select::choose(subject, &field, choice).await,
        Kind::Text if field.has_suggestions => lists::choose_suggested(subject, &grip, choice).await,
        _ => lists::choose(subject, &field, choice).await,
    }
}

async fn ask_field(grip: &Grip<'_>) -> Result<Field, Blocked> {
    grip.ask("field", &Value::Null).await
}

/// The words of a value. A permit for a secret comes together with its value.
fn plain<'a>(value: &'a FieldValue, secrets: &'a SecretValues) -> Result<&'a str, Blocked> {
    match value {
        FieldValue::Text(text) => Ok(text),
        FieldValue::Secret { secret } => match secrets.get(secret) {
            Some(value) => Ok(value.expose()),
            None => Err(not_applicable("the value of this secret is not there")),
        },
    }
}

/// Whether a question about an element went unanswered because the page has gone on: it put the element away, asks something
/// itself, or is left. Whatever was sent before has been taken in.
fn has_gone_on(why: &Blocked) -> bool {
    use crate::{BrowserError as E, Gone::Closed};
    matches!(why, Blocked::Gone | Blocked::Browser(E::DialogOpen { .. } | E::TabGone { gone: Closed, .. }))
}

fn not_applicable(why: impl Into<String>) -> Blocked {
    Blocked::NotApplicable { why: why.into() }
}

/// A choice as our script takes it.
fn wanted(choice: &Choice) -> Value {
    match choice {
        Choice::Value(value) => json!({ "by": "value", "text": value }),
        Choice::Label(label) => json!({ "by": "label", "text": label }),
        Choice::Index(index) => json!({ "by": "index", "text": index }),
        Choice::LabelOrValue(text) => json!({ "by": "labelOrValue", "text": text }),
    }
}
