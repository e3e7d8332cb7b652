//! What is put in the place of a field is never written in, and keys and the mouse are not brought to it.

use legwork_testkit::sampled;

use super::{fields_kit::*, swapped_places::*, *};

/// The document with the fields, wherever it is.
const FIELDS: &str = "act_swapped_parts.html";

/// Where the fields are: in the page, in shadow roots of both kinds, and in a frame of another site.
const PLACES: [&str; 4] = [
    "act_swapped_parts.html?",
    "act_swapped_parts.html?mode=open&",
    "act_swapped_parts.html?mode=closed&",
    "act_swapped_far.html?",
];

/// What writes, and what a field that held "old" holds by then.
fn writings() -> [(Deed, &'static str); 4] {
    let key = Deed::PressKey(chord("x"));
    [(fill("new"), "new"), (type_in("new"), "oldnew"), (Deed::Clear, ""), (key, "xold")]
}

fn deeds() -> Vec<Deed> {
    writings().map(|(deed, _)| deed).into()
}

/// What came of a deed on a field that is swapped.
struct Tried {
    outcome: Result<Done, NotDone>,
    /// What the fields received, in order.
    record: Vec<String>,
    /// What the first field and the other one hold.
    held: String,
}

async fn tried(stage: &Stage, page: &str, deed: &Deed) -> Tried {
    let tab = opened_unvisited(stage, page).await;
    let looked = looked(stage).await;
    if page.contains("when=now") {
        swap_now(&tab, FIELDS).await;
    }
    let outcome = looked.act_within(stage, "Save", deed.clone(), &trial()).await;
    let frames = tab.frames().await.unwrap();
    let frame = frames.iter().find(|frame| frame.url.contains(FIELDS)).expect("the fields are there");
    let ask = "(document.dispatchEvent(new Event('ask')), document.documentElement.dataset.held)";
    let held = tab.value(&frame.id, ask, &soon()).await.unwrap();
    Tried { outcome, record: record(&tab, FIELDS).await, held }
}

impl Tried {
    /// What came to the other field and might do something there. A key that went down comes up wherever keys go by then, as it does for
    /// a person.
    fn done_to_other(&self) -> Vec<&String> {
        let told = ["pointermove:pay", "mousemove:pay", "mouseover:pay", "focusin:pay"];
        let others =
            self.record.iter().filter(|entry| entry.ends_with(":pay") && !told.contains(&entry.as_str()));
        let mut others: Vec<&String> = others.collect();
        if others.first().is_some_and(|first| *first == "keyup:pay") {
            others.remove(0);
        }
        others
    }
}

/// Tries deeds on a field that is swapped: nothing is written anywhere, and that is told.
async fn nothing_is_written(stage: &Stage, page: &str, deeds: &[Deed]) {
    for deed in deeds {
        let tried = tried(stage, page, deed).await;
        let Tried { outcome, record, held } = &tried;
        assert_eq!(held, "old,old", "{page} {deed:?}: {record:?} {outcome:?}");
        assert_eq!(tried.done_to_other(), [""; 0], "{page} {deed:?}: {record:?} {outcome:?}");
        if page.contains("when=now") {
            assert!(is_refused(outcome) && record.is_empty(), "{page} {deed:?}: {record:?} {outcome:?}");
        } else {
            // Keys were brought to the one that was meant: the page has heard of that.
            let is_told = outcome.as_ref().is_err_and(|not| {
                matches!(not.why, Blocked::Changed | Blocked::Obscured { .. }) && not.permit.is_none()
            });
            assert!(is_told, "{page} {deed:?}: {record:?} {outcome:?}");
        }
    }
}

/// The same field with nothing in its place: it is written in.
async fn it_is_written(stage: &Stage, page: &str) {
    for (deed, wanted) in writings() {
        let Tried { outcome, record, held } = tried(stage, page, &deed).await;
        assert!(outcome.is_ok_and(|done| done.receipt.dispatched), "{page} {wanted:?}: {record:?}");
        assert_eq!(held, format!("{wanted},old"), "{page}: {record:?}");
        assert_eq!(record.first().map(String::as_str), Some("focusin:save"), "{page}: {record:?}");
        assert!(record.contains(&"input:save".to_owned()), "{page}: {record:?}");
        assert!(record.iter().all(|entry| entry.ends_with(":save")), "{page}: {record:?}");
    }
}

#[tokio::test]
async fn no_other_field_is_written_in() {
    let stage = Stage::new().await;
    for part in ["field", "rich"] {
        for how in ["replace", "relabel"] {
            for when in ["now", "focus"] {
                let page = format!("{}part={part}&how={how}&when={when}", PLACES[0]);
                nothing_is_written(&stage, &page, &deeds()).await;
            }
        }
        it_is_written(&stage, &format!("{}part={part}&how=none&when=now", PLACES[0])).await;
    }
    stage.end().await;
}

#[tokio::test]
async fn letters_do_not_go_where_a_page_takes_the_keys() {
    let stage = Stage::new().await;
    for part in ["field", "rich"] {
        let page = |when| format!("{}part={part}&how=replace&when={when}", PLACES[0]);
        // A field that says something else once it is written in is the one that was meant all the same, so nothing is relabelled here.
        // A text is put into a field at once, without a key.
        let with_keys = if part == "field" { deeds().split_off(1) } else { deeds() };
        nothing_is_written(&stage, &page("keydown"), &with_keys).await;
        nothing_is_written(&stage, &page("beforeinput"), &deeds()).await;
    }
    stage.end().await;
}

#[tokio::test]
async fn no_other_field_is_written_in_shadow_roots_and_in_a_frame_of_another_site() {
    let stage = Stage::new().await;
    let ways = [
        ("replace", "now"),
        ("relabel", "now"),
        ("replace", "focus"),
        ("relabel", "focus"),
        ("replace", "beforeinput"),
    ];
    let everywhere = PLACES[1..].iter().flat_map(|place| ways.map(|(how, when)| (place, how, when)));
    for (place, how, when) in sampled(everywhere, 2) {
        nothing_is_written(&stage, &format!("{place}part=field&how={how}&when={when}"), &deeds()).await;
    }
    for place in &PLACES[1..] {
        it_is_written(&stage, &format!("{place}part=field&how=none&when=now")).await;
    }
    stage.end().await;
}

#[tokio::test]
async fn neither_keys_nor_the_mouse_are_brought_to_another_field() {
    let stage = Stage::new().await;
    for place in PLACES {
        let page = |how: &str, when: &str| format!("{place}part=field&how={how}&when={when}");
        for how in ["replace", "relabel"] {
            nothing_is_written(&stage, &page(how, "now"), &[Deed::Focus, Deed::Hover]).await;
        }
        // What the page itself does when they come is its own affair; nothing more is sent after it.
        for (when, deed) in [("focus", Deed::Focus), ("pointermove", Deed::Hover)] {
            let tried = tried(&stage, &page("replace", when), &deed).await;
            assert_eq!(tried.done_to_other(), [""; 0], "{place} {deed:?}: {:?}", tried.outcome);
            assert_eq!(tried.outcome.is_ok(), deed == Deed::Hover, "{place} {deed:?}: {:?}", tried.outcome);
        }
        for (deed, kind) in [(Deed::Focus, "focusin:save"), (Deed::Hover, "pointermove:save")] {
            let Tried { outcome, record, .. } = tried(&stage, &page("none", "now"), &deed).await;
            outcome.unwrap_or_else(|not| panic!("{place} {deed:?}: {not:?}"));
            assert!(record.contains(&kind.to_owned()), "{place}: {record:?}");
            assert!(record.iter().all(|entry| entry.ends_with(":save")), "{place}: {record:?}");
        }
    }
    stage.end().await;
}
