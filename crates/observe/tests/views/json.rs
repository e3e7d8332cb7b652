//! The JSON form.

use legwork_types::contract::{Include, ObserveOptions};
use serde_json::json;

use crate::support::{Scribe, shop};

#[test]
fn words_of_the_page_are_harmless_in_every_field() {
    let evil = "a\u{202e}b\u{200b}c\u{1b}[0m\u{e0041}";
    let mut page = Scribe::new(evil);
    page.scene.page.primary_heading = Some(evil.into());
    let control = page.control("button", evil);
    (control.value, control.near_text, control.href) =
        (Some(evil.into()), Some(evil.into()), Some(evil.into()));
    control.constraints.options = vec![evil.into()];
    page.text(evil);
    let options = ObserveOptions { include: vec![Include::Text], ..ObserveOptions::default() };
    let observation = page.look().observe(&options, None).unwrap();
    let json = serde_json::to_string(&observation).unwrap();
    for character in ['\u{202e}', '\u{200b}', '\u{e0041}'] {
        assert!(!json.contains(character), "{character:?} in {json}");
    }
    assert!(!json.contains("\\u001b"), "{json}");
    assert_eq!(observation.affordances[0].name, r"a\u{202e}bc\u{1b}[0m\u{e0041}".into());
    assert_eq!(observation.page.title, Some(r"a\u{202e}bc\u{1b}[0m\u{e0041}".into()));
}

#[test]
fn an_observation_is_written_as_the_contract_says() {
    let mut page = Scribe::default();
    let control = page.control("checkbox", "Subscribe");
    control.checked = Some(legwork_types::contract::Toggle::On);
    let observation = page.look().observe(&ObserveOptions::default(), None).unwrap();
    let json = serde_json::to_value(&observation).unwrap();
    assert_eq!(json["schemaVersion"], "0.1");
    assert_eq!(json["observationId"], "o1");
    assert_eq!(json["createdAt"], "1970-01-01T00:00:00.000Z");
    assert_eq!(json["hasMore"], false);
    assert_eq!(json["omitted"]["overBudget"], 0);
    let fingerprint = json["affordances"][0]["fingerprint"].clone();
    assert_eq!(
        json["affordances"][0],
        json!({
            "actionId": 1, "role": "checkbox", "name": "Subscribe", "visible": true, "inViewport": true,
            "disabled": false, "risk": {"level": "safe", "reasons": []}, "landmark": "main", "checked": true,
            "targetable": true, "fingerprint": fingerprint,
        })
    );
}

#[test]
fn what_takes_too_much_room_goes_to_the_next_page() {
    let mut page = shop(150);
    for item in &mut page.scene.items {
        item.affordance.name = "漢".repeat(300).into();
        item.affordance.near_text = Some("字".repeat(300).into());
    }
    let look = page.look();
    let mut options =
        ObserveOptions { max_affordances: 200, include: vec![Include::Boxes], ..ObserveOptions::default() };
    let mut seen = 0;
    loop {
        let observation = look.observe(&options, None).unwrap();
        assert!(serde_json::to_vec(&observation).unwrap().len() <= 100_000);
        seen += observation.affordances.len();
        assert_eq!(seen + observation.omitted.paged as usize, 783 + seen - observation.affordances.len());
        match observation.next_cursor {
            None => break,
            cursor => options.cursor = cursor,
        }
    }
    assert_eq!(seen, 783);
}
