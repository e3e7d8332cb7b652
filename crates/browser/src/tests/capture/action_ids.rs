//! The number of a control in an observation leads to its element, through frames and shadow roots.

use legwork_types::contract::ActionId;

use super::*;

/// A page of the corpus on which every control is called by its key.
fn called_by_key(page: &str) -> String {
    let (_, text) = PAGES.iter().find(|(name, _)| *name == page).expect("the page is in the corpus");
    let mut parts = text.split("data-key=");
    let mut called = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let key = &part[..part.find([' ', '>']).expect("the tag ends")];
        called.push_str(&format!("data-key={key} aria-label={key}{}", &part[key.len()..]));
    }
    called
}

async fn numbers_lead_to_elements(page: &str) {
    let mut site = Site::builder();
    for page in [page, "look_in_frame.html"] {
        site = site.page(&format!("/pages/{page}"), called_by_key(page));
    }
    let stage = Stage::on(site.start().await).await;
    let tab = loaded(&stage, page).await;
    let capture = capture(&tab).await;
    let look = understood(&capture);
    let mut found = BTreeSet::new();
    for number in (1..).map(ActionId).take(look.scene().items.len()) {
        let affordance = look.affordance(number).expect("numbers have no gaps");
        let element = look.element(number).expect("there is an element behind it");
        let (tag, key) = tag_and_key(&tab, &capture, element).await;
        let key = key.unwrap_or_else(|| panic!("{page}: {affordance:?} leads to a <{tag}> without a key"));
        assert_eq!(affordance.name.untrusted(), key, "{page}: {number:?}");
        let role = match tag.as_str() {
            "a" => "link",
            "input" => "textbox",
            tag => tag,
        };
        assert_eq!(affordance.role, role, "{page}: {number:?}");
        assert!(found.insert(key), "{page}: {number:?} leads where another one does");
    }
    let keys = keys_in_source(page);
    let wanted: BTreeSet<&String> = keys.iter().filter(|key| !is_hidden(key)).collect();
    assert!(wanted.iter().all(|key| found.contains(*key)), "{page}: {found:?} of {wanted:?}");
    stage.end().await;
}

#[tokio::test]
async fn numbers_lead_into_frames_of_every_kind() {
    numbers_lead_to_elements("look_frames.html").await;
}

#[tokio::test]
async fn numbers_lead_into_transformed_frames() {
    numbers_lead_to_elements("look_frames_transformed.html").await;
}

#[tokio::test]
async fn numbers_lead_into_shadow_roots() {
    numbers_lead_to_elements("look_shadow_roots.html").await;
}
