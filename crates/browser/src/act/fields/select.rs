//! Choosing from the browser's own lists.
//!
//! Measured on Chromium 156: Space opens the list of a closed one; keys then go to the list and the page hears nothing of them,
//! until Enter makes it hear one `input` and one `change`. Escape chooses too, as soon as an arrow was pressed, so nothing may fail
//! between the first arrow and Enter: they are sent in one go.

use std::{iter::repeat_n, time::Duration};

use legwork_observe::ElementRef;
use legwork_types::{Choice, Click, PageText, contract::Modifier};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Field, Subject, hand, has_gone_on, lists::Kept, not_applicable, wanted, write};
use crate::{
    act::{
        Blocked, Did, Miss,
        grip::{Grip, Needs},
        keyboard::Stroke,
    },
    capture::script::with_walker,
};

/// What our script says of the option that is meant.
#[derive(Debug, Deserialize)]
#[serde(tag = "state", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub(super) enum Meant {
    Found {
        place: u32,
        is_chosen: bool,
        from_top: usize,
        from_end: usize,
    },
    /// It can't be chosen now.
    Off,
    /// There is no such option.
    Missing {
        labels: Vec<PageText>,
        count: usize,
    },
}

/// So many arrows take some five seconds, for which nothing can be checked on the way. A longer list is written by script.
const MOST_ARROWS: usize = 1000;

/// Chooses an option of a native list.
pub(super) async fn choose(subject: &Subject<'_>, field: &Field, choice: &Choice) -> Result<Did, Miss> {
    let grip = subject.take(Needs::Write).await?;
    let (place, is_chosen, from_top, from_end) = found(&grip, choice).await?;
    if is_chosen {
        return Ok(Did::Nothing);
    }
    if field.is_drawn_open {
        return press_option(subject, &grip, field, place).await;
    }
    if from_top.min(from_end) > MOST_ARROWS {
        let chosen = grip.ask::<bool>("chooseByScript", &json!({ "place": place })).await;
        return if chosen.map_err(Miss::During)? { Ok(Did::Sent) } else { Err(Miss::During(another())) };
    }
    if !is_open(&grip).await? {
        write::bring_keys(&grip, "none").await?;
        // A page may fill a list only when it is about to be opened, or have one of its own instead.
        hand::strike_held(&grip, &[Stroke::named(" ")], Duration::ZERO, subject.limit).await?;
    }
    let chosen = choose_in_open(subject, &grip, choice).await;
    if chosen.is_err() {
        close(subject, &grip).await;
    }
    chosen
}

async fn choose_in_open(subject: &Subject<'_>, grip: &Grip<'_>, choice: &Choice) -> Result<Did, Miss> {
    if !is_open(grip).await.map_err(Miss::During)? {
        return Err(Miss::During(not_applicable("the page does not let the list be opened by keys")));
    }
    let (place, _, from_top, from_end) = found(grip, choice).await.map_err(Miss::During)?;
    let (end, arrow, count) =
        if from_top <= from_end { ("Home", "ArrowDown", from_top) } else { ("End", "ArrowUp", from_end) };
    let mut strokes = vec![Stroke::named(end)];
    strokes.extend(repeat_n(Stroke::named(arrow), count));
    strokes.push(Stroke::named("Enter"));
    hand::strike_beyond(grip, &strokes, subject.limit).await?;
    match grip.ask::<i64>("chosenPlace", &Value::Null).await {
        Ok(chosen) if chosen == i64::from(place) => Ok(Did::Sent),
        Ok(_) => Err(Miss::During(another())),
        Err(why) if has_gone_on(&why) => Ok(Did::Sent),
        Err(why) => Err(Miss::During(why)),
    }
}

async fn is_open(grip: &Grip<'_>) -> Result<bool, Blocked> {
    grip.ask("isListOpen", &Value::Null).await
}

fn another() -> Blocked {
    not_applicable("the option was chosen, and the page holds another one")
}

/// Closes a list that was opened in vain: nothing is chosen by that, since no arrow was pressed. Also where nobody waits any more.
async fn close(subject: &Subject<'_>, grip: &Grip<'_>) {
    let (epoch, index) = (&grip.epoch, grip.element.index);
    grip.eye.tell(&with_walker(&format!("legwork?.letListGo('{epoch}', {index})")));
    if matches!(is_open(grip).await, Ok(true)) {
        let _ = hand::strike_beyond(grip, &[Stroke::named("Escape")], subject.limit).await;
    }
}

async fn found(grip: &Grip<'_>, choice: &Choice) -> Result<(u32, bool, usize, usize), Blocked> {
    match grip.ask("nativeChoice", &wanted(choice)).await? {
        Meant::Found { place, is_chosen, from_top, from_end } => Ok((place, is_chosen, from_top, from_end)),
        Meant::Off => Err(switched_off()),
        Meant::Missing { labels, count } => Err(no_such_option(labels, count)),
    }
}

/// Presses an option of a list that shows its options. Where several may be chosen, the others stay as they are.
async fn press_option(
    subject: &Subject<'_>,
    grip: &Grip<'_>,
    field: &Field,
    place: u32,
) -> Result<Did, Miss> {
    let asked = json!({ "epoch": subject.epoch.to_string(), "place": place });
    let kept: Option<Kept> = grip.ask("keepNativeOption", &asked).await?;
    let option: ElementRef = kept.ok_or(Blocked::Gone)?.element(subject.element);
    let option = Subject { element: &option, ..*subject };
    let modifiers = if field.is_multiple { vec![Modifier::Control] } else { Vec::new() };
    option.press(&Click { modifiers, ..Click::default() }).await?;
    match grip.ask::<bool>("isNativeChosen", &json!({ "place": place })).await {
        Ok(true) => Ok(Did::Sent),
        Ok(false) => {
            Err(Miss::During(not_applicable("the option was pressed, and the page did not keep it")))
        }
        Err(why) => Err(Miss::During(why)),
    }
}

pub(super) fn switched_off() -> Blocked {
    not_applicable("this option is switched off")
}

/// What there is instead.
pub(super) fn no_such_option(labels: Vec<PageText>, count: usize) -> Blocked {
    Blocked::NoSuchOption { options: labels, count }
}
