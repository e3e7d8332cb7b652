//! Whatever is asked for: a place is given a permit only for what was judged, and never for an unconfirmed danger.

use legwork_policy::{Confirmation, Verdict, Wire, confirmation_text, judge};
use legwork_types::{
    Chord, Deed, Intent, TabId,
    contract::{Action, Direction, FieldValue, FormFill, RiskLevel, Target, WaitFor},
};
use proptest::prelude::*;

use super::{fake::Given, *};
use crate::session::facts;

/// A call in numbers, made concrete once there are sessions.
#[derive(Debug, Clone)]
struct Call {
    caller: bool,
    session: usize,
    look_of: usize,
    is_old: bool,
    on_page: bool,
    number: u32,
    other: u32,
    action: usize,
    confirm: bool,
    words: usize,
}

fn calls() -> impl Strategy<Value = Vec<Call>> {
    let flags = (prop::bool::weighted(0.9), prop::bool::weighted(0.15), prop::bool::weighted(0.3));
    let places = (0..3_usize, prop::bool::weighted(0.1));
    // Most numbers are of the page, and most of these matter.
    let call = (flags, places, 0..15_u32, 0..15_u32, 0..29_usize, any::<bool>(), 0..5_usize);
    let call = call.prop_map(
        |((caller, is_old, on_page), (session, mixed), number, other, action, confirm, words)| {
            let look_of = if mixed { (session + 1) % 3 } else { session };
            Call { caller, session, look_of, is_old, on_page, number, other, action, confirm, words }
        },
    );
    prop::collection::vec(call, 1..12)
}

fn action(call: &Call) -> Action {
    let words = |text: &str| FieldValue::Text(text.into());
    let fields = |numbers: &[u32]| Action::FillForm {
        fields: numbers.iter().map(|n| FormFill { action_id: ActionId(*n), value: words("x") }).collect(),
    };
    match call.action {
        0..=2 => click(),
        3 => Action::Hover {},
        4 => Action::Fill { value: words("tea") },
        5 => Action::Type { text: words("tea\n"), delay_ms: 0 },
        6 => press("Enter"),
        7 => press("Escape"),
        8 => Action::Check {},
        9 => Action::Drag { to: ActionId(call.other) },
        10 => fields(&[call.number, call.other]),
        11 => Action::Back {},
        12 => Action::Fill { value: FieldValue::Secret { secret: "card".into() } },
        13 => Action::HandleDialog { accept: true, text: None },
        14 => Action::Upload { files: vec!["/etc/hostname".into()] },
        15 => Action::Focus {},
        16 => Action::Clear {},
        17 => Action::SelectOption { value: None, label: Some("Delete account".into()), index: None },
        18 => Action::SelectOption { value: None, label: None, index: Some(call.other) },
        19 => Action::Uncheck {},
        20 => Action::Navigate { url: SHOP.into() },
        21 => Action::Forward {},
        22 => Action::Reload {},
        23 => Action::Scroll { direction: Direction::Down, pixels: 100 },
        24 => Action::Wait { what: WaitFor::Timeout, value: None, ms: 1 },
        25 => Action::SwitchTab { tab_id: TabId::nth(1) },
        26 => Action::CloseTab { tab_id: TabId::nth(1) },
        27 => Action::HandleDialog { accept: false, text: None },
        _ => Action::ScrollIntoView {},
    }
}

/// Whether the page itself says that this might do what can't be undone; told from the look alone.
fn is_dangerous(look: &Look, intent: &Intent) -> bool {
    let risk = |action: ActionId| look.affordance(action).unwrap().risk.level == RiskLevel::Danger;
    let sends = |action: ActionId| {
        let of_pay = ["Coupon"].map(|name| number(look, name));
        of_pay.contains(&action)
    };
    let presses = |chord: &Chord| matches!(chord.key.as_str(), "Enter" | " ");
    match intent {
        // These do nothing to an element but show it.
        Intent::OnElement {
            deed: Deed::Hover | Deed::Focus | Deed::ScrollIntoView | Deed::Scroll(_),
            ..
        } => false,
        Intent::OnElement { target, deed: Deed::PressKey(chord) } => {
            presses(chord) && (risk(*target) || sends(*target))
        }
        Intent::OnElement { target, deed: Deed::Type { text: FieldValue::Text(text), .. } } => {
            risk(*target) || (text.contains('\n') && sends(*target))
        }
        Intent::OnElement { target, deed: Deed::DragTo(to) } => risk(*target) || risk(*to),
        Intent::OnElement { target, .. } => risk(*target),
        Intent::FillForm(fields) => fields.iter().any(|field| risk(field.action_id)),
        Intent::HandleDialog { accept, .. } => *accept,
        Intent::PressKeyOnPage(chord) => {
            let mut focused = look.scene().items.iter().filter(|item| item.affordance.focused);
            // What has the focus unseen may be anything.
            presses(chord) && focused.next().is_none_or(|item| risk(item.affordance.action_id))
        }
        _ => false,
    }
}

async fn holds(rules: Rules, focus_on_pay: bool, calls: Vec<Call>) {
    let bench = Bench::ruled(rules.clone());
    let mut opens = Vec::new();
    for nth in 0..3 {
        let mut open = bench.open_nth(SHOP, nth).await;
        if focus_on_pay {
            let mut body = shop_body();
            body[5] = submit("Pay now", 1).flag(Flag::Focused);
            open.place.scenery().page = shop_of(body).capture();
            open.look = bench.look(&open).await;
        }
        opens.push(open);
    }
    let mut olds: Vec<ObservationId> = opens.iter().map(|_| ObservationId("o0".into())).collect();
    for call in calls {
        let open = &opens[call.session];
        let named =
            if call.is_old { olds[call.look_of].clone() } else { opens[call.look_of].look.id().clone() };
        let action_id = ActionId(call.number);
        let target = if call.on_page { Target::Page {} } else { Target::Element { action_id } };
        let mut request = on_target(open, target, action(&call));
        request.observation_id = named.clone();
        let intent = Intent::of(target, request.action.clone()).ok();
        let asked = intent.as_ref().filter(|intent| facts::check_targets(&open.look, intent).is_ok());
        let facts = match asked {
            Some(intent) => Some(facts::gather(&open.look, intent, None, Wire::Open, vec![]).await),
            None => None,
        };
        // The words that a caller who read the refusal would echo.
        let text = asked.zip(facts.as_ref()).map(|(intent, facts)| confirmation_text(intent, facts));
        let text = text.unwrap_or_default();
        request.confirm = call.confirm;
        request.confirmation_text = match call.words {
            0 => None,
            1 => Some(format!("{text}!")),
            2 => Some(String::new()),
            _ => Some(text.clone()),
        };
        let confirmation = Confirmation { confirm: request.confirm, text: request.confirmation_text.clone() };
        let stranger = Caller::new("a stranger");
        let caller = if call.caller { &bench.caller } else { &stranger };
        let before: Vec<usize> = opens.iter().map(|open| open.place.given().len()).collect();
        let acted = bench.sessions.act(caller, request, &bench.never).await;

        let verdict = asked.zip(facts.as_ref());
        let verdict = verdict.map(|(intent, facts)| judge(intent.clone(), facts, &rules, &confirmation));
        let may = call.caller && named == *open.look.id() && matches!(verdict, Some(Verdict::Go(_)));
        for (nth, other) in opens.iter().enumerate() {
            let expected = before[nth] + usize::from(may && nth == call.session);
            assert_eq!(other.place.given().len(), expected, "{call:?}");
        }
        if may {
            let intent = asked.unwrap();
            let given = open.place.given().pop().unwrap();
            is_bound(&given, open, intent);
            let confirmed = rules.who_confirms == WhoConfirms::Caller
                && confirmation.confirm
                && confirmation.text == Some(text);
            assert!(confirmed || !is_dangerous(&open.look, intent), "an unconfirmed danger: {call:?}");
        }
        assert_eq!(acted.receipt.dispatched, may);
        if call.caller {
            let next = acted.next.expect("always a look").look;
            let open = &mut opens[call.session];
            olds[call.session] = open.look.id().clone();
            assert_eq!(next.id() != open.look.id(), may, "what was not done leaves the look as it is");
            open.look = next;
        } else {
            assert!(acted.next.is_none());
        }
    }
}

/// A permit is for this session, this look, this intent and just these elements.
fn is_bound(given: &Given, open: &Open, intent: &Intent) {
    assert_eq!((&given.session, &given.observation, &given.intent), (&open.id, open.look.id(), intent));
    let fingerprint = |action: &ActionId| (*action, open.look.affordance(*action).unwrap().fingerprint);
    let mut expected: Vec<_> = intent.targets().iter().map(fingerprint).collect();
    if matches!(intent, Intent::PressKeyOnPage(_)) {
        let focused = open.look.scene().items.iter().filter(|item| item.affordance.focused);
        expected.extend(focused.map(|item| fingerprint(&item.affordance.action_id)));
    }
    assert_eq!(given.targets, expected);
    let aimed: Vec<_> = given.aims.elements.iter().map(|(action, _)| *action).collect();
    assert_eq!(aimed, expected.iter().map(|(action, _)| *action).collect::<Vec<_>>());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_permit_is_given_only_for_what_was_judged(
        trusts in any::<bool>(),
        uploads in any::<bool>(),
        focus_on_pay in any::<bool>(),
        calls in calls(),
    ) {
        let rules = Rules {
            who_confirms: if trusts { WhoConfirms::Caller } else { WhoConfirms::Nobody },
            uploads: if uploads { vec!["/etc".into()] } else { vec![] },
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(holds(rules, focus_on_pay, calls));
    }
}
