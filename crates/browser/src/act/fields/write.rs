//! Writing into fields: instead of what is there, behind it, or nothing at all.

use std::time::Duration;

use legwork_types::{Chord, PageText, contract::Modifier};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Field, Kind, Subject, ask_field,
    dates::{self, Parts},
    hand, has_gone_on, not_applicable, sliders,
};
use crate::act::{
    Blocked, Did, Miss,
    grip::{Grip, Needs},
    keyboard::Stroke,
};

/// Whether keys go to an element now.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Keys {
    pub(super) has_keys: bool,
    is_empty: bool,
    /// What the page gave the keys to instead.
    by: Option<PageText>,
}

/// What a field holds, as far as that leaves the page.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Held {
    is_same: bool,
    is_empty: bool,
}

/// What an input would make of a value.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Taken {
    is_taken: bool,
    value: String,
}

/// Puts a value in the place of what is there. What the page itself makes of it, as a mask does, stays: the receipt tells.
pub(super) async fn fill(subject: &Subject<'_>, value: &str) -> Result<Did, Miss> {
    let grip = subject.take(Needs::Write).await?;
    let field = ask_field(&grip).await?;
    match field.kind {
        _ if value.is_empty() => clear_held(subject, &grip, &field).await,
        Kind::Text => fill_text(subject, &grip, &field, value).await,
        Kind::Rich => fill_rich(subject, &grip, &field, value).await,
        Kind::Dated => fill_dated(subject, &grip, &field, value).await,
        Kind::Range => {
            let value = taken(&grip, &field, value).await?;
            sliders::slide(subject, &grip, &value).await
        }
        Kind::Color => fill_by_script(&grip, &field, value).await,
        Kind::Select => Err(not_applicable("this is chosen from: use selectOption").into()),
        Kind::Checkbox | Kind::Radio => Err(not_applicable("this is ticked: use check or uncheck").into()),
        Kind::File => Err(not_applicable("this takes files: use upload").into()),
        Kind::Other => Err(not_written_in().into()),
    }
}

async fn fill_text(subject: &Subject<'_>, grip: &Grip<'_>, field: &Field, value: &str) -> Result<Did, Miss> {
    if field.type_name == "number" {
        taken(grip, field, value).await?;
    }
    bring_keys(grip, "all").await?;
    hand::strike_held(grip, &[Stroke::Letters(value.to_owned())], Duration::ZERO, subject.limit).await?;
    written(grip, value).await
}

async fn fill_rich(subject: &Subject<'_>, grip: &Grip<'_>, field: &Field, value: &str) -> Result<Did, Miss> {
    let mut strokes = over_all(grip, field).await?;
    strokes.push(Stroke::Letters(value.to_owned()));
    hand::strike_held(grip, &strokes, Duration::ZERO, subject.limit).await?;
    written(grip, value).await
}

/// Brings keys to an editor and has all of it be written over. Editors make their own of that, so they get the keys that a person
/// presses; what is only a part of an editor would have the whole of it chosen by them.
async fn over_all(grip: &Grip<'_>, field: &Field) -> Result<Vec<Stroke>, Miss> {
    if field.is_nested {
        bring_keys(grip, "all").await?;
        return Ok(Vec::new());
    }
    bring_keys(grip, "none").await?;
    Ok(vec![Stroke::of(&Chord { modifiers: vec![Modifier::Control], key: "a".to_owned() })])
}

async fn fill_dated(subject: &Subject<'_>, grip: &Grip<'_>, field: &Field, value: &str) -> Result<Did, Miss> {
    let value = taken(grip, field, value).await?;
    if holds(grip, &value).await?.is_same {
        return Ok(Did::Nothing);
    }
    let parts: Parts = grip.ask("partsOfDated", &Value::Null).await?;
    let mut has_sent = false;
    if let Some(strokes) = dates::strokes(&value, &parts) {
        bring_keys(grip, "none").await?;
        hand::strike_held(grip, &strokes, Duration::ZERO, subject.limit).await?;
        has_sent = true;
        match holds(grip, &value).await {
            Ok(held) if held.is_same => return Ok(Did::Sent),
            Ok(_) => {}
            Err(why) if has_gone_on(&why) => return Ok(Did::Sent),
            Err(why) => return Err(Miss::During(why)),
        }
    }
    // The parts are in another order than we know, or some of them take no keys.
    let by_script = fill_by_script(grip, field, &value).await;
    by_script.map_err(|miss| if has_sent { miss.during() } else { miss })
}

/// For what takes no keys: Chromium offers a colour only in a window of its own, which no protocol reaches.
async fn fill_by_script(grip: &Grip<'_>, field: &Field, value: &str) -> Result<Did, Miss> {
    let value = taken(grip, field, value).await?;
    if holds(grip, &value).await?.is_same {
        return Ok(Did::Nothing);
    }
    grip.ask::<bool>("writeByScript", &json!({ "value": value })).await.map_err(Miss::During)?;
    Ok(Did::Sent)
}

/// Types behind what is there, key by key.
pub(super) async fn type_in(subject: &Subject<'_>, text: &str, pause: Duration) -> Result<Did, Miss> {
    let grip = subject.take(Needs::Write).await?;
    let field = ask_field(&grip).await?;
    if text.is_empty() {
        return Ok(Did::Nothing);
    }
    let caret = if field.is_editable { "end" } else { "none" };
    bring_keys(&grip, caret).await?;
    let mut strokes = Vec::new();
    // Inputs of these types keep their caret from script.
    if matches!(field.type_name.as_str(), "number" | "email") {
        strokes.push(Stroke::named("End"));
    }
    strokes.extend(Stroke::typing(text));
    hand::strike_held(&grip, &strokes, pause, subject.limit).await?;
    Ok(Did::Sent)
}

/// Takes out what is in a field.
pub(super) async fn clear(subject: &Subject<'_>) -> Result<Did, Miss> {
    let grip = subject.take(Needs::Write).await?;
    let field = ask_field(&grip).await?;
    clear_held(subject, &grip, &field).await
}

async fn clear_held(subject: &Subject<'_>, grip: &Grip<'_>, field: &Field) -> Result<Did, Miss> {
    let strokes = match field.kind {
        Kind::Text => {
            if bring_keys(grip, "all").await?.is_empty {
                return Ok(Did::Nothing);
            }
            vec![Stroke::named("Delete")]
        }
        Kind::Rich => {
            let mut strokes = over_all(grip, field).await?;
            if holds(grip, "").await.map_err(Miss::During)?.is_empty {
                return Ok(Did::Nothing);
            }
            strokes.push(Stroke::named("Delete"));
            strokes
        }
        Kind::Dated => {
            if bring_keys(grip, "none").await?.is_empty {
                return Ok(Did::Nothing);
            }
            let parts = grip.ask::<Parts>("partsOfDated", &Value::Null).await.map_err(Miss::During)?;
            dates::clearing(&parts)
        }
        _ => return Err(not_applicable("there is nothing in it that can be taken out").into()),
    };
    hand::strike_held(grip, &strokes, Duration::ZERO, subject.limit).await?;
    Ok(Did::Sent)
}

/// Brings keys to an element; whatever keeps them from it is told. The page has heard of it then, so what fails from here on is not
/// as if nothing had been done.
pub(super) async fn bring_keys(grip: &Grip<'_>, caret: &str) -> Result<Keys, Miss> {
    let keys: Keys = grip.bid("bringKeys", &json!({ "caret": caret })).await?;
    match keys {
        Keys { has_keys: true, .. } => Ok(keys),
        Keys { by: Some(by), .. } => Err(Miss::During(Blocked::Obscured { by })),
        Keys { by: None, .. } => {
            Err(Miss::During(not_applicable("keys can't be made to go to this element")))
        }
    }
}

async fn holds(grip: &Grip<'_>, value: &str) -> Result<Held, Blocked> {
    grip.ask("holds", &json!({ "value": value })).await
}

/// Whether something of a value is there now. A page may shorten it or write it otherwise; that is its own affair.
async fn written(grip: &Grip<'_>, value: &str) -> Result<Did, Miss> {
    match holds(grip, value).await {
        Ok(held) if held.is_same || !held.is_empty || value.trim().is_empty() => Ok(Did::Sent),
        Ok(_) => Err(Miss::During(not_applicable("the page took nothing of what was written"))),
        Err(why) if has_gone_on(&why) => Ok(Did::Sent),
        Err(why) => Err(Miss::During(why)),
    }
}

/// A value as an input would hold it, if it has the form that the input takes.
async fn taken(grip: &Grip<'_>, field: &Field, value: &str) -> Result<String, Blocked> {
    let taken: Taken = grip.ask("inputTakes", &json!({ "value": value })).await?;
    if taken.is_taken {
        return Ok(taken.value);
    }
    Err(not_applicable(format!("this field takes {}", dates::format_of(&field.type_name))))
}

fn not_written_in() -> Blocked {
    not_applicable("nothing can be written into this element")
}
