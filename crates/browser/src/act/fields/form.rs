//! Filling in several fields in one call, in the order that is given, up to the first that can't be filled in.

use legwork_cdp::Limit;
use legwork_types::{
    Choice, Tick,
    contract::{ActionId, FieldValue, FormFill},
};
use serde_json::Value;

use super::{Kind, Subject, ask_field, choose, lists, not_applicable, plain, tick, write};
use crate::{
    act::{Aims, Blocked, Did, Miss, grip::Needs},
    tab::Tab,
};

/// Fills in a form. `changed` gets the fields that hold something else afterwards, also where it ends with an error.
pub(in crate::act) async fn fill(
    tab: &Tab,
    fields: &[FormFill],
    aims: &Aims,
    changed: &mut Vec<ActionId>,
    limit: &Limit,
) -> Result<Did, Miss> {
    let mut did = Did::Nothing;
    for fill in fields {
        let action = fill.action_id;
        match one(tab, fill, aims, changed, limit).await {
            Ok(Did::Nothing) => {}
            Ok(Did::Sent) => did = Did::Sent,
            Err(Miss::Before(why)) if did == Did::Nothing => {
                return Err(Miss::Before(Blocked::in_field(action, why)));
            }
            Err(Miss::Before(why) | Miss::During(why)) => {
                return Err(Miss::During(Blocked::in_field(action, why)));
            }
        }
    }
    Ok(did)
}

async fn one(
    tab: &Tab,
    fill: &FormFill,
    aims: &Aims,
    changed: &mut Vec<ActionId>,
    limit: &Limit,
) -> Result<Did, Miss> {
    let element = aims.element(fill.action_id).ok_or(Blocked::Gone)?;
    let subject = Subject { tab, element, epoch: &aims.epoch, limit };
    let value = plain(&fill.value, &aims.secrets)?;
    let is_secret = matches!(fill.value, FieldValue::Secret { .. });
    let grip = subject.take(Needs::Presence).await?;
    let field = ask_field(&grip).await?;
    grip.ask::<bool>("noteField", &Value::Null).await?;
    let outcome = match field.kind {
        // Nothing but a field to write in gets one, and no answer tells of it.
        _ if is_secret => write::fill(&subject, value).await,
        Kind::Checkbox | Kind::Radio => tick::tick(&subject, tick_of(value)?).await,
        Kind::Select => choose(&subject, &Choice::LabelOrValue(value.to_owned())).await,
        Kind::File => Err(not_applicable("this takes files: use upload").into()),
        _ if field.is_list && !value.is_empty() => lists::choose_or_write(&subject, value).await,
        _ => write::fill(&subject, value).await,
    };
    // What can't be asked any more has changed at the least.
    let is_other = match grip.ask::<bool>("isFieldChanged", &Value::Null).await {
        Ok(is_other) => is_other,
        Err(_) => matches!(outcome, Ok(Did::Sent) | Err(Miss::During(_))),
    };
    if is_other {
        changed.push(fill.action_id);
    }
    outcome
}

fn tick_of(value: &str) -> Result<Tick, Blocked> {
    match value {
        "true" => Ok(Tick::On),
        "false" => Ok(Tick::Off),
        _ => Err(not_applicable("this is ticked: its value is true or false")),
    }
}
