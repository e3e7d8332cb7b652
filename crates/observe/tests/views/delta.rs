//! What changed since an earlier look.

use std::collections::HashMap;

use legwork_observe::{Look, ObserveError};
use legwork_types::{
    Code,
    contract::{ActionId, Affordance, ObservationId, ObserveOptions, Toggle},
};
use proptest::{prelude::*, sample::subsequence};

use crate::support::{Scribe, boundary};

fn page(id: &str, controls: &[(&str, bool)]) -> Look {
    let mut page = Scribe::default();
    for (name, checked) in controls {
        page.control("checkbox", name).checked = Some(if *checked { Toggle::On } else { Toggle::Off });
    }
    page.named(id)
}

fn since(id: &str) -> ObserveOptions {
    ObserveOptions { since: Some(ObservationId(id.into())), ..ObserveOptions::default() }
}

#[test]
fn new_gone_and_changed_controls_are_told_by_number() {
    let earlier = page("o1", &[("A", false), ("B", false), ("C", false)]);
    let now = page("o2", &[("Z", false), ("B", true), ("C", false)]);
    let reading = now.read(&since("o1"), Some(&earlier), &boundary()).unwrap();
    let delta = reading.observation.delta.unwrap();
    assert_eq!(delta.since, *earlier.id());
    assert_eq!(delta.added.iter().map(|one| one.action_id.0).collect::<Vec<_>>(), [1]);
    assert_eq!(delta.removed.iter().map(|one| one.0).collect::<Vec<_>>(), [1]);
    assert_eq!(
        delta.changed.iter().map(|one| (one.was.0, one.now.action_id.0)).collect::<Vec<_>>(),
        [(2, 2)]
    );
    assert_eq!(
        reading.text,
        r#"observation o2
<untrusted 00000000000000000007>
page "Test page" "https://shop.test/"
gone "A"
1 checkbox "Z" +new
2 checkbox "B" checked ~changed
3 checkbox "C"
</00000000000000000007>
"#
    );
}

#[test]
fn a_move_a_scroll_or_the_focus_is_no_change() {
    let earlier = page("o1", &[("A", false)]);
    let mut moved = Scribe::default();
    let control = moved.control("checkbox", "A");
    control.checked = Some(Toggle::Off);
    (control.rect, control.in_viewport, control.focused) = (None, false, true);
    let now = moved.named("o2");
    let delta = now.observe(&since("o1"), Some(&earlier)).unwrap().delta.unwrap();
    assert_eq!((delta.added.len(), delta.removed.len(), delta.changed.len()), (0, 0, 0));
}

#[test]
fn a_look_that_is_not_kept_is_refused() {
    let (earlier, now) = (page("o1", &[]), page("o2", &[]));
    for kept in [None, Some(&earlier)] {
        let error = now.observe(&since("o0"), kept).unwrap_err();
        let provided = ObservationId("o0".into());
        assert_eq!(error, ObserveError::UnknownEarlier { current: now.id().clone(), provided });
        assert_eq!(error.code(), Code::StaleObservation);
    }
}

/// All that a list says, regardless of numbers and of what counts as no change: a move, a scroll, the focus.
fn said(list: impl Iterator<Item = Affordance>) -> Vec<String> {
    let alike = |one: Affordance| Affordance {
        action_id: ActionId(0),
        rect: None,
        in_viewport: false,
        focused: false,
        ..one
    };
    let mut said: Vec<_> = list.map(|one| serde_json::to_string(&alike(one)).unwrap()).collect();
    said.sort();
    said
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_old_list_with_the_differences_is_the_new_list(
        old in subsequence(vec!["A", "B", "C", "D", "E", "A", "B", "C"], 0..8),
        new in subsequence(vec!["E", "A", "B", "C", "D", "A", "B", "F"], 0..8),
        on in any::<u16>(),
    ) {
        let ticked = |names: Vec<&'static str>, shift: u32| {
            let tick = |(nth, name)| (name, on >> (nth as u32 + shift) & 1 == 1);
            names.into_iter().enumerate().map(tick).collect::<Vec<_>>()
        };
        let (earlier, now) = (page("o1", &ticked(old, 0)), page("o2", &ticked(new, 8)));
        let options = ObserveOptions::default();
        let delta = now.observe(&since("o1"), Some(&earlier)).unwrap().delta.unwrap();
        let before = earlier.observe(&options, None).unwrap().affordances;
        let mut list: HashMap<_, _> = before.into_iter().map(|one| (one.action_id, one)).collect();
        for gone in &delta.removed {
            prop_assert!(list.remove(gone).is_some());
        }
        for change in delta.changed {
            prop_assert!(list.insert(change.was, change.now).is_some());
        }
        let after = now.observe(&options, None).unwrap().affordances;
        prop_assert_eq!(said(list.into_values().chain(delta.added)), said(after.into_iter()));
    }
}
