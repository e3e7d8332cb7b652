//! Ticking boxes and switches, the browser's own and those that pages draw.

use std::time::Duration;

use legwork_types::{Click, Tick};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Kind, Subject, ask_field, has_gone_on, not_applicable};
use crate::act::{Did, Miss, grip::Needs};

/// How long a page may take until it shows that something is ticked.
const PATIENCE: Duration = Duration::from_secs(1);

/// How a box is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Ticked {
    On,
    Off,
    /// Neither; also what a box shows whose parts are not all alike.
    Mixed,
}

/// Ticks something, or takes the tick off it. Nothing is pressed where it is so already.
pub(super) async fn tick(subject: &Subject<'_>, wanted: Tick) -> Result<Did, Miss> {
    let (goal, word) = match wanted {
        Tick::On => (Ticked::On, "on"),
        Tick::Off => (Ticked::Off, "off"),
    };
    let grip = subject.take(Needs::Presence).await?;
    let kind = ask_field(&grip).await?.kind;
    if !matches!(kind, Kind::Checkbox | Kind::Radio) {
        return Err(not_applicable("this can't be ticked").into());
    }
    let before: Ticked = grip.ask("tickOf", &Value::Null).await?;
    if before == goal {
        return Ok(Did::Nothing);
    }
    if (kind, wanted) == (Kind::Radio, Tick::Off) {
        return Err(
            not_applicable("one of several is let go only by choosing another: check that one").into()
        );
    }
    // What is neither may become the other one first.
    let most = if before == Ticked::Mixed { 2 } else { 1 };
    for presses in 1..=most {
        let pressed = subject.press(&Click::default()).await;
        pressed.map_err(|miss| if presses > 1 { miss.during() } else { miss })?;
        if subject.tab.dialog().is_some() {
            return Ok(Did::Sent);
        }
        let patience = json!({ "wanted": word, "milliseconds": PATIENCE.as_millis() });
        match grip.ask::<Ticked>("awaitTick", &patience).await {
            Ok(now) if now == goal => return Ok(Did::Sent),
            Ok(_) => {}
            Err(why) if has_gone_on(&why) => return Ok(Did::Sent),
            Err(why) => return Err(Miss::During(why)),
        }
    }
    Err(Miss::During(not_applicable("it was pressed, and the page left it as it was")))
}
