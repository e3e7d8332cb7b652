//! What the tests of fields share: permits with files and with what keys go to, and the record that pages keep of their fields.

use std::path::PathBuf;

use legwork_policy::{FileFacts, confirmation_text};
use legwork_types::{Choice, Chord, contract::FieldValue};
use serde::Deserialize;

use super::*;

/// One event as the page saw it: kind, id, key or kind of input, trusted or not, and what the field held by then.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(super) struct Event(pub String, pub String, pub String, pub bool, pub String);

/// What the frame whose address holds `part` received, in order.
pub(super) async fn events(tab: &Tab, part: &str) -> Vec<Event> {
    let frames = tab.frames().await.unwrap();
    let frame = frames.iter().find(|frame| frame.url.contains(part)).expect("the frame is there");
    let asked = "document.documentElement.dataset.record ?? '[]'";
    let record: String = tab.value(&frame.id, asked, &soon()).await.unwrap();
    serde_json::from_str(&record).unwrap()
}

/// The events of these kinds, as `input:id=value`; what a script made has a `!` behind it.
pub(super) async fn told(tab: &Tab, part: &str, kinds: &[&str]) -> Vec<String> {
    let all = events(tab, part).await.into_iter().filter(|event| kinds.contains(&event.0.as_str()));
    all.map(|Event(kind, id, _, trusted, value)| {
        format!("{kind}:{id}={value}{}", if trusted { "" } else { "!" })
    })
    .collect()
}

/// The keys that were pressed down, as `id key`.
pub(super) async fn keys(tab: &Tab, part: &str) -> Vec<String> {
    let all = events(tab, part).await.into_iter().filter(|event| event.0 == "keydown" && event.3);
    all.map(|Event(_, id, key, ..)| format!("{id} {key}")).collect()
}

/// What the main frame says of an expression, as words.
pub(super) async fn value(tab: &Tab, expression: &str) -> String {
    read(tab, &format!("String({expression})")).await
}

/// What the field of this id holds.
pub(super) async fn held(tab: &Tab, id: &str) -> String {
    value(tab, &format!("document.getElementById('{id}').value")).await
}

pub(super) fn fill(value: &str) -> Deed {
    Deed::Fill(FieldValue::Text(value.to_owned()))
}

pub(super) fn type_in(text: &str) -> Deed {
    Deed::Type { text: FieldValue::Text(text.to_owned()), delay_ms: 0 }
}

pub(super) fn label(label: &str) -> Deed {
    Deed::Select(Choice::Label(label.to_owned()))
}

pub(super) fn chord(text: &str) -> Chord {
    Chord::parse(text).unwrap()
}

/// Does something that must come to its end; whether input was sent.
pub(super) async fn done(stage: &Stage, name: &str, deed: Deed) -> bool {
    let done = act_on(stage, name, deed.clone()).await;
    done.unwrap_or_else(|not| panic!("{name} {deed:?}: {not:?}")).receipt.dispatched
}

/// Does something that must not, and why it did not. Whether the permit came back says whether anything was sent.
pub(super) async fn refused(stage: &Stage, name: &str, deed: Deed) -> (Blocked, bool) {
    match act_on(stage, name, deed.clone()).await {
        Err(not) => {
            assert_eq!(not.permit.is_none(), not.receipt.dispatched, "{name} {deed:?}");
            (not.why, not.receipt.dispatched)
        }
        Ok(done) => panic!("{name} {deed:?}: {done:?}"),
    }
}

/// The words of what can't be done.
pub(super) fn why(blocked: &Blocked) -> String {
    match blocked {
        Blocked::NotApplicable { why } => why.clone(),
        Blocked::NoSuchOption { options, count } => {
            let options: Vec<String> =
                options.iter().map(|label| format!("{:?}", label.untrusted())).collect();
            format!("{} and {} more", options.join(", "), count - options.len())
        }
        blocked => panic!("{blocked:?}"),
    }
}

impl Looked {
    /// The right to do it with these files, while keys go to this control.
    pub(super) fn permit_with(&self, intent: Intent, files: &[PathBuf], focused: Option<&str>) -> Permit {
        let facts = Facts {
            session: SessionId("s1".to_owned()),
            observation: ObservationId("o1".to_owned()),
            domain: "127.0.0.1".to_owned(),
            targets: intent.targets().into_iter().map(|action| self.facts_of(action)).collect(),
            focused: focused.map(|name| self.facts_of(self.number(name))),
            dialog: None,
            files: files
                .iter()
                .map(|file| FileFacts { asked: file.display().to_string(), real: Some(file.clone()) })
                .collect(),
            wire: legwork_policy::Wire::Open,
            address: Default::default(),
            secrets: vec![],
            caution: None,
        };
        let uploads = files.iter().filter_map(|file| Some(file.parent()?.to_owned())).collect();
        let rules = Rules { who_confirms: WhoConfirms::Caller, uploads };
        let confirmation = Confirmation { confirm: true, text: Some(confirmation_text(&intent, &facts)) };
        match judge(intent, &facts, &rules, &confirmation) {
            Verdict::Go(permit) => permit,
            verdict => panic!("{verdict:?}"),
        }
    }
}
