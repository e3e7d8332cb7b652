//! Pressing a key: on an element, or wherever keys go now.

use std::time::Duration;

use legwork_cdp::Limit;
use legwork_observe::ElementRef;
use legwork_types::Chord;
use serde_json::Value;

use super::{Subject, hand, write};
use crate::{
    Epoch,
    act::{
        Blocked, Did, Miss,
        grip::{Grip, Needs},
        guard::Guard,
        keyboard::Stroke,
    },
    tab::Tab,
};

/// Presses a key on an element, which gets the keys first.
pub(super) async fn on_element(subject: &Subject<'_>, chord: &Chord) -> Result<Did, Miss> {
    let grip = subject.take(Needs::Sight).await?;
    if grip.ask::<bool>("isOff", &Value::Null).await? {
        return Err(Blocked::Disabled.into());
    }
    write::bring_keys(&grip, "none").await?;
    hand::strike_held(&grip, &[Stroke::of(chord)], Duration::ZERO, subject.limit).await?;
    Ok(Did::Sent)
}

/// Presses a key wherever keys go. If they went to an element when the page was looked at, they must go to it still; if to none,
/// then to nothing that a key could set off.
pub(in crate::act) async fn on_page(
    tab: &Tab,
    focused: Option<&ElementRef>,
    epoch: &Epoch,
    chord: &Chord,
    limit: &Limit,
) -> Result<Did, Miss> {
    let strokes = [Stroke::of(chord)];
    if let Some(element) = focused {
        let grip = Grip::take(tab, element, epoch, Needs::Presence, limit).await?;
        if !grip.ask::<bool>("hasKeysNow", &Value::Null).await? {
            return Err(Blocked::Changed.into());
        }
        hand::strike(&grip, &strokes, Duration::ZERO, limit).await?;
        return Ok(Did::Sent);
    }
    let guard = Guard::arm_for_page(tab, limit).await?;
    let sent = hand::turn(tab, &strokes, Duration::ZERO, limit).await;
    let report = guard.report(&hand::BEGINS, limit).await;
    sent?;
    report?.unstopped()?;
    Ok(Did::Sent)
}
