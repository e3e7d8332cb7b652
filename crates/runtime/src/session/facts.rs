//! What a verdict is made from, read from the look that the caller decided on.

use std::path::PathBuf;

use legwork_observe::{Item, Look, Scene, risk_of_words};
use legwork_policy::{
    Facts, FileFacts, Rules, TargetFacts, Wire,
    secrets::{FieldFacts, SecretRule},
};
use legwork_types::{
    Choice, Code, Deed, Intent, Problem,
    contract::{ActionId, Affordance, BlockerKind, Dialog, FieldValue, Risk, RiskLevel},
};

/// Whether everything that an intent names is in the look and can be acted on.
pub(super) fn check_targets(look: &Look, intent: &Intent) -> Result<(), Problem> {
    for action in intent.targets() {
        let Some(affordance) = look.affordance(action) else {
            if (1..look.numbers().start).contains(&action.0) {
                return Err(Problem::new(
                    Code::StaleObservation,
                    format!("number {action} is of an earlier observation"),
                    "decide anew on the observation that comes with this answer",
                ));
            }
            return Err(Problem::new(
                Code::ActionNotFound,
                format!("the observation has nothing with number {action}"),
                "use a number that the latest observation shows",
            ));
        };
        if !affordance.targetable || look.element(action).is_none() {
            return Err(Problem::new(
                Code::ActionNotApplicable,
                format!("there is no element behind number {action} that could be acted on"),
                "choose another element",
            ));
        }
    }
    Ok(())
}

/// What is known of the page and of what is acted on. `dialog` is the one that waits.
pub(super) async fn gather(
    look: &Look,
    intent: &Intent,
    dialog: Option<&Dialog>,
    wire: Wire,
    secrets: Vec<SecretRule>,
) -> Facts {
    let items = &look.scene().items;
    let focused = items.iter().find(|item| item.affordance.focused);
    let targets = intent.targets();
    Facts {
        session: look.session().clone(),
        observation: look.id().clone(),
        domain: look.scene().page.domain.clone(),
        targets: targets.into_iter().filter_map(|action| target_of(look, intent, action)).collect(),
        focused: focused.and_then(|item| target_of(look, intent, item.affordance.action_id)),
        dialog: dialog.cloned(),
        files: match intent {
            Intent::OnElement { deed: Deed::Upload(files), .. } => really(files).await,
            _ => vec![],
        },
        wire,
        address: look.scene().page.final_url.clone(),
        secrets,
        caution: None,
    }
}

/// What is known of one element.
pub(super) fn target(look: &Look, action: ActionId) -> Option<TargetFacts> {
    let scene = look.scene();
    let index = scene.items.iter().position(|item| item.affordance.action_id == action)?;
    let item = scene.items.get(index)?;
    let mut captchas = scene.blockers.iter().filter(|blocker| blocker.kind == BlockerKind::Captcha);
    Some(TargetFacts {
        action,
        fingerprint: item.affordance.fingerprint,
        role: item.affordance.role.clone(),
        name: item.affordance.name.clone(),
        risk: item.affordance.risk.clone(),
        sends: item.sends.clone(),
        in_captcha: captchas.any(|captcha| captcha.items.contains(&index)),
        field: field(scene, item),
    })
}

/// What is known of an element as a field.
fn field(scene: &Scene, item: &Item) -> FieldFacts {
    let frame = match item.affordance.frame_id {
        None => scene.page.final_url.clone(),
        Some(number) => {
            let frame = scene.page.frames.iter().find(|frame| frame.frame_id == number);
            frame.and_then(|frame| frame.url.clone()).unwrap_or_default()
        }
    };
    let form = item.form.and_then(|form| scene.forms.get(form));
    FieldFacts {
        purpose: item.purpose,
        shows_dots: item.shows_dots,
        frame,
        sent_to: form.map(|form| form.sent_to.clone()).unwrap_or_default(),
    }
}

/// The same for what an intent does to it: of a list also what is chosen, because many a page does that at once.
fn target_of(look: &Look, intent: &Intent, action: ActionId) -> Option<TargetFacts> {
    let facts = target(look, action)?;
    let affordance = look.affordance(action)?;
    let chosen = chosen(intent, action, affordance).into_iter().max_by_key(|risk| risk.level);
    let risk = chosen.filter(|chosen| chosen.level > facts.risk.level).unwrap_or(facts.risk);
    Some(TargetFacts { risk, ..facts })
}

/// How much harm what an intent may choose in a list might do.
fn chosen(intent: &Intent, action: ActionId, list: &Affordance) -> Vec<Risk> {
    let is_list = matches!(list.role.as_str(), "combobox" | "listbox");
    let written = |value: &FieldValue| match value {
        FieldValue::Text(text) if is_list => by_words(list, text, Words::LabelOrValue),
        FieldValue::Text(_) | FieldValue::Secret { .. } => vec![],
    };
    match intent {
        Intent::OnElement { deed: Deed::Select(choice), .. } => match choice {
            Choice::Label(label) => by_words(list, label, Words::Label),
            Choice::Value(value) => by_words(list, value, Words::Value),
            Choice::LabelOrValue(text) => by_words(list, text, Words::LabelOrValue),
            Choice::Index(index) => by_place(list, *index),
        },
        Intent::OnElement { deed: Deed::Fill(value), .. } => written(value),
        Intent::FillForm(fields) => fields
            .iter()
            .filter(|field| field.action_id == action)
            .flat_map(|field| written(&field.value))
            .collect(),
        // Keys go from entry to entry.
        Intent::OnElement { deed: Deed::PressKey(_) | Deed::Type { .. }, .. } | Intent::PressKeyOnPage(_)
            if is_list =>
        {
            of_all(list)
        }
        _ => vec![],
    }
}

/// What a caller names an entry by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    Label,
    Value,
    LabelOrValue,
}

fn by_words(list: &Affordance, text: &str, words: Words) -> Vec<Risk> {
    let own = risk_of_words(text);
    let wanted = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let is_listed =
        || list.constraints.options.iter().any(|option| option.untrusted().to_lowercase() == wanted);
    match words {
        Words::Label => vec![own],
        Words::LabelOrValue if is_listed() => vec![own],
        // What stands beside a value is not known: it may be any of the labels.
        Words::Value | Words::LabelOrValue => [vec![own], of_all(list)].concat(),
    }
}

fn by_place(list: &Affordance, place: u32) -> Vec<Risk> {
    let option = usize::try_from(place).ok().and_then(|place| list.constraints.options.get(place));
    match option {
        Some(option) => vec![risk_of_words(option.untrusted())],
        // Of a list that takes a secret no entries are told, and those of others are not all told.
        None if list.sensitive => vec![],
        None => vec![Risk {
            level: RiskLevel::Danger,
            reasons: vec!["chooses an entry that the observation does not show".into()],
        }],
    }
}

fn of_all(list: &Affordance) -> Vec<Risk> {
    list.constraints.options.iter().map(|option| risk_of_words(option.untrusted())).collect()
}

/// Where files really are, links followed.
async fn really(files: &[String]) -> Vec<FileFacts> {
    let mut found = Vec::with_capacity(files.len());
    for asked in files {
        let real = real_file(asked).await;
        found.push(FileFacts { asked: asked.clone(), real });
    }
    found
}

async fn real_file(asked: &str) -> Option<PathBuf> {
    let real = tokio::fs::canonicalize(asked).await.ok()?;
    tokio::fs::metadata(&real).await.ok()?.is_file().then_some(real)
}

/// The same rules with their folders where they really are: one that is not there allows nothing.
pub(super) async fn with_real_folders(rules: &Rules) -> Rules {
    let mut uploads = Vec::with_capacity(rules.uploads.len());
    for folder in &rules.uploads {
        uploads.extend(tokio::fs::canonicalize(folder).await.ok());
    }
    Rules { uploads, ..rules.clone() }
}

#[cfg(test)]
mod tests {
    use legwork_observe::{
        PageCapture,
        capture::{FrameCapture, FrameFacts, FrameLook},
    };
    use legwork_types::{
        Chord, FrameId, Timestamp,
        contract::{FormFill, ObservationId, SessionId},
    };

    use super::*;

    /// A page with one list of these entries.
    fn list(options: &str, role: &str) -> Look {
        let written = format!(
            r#"{{"d":{{"u":"http://a.test/","b":"","t":"","l":"","s":"complete","v":[9,9,0,0,9,9],"i":null}},
            "k":[["select","{role}"]],"n":[],"t":[],"c":[[0,"Action",3,1,2,3,4,{{"o":{options}}}]],
            "g":[],"o":[],"f":[],"r":[1],"l":{{}},"q":0}}"#
        );
        let look = FrameLook::read(&written).expect("it is written as the walker does");
        let facts = FrameFacts {
            id: FrameId::new("f1"),
            parent: None,
            loader: "l1".to_owned(),
            url: "http://a.test/".into(),
            name: None,
        };
        let frames = vec![FrameCapture { facts, owner: None, look }];
        let scene = Scene::of(&PageCapture { frames, ..PageCapture::default() });
        Look::new(scene, ObservationId("o1".into()), SessionId("s1".into()), Timestamp::default())
    }

    async fn level(look: &Look, deed: Deed) -> RiskLevel {
        let intent = Intent::OnElement { target: ActionId(1), deed };
        gather(look, &intent, None, Wire::Open, vec![]).await.targets[0].risk.level
    }

    #[tokio::test]
    async fn what_is_chosen_is_judged_by_its_words() {
        let grave = list(r#"["Choose","Delete account"]"#, "combobox");
        let plain = list(r#"["Small","Large"]"#, "combobox");
        let text = |text: &str| FieldValue::Text(text.into());
        for (deed, in_grave, in_plain) in [
            (Deed::Select(Choice::Label("Delete account".into())), RiskLevel::Danger, RiskLevel::Danger),
            (Deed::Select(Choice::Label("Large".into())), RiskLevel::Safe, RiskLevel::Safe),
            (Deed::Select(Choice::Index(0)), RiskLevel::Safe, RiskLevel::Safe),
            (Deed::Select(Choice::Index(1)), RiskLevel::Danger, RiskLevel::Safe),
            (Deed::Select(Choice::Index(7)), RiskLevel::Danger, RiskLevel::Danger),
            (Deed::Select(Choice::Value("2".into())), RiskLevel::Danger, RiskLevel::Safe),
            (Deed::Select(Choice::LabelOrValue("choose".into())), RiskLevel::Safe, RiskLevel::Safe),
            (Deed::Fill(text("Delete account")), RiskLevel::Danger, RiskLevel::Danger),
            (Deed::Fill(text("Large")), RiskLevel::Danger, RiskLevel::Safe),
            (Deed::PressKey(Chord::parse("End").expect("a key")), RiskLevel::Danger, RiskLevel::Safe),
        ] {
            assert_eq!(level(&grave, deed.clone()).await, in_grave, "{deed:?}");
            assert_eq!(level(&plain, deed.clone()).await, in_plain, "{deed:?}");
        }
        let fill = FormFill { action_id: ActionId(1), value: text("Delete account") };
        let facts = gather(&grave, &Intent::FillForm(vec![fill]), None, Wire::Open, vec![]).await;
        assert_eq!(facts.targets[0].risk.level, RiskLevel::Danger);
        // What is written elsewhere is nobody's choice.
        let field = list("[]", "textbox");
        assert_eq!(level(&field, Deed::Fill(text("Please delete account 5"))).await, RiskLevel::Safe);
    }
}
